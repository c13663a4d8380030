package circuit_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/explicit"
)

func TestAndFolds(t *testing.T) {
	b := circuit.NewBuilder(0)
	x, y := b.Input(0), b.Input(0)
	g := b.And(x, y)
	for _, test := range []struct {
		name      string
		got, want circuit.Lit
	}{
		{"same operands the other way round", b.And(y, x), g},
		{"constant false", b.And(x, circuit.False), circuit.False},
		{"constant true", b.And(circuit.True, x), x},
		{"equal", b.And(x, x), x},
		{"opposite", b.And(x, x.Not()), circuit.False},
	} {
		if test.got != test.want {
			t.Errorf("%s: literal %d, want %d", test.name, test.got, test.want)
		}
	}
	if n := b.Build().NumGates(); n != 1 {
		t.Errorf("%d gates, want 1", n)
	}
}

// TestTernaryAgreesWithParallel: where three-valued simulation gives 0 or 1,
// every choice of the unknown values gives the same.
func TestTernaryAgreesWithParallel(t *testing.T) {
	shape := explicit.Shape{Inputs: 4, Latches: 6, Gates: 40, FreeLatches: true, OneResets: true, Constants: true}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(1, seed))
		c := explicit.RandomCircuit(r, shape)
		three, two := circuit.NewTernary(c), circuit.NewParallel(c)
		three.Reset()
		two.Reset(func(int) uint64 { return r.Uint64() })
		for range 5 {
			unknown, known := make([]circuit.Value, len(c.Inputs())), make([]uint64, len(c.Inputs()))
			for i := range known {
				known[i] = r.Uint64()
				if unknown[i] = circuit.Value(r.IntN(3)); unknown[i] != circuit.X {
					known[i] = -uint64(unknown[i])
				}
			}
			three.Eval(unknown)
			two.Eval(known)
			for v := range c.NumVars() {
				l := circuit.Var(v).Lit()
				if got := three.Value(l); got != circuit.X && two.Value(l) != -uint64(got) {
					t.Fatalf("seed %d: variable %d is %s, but %x in parallel", seed, v, got, two.Value(l))
				}
			}
			three.Advance()
			two.Advance()
		}
	}
}

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

// TestConeBehavesAlike: the cone's bad and constraints have the values that
// the original ones have.
func TestConeBehavesAlike(t *testing.T) {
	shape := explicit.Shape{Inputs: 5, Latches: 10, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(2, seed))
		c := explicit.RandomCircuit(r, shape)
		cone, err := c.Cone(bad0)
		if err != nil {
			t.Fatal(err)
		}
		whole, part := circuit.NewParallel(c), circuit.NewParallel(cone.Circuit)
		free := make([]uint64, len(c.Latches()))
		for i := range free {
			free[i] = r.Uint64()
		}
		whole.Reset(func(i int) uint64 { return free[i] })
		part.Reset(func(i int) uint64 { return free[cone.Latches[i]] })
		for step := range 6 {
			inputs := make([]uint64, len(c.Inputs()))
			for i := range inputs {
				inputs[i] = r.Uint64()
			}
			fewer := make([]uint64, len(cone.Inputs))
			for i, from := range cone.Inputs {
				fewer[i] = inputs[from]
			}
			whole.Eval(inputs)
			part.Eval(fewer)
			if whole.Value(c.Bads()[0].Lit) != part.Value(cone.Circuit.Bads()[0].Lit) {
				t.Fatalf("seed %d: bads differ in step %d", seed, step)
			}
			for i, s := range c.Constraints() {
				if whole.Value(s.Lit) != part.Value(cone.Circuit.Constraints()[i].Lit) {
					t.Fatalf("seed %d: constraints %d differ in step %d", seed, i, step)
				}
			}
			for v := range cone.Circuit.NumVars() {
				l := circuit.Var(v).Lit()
				if part.Value(l) != whole.Value(cone.LitFrom(l)) {
					t.Fatalf("seed %d: variable %d of the cone is not literal %d", seed, v, cone.LitFrom(l))
				}
			}
			whole.Advance()
			part.Advance()
		}
	}
}

// builds returns the same toggling circuit with a choice of changes.
func toggle(origin circuit.Origin, extra bool, reset circuit.Lit, constrained bool) circuit.Fingerprint {
	b := circuit.NewBuilder(0)
	if extra {
		in := b.Input(9)
		l := b.Latch(9)
		b.SetNext(l, b.And(in, l))
	}
	enable := b.Input(origin)
	state := b.Latch(origin)
	b.SetNext(state, b.Xor(state, enable))
	b.SetReset(state, reset)
	b.Bad(b.And(state, enable), origin)
	if constrained {
		b.Constraint(enable, origin)
	}
	cone, err := b.Build().Cone(bad0)
	if err != nil {
		panic(err)
	}
	return cone.Fingerprint
}

