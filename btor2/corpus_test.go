package btor2_test

import (
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// The property of each file has so much processor time; longer ones are unknown, which is not wrong.
var verdictLimit = flag.Duration("verdict-limit", 50*time.Millisecond, "processor time for the property of a real file")

// otherTwins are files of which the table has the verdict on another circuit of the same name. That of this one is on
// examples/counter; the AIGER file of its own folder, avr/crafted/counter, is proved as this one is.
var otherTwins = map[string]bool{"avr-crafted/counter.btor2": true}

// maxElaboration bounds the processor time that the circuit of any real file takes.
const maxElaboration = 2 * time.Second

// TestRealFiles elaborates real files, of which some have arrays that are too large, and compares the verdicts on their
// properties with those on files with the same names in AIGER, wherever both are known.
func TestRealFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the engine on two hundred files")
	}
	dir := filepath.Join(shared.Dir(t), "benchmarks", "btor2")
	file, err := os.Open(filepath.Join(dir, "verdicts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[cert.Outcome]string{cert.Proved: "safe", cert.Refuted: "unsafe", cert.Unknown: "unknown"}
	counts := map[string]int{}
	for _, row := range rows[1:] {
		name, twin := row[0], row[len(row)-1]
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f := syntax.Parse(source.NewText(string(data)), nil)
		before := shared.CPUTime(t)
		e, err := btor2.Elaborate(t.Context(), f, btor2.Options{})
		if err != nil {
			t.Fatal(err)
		}
		took := shared.CPUTime(t) - before
		if took > maxElaboration {
			t.Errorf("%s: the circuit of %d gates took %v", name, e.Circuit.NumGates(), took)
		}
		for i := range e.Circuit.Bads() {
			p := circuit.Property{Index: i}
			if d := e.Fault(p); d != nil {
				if d.Code != btor2.CodeArrayLarge {
					t.Errorf("%s %s: %s", name, p, d.Message)
				}
				counts["too large"]++
				t.Logf("%s: %s", name, d.Message)
				continue
			}
			before := shared.CPUTime(t)
			r := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto(), Limits: verify.Limits{CPU: *verdictLimit}}, nil)
			got := outcomes[r.Checked.Outcome()]
			counts[got]++
			t.Logf("%s,%d,%d,%v,%s,%v,%s", name, e.Circuit.NumGates(), len(e.Circuit.Latches()), took.Round(time.Millisecond), got,
				(shared.CPUTime(t) - before).Round(time.Millisecond), twin)
			if twin != "safe" && twin != "unsafe" || got == "unknown" {
				continue
			}
			if counts["compared"]++; got != twin && !otherTwins[name] {
				t.Errorf("%s %s: %s, and %s in AIGER", name, p, got, twin)
			}
		}
	}
	t.Log(counts)
	if counts["compared"] < 20 {
		t.Error("few verdicts were compared")
	}
}
