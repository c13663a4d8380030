package debug

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// TestWitnessesOfOthers walks through the counterexamples that other checkers have
// found for circuits of the competitions, most of them binary files.
func TestWitnessesOfOthers(t *testing.T) {
	root := filepath.Join(shared.Dir(t), "benchmarks")
	all, err := filepath.Glob(filepath.Join(root, "witnesses", "*.wit"))
	if err != nil || len(all) < 90 {
		t.Fatalf("%d witnesses, %v", len(all), err)
	}
	for _, witness := range all {
		base := strings.TrimSuffix(filepath.Base(witness), ".wit")
		circuits, err := filepath.Glob(filepath.Join(root, "*", base+".a?g"))
		if err != nil || len(circuits) == 0 {
			t.Errorf("%s: no circuit, %v", base, err)
			continue
		}
		c := newClient(t, Options{Engine: func() verify.Engine { return unwanted }})
		if m, refused := c.request("launch", launchJSON(circuits[0], `"witness":`+toJSON(witness))).(*dap.ErrorResponse); refused {
			t.Errorf("%s: %s", base, m.Message)
			continue
		}
		c.move("configurationDone", "")
		if stop := c.move("continue", ""); stop.Reason != "exception" {
			t.Errorf("%s ends with %+v", base, stop)
		}
		frames := ask[*dap.StackTraceResponse](c, "stackTrace", `{"levels":20}`).Body
		for name, v := range c.variables(frames.StackFrames[0].Id, "Property") {
			if v.Type == "property" && v.Value[0] != '1' {
				t.Errorf("%s: the property %s is %s in the last step", base, name, v.Value)
			}
		}
		info := ask[*dap.ExceptionInfoResponse](c, "exceptionInfo", "").Body
		if !strings.Contains(info.Details.StackTrace, " = ") {
			t.Errorf("%s: no reason why it fails: %+v", base, info.Details)
		}
		if stop := c.move("reverseContinue", ""); stop.Reason != "entry" && frames.TotalFrames > 1 {
			t.Errorf("%s: back to %+v", base, stop)
		}
		c.in.Close()
	}
}
