package proof_test

import (
	"context"
	"errors"
	"maps"
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

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

const coreEffort = 10_000_000

// coreProofOf returns an invariant of the only bad of a circuit; ok is false where it has none.
func coreProofOf(t *testing.T, c *circuit.Circuit) (inv cert.Invariant, ok bool) {
	t.Helper()
	r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
	return r.Checked.Invariant(), r.Checked.Outcome() == cert.Proved
}

// certifies reports whether an invariant proves the only bad of a circuit that was made from
// another one, whose literals lit translates.
func certifies(t *testing.T, c *circuit.Circuit, lit func(circuit.Lit) circuit.Lit, inv cert.Invariant) bool {
	t.Helper()
	var there cert.Invariant
	for _, clause := range inv {
		var lits []circuit.Lit
		for _, l := range clause {
			lits = append(lits, lit(l))
		}
		there = append(there, lits)
	}
	_, err := cert.Check(t.Context(), c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: there})
	if _, rejected := errors.AsType[*cert.RejectedError](err); err != nil && !rejected {
		t.Fatal(err)
	}
	return err == nil
}

// changed returns the circuit with everything outside of a core replaced by something random:
// gates by functions of what comes before them, next states, resets and constraints by any
// literals. It has reset functions if the circuit has some: then an invariant holds from step 1
// on only.
func changed(r *rand.Rand, c *circuit.Circuit, k *proof.Core, bad circuit.Lit) (*circuit.Circuit, func(circuit.Lit) circuit.Lit) {
	b := circuit.NewBuilder(2 * c.NumVars())
	to := []circuit.Lit{circuit.False}
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	// With reset functions only inputs are read, else resets might come to depend on each other.
	choices := []circuit.Lit{circuit.False}
	random := func() circuit.Lit { return choices[r.IntN(len(choices))].NotIf(r.IntN(2) == 0) }
	for v := circuit.Var(1); int(v) < c.NumVars(); v++ {
		left, right, isGate := c.Operands(v)
		switch {
		case c.Kind(v) == circuit.KindInput:
			to = append(to, b.Input(0))
		case c.Kind(v) == circuit.KindLatch:
			to = append(to, b.Latch(0))
		case isGate && k.Gates[v]:
			to = append(to, b.And(lit(left), lit(right)))
		case r.IntN(2) == 0:
			to = append(to, b.Xor(random(), random()))
		default:
			to = append(to, b.And(random(), random()).NotIf(r.IntN(2) == 0))
		}
		if !c.HasResetFunctions() || c.Kind(v) == circuit.KindInput {
			choices = append(choices, to[v])
		}
	}
	for i, l := range c.Latches() {
		at := lit(l.Lit)
		b.SetNext(at, random())
		if k.Next[i] {
			b.SetNext(at, lit(l.Next))
		}
		switch {
		case k.Reset[i]:
			b.SetReset(at, lit(l.Reset))
		case l.HasFunction():
			b.SetReset(at, b.Input(0))
		default:
			b.SetReset(at, []circuit.Lit{circuit.False, circuit.True, at}[r.IntN(3)])
		}
	}
	if c.HasResetFunctions() { // also where those that it has become constant
		b.SetReset(b.Latch(0), b.Input(0))
	}
	for i, s := range c.Constraints() {
		if k.Constraints[i] {
			b.Constraint(lit(s.Lit), 0)
		} else if r.IntN(2) == 0 {
			b.Constraint(random(), 0)
		}
	}
	b.Bad(lit(bad), 0)
	return b.Build(), lit
}

// leftOut counts what a core leaves out, and what it could.
func leftOut(c *circuit.Circuit, k *proof.Core) (out, all int) {
	count := func(in []bool) {
		for _, needed := range in {
			all++
			if !needed {
				out++
			}
		}
	}
	for v := range circuit.Var(c.NumVars()) {
		if c.Kind(v) == circuit.KindAnd {
			count([]bool{k.Gates[v]})
		}
	}
	count(k.Next)
	count(k.Constraints)
	return out, all
}

