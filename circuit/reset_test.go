package circuit

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomResets returns a circuit whose latches start with functions of inputs, free
// latches and each other, in an order that numbers do not tell.
func randomResets(rng *rand.Rand) *Circuit {
	b := NewBuilder(64)
	var lits []Lit
	for range 1 + rng.IntN(3) {
		lits = append(lits, b.Input(0))
	}
	latches := make([]Lit, 2+rng.IntN(5))
	for i := range latches {
		latches[i] = b.Latch(Origin(i + 1))
	}
	any := func(from []Lit) Lit { return from[rng.IntN(len(from))].NotIf(rng.IntN(2) == 1) }
	known := slices.Clone(lits) // what a reset may depend on
	for _, i := range rng.Perm(len(latches)) {
		switch rng.IntN(5) {
		case 0:
			b.SetReset(latches[i], latches[i])
		case 1:
			b.SetReset(latches[i], True)
		case 2:
		default:
			l, r := any(known), any(known)
			b.SetReset(latches[i], b.And(l, r).NotIf(rng.IntN(2) == 1))
		}
		known = append(known, latches[i])
	}
	lits = append(lits, latches...)
	for range 12 {
		lits = append(lits, b.And(any(lits), any(lits)))
	}
	for _, l := range latches {
		b.SetNext(l, any(lits))
	}
	b.Bad(any(lits), 1)
	b.Constraint(any(lits), 2)
	b.Output(any(lits), 3)
	b.Justice([]Lit{any(lits), any(lits)}, 4)
	b.Fairness(any(lits), 5)
	return b.Build()
}

// signals returns all literals with a role.
func signals(c *Circuit) (lits []Lit) {
	for _, list := range [][]Signal{c.bads, c.constraints, c.outputs, c.fairness} {
		for _, s := range list {
			lits = append(lits, s.Lit)
		}
	}
	return append(lits, c.justice[0].Lits...)
}

// TestConstantResets: both circuits show the same under the same inputs and free
// latches, and latches with a reset function start with it.
func TestConstantResets(t *testing.T) {
	functions := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		c := randomResets(rng)
		constant, first := c.ConstantResets()
		if constant.HasResetFunctions() || len(constant.latches) != len(c.latches)+1 {
			t.Fatalf("seed %d: reset functions %v, %d latches of %d", seed, constant.HasResetFunctions(), len(constant.latches), len(c.latches))
		}
		functions += len(c.start)
		a, b := NewParallel(c), NewParallel(constant)
		free := func(i int) uint64 { return hashFanin(Lit(seed), Lit(i)) }
		a.Reset(free)
		b.Reset(free)
		for step := range 6 {
			inputs := make([]uint64, len(c.inputs))
			for i := range inputs {
				inputs[i] = rng.Uint64()
			}
			a.Eval(inputs)
			b.Eval(inputs)
			if step == 0 {
				for i, l := range c.latches {
					if want := a.Value(l.Reset); !l.IsFree() && a.Value(l.Lit) != want {
						t.Fatalf("seed %d: latch %d starts with %x, its reset is %x", seed, i, a.Value(l.Lit), want)
					}
				}
			}
			if got, want := b.Value(first), -uint64(b2i(step == 0)); got != want {
				t.Fatalf("seed %d: the first step is %x in step %d", seed, got, step)
			}
			other := signals(constant)
			for i, l := range signals(c) {
				if a.Value(l) != b.Value(other[i]) {
					t.Fatalf("seed %d, step %d: signal %d is %x and %x", seed, step, i, a.Value(l), b.Value(other[i]))
				}
			}
			a.Advance()
			b.Advance()
		}
	}
	if functions == 0 {
		t.Error("no circuit had a reset function")
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestTernaryStart: what three-valued simulation says in the first step holds for all
// values of what is x.
func TestTernaryStart(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := randomResets(rng)
		sim, all := NewTernary(c), NewParallel(c)
		sim.Reset()
		free := make([]uint64, len(c.latches))
		for i, l := range c.latches {
			if free[i] = rng.Uint64(); l.IsFree() && rng.IntN(2) == 0 {
				free[i] = -(free[i] & 1)
				sim.SetLatch(i, Value(free[i]&1))
			}
		}
		row, words := make([]Value, len(c.inputs)), make([]uint64, len(c.inputs))
		for i := range row {
			row[i], words[i] = X, rng.Uint64()
			if rng.IntN(2) == 0 {
				row[i], words[i] = Value(words[i]&1), -(words[i] & 1)
			}
		}
		all.Reset(func(i int) uint64 { return free[i] })
		sim.Eval(row)
		all.Eval(words)
		for v := range c.NumVars() {
			l := Var(v).Lit()
			if value := sim.Value(l); value != X && all.Value(l) != -uint64(value) {
				t.Fatalf("seed %d: variable %d is %s and %x", seed, v, value, all.Value(l))
			}
		}
	}
}

// TestResetCycle: each latch that is named depends on the next one.
func TestResetCycle(t *testing.T) {
	b := NewBuilder(8)
	in := b.Input(0)
	p, q, r, s := b.Latch(0), b.Latch(0), b.Latch(0), b.Latch(0)
	b.SetReset(s, b.And(in, p))
	b.SetReset(p, b.And(q.Not(), in))
	b.SetReset(q, r.Not())
	if cycle := b.ResetCycle(); cycle != nil {
		t.Fatalf("a cycle of %v in a chain", cycle)
	}
	b.SetReset(r, b.And(in, p.Not()))
	if cycle := b.ResetCycle(); !slices.Equal(cycle, []Lit{p, q, r}) {
		t.Fatalf("the cycle is %v, expected %v", cycle, []Lit{p, q, r})
	}
}
