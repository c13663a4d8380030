// Package facts takes an invariant apart into what a reader wants to know of it: which
// latches are constant, which are equal or opposite, of which groups at most one is 1, and
// what clauses remain.
//
// What Of returns says exactly as much as the invariant did: it only says it otherwise, without
// asking a solver. Statements about words, which are latches that are read as one number, are no
// such rewriting. They are found elsewhere, and Implied certifies them: the solver of package cert,
// which shares nothing with those that find them, finds no state of the invariant without them.
// ClausesBeside leaves out the clauses that they imply.
//
// The package knows no names, no text and no engine. What it writes are literals, to
// be read with a negation as the reader likes.
package facts

import (
	"cmp"
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Facts is an invariant taken apart. Together its parts have the same states as the
// invariant.
type Facts struct {
	// Never says that there is no such state. Then the rest is empty.
	Never bool
	// Constants are literals that are 1, in the order of their latches.
	Constants []circuit.Lit
	// Equal are classes of literals with one value, two or more in each; the first is a
	// latch without negation, the lowest one, and no latch stands in two classes.
	Equal [][]circuit.Lit
	// Groups are literals of which at most one is 1.
	Groups []Group
	// Clauses is what remains, smallest first, with the first literals of Equal in the
	// place of the others. None refers to a constant.
	Clauses cert.Invariant
}

// Group is three or more literals of which at most one is 1, in the order of the latches.
type Group struct {
	Lits    []circuit.Lit
	Exactly bool // one of them is 1
}

// Of takes an invariant apart. It does so the same way whatever the order of clauses and
// literals. The error is that of ctx.
func Of(ctx context.Context, inv cert.Invariant) (Facts, error) {
	s := simplifier{values: map[circuit.Lit]bool{}, rep: map[circuit.Var]circuit.Lit{}}
	s.clauses = sorted(inv)
	for changed := true; changed; {
		if err := ctx.Err(); err != nil {
			return Facts{}, err
		}
		if !s.propagate() {
			return Facts{Never: true}, nil
		}
		var ok bool
		if changed, ok = s.merge(); !ok {
			return Facts{Never: true}, nil
		}
	}
	f := Facts{Constants: s.constants(), Equal: s.classes()}
	if err := s.subsume(ctx); err != nil {
		return Facts{}, err
	}
	f.Groups, f.Clauses = groups(s.clauses)
	return f, ctx.Err()
}

// Literals counts the literals of an invariant as it would be written: an equality of two
// latches, which is two clauses, counts as two.
func Literals(inv cert.Invariant) int {
	binary := map[[2]circuit.Lit]bool{}
	n := 0
	for _, clause := range inv {
		n += len(clause)
		if len(clause) != 2 {
			continue
		}
		key := [2]circuit.Lit{min(clause[0], clause[1]), max(clause[0], clause[1])}
		opposite := [2]circuit.Lit{min(clause[0].Not(), clause[1].Not()), max(clause[0].Not(), clause[1].Not())}
		switch {
		case binary[key]: // it stands there twice
		case binary[opposite]:
			n -= 2
		}
		binary[key] = true
	}
	return n
}

// Invariant returns the clauses that the facts stand for.
func (f Facts) Invariant() cert.Invariant {
	if f.Never {
		return cert.Invariant{{}}
	}
	var inv cert.Invariant
	for _, l := range f.Constants {
		inv = append(inv, []circuit.Lit{l})
	}
	for _, class := range f.Equal {
		for _, l := range class[1:] {
			inv = append(inv, []circuit.Lit{class[0], l.Not()}, []circuit.Lit{class[0].Not(), l})
		}
	}
	for _, g := range f.Groups {
		for i, a := range g.Lits {
			for _, b := range g.Lits[:i] {
				inv = append(inv, []circuit.Lit{b.Not(), a.Not()})
			}
		}
		if g.Exactly {
			inv = append(inv, slices.Clone(g.Lits))
		}
	}
	return append(inv, f.Clauses...)
}

// About returns the facts that refer to a latch. A clause about another member of its class
// is one about the latch.
func (f Facts) About(latch circuit.Var) Facts {
	var own Facts
	own.Never = f.Never
	of := func(l circuit.Lit) bool { return l.Var() == latch }
	named := latch // by which clauses and groups call it
	for _, class := range f.Equal {
		if slices.ContainsFunc(class, of) {
			own.Equal = append(own.Equal, class)
			named = class[0].Var()
		}
	}
	called := func(l circuit.Lit) bool { return l.Var() == named }
	for _, l := range f.Constants {
		if of(l) {
			own.Constants = append(own.Constants, l)
		}
	}
	for _, g := range f.Groups {
		if slices.ContainsFunc(g.Lits, called) {
			own.Groups = append(own.Groups, g)
		}
	}
	for _, clause := range f.Clauses {
		if slices.ContainsFunc(clause, called) {
			own.Clauses = append(own.Clauses, clause)
		}
	}
	return own
}

// Count returns the number of facts: each constant, each further member of a class, each
// group and each clause is one.
func (f Facts) Count() int {
	n := len(f.Constants) + len(f.Groups) + len(f.Clauses)
	for _, class := range f.Equal {
		n += len(class) - 1
	}
	if f.Never {
		n++
	}
	return n
}

// Topic is clauses that refer to one latch.
type Topic struct {
	Latch   circuit.Var
	Clauses cert.Invariant // smallest first
}

// Topics orders the clauses by what they refer to: the latch that most of them have in
// common comes with all of these, then that of most of the others, and so on. In the result
// the topic with the smallest clause comes first. Each clause stands in one topic.
func (f Facts) Topics() []Topic {
	by := map[circuit.Var][]int{} // by latch: its clauses
	for i, clause := range f.Clauses {
		for _, l := range clause {
			by[l.Var()] = append(by[l.Var()], i)
		}
	}
	latches := make([]circuit.Var, 0, len(by))
	for v := range by {
		latches = append(latches, v)
	}
	slices.SortFunc(latches, func(a, b circuit.Var) int {
		return cmp.Or(cmp.Compare(len(by[b]), len(by[a])), cmp.Compare(a, b))
	})
	isListed := make([]bool, len(f.Clauses))
	var topics []Topic
	for _, v := range latches {
		t := Topic{Latch: v}
		for _, i := range by[v] {
			if !isListed[i] {
				isListed[i] = true
				t.Clauses = append(t.Clauses, f.Clauses[i])
			}
		}
		if len(t.Clauses) > 0 {
			topics = append(topics, t)
		}
	}
	slices.SortStableFunc(topics, func(a, b Topic) int { return compare(a.Clauses[0], b.Clauses[0]) })
	return topics
}

// compare orders clauses: short ones first.
func compare(a, b []circuit.Lit) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
}

// sorted returns clauses without repeated literals, tautologies and repeated clauses.
func sorted(inv cert.Invariant) cert.Invariant {
	clauses := make(cert.Invariant, 0, len(inv))
	for _, clause := range inv {
		if own, ok := normal(clause); ok {
			clauses = append(clauses, own)
		}
	}
	slices.SortFunc(clauses, compare)
	return slices.CompactFunc(clauses, slices.Equal[[]circuit.Lit])
}

// normal returns a clause with each literal once, in order; ok is false when it is always
// true.
func normal(clause []circuit.Lit) (own []circuit.Lit, ok bool) {
	own = slices.Compact(slices.Sorted(slices.Values(clause)))
	for i := 1; i < len(own); i++ {
		if own[i] == own[i-1].Not() {
			return nil, false
		}
	}
	return own, true
}
