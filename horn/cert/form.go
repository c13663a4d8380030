package cert

import (
	"slices"

	"aiglens/horn"
	"aiglens/horn/term"
)

// checkSystem tests that the clauses are what package horn says, so that no step of the
// checker needs to: its terms are of linear arithmetic, over the variables of the clause.
func checkSystem(s *horn.System) error {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		f := newForm(s.Terms)
		for _, v := range c.Vars {
			if !f.variable(v) {
				return reject("form", "a variable of clause %d is none, or occurs twice", i+1)
			}
		}
		if !f.formula(c.Constraint) {
			return reject("form", "the constraint of clause %d is no formula over its variables", i+1)
		}
		atoms := c.Body
		if !c.IsQuery() {
			atoms = append(slices.Clip(atoms), c.Head)
		}
		for _, a := range atoms {
			if a.Pred < 0 || int(a.Pred) >= len(s.Preds) || !f.args(a.Args, s.Preds[a.Pred].Args) {
				return reject("form", "an atom of clause %d does not fit its predicate", i+1)
			}
		}
	}
	return nil
}

// checkDefinitions tests that there is a definition for each predicate, over parameters of
// its sorts.
func checkDefinitions(s *horn.System, m Model) error {
	if m.Terms == nil || len(m.Definitions) != len(s.Preds) {
		return reject("form", "%d definitions for %d predicates", len(m.Definitions), len(s.Preds))
	}
	for p, d := range m.Definitions {
		f := newForm(m.Terms)
		for _, param := range d.Params {
			if !f.variable(param) {
				return reject("form", "a parameter of predicate %d is no variable, or occurs twice", p+1)
			}
		}
		if !f.args(d.Params, s.Preds[p].Args) {
			return reject("form", "the parameters of predicate %d do not have its sorts", p+1)
		}
		if !f.formula(d.Formula) {
			return reject("form", "the definition of predicate %d is no formula over its parameters", p+1)
		}
	}
	return nil
}

// form knows which terms of a pool are terms of linear arithmetic over some variables,
// without predicates and quantifiers.
type form struct {
	terms *term.Pool
	fits  map[term.Term]bool
}

func newForm(terms *term.Pool) *form { return &form{terms, map[term.Term]bool{}} }

// variable adds a variable, and reports whether it is one and new.
func (f *form) variable(v term.Term) bool {
	if v <= term.None || int(v) >= f.terms.Len() || f.terms.Op(v) != term.OpVar || f.fits[v] {
		return false
	}
	f.fits[v] = true
	return true
}

// args reports whether terms fit and have some sorts.
func (f *form) args(ts []term.Term, sorts []term.Sort) bool {
	if len(ts) != len(sorts) {
		return false
	}
	for i, t := range ts {
		if !f.fit(t) || f.terms.SortOf(t) != sorts[i] {
			return false
		}
	}
	return true
}

// formula reports whether a term fits and is a formula.
func (f *form) formula(t term.Term) bool { return f.fit(t) && f.terms.SortOf(t) == term.Bool }

func (f *form) fit(t term.Term) bool {
	fits, ok := f.fits[t]
	if !ok {
		fits = f.compute(t)
		f.fits[t] = fits
	}
	return fits
}

// compute reports whether a term fits that is no variable.
func (f *form) compute(t term.Term) bool {
	if t <= term.None || int(t) >= f.terms.Len() {
		return false
	}
	args, sort := f.terms.Args(t), f.terms.SortOf(t)
	all := func(want term.Sort, arity int) bool {
		if arity >= 0 && len(args) != arity {
			return false
		}
		return !slices.ContainsFunc(args, func(a term.Term) bool { return !f.fit(a) || f.terms.SortOf(a) != want })
	}
	switch f.terms.Op(t) {
	case term.OpConst:
		return t == term.True || t == term.False
	case term.OpSum:
		return f.linear(t, sort) && all(sort, -1)
	case term.OpLe, term.OpLt, term.OpEq:
		return sort == term.Bool && (all(term.Int, -1) || all(term.Real, -1)) && len(f.terms.LinearOf(t).Coefs) == len(args)
	case term.OpNot:
		return all(term.Bool, 1)
	case term.OpAnd, term.OpOr:
		return all(term.Bool, -1)
	case term.OpIff:
		return all(term.Bool, 2)
	case term.OpIte:
		return len(args) == 3 && f.formula(args[0]) && f.args(args[1:], []term.Sort{sort, sort})
	case term.OpDiv, term.OpMod:
		d := f.terms.Divisor(t)
		return all(term.Int, 1) && sort == term.Int && d.IsInt() && d.Sign() > 0
	case term.OpToReal:
		return all(term.Int, 1) && sort == term.Real
	}
	return false
}

// linear reports whether a sum has one coefficient an argument, which are integers in a sum
// of integers.
func (f *form) linear(t term.Term, sort term.Sort) bool {
	l := f.terms.LinearOf(t)
	whole := l.Const.IsInt()
	for _, c := range l.Coefs {
		whole = whole && c.IsInt()
	}
	return sort.IsNumber() && (sort == term.Real || whole) && len(l.Coefs) == len(f.terms.Args(t))
}
