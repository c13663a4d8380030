package verify

import (
	"testing"

	"aiglens/circuit"
)

// sharedLemma returns a circuit whose bad is the negation of a conjunction of so many
// clauses, each of them a latch of its own or one of as many that all of them share.
func sharedLemma(clauses, shared int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	latch := func() circuit.Lit {
		l := b.Latch(0)
		b.SetNext(l, l)
		return l
	}
	or, all := circuit.False, circuit.True
	for range shared {
		or = b.Or(or, latch())
	}
	for range clauses {
		all = b.And(all, b.Or(or, latch()))
	}
	b.Bad(all.Not(), 0)
	return b.Build()
}

// TestLemmaClausesAreBounded: a lemma has its clauses, with all of their literals, as long as
// these are few. N clauses that share N literals are a circuit of some N gates, and have N²
// literals.
func TestLemmaClausesAreBounded(t *testing.T) {
	for _, test := range []struct{ clauses, shared, want int }{
		{1, 0, 1}, {3, 2, 3}, {60, 60, 60}, {200, 200, 0}, {4000, 4000, 0}, {maxLemmas + 1, 0, 0},
	} {
		got := lemmaClauses(sharedLemma(test.clauses, test.shared))
		if len(got) != test.want {
			t.Errorf("%d clauses of %d shared literals: %d clauses, expected %d", test.clauses, test.shared, len(got), test.want)
		}
		literals := 0
		for _, clause := range got {
			if len(clause) != test.shared+1 {
				t.Errorf("%d clauses of %d shared literals: one has %d", test.clauses, test.shared, len(clause))
			}
			literals += len(clause)
		}
		if literals > maxLemmas {
			t.Errorf("%d literals", literals)
		}
	}
}

// TestConjunctsAreOfLatches: what is not a latch ends the search, and what it has looked at counts.
func TestConjunctsAreOfLatches(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, l)
	b.Bad(b.And(b.Or(l, in), l.Not()).Not(), 0)
	c := b.Build()
	if got := lemmaClauses(c); len(got) != 1 || len(got[0]) != 1 || got[0][0] != c.Latches()[0].Lit.Not() {
		t.Errorf("clauses %v", got)
	}
	rest := 2
	if parts, ok := conjuncts(c, c.Bads()[0].Lit.Not(), &rest, nil); ok || parts != nil || rest >= 0 {
		t.Errorf("of three literals two are looked at: %v, %v, %d left", parts, ok, rest)
	}
}
