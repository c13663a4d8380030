package blif_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// table reads a table of the test material.
func table(t testing.TB, name string) [][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(shared.Dir(t), "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records[1:]
}

// wallOfVerdict bounds a property; those that take longer are unknown, which
// is not wrong.
const wallOfVerdict = 20 * time.Second

// TestVerdicts checks the properties of VERDICTS.csv. Each is decided, and each
// verdict is that of the table.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the engine on some hundred properties")
	}
	elaborated := map[string]*flat.Elaboration{}
	decided := 0
	for _, row := range table(t, "VERDICTS.csv") {
		name, index, want := row[0], row[2], row[3]
		if !strings.HasSuffix(name, ".blif") {
			continue
		}
		e, ok := elaborated[name]
		if !ok {
			f := bliftest.Open(t, filepath.Join(shared.Dir(t), "corpus", name), blif.Options{})
			e = flat.Elaborate(f)
			elaborated[name] = e
		}
		i, _ := strconv.Atoi(index)
		p := circuit.Property{Kind: circuit.PropertyOutput, Index: i}
		if fault := e.Fault(p); fault != nil {
			t.Errorf("%s %s: %s", name, p, fault.Message)
			continue
		}
		r := verify.Run(context.Background(), verify.Job{
			Circuit: e.Circuit, Property: p, Engine: engines.IC3{}.Engine(), Limits: verify.Limits{Wall: wallOfVerdict},
		}, nil)
		outcomes := map[cert.Outcome]string{cert.Proved: "safe", cert.Refuted: "unsafe", cert.Unknown: "unknown"}
		switch got := outcomes[r.Checked.Outcome()]; {
		case got == "unknown":
			t.Errorf("%s %s: unknown: %s", name, p, r.Checked.Reason())
		case got != want:
			t.Errorf("%s %s: %s, want %s", name, p, got, want)
		default:
			decided++
		}
	}
	t.Logf("%d verdicts agree", decided)
	if decided == 0 {
		t.Error("no verdicts compared")
	}
}
