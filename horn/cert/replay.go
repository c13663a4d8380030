package cert

import (
	"slices"

	"github.com/go-air/gini/z"

	"aiglens/horn/cert/linear"
	"aiglens/horn/term"
)

// replay adds a clause for each refutation that adds up. The variables of the scope are
// vars; terms has the atoms.
func (s *scope) replay(vars []term.Term, terms *term.Pool, refutations []Refutation) {
	inner, f := s.encoding.scope(terms), newForm(terms)
	for _, r := range refutations {
		if lemma, ok := inner.lemma(f, s, vars, r); ok {
			s.clause(lemma...)
		}
	}
}

// lemma returns the clause that one of the atoms is false, if they add up to a
// contradiction.
func (s *scope) lemma(f *form, outer *scope, vars []term.Term, r Refutation) (lemma []z.Lit, ok bool) {
	if !s.bind(f, outer, vars, r.Atoms) || slices.Contains(r.Factors, nil) {
		return nil, false
	}
	var constraints []linear.Constraint
	for _, a := range r.Atoms {
		if !f.formula(a) {
			return nil, false
		}
		m := s.formula(a)
		c, ok := s.comparison(a, m)
		if !ok {
			return nil, false
		}
		constraints, lemma = append(constraints, c), append(lemma, m.Not())
	}
	return lemma, linear.Refutes(constraints, r.Factors)
}

// bind gives the variables of atoms the meaning of those of outer with the same name and
// sort. It reports whether all have one.
func (s *scope) bind(f *form, outer *scope, vars, atoms []term.Term) bool {
	for _, a := range atoms {
		if a <= term.None || int(a) >= s.terms.Len() {
			return false
		}
	}
	for _, v := range s.terms.VarsOf(atoms...) {
		if f.fits[v] {
			continue
		}
		sort := s.terms.SortOf(v)
		at := slices.IndexFunc(vars, func(w term.Term) bool {
			return outer.terms.Name(w) == s.terms.Name(v) && outer.terms.SortOf(w) == sort
		})
		if at < 0 || !f.variable(v) {
			return false
		}
		if sort == term.Bool {
			s.formulas[v] = outer.formulas[vars[at]]
		} else {
			s.numbers[v] = outer.numbers[vars[at]]
		}
	}
	return true
}

// comparison returns what an atom with the literal m says about numbers.
func (s *scope) comparison(atom term.Term, m z.Lit) (linear.Constraint, bool) {
	if s.terms.Op(atom) == term.OpEq {
		x := s.linear(atom)
		return linear.Constraint{Sum: x.sum, Constant: x.constant, Rel: linear.Equal}, true
	}
	if s.boundOf(m) == nil {
		return linear.Constraint{}, false
	}
	return s.constraint(m), true
}
