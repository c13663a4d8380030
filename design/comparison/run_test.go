package comparison_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/comparison"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// TestLongRun tells of a long run through many latches no more values than a client can take.
func TestLongRun(t *testing.T) {
	const latches, steps = 1500, 2000
	var text strings.Builder
	fmt.Fprintf(&text, "aag %d 1 %d 1 0\n2\n", latches+1, latches)
	for i := range latches {
		fmt.Fprintf(&text, "%d %d\n", 4+2*i, 2+2*i)
	}
	shift := text.String()
	last := 2 * (latches + 1)
	var docs [2]*design.Design
	for i, output := range []int{last, last + 1} {
		docs[i] = design.New("file:///shift.aag", aigerdesign.Format, 1, source.NewText(fmt.Sprintf("%s%d\n", shift, output)), design.Options{})
	}
	m, err := comparison.Match(t.Context(), docs[0], docs[1], compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := cert.Trace{Initial: make([]circuit.Value, latches)}
	for range steps {
		run.Inputs = append(run.Inputs, make([]circuit.Value, 1))
	}
	r := &equiv.Report{Matching: m, Pairs: []equiv.Answer{{Verdict: equiv.Different, Difference: &compare.Difference{
		Step: steps - 1, Values: [2]circuit.Value{circuit.Zero, circuit.One}, Traces: [2]cert.Trace{run, run},
	}}}}
	shown, err := comparison.RunFrom(t.Context(), docs, r)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for _, row := range slices.Concat(shown.Rows[0], shown.Rows[1]) {
		values += len(row.Values) + len(row.Other)
	}
	if shown.Steps != steps || len(shown.Rows[0]) == 0 || values > 4_000_000 {
		t.Errorf("%d values of %d rows over %d steps", values, len(shown.Rows[0])+len(shown.Rows[1]), shown.Steps)
	}
}
