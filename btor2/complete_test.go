package btor2

import (
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/replay"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/source"
)

// TestComplete: with no array as bits, random runs of the circuits of random texts become runs of the text. Rows have the values that
// the evaluator of the text has, which Complete tests itself; each bad is violated in the steps in which it is there, and the
// run does not change again. With AIGLENS_LONG these are 20,000 texts of each shape.
func TestComplete(t *testing.T) {
	texts := uint64(300)
	if os.Getenv("AIGLENS_LONG") != "" {
		texts = 20_000
	}
	violated, others := 0, 0
	for seed := range texts {
		for _, shape := range []btor2test.Shape{btor2test.Arrays, btor2test.Wide} {
			text := btor2test.Random(seed, shape)
			e, err := Elaborate(t.Context(), syntax.Parse(source.NewText(text), nil), Options{MaxArrayGates: -1})
			if err != nil {
				t.Fatal(err)
			}
			if !circuit.IsAbstraction(e.Circuit) {
				continue
			}
			run, err := e.Complete(t.Context(), randomTrace(e.Circuit, seed))
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			if again, err := e.Complete(t.Context(), run); err != nil || !reflect.DeepEqual(again, run) {
				t.Fatalf("seed %d: the run is another one the second time: %v\n%s", seed, err, text)
			}
			r, err := e.newReplay(slices.Repeat([]bool{true}, len(e.model.Nodes)), run.Initial, run.Inputs, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.toEnd = true
			if _, err := r.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			sim := circuit.NewTernary(e.Circuit)
			sim.Reset()
			for i, l := range e.Circuit.Latches() {
				if l.IsFree() {
					sim.SetLatch(i, run.Initial[i])
				}
			}
			if err := replay.Run(t.Context(), e.model, e.model.Bads, e.chosenBy(r), func(step int, v replay.Values) error {
				if step > 0 {
					sim.Advance()
				}
				sim.Eval(run.Inputs[step])
				for i, bad := range e.model.Bads {
					l, ok := e.Violated(circuit.Property{Kind: circuit.PropertyBad, Index: i})
					if got := sim.Value(l); !ok || got != circuit.ValueOf(v.Holds(bad)) {
						t.Errorf("seed %d: bad %d is %s in step %d, and %t in the text\n%s", seed, i, got, step, v.Holds(bad), text)
					}
					if v.Holds(bad) {
						violated++
					} else {
						others++
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if t.Failed() {
				return
			}
		}
	}
	if t.Logf("bads: %d violated, %d not", violated, others); violated == 0 || others == 0 {
		t.Error("no run violates a bad, or all do")
	}
}

// randomTrace returns a run of a circuit with some x.
func randomTrace(c *circuit.Circuit, seed uint64) cert.Trace {
	r := rand.New(rand.NewPCG(seed, 9))
	row := func(n int) []circuit.Value {
		values := make([]circuit.Value, n)
		for i := range values {
			values[i] = []circuit.Value{circuit.Zero, circuit.Zero, circuit.One, circuit.X}[r.IntN(4)]
		}
		return values
	}
	t := cert.Trace{Initial: row(len(c.Latches()))}
	for range 5 {
		t.Inputs = append(t.Inputs, row(len(c.Inputs())))
	}
	return t
}
