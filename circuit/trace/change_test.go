package trace_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// TestExtendDrawsAreBounded: inputs that cannot meet a constraint are drawn again only so often,
// fewer times in a larger circuit, and in no step after the one that was given up.
func TestExtendDrawsAreBounded(t *testing.T) {
	for _, test := range []struct{ gates, draws int }{{10, 100 + 49}, {1_000_000, 21 + 49}} {
		b := circuit.NewBuilder(0)
		inputs := []circuit.Lit{b.Input(0), b.Input(0)}
		last := inputs[0]
		for i := range test.gates {
			last = b.And(last.Not(), inputs[(i+1)%2])
		}
		b.Constraint(circuit.False, 0)
		c := b.Build()
		draws := 0
		draw := func(input int) circuit.Value { draws += input; return circuit.One } // the second input's
		run, met, blocked, err := trace.Extend(t.Context(), c, cert.Trace{Inputs: [][]circuit.Value{}}, 50, draw, circuit.False)
		if err != nil || met || blocked != 0 || run.Steps() != 50 || draws > test.draws {
			t.Errorf("%d gates: %d draws, expected at most %d; %d steps, blocked in %d, %v", c.NumVars(), draws, test.draws, run.Steps(), blocked, err)
		}
	}
}
