package encode_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

// TestEliminated fixes inputs and latches and asks for every variable that is
// kept on purpose: the definitions must give the value that simulation gives,
// and no other.
func TestEliminated(t *testing.T) {
	eliminated := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := explicit.RandomCircuit(rng, explicit.Shape{Inputs: 3, Latches: 3, Gates: 5 + int(seed%60), Constraints: int(seed % 3), FreeLatches: true})
		defs := encode.Eliminated(c)
		for v := range c.NumVars() {
			if _, _, isGate := c.Operands(circuit.Var(v)); isGate && len(defs.Fanin(circuit.Var(v))) == 0 {
				eliminated++
			}
		}
		var kept []circuit.Lit
		for _, l := range c.Latches() {
			kept = append(kept, l.Next)
		}
		for _, s := range append(c.Bads(), c.Constraints()...) {
			kept = append(kept, s.Lit)
		}
		solver := sat.NewCore(defs)
		for range 8 {
			checkAssignment(t, c, solver, rng, kept)
		}
	}
	if eliminated < 1000 {
		t.Errorf("only %d gates eliminated", eliminated)
	}
}

func checkAssignment(t *testing.T, c *circuit.Circuit, solver sat.Solver, rng *rand.Rand, kept []circuit.Lit) {
	t.Helper()
	sim := circuit.NewTernary(c)
	sim.Reset()
	var assumptions []circuit.Lit
	inputs := make([]circuit.Value, len(c.Inputs()))
	random := func(l circuit.Lit) circuit.Value {
		one := rng.IntN(2) == 1
		assumptions = append(assumptions, l.NotIf(!one))
		return circuit.ValueOf(one)
	}
	for i, in := range c.Inputs() {
		inputs[i] = random(in.Lit)
	}
	for i, l := range c.Latches() {
		sim.SetLatch(i, random(l.Lit))
	}
	sim.Eval(inputs)
	for _, l := range kept {
		if l.Var() == 0 {
			continue
		}
		want := sim.Value(l) == circuit.One
		for _, q := range []struct {
			lit  circuit.Lit
			want sat.Result
		}{{l.NotIf(!want), sat.Sat}, {l.NotIf(want), sat.Unsat}} {
			r, err := solver.Solve(context.Background(), sat.Query{Assumptions: append(assumptions, q.lit)})
			if err != nil || r != q.want {
				t.Fatalf("literal %d under inputs and latches %v: %v, %v, want %v", q.lit, assumptions, r, err, q.want)
			}
		}
	}
}

// TestEliminatedContext: the error is that of a context that has ended.
func TestEliminatedContext(t *testing.T) {
	b := circuit.NewBuilder(0)
	g := b.Input(0)
	for range 2000 {
		g = b.And(g, b.Input(0))
	}
	b.Bad(g, 0)
	c := b.Build()
	ctx, stop := context.WithCancel(context.Background())
	if d, err := encode.EliminatedContext(ctx, c); err != nil || d.NumVars() != c.NumVars() {
		t.Errorf("%d variables, %v", d.NumVars(), err)
	}
	stop()
	if d, err := encode.EliminatedContext(ctx, c); err != context.Canceled || d != nil {
		t.Errorf("definitions %v, error %v after the end of the context", d, err)
	}
}
