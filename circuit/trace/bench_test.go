package trace_test

import (
	"os"
	"path/filepath"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/internal/shared"
)

// witnesses are counterexamples of other checkers: many steps, a large circuit, many
// inputs.
var witnesses = []string{"hwmcc11-single/bob9234spec7neg", "hwmcc11-single/bobtutt", "hwmcc08/neclaftp3001"}

// load reads a benchmark and its witness. The property is that of the convention of
// AIGER 1.0.
func load(b *testing.B, name string) (*circuit.Circuit, circuit.Lit, cert.Trace) {
	b.Helper()
	dir := filepath.Join(shared.Dir(b), "benchmarks")
	read := func(file string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	in, err := aiger.Read(name, read(name+".aig"))
	if err != nil {
		b.Fatal(err)
	}
	list, problems := aiger.ReadWitnesses(read("witnesses/" + filepath.Base(name) + ".wit"))
	if len(list) != 1 || len(problems) > 0 {
		b.Fatalf("%d witnesses: %v", len(list), problems)
	}
	c := in.Circuit()
	bad := c.Outputs()[0].Lit
	kept, _, err := trace.Violation(b.Context(), c, bad, list[0].Trace())
	if err != nil {
		b.Fatal(err)
	}
	return c, bad, kept
}

// BenchmarkMinimize makes witnesses minimal.
func BenchmarkMinimize(b *testing.B) {
	for _, name := range witnesses {
		b.Run(filepath.Base(name), func(b *testing.B) {
			c, bad, run := load(b, name)
			var s trace.Stats
			for b.Loop() {
				var err error
				if _, s, err = trace.Minimize(b.Context(), c, bad, run, 0); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Work), "work")
			b.ReportMetric(float64(s.Inputs.After)/float64(s.Inputs.All), "determined")
		})
	}
}

// BenchmarkExplain is the click on "why": a replay, and a tree of 100 nodes.
func BenchmarkExplain(b *testing.B) {
	for _, name := range witnesses {
		b.Run(filepath.Base(name), func(b *testing.B) {
			c, bad, run := load(b, name)
			for b.Loop() {
				r, err := trace.New(b.Context(), c, run)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Explain(b.Context(), bad, run.Steps()-1, trace.Limit{Nodes: 100}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLateRounds replays a loop of one step beside a shift register that takes one
// round more for each of its latches to fill.
func BenchmarkLateRounds(b *testing.B) {
	const latches = 10_000
	builder := circuit.NewBuilder(2 * latches)
	latch := circuit.True
	for range latches {
		next := builder.Latch(0)
		builder.SetNext(next, latch)
		latch = next
	}
	c := builder.Build()
	l := cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, latches), Inputs: [][]circuit.Value{{}}}}
	for b.Loop() {
		if _, err := trace.NewLasso(b.Context(), c, l); err != nil {
			b.Fatal(err)
		}
	}
}
