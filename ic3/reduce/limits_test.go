package reduce_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/reduce"
	"aiglens/internal/shared"
)

// twice returns a circuit with the logic of another one twice, the second time in other words
// and over latches of its own, and a bad that is 1 where the two differ in their next states.
func twice(r *rand.Rand, c *circuit.Circuit) *circuit.Circuit {
	b := circuit.NewBuilder(8 * c.NumVars())
	inputs := make([]circuit.Lit, len(c.Inputs()))
	for i := range inputs {
		inputs[i] = b.Input(0)
	}
	latches := make([]circuit.Lit, 2*len(c.Latches()))
	for i := range latches {
		latches[i] = b.Latch(0)
	}
	differ := circuit.False
	var next [2][]circuit.Lit
	for side := range next {
		to := make([]circuit.Lit, c.NumVars())
		lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
		for i, in := range c.Inputs() {
			to[in.Lit.Var()] = inputs[i]
		}
		for i, l := range c.Latches() {
			to[l.Lit.Var()] = latches[2*i+side]
		}
		for v := range circuit.Var(c.NumVars()) {
			x, y, isGate := c.Operands(v)
			switch {
			case !isGate:
			case side == 1 && r.IntN(2) == 0:
				to[v] = b.Xor(b.Or(lit(x), lit(y)), b.Xor(lit(x), lit(y)))
			default:
				to[v] = b.And(lit(x), lit(y))
			}
		}
		for i, l := range c.Latches() {
			next[side] = append(next[side], lit(l.Next))
			b.SetNext(latches[2*i+side], lit(l.Next))
		}
	}
	for i := range next[0] {
		differ = b.Or(differ, b.Xor(next[0][i], next[1][i]))
	}
	b.Bad(differ, 0)
	return b.Build()
}

// searches are those of Merges and of Equals, with the effort that they have taken.
var searches = map[string]func(ctx context.Context, c *circuit.Circuit, effort int64) (spent int64, found int, err error){
	"merges": func(ctx context.Context, c *circuit.Circuit, effort int64) (int64, int, error) {
		m, err := reduce.Merges(ctx, c, reduce.MergeOptions{Effort: effort, Conflicts: 1000})
		return m.Effort, len(m.Merges), err
	},
	"equals": func(ctx context.Context, c *circuit.Circuit, effort int64) (int64, int, error) {
		equals, spent, err := reduce.Equals(ctx, c, 0, effort)
		return spent, len(equals), err
	},
}

// TestSearchesEnd ends the searches for what is equal in many places: each ends there, and
// says so.
func TestSearchesEnd(t *testing.T) {
	c := twice(rand.New(rand.NewPCG(1, 0)), repetitive(rand.New(rand.NewPCG(1, 0)), 6, 6, 150))
	for name, search := range searches {
		whole := shared.NewPolls(0)
		if _, found, err := search(whole, c, 1<<40); err != nil || found == 0 {
			t.Fatalf("%s: %d found, %v", name, found, err)
		}
		if whole.Looks < 100 {
			t.Errorf("%s looks at its context only %d times", name, whole.Looks)
		}
		for part := range 12 {
			ended := shared.NewPolls(1 + part*whole.Looks/12)
			_, found, err := search(ended, c, 1<<40)
			if !errors.Is(err, context.Canceled) || found > 0 {
				t.Errorf("%s, ended at look %d of %d: %d found, %v", name, ended.End, whole.Looks, found, err)
			}
			if late := ended.Looks - ended.End; late > 2 {
				t.Errorf("%s, ended at look %d: it has looked %d times more", name, ended.End, late)
			}
		}
	}
}

// TestEffortOfSearches gives the searches little effort: they take about that.
func TestEffortOfSearches(t *testing.T) {
	c := twice(rand.New(rand.NewPCG(2, 0)), repetitive(rand.New(rand.NewPCG(2, 0)), 6, 6, 150))
	for name, search := range searches {
		all, _, err := search(t.Context(), c, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		const frames = 6 * 4 // what is copied before it is looked at the effort again, for each variable
		for _, effort := range []int64{1, all / 16, all / 4, all} {
			spent, _, err := search(t.Context(), c, effort)
			if most := 2*effort + 300_000 + frames*int64(c.NumVars()); err != nil || spent <= 0 || spent > most {
				t.Errorf("%s with an effort of %d: it has taken %d, %v", name, effort, spent, err)
			}
		}
	}
}
