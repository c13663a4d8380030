package cert_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reduce"
	"aiglens/internal/explicit"
)

func merges(ctx context.Context, c *circuit.Circuit) ([]cert.Merge, error) {
	found, err := reduce.Merges(ctx, c, reduce.MergeOptions{Effort: 1 << 20, Conflicts: 100})
	return found.Merges, err
}

// reachedStates returns the reached states as clauses: one for each state that is not reached, and those that make
// latches constant or equal.
func reachedStates(c *circuit.Circuit) cert.Invariant {
	inv := cert.Invariant{}
	reached := explicit.Reachable(c)
	value := func(state int, l circuit.Lit) bool { return (state>>c.LatchIndex(l.Var())&1 == 1) != l.IsNegated() }
	holds := func(clause ...circuit.Lit) {
		for state, is := range reached {
			some := !is
			for _, l := range clause {
				some = some || value(state, l)
			}
			if !some {
				return
			}
		}
		inv = append(inv, clause)
	}
	for i, l := range c.Latches() {
		holds(l.Lit)
		holds(l.Lit.Not())
		for _, m := range c.Latches()[:i] {
			for _, phase := range []bool{false, true} {
				holds(l.Lit, m.Lit.NotIf(phase))
				holds(l.Lit.Not(), m.Lit.NotIf(phase))
			}
		}
	}
	for state := range reached {
		clause := make([]circuit.Lit, len(c.Latches()))
		for i, l := range c.Latches() {
			clause[i] = l.Lit.NotIf(state>>i&1 == 1)
		}
		holds(clause...)
	}
	return inv
}

// TestMergedObligations: with latches and gates merged an invariant passes if and only if a search
// of all states and inputs takes it for one.
func TestMergedObligations(t *testing.T) {
	accepted, rejected, merged, late := 0, 0, 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 17))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 2, Latches: 4, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true,
			ResetFunctions: seed%4 == 0,
		})
		v := cert.Verdict{Outcome: cert.Proved, Invariant: reachedStates(c)}
		for range r.IntN(3) {
			v = mutate(r, c, v)
		}
		counted := func(ctx context.Context, c *circuit.Circuit) ([]cert.Merge, error) {
			found, err := merges(ctx, c)
			if err != nil {
				return nil, err
			}
			if _, err := cert.Merged(ctx, c, found); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			merged += len(found)
			return found, nil
		}
		want := explicit.Certifies(c, bad0, v)
		if got := check(c, v) == nil; got != want {
			t.Fatalf("seed %d: accepted: %v, by a search it is right: %v: %+v", seed, got, want, v)
		}
		for _, from := range []int{0, r.IntN(len(v.Invariant) + 1)} {
			first, err := cert.FirstViolatedMerged(context.Background(), c, c.Bads()[0].Lit, v.Invariant, from, counted)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			// What a search rejects may also fail in the first step.
			if want && first >= 0 {
				t.Fatalf("seed %d, from %d: first violated %d, by a search it is right: %+v", seed, from, first, v)
			}
			unmerged, err := cert.FirstViolated(context.Background(), c, c.Bads()[0].Lit, v.Invariant, from)
			if err != nil || unmerged != first {
				t.Fatalf("seed %d, from %d: first violated %d, without merges %d, %v", seed, from, first, unmerged, err)
			}
			if from > 0 && first >= 0 {
				late++
			}
		}
		if want {
			accepted++
		} else {
			rejected++
		}
	}
	if accepted < 500 || rejected < 500 || merged < 500 || late < 500 {
		t.Errorf("%d accepted, %d rejected, %d gates merged, %d violations found from a later clause on", accepted, rejected, merged, late)
	}
}

// multipliers returns a circuit that is bad when a product of n bits differs from the one with its factors
// exchanged; a fault lets it differ for one pair of factors. Two latches, which stay 0, stand beside.
func multipliers(n int, isFaulty bool) (*circuit.Circuit, cert.Invariant) {
	b := circuit.NewBuilder(0)
	word := func() []circuit.Lit {
		w := make([]circuit.Lit, n)
		for i := range w {
			w[i] = b.Input(0)
		}
		return w
	}
	x, y, latch, twin := word(), word(), b.Latch(0), b.Latch(0)
	product := func(x, y []circuit.Lit) []circuit.Lit {
		sum := make([]circuit.Lit, 2*n)
		for i := range y {
			carry := circuit.False
			for j := range x {
				bit := b.And(x[j], y[i])
				half := b.Xor(sum[i+j], bit)
				sum[i+j], carry = b.Xor(half, carry), b.Or(b.And(sum[i+j], bit), b.And(half, carry))
			}
			sum[i+n] = carry
		}
		return sum
	}
	p, q := product(x, y), product(y, x)
	if isFaulty {
		all := circuit.True
		for i := range x {
			all = b.And(all, b.And(x[i], y[i]))
		}
		q[0] = b.Xor(q[0], all)
	}
	bad := circuit.False
	for i := range p {
		bad = b.Or(bad, b.Xor(p[i], q[i]))
	}
	b.SetNext(latch, b.And(latch, x[0]))
	b.SetNext(twin, b.And(twin, x[0]))
	b.Bad(bad, 0)
	return b.Build(), cert.Invariant{{latch.Not(), twin}, {latch, twin.Not()}, {latch.Not()}}
}

// TestLongCheck: a check that takes long asks once for gates that are equal. Whatever it is told, also that gates
// are equal which are not, it says the same.
func TestLongCheck(t *testing.T) {
	for name, find := range map[string]cert.FindMerges{
		"equal": merges,
		"not equal": func(_ context.Context, c *circuit.Circuit) ([]cert.Merge, error) {
			return []cert.Merge{{Gate: circuit.Var(c.NumVars() - 1), To: circuit.False}}, nil
		},
	} {
		for _, isFaulty := range []bool{false, true} {
			c, inv := multipliers(6, isFaulty)
			asked := 0
			_, err := cert.CheckMerging(context.Background(), c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: inv},
				func(ctx context.Context, c *circuit.Circuit) ([]cert.Merge, error) {
					asked++
					return find(ctx, c)
				})
			rejected, isRejected := errors.AsType[*cert.RejectedError](err)
			switch {
			case !isFaulty && (asked != 1 || err != nil):
				t.Errorf("%s: asked %d times: %v", name, asked, err)
			case isFaulty && (!isRejected || rejected.Obligation != "safety"):
				t.Errorf("%s: asked %d times, and the fault is not found: %v", name, asked, err)
			}
		}
	}
}
