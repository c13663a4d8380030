package lia

import (
	"context"
	"slices"

	"aiglens/horn/rational"
	"aiglens/ic3/sat"
)

// theory tells the core solver which bounds cannot hold together.
//
// While the first seen literals of the trail are known, exactly the bounds of those that are atoms are
// asserted, but for one that contradicts another.
type theory struct {
	*simplex
	options Options
	atoms   []atom // by Boolean variable
	seen    int
	marks   []mark
	isNew   bool  // there are bounds that check has not seen
	most    int   // marks there were since the last query
	values  []Rat // by column, of the last model
}

// atom is v ≤ value, or nothing when v < 0.
type atom struct {
	v     Var
	value delta
}

// mark is an atom on the trail, and how many bounds there were before.
type mark struct{ at, bounds int }

// side returns the bound that a literal of an atom is.
func (t *theory) side(l sat.Lit) side {
	a := t.atoms[l.Var()]
	if !l.IsNegated() {
		return side{a.v, true, a.value}
	}
	if t.columns[a.v].isInt {
		return side{a.v, false, delta{real: a.value.real.Add(rational.One)}}
	}
	return side{a.v, false, delta{a.value.real, a.value.inf.Add(rational.One)}}
}

func (t *theory) isAtom(v sat.Var) bool { return int(v) < len(t.atoms) && t.atoms[v].v >= 0 }

// Check implements sat.Theory.
func (t *theory) Check(ctx context.Context, trail sat.Trail, last bool) ([]sat.Lit, error) {
	for t.seen < trail.Len() {
		l := trail.At(t.seen)
		t.seen++
		if !t.isAtom(l.Var()) {
			continue
		}
		t.marks = append(t.marks, mark{t.seen - 1, len(t.trail)})
		t.most, t.isNew = max(t.most, len(t.marks)), true
		if conflict := t.assert(t.side(l), reason(l)); conflict != nil {
			return t.clause(conflict.refutation), nil
		}
	}
	if t.isNew {
		conflict, err := t.check(ctx)
		if err != nil {
			return nil, err
		}
		if conflict != nil {
			return t.clause(conflict.refutation), nil
		}
		t.isNew = false
	}
	if !last {
		return nil, nil
	}
	var err error
	clause := t.clause(func(index func(weight) Weight) (r *Refutation) {
		r, err = t.integers(ctx, t.options.Limits, index)
		return r
	})
	if clause == nil && err == nil {
		t.values = t.model(len(t.columns))
	}
	return clause, err
}

// clause returns the negations of the literals that a refutation rests on, or nil if there is none.
func (t *theory) clause(refute func(index func(weight) Weight) *Refutation) []sat.Lit {
	var lits []sat.Lit
	r := refute(func(w weight) Weight {
		l := sat.Lit(w.reason)
		i := slices.Index(lits, l)
		if i < 0 {
			i = len(lits)
			lits = append(lits, l)
		}
		return Weight{i, w.coef}
	})
	if r == nil {
		return nil
	}
	// What a refutation does not use in the end is left out.
	used := make([]bool, len(lits))
	r.eachWeight(func(w *Weight) {
		if w.Premise >= 0 {
			used[w.Premise] = true
		}
	})
	number, kept := make([]int, len(lits)), lits[:0]
	for i, l := range lits {
		if number[i] = len(kept); used[i] {
			kept = append(kept, l)
		}
	}
	r.eachWeight(func(w *Weight) {
		if w.Premise >= 0 {
			w.Premise = number[w.Premise]
		}
	})
	clause := make([]sat.Lit, len(kept))
	premises := make([]Atom, len(kept))
	for i, l := range kept {
		clause[i], premises[i] = l.Not(), t.atomOf(l)
	}
	if t.options.Conflict != nil {
		t.options.Conflict(premises, r)
	}
	return clause
}

// atomOf returns the inequality that a literal of an atom stands for.
func (t *theory) atomOf(l sat.Lit) Atom {
	b := t.side(l)
	sum := t.columns[b.v].term
	if sum == nil {
		sum = Term{{b.v, rational.One}}
	}
	if !b.upper {
		sum, b.value = sum.Scale(rational.MinusOne), b.value.scale(rational.MinusOne)
	}
	a := Atom{Term: sum, Rel: LessEqual, Const: b.value.real}
	if !b.value.inf.IsZero() {
		a.Rel = Less
	}
	return a
}

// Undo implements sat.Theory.
func (t *theory) Undo(n int) {
	if n >= t.seen {
		return
	}
	t.seen = n
	i := len(t.marks)
	for i > 0 && t.marks[i-1].at >= n {
		i--
	}
	if i < len(t.marks) {
		t.backtrack(t.marks[i].bounds)
		t.marks = t.marks[:i]
	}
}

// spareRows is how many rows may be there beyond three times those that the last query used.
const spareRows = 100

// begin prepares for a query. Rows that queries no longer use are dropped: each costs time with every
// pivot.
func (t *theory) begin() {
	if len(t.rows) > spareRows+3*t.most {
		t.backtrack(0)
		t.unload()
		t.marks, t.seen = t.marks[:0], 0
	}
	t.most = len(t.marks)
}