// TestCoreChanges changes everything that proofs of random circuits do not need, at once and at
// random: the proof still holds. Without any one part of what they need it does not. With
// AIGLENS_LONG these are 2,000 proofs with 5 changes each.
func TestCoreChanges(t *testing.T) {
	proofs := 60
	if os.Getenv("AIGLENS_LONG") != "" {
		proofs = 2000
	}
	shape := explicit.Shape{Inputs: 3, Latches: 6, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true, ResetFunctions: true}
	proved, out, all := 0, 0, 0
	for seed := uint64(0); proved < proofs; seed++ {
		r := rand.New(rand.NewPCG(37, seed))
		c := explicit.RandomCircuit(r, shape)
		bad, _ := c.Bad(bad0)
		inv, ok := coreProofOf(t, c)
		if !ok || bad == circuit.False {
			continue
		}
		proved++
		k, err := proof.FindCore(t.Context(), c, bad, inv, coreEffort)
		if err != nil || k.Bounded {
			t.Fatalf("seed %d: %v, %+v", seed, err, k)
		}
		checked, err := proof.CheckedCore(t.Context(), c, bad, inv, coreEffort)
		if err != nil || !maps.Equal(k.Gates, checked.Gates) || !slices.Equal(k.Next, checked.Next) ||
			!slices.Equal(k.Reset, checked.Reset) || !slices.Equal(k.Constraints, checked.Constraints) {
			t.Errorf("seed %d: of the part that matters the core is another one: %v\n%+v\n%+v", seed, err, k, checked)
		}
		n, m := leftOut(c, k)
		out, all = out+n, all+m
		if freed, lit := k.Freed(c, bad); !certifies(t, freed, lit, inv) {
			t.Errorf("seed %d: the invariant does not hold with the rest free", seed)
		}
		for change := range 5 {
			if other, lit := changed(r, c, k, bad); !certifies(t, other, lit, inv) {
				t.Errorf("seed %d, change %d: the invariant does not hold", seed, change)
			}
		}
		needsAll(t, seed, c, bad, inv, k)
	}
	t.Logf("%d proofs leave out %d of %d gates, next states and constraints", proved, out, all)
	if out*10 < all || out == all {
		t.Errorf("%d of %d are left out", out, all)
	}
}

// needsAll takes one part after another out of a core.
func needsAll(t *testing.T, seed uint64, c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant, k *proof.Core) {
	t.Helper()
	for v := range k.Gates {
		k.Gates[v] = false
		if freed, lit := k.Freed(c, bad); certifies(t, freed, lit, inv) {
			t.Errorf("seed %d: the core does without gate %d", seed, v)
		}
		k.Gates[v] = true
	}
	for _, list := range [][]bool{k.Next, k.Reset, k.Constraints} {
		for i, needed := range list {
			if !needed {
				continue
			}
			list[i] = false
			if freed, lit := k.Freed(c, bad); certifies(t, freed, lit, inv) {
				t.Errorf("seed %d: the core does without its part %d", seed, i)
			}
			list[i] = true
		}
	}
}

// TestCoreConstraint needs one constraint of two, and of two latches the one.
func TestCoreConstraint(t *testing.T) {
	b := circuit.NewBuilder(8)
	in, other := b.Input(0), b.Input(0)
	x, y := b.Latch(0), b.Latch(0)
	b.SetNext(x, b.Or(x, in))
	b.SetNext(y, b.And(y, other))
	b.Constraint(other, 0)
	b.Constraint(in.Not(), 0)
	b.Bad(b.And(x, b.Or(y, other)), 0)
	c := b.Build()
	bad, _ := c.Bad(bad0)
	k, err := proof.FindCore(t.Context(), c, bad, cert.Invariant{{x.Not()}}, coreEffort)
	if err != nil {
		t.Fatal(err)
	}
	if k.Constraints[0] || !k.Constraints[1] || !k.Next[0] || k.Next[1] || !k.Reset[0] || k.Reset[1] || !k.Gates[bad.Var()] {
		t.Errorf("%+v", k)
	}
}

func TestCoreNoProof(t *testing.T) {
	b := circuit.NewBuilder(4)
	x := b.Latch(0)
	b.SetNext(x, x.Not())
	b.Bad(x, 0)
	c := b.Build()
	if k, err := proof.FindCore(t.Context(), c, x, cert.Invariant{{x.Not()}}, coreEffort); !errors.Is(err, proof.ErrNoProof) {
		t.Errorf("%+v, %v", k, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if k, err := proof.FindCore(ctx, c, x, cert.Invariant{{x.Not()}}, coreEffort); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", k, err)
	}
}
