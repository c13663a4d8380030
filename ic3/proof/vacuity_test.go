package proof_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// prove is an engine without limits.
func prove(ctx context.Context, c *circuit.Circuit) bool {
	r := verify.Run(ctx, verify.Job{Circuit: c, Property: c.Properties()[0], Engine: engines.NewAuto()}, nil)
	return r.Checked.Outcome() == cert.Proved
}

// find looks at a property that is proved.
func find(t *testing.T, c *circuit.Circuit) *proof.Vacuity {
	t.Helper()
	f, err := proof.FindVacuity(t.Context(), c, bad0, prove)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// hasRun searches all states for a run of a number of steps under some constraints.
func hasRun(c *circuit.Circuit, steps int, constraints []int) bool {
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	for i, s := range c.Constraints() {
		if slices.Contains(constraints, i) {
			b.Constraint(lit(s.Lit), 0)
		}
	}
	// A counter says that the step is the last one.
	carry, last := circuit.True, circuit.True
	for bit := range 7 {
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		last = b.And(last, l.NotIf((steps-1)>>bit&1 == 0))
	}
	b.Bad(last, 0)
	return explicit.FirstBadStep(b.Build(), bad0) >= 0
}

// comesTrue searches all states for one in which some literals are 1.
func comesTrue(c *circuit.Circuit, lits []circuit.Lit) bool {
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	all := circuit.True
	for _, l := range lits {
		all = b.And(all, lit(l))
	}
	b.Bad(all, 0)
	return explicit.FirstBadStep(b.Build(), bad0) >= 0
}

// isEver tries all values of inputs and latches.
func isEver(c *circuit.Circuit, l circuit.Lit) bool {
	var leaves []circuit.Lit
	for _, in := range c.Inputs() {
		leaves = append(leaves, in.Lit)
	}
	for _, latch := range c.Latches() {
		leaves = append(leaves, latch.Lit)
	}
	values := make([]bool, c.NumVars())
	value := func(l circuit.Lit) bool { return values[l.Var()] != l.IsNegated() }
	for bits := range 1 << len(leaves) {
		for i, leaf := range leaves {
			values[leaf.Var()] = bits>>i&1 == 1
		}
		for v := range circuit.Var(c.NumVars()) {
			if left, right, isGate := c.Operands(v); isGate {
				values[v] = value(left) && value(right)
			}
		}
		if value(l) {
			return true
		}
	}
	return false
}

// TestVacuityRandom compares findings about random circuits with searches of all states, in both
// directions: what is found is so, and what is not found is not. With AIGLENS_LONG these are
// 10,000 circuits.
func TestVacuityRandom(t *testing.T) {
	seeds := uint64(400)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 10_000
	}
	shape := explicit.Shape{Inputs: 2, Latches: 3, Gates: 16, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: true}
	found, proved := map[proof.VacuityKind]int{}, 0
	later := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(29, seed))
		c := explicit.RandomCircuit(r, shape)
		if !prove(t.Context(), c) {
			continue
		}
		f := find(t, c)
		proved++
		all := make([]int, len(c.Constraints()))
		for i := range all {
			all[i] = i
		}
		bad, _ := c.Bad(bad0)
		switch {
		case bad == circuit.False:
			if f == nil || f.Kind != proof.VacuousConstant {
				t.Errorf("seed %d: a constant is not found: %+v", seed, f)
			}
		case !hasRun(c, 70, all):
			if f == nil || f.Kind != proof.VacuousBounded || hasRun(c, f.Steps+1, all) || f.Steps > 0 && !hasRun(c, f.Steps, all) {
				t.Errorf("seed %d: the longest run is not found: %+v", seed, f)
				continue
			}
			if f.Steps > 0 {
				later++
			}
			if hasRun(c, f.Steps+1, f.Constraints) {
				t.Errorf("seed %d: the constraints %v alone leave a longer run", seed, f.Constraints)
			}
			for _, i := range f.Constraints {
				if rest := slices.DeleteFunc(slices.Clone(f.Constraints), func(j int) bool { return i == j }); !hasRun(c, f.Steps+1, rest) {
					t.Errorf("seed %d: the constraints %v do without %d", seed, f.Constraints, i)
				}
			}
		case f != nil && f.Kind == proof.VacuousConstant:
			if isEver(c, bad) {
				t.Errorf("seed %d: the literal is not a constant", seed)
			}
		case f != nil && f.Kind != proof.VacuousAntecedent:
			t.Errorf("seed %d: %+v, but there are runs", seed, f)
		case f != nil && comesTrue(c, f.Condition):
			t.Errorf("seed %d: %v comes true", seed, f.Condition)
		case f == nil:
			if condition := proof.ConditionOf(c, bad); condition != nil && !comesTrue(c, condition) {
				t.Errorf("seed %d: %v never comes true", seed, condition)
			}
		}
		if f != nil {
			found[f.Kind]++
		}
	}
	t.Logf("%d proved: %v, %d of them bounded after the first step", proved, found, later)
	if found[proof.VacuousConstant] < 3 || found[proof.VacuousBounded] < 20 || found[proof.VacuousAntecedent] < 3 || later < 3 {
		t.Errorf("too little found: %v, %d after the first step", found, later)
	}
}

func TestVacuityEnds(t *testing.T) {
	b := circuit.NewBuilder(4)
	x, y := b.Latch(0), b.Input(0)
	b.SetNext(x, x)
	b.Bad(b.And(x, y.Not()), 0)
	b.Constraint(y, 0)
	c := b.Build()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := proof.FindVacuity(ctx, c, bad0, prove)
	if f != nil || err != context.Canceled {
		t.Errorf("%+v, %v", f, err)
	}
}
