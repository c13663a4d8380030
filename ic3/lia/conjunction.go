package lia

import (
	"context"

	"aiglens/horn/rational"
	"aiglens/ic3/sat"
)

// Answer is what Decide found out.
type Answer struct {
	Result     sat.Result  // Unsolved after a limit
	Model      []Rat       // by variable, after Sat
	Refutation *Refutation // after Unsat
}

// Value returns the value of a variable in the model; one that is in no atom is 0.
func (a Answer) Value(v Var) Rat {
	if int(v) < len(a.Model) {
		return a.Model[v]
	}
	return Rat{}
}

// Decide finds a common solution of atoms, or refutes them. An error is that of ctx.
func Decide(ctx context.Context, atoms []Atom, isInt Sorts, limits Limits) (Answer, error) {
	s := newSimplex()
	expanded, isIntNow := expand(atoms, isInt)
	for _, a := range expanded {
		for _, m := range a.Term {
			for int(m.Var) >= len(s.columns) {
				s.newVar(isIntNow(Var(len(s.columns))), nil)
			}
		}
	}
	vars := len(s.columns)
	normal := make([]Atom, len(expanded))
	index := func(w weight) Weight {
		i := int(w.reason)
		if normal[i].Rel == Equal && !w.upper {
			return Weight{i, w.coef.Neg()}
		}
		return Weight{i, w.coef}
	}
	for i, a := range expanded {
		normal[i] = a.Normalize(isIntNow)
		if conflict := s.assertAtom(normal[i], reason(i)); conflict != nil {
			return Answer{Result: sat.Unsat, Refutation: conflict.refutation(index)}, nil
		}
	}
	r, err := s.integers(ctx, limits, index)
	switch {
	case err == ErrLimit:
		return Answer{}, nil
	case err != nil:
		return Answer{}, err
	case r != nil:
		return Answer{Result: sat.Unsat, Refutation: r}, nil
	}
	return Answer{Result: sat.Sat, Model: s.model(vars)}, nil
}

// assertAtom adds the bounds that a normal atom is.
func (s *simplex) assertAtom(a Atom, why reason) farkas {
	if len(a.Term) == 0 {
		if a.relates(Rat{}) {
			return nil
		}
		return farkas{{why, true, rational.One}}
	}
	if a.Rel != Equal {
		return s.assert(s.sideOf(a), why)
	}
	v, value := s.column(a.Term), delta{real: a.Const}
	if conflict := s.assert(side{v, true, value}, why); conflict != nil {
		return conflict
	}
	return s.assert(side{v, false, value}, why)
}

// model returns the values of the first variables.
func (s *simplex) model(vars int) []Rat {
	epsilon := s.epsilon()
	m := make([]Rat, vars)
	for i := range m {
		m[i] = s.columns[i].value.at(epsilon)
	}
	return m
}
