package sat_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/ic3/sat"
)

// BenchmarkCore measures the core solver on what the Boolean engines ask: many short queries about
// a large circuit with lemmas, and one long search.
func BenchmarkCore(b *testing.B) {
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			shortQueries(b)
		}
	})
	b.Run("long", func(b *testing.B) {
		for b.Loop() {
			d, x := free(9 * 8)
			s := sat.NewCore(d)
			pigeons(s, x, 8)
			ask(b, s, sat.Query{Roots: x})
		}
	})
}

func ask(b *testing.B, s sat.Solver, q sat.Query) {
	if _, err := s.Solve(context.Background(), q); err != nil {
		b.Fatal(err)
	}
}

// shortQueries asks 3000 queries about 3000 gates of 200 inputs, and adds a lemma after each fifth.
func shortQueries(b *testing.B) {
	const inputs, gates, queries = 200, 3000, 3000
	r := rand.New(rand.NewPCG(1, 2))
	f := &formula{defs: sat.NewDefinitions(inputs + gates)}
	for range inputs {
		f.defs.Define(nil)
	}
	for range gates {
		x, y, g := f.lit(r), f.lit(r), sat.Var(f.defs.NumVars()).Lit()
		f.defs.Define([]sat.Var{x.Var(), y.Var()}, conjunction(g, x, y)...)
	}
	s := sat.NewCore(f.defs)
	for i := range queries {
		ask(b, s, sat.Query{Assumptions: f.lits(r, 6), Clause: []sat.Lit{f.lit(r), f.lit(r), f.lit(r)}})
		if i%5 == 0 {
			s.AddClause([]sat.Lit{f.lit(r), f.lit(r), f.lit(r), f.lit(r), f.lit(r)})
		}
	}
}