func TestFingerprint(t *testing.T) {
	base := toggle(1, false, circuit.False, false)
	for _, test := range []struct {
		name string
		got  circuit.Fingerprint
		same bool
	}{
		{"other origins", toggle(2, false, circuit.False, false), true},
		{"logic outside the cone", toggle(1, true, circuit.False, false), true},
		{"another reset", toggle(1, false, circuit.True, false), false},
		{"a constraint", toggle(1, false, circuit.False, true), false},
	} {
		if (test.got == base) != test.same {
			t.Errorf("%s: same fingerprint %v, want %v", test.name, test.got == base, test.same)
		}
	}
}

func TestProperties(t *testing.T) {
	b := circuit.NewBuilder(0)
	x := b.Input(0)
	b.Output(x, 0)
	if got := b.Build().Properties(); len(got) != 1 || got[0].Kind != circuit.PropertyOutput {
		t.Errorf("outputs alone: %v", got)
	}
	b = circuit.NewBuilder(0)
	x = b.Input(0)
	b.Output(x, 0)
	b.Justice([]circuit.Lit{x}, 0)
	if got := b.Build().Properties(); len(got) != 1 || got[0].Kind != circuit.PropertyJustice {
		t.Errorf("an output beside a justice property: %v", got)
	}
}

// TestConeContext: the error is that of a context that has ended.
func TestConeContext(t *testing.T) {
	b := circuit.NewBuilder(0)
	g := b.Input(0)
	for range 5000 {
		g = b.And(g, b.Input(0))
	}
	b.Bad(g, 0)
	c := b.Build()
	ctx, stop := context.WithCancel(context.Background())
	if k, err := c.ConeContext(ctx, bad0); err != nil || k.Circuit.NumGates() != c.NumGates() {
		t.Errorf("a cone of a whole circuit: %v", err)
	}
	stop()
	if k, err := c.ConeContext(ctx, bad0); err != context.Canceled || k != nil {
		t.Errorf("error %v after the end of the context", err)
	}
}

// TestSnapshot: what a builder adds and sets after a snapshot does not show there.
func TestSnapshot(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, latch := b.Input(0), b.Latch(0)
	b.SetNext(latch, in)
	b.Bad(latch, 0)
	before := b.Snapshot()
	next := b.And(in, latch)
	b.SetNext(latch, next)
	b.SetReset(latch, circuit.True)
	b.Constraint(in, 0)
	b.Bad(b.And(b.Input(0), b.Latch(0)), 0)
	if vars, l := before.NumVars(), before.Latches(); vars != 3 || len(l) != 1 || l[0].Next != in || l[0].Reset != circuit.False {
		t.Errorf("%d variables, latches %v", vars, l)
	}
	if before.NumGates() != 0 || len(before.Inputs()) != 1 || len(before.Bads()) != 1 || len(before.Constraints()) != 0 {
		t.Error("the snapshot has changed")
	}
	after := b.Build()
	if after.NumGates() != 2 || len(after.Latches()) != 2 || after.Latches()[0].Next != next || len(after.Bads()) != 2 || len(after.Constraints()) != 1 {
		t.Error("the builder has forgotten something")
	}
}

// TestClauses compares with what clauses say, in every state of three inputs.
func TestClauses(t *testing.T) {
	b := circuit.NewBuilder(16)
	x, y, z := b.Input(0), b.Input(0), b.Input(0)
	not := func(l circuit.Lit) circuit.Lit { return l.Not() }
	same := func(l circuit.Lit) circuit.Lit { return l }
	all := b.Clauses([][]circuit.Lit{{x, y.Not()}, {z}}, same)
	none := b.Clauses([][]circuit.Lit{{x}, {}}, same)
	turned := b.Clauses([][]circuit.Lit{{x, y.Not()}, {z}}, not)
	if empty := b.Clauses(nil, same); empty != circuit.True || none != circuit.False {
		t.Errorf("no clause is %d, an empty clause %d", empty, none)
	}
	sim := circuit.NewTernary(b.Build())
	for v := range 8 {
		x, y, z := v&1 > 0, v&2 > 0, v&4 > 0
		sim.Eval([]circuit.Value{circuit.ValueOf(x), circuit.ValueOf(y), circuit.ValueOf(z)})
		if got, want := sim.Value(all), circuit.ValueOf((x || !y) && z); got != want {
			t.Errorf("%03b: %s, want %s", v, got, want)
		}
		if got, want := sim.Value(turned), circuit.ValueOf((!x || y) && !z); got != want {
			t.Errorf("%03b with negated literals: %s, want %s", v, got, want)
		}
	}
}
