package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/equiv"
	"aiglens/internal/explicit"
	"aiglens/internal/peers"
	"aiglens/internal/shared"
)

// TestWhatABCWritesIsEqual compares benchmarks with what ABC and Yosys make of them in ways that
// keep the function, and with the same after a gate was changed: some of tier smoke, or
// all of it.
func TestWhatABCWritesIsEqual(t *testing.T) {
	root := filepath.Join(shared.Dir(t), "benchmarks")
	files, limit := []string{"hwmcc08/pdtvisgray1.aig", "hwmcc08/counterp0.aig", "hwmcc08/ringp0neg.aig", "hwmcc08/pdtvispeterson.aig", "hwmcc08/pcip1.aig"}, time.Minute
	isLong := os.Getenv("AIGLENS_LONG") != ""
	if isLong {
		files, limit = nil, 10*time.Second
		for _, b := range readBenchmarks(t, filepath.Join(root, "peers.csv"), []string{"smoke"}) {
			files = append(files, b.file)
		}
	}
	dir := t.TempDir()
	counts := map[string]int{}
	for i, file := range files {
		path := filepath.Join(root, file)
		in := readCircuit(t, path)
		for _, way := range []string{"dc2", "scorr", "dretime", "yosys"} {
			out := filepath.Join(dir, way+".aig")
			os.Remove(out)
			said, err := "", error(nil)
			if way == "yosys" {
				said, err = peers.Yosys(t, "read_aiger "+path+"; opt; simplemap; abc -g AND; opt -fast; aigmap; write_aiger -symbols "+out)
			} else {
				said, err = peers.ABC(t, "read_aiger "+path+"; strash; "+way+"; write_aiger "+out)
			}
			if _, err = peers.Written(out, said, err); err != nil {
				counts[way+" refused"]++
				continue
			}
			written := readCircuit(t, out)
			c, err := compared(t, in, written, limit)
			if err != nil { // constraints have become outputs
				counts[way+" not comparable"]++
				continue
			}
			verdict, reason := c.report.Verdict()
			counts[way+" "+verdict.String()]++
			if verdict == equiv.Different && isPlain(circuitIn(t, in)) || verdict == equiv.Unknown && !isLong {
				t.Errorf("%s, %s: %s %s", file, way, verdict, reason)
			}
			changed, how := explicit.Edit(rand.New(rand.NewPCG(uint64(i), 5)), circuitIn(t, written))
			data, err := aiger.FromCircuit(changed).AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(out, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if c, err = compared(t, in, readCircuit(t, out), limit); err != nil {
				t.Fatal(err)
			}
			verdict, _ = c.report.Verdict()
			counts["changed "+verdict.String()]++
			if verdict == equiv.Equal && differsAtRandom(c.matching.Sides[0].Circuit, c.matching.Sides[1].Circuit) {
				t.Errorf("%s, %s, %s: equal, but random runs differ", file, way, how)
			}
		}
	}
	t.Log(counts)
	if counts["changed different"] == 0 {
		t.Error("no changed gate was found")
	}
}

// readCircuit reads an AIGER file without errors.
func readCircuit(t *testing.T, path string) *design.Design {
	t.Helper()
	in, err := read(t.Context(), env{}, path, &readFlags{})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// isPlain reports whether ABC keeps the runs of a circuit: it takes free latches and
// constraints for something else at times.
func isPlain(c *circuit.Circuit) bool {
	return len(c.Constraints()) == 0 && !slices.ContainsFunc(c.Latches(), func(l circuit.Latch) bool { return l.Reset != circuit.False })
}

// differsAtRandom reports whether some output of two circuits with the same inputs differs
// in random runs from the zero state, without constraints.
func differsAtRandom(a, b *circuit.Circuit) bool {
	if len(a.Constraints()) > 0 || len(a.Inputs()) != len(b.Inputs()) || len(a.Outputs()) != len(b.Outputs()) {
		return false
	}
	random := rand.New(rand.NewPCG(1, 1))
	x, y := circuit.NewParallel(a), circuit.NewParallel(b)
	none := func(int) uint64 { return 0 }
	x.Reset(none)
	y.Reset(none)
	words := make([]uint64, len(a.Inputs()))
	for range 100 {
		for i := range words {
			words[i] = random.Uint64()
		}
		x.Eval(words)
		y.Eval(words)
		for i, o := range a.Outputs() {
			if x.Value(o.Lit) != y.Value(b.Outputs()[i].Lit) {
				return true
			}
		}
		x.Advance()
		y.Advance()
	}
	return false
}
