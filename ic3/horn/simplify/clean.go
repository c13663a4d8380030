package simplify

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
	"aiglens/ic3/sat"
)

// clean rewrites clauses: an equality replaces a variable, what a literal decides elsewhere in the constraint is
// put in. Clauses that always hold, and repeated ones, are left out.
func (w *work) clean() { w.rewrite(nil, nil, nil) }

// rewrite cleans all clauses. What is in added holds of all that is derived, and is added to bodies; facts is all
// that holds, which implies it. Nothing is derived of predicates in fixed.
func (w *work) rewrite(added, facts map[horn.Pred]cert.Definition, fixed map[horn.Pred]term.Term) {
	p, s := w.terms(), w.System
	r := &rewrite{before: s, facts: facts, fixed: fixed}
	var clauses []horn.Clause
	seen := map[term.Term]bool{}
	changed := len(fixed) > 0
	for i := range s.Clauses {
		c := s.Clauses[i]
		if isFixed := func(a horn.Atom) bool { return fixed[a.Pred] != term.None }; isFixed(c.Head) || slices.ContainsFunc(c.Body, isFixed) {
			continue
		}
		extra := []term.Term{c.Constraint}
		for _, a := range c.Body {
			if fact, ok := added[a.Pred]; ok {
				extra = append(extra, instance(p, fact, a.Args))
			}
		}
		c.Constraint = p.And(extra...)
		t := newTidy(p, &c, nil)
		t.run()
		c = t.clause()
		if c.Constraint == term.False || slices.ContainsFunc(c.Body, func(a horn.Atom) bool { return isSame(a, c.Head) }) {
			changed = true
			continue
		}
		if whole := wholeOf(p, &c); seen[whole] {
			changed = true
			continue
		} else {
			seen[whole] = true
		}
		changed = changed || len(t.values) > 0 || c.Constraint != s.Clauses[i].Constraint
		r.clauses = append(r.clauses, rewritten{i, t.values})
		clauses = append(clauses, c)
	}
	if !changed {
		return
	}
	w.become(clauses, r)
	r.after = w.System
}

// isSame reports whether two atoms are.
func isSame(a, b horn.Atom) bool { return a.Pred == b.Pred && slices.Equal(a.Args, b.Args) }

// wholeOf returns a clause as a term, which equal clauses share.
func wholeOf(p *term.Pool, c *horn.Clause) term.Term {
	all := []term.Term{p.Not(c.Constraint), c.Head.Term(p)}
	for _, a := range c.Body {
		all = append(all, p.Not(a.Term(p)))
	}
	return p.Or(all...)
}

// tidy solves the equalities of a clause.
type tidy struct {
	terms     *term.Pool
	body      []horn.Atom
	head      horn.Atom
	origin    int
	conjuncts []term.Term
	values    map[term.Term]term.Term // of the variables that have been replaced
	kept      map[term.Term]bool      // variables that stay
	inBody    map[term.Term]bool      // variables of atoms of the body
}

// newTidy returns work on a copy of a clause. Variables of kept stay.
func newTidy(p *term.Pool, c *horn.Clause, kept []term.Term) *tidy {
	t := &tidy{
		terms: p, body: slices.Clone(c.Body), head: c.Head, origin: c.Origin, conjuncts: p.Conjuncts(c.Constraint),
		values: map[term.Term]term.Term{}, kept: map[term.Term]bool{}, inBody: map[term.Term]bool{},
	}
	for _, v := range kept {
		t.kept[v] = true
	}
	for _, a := range c.Body {
		for _, v := range p.VarsOf(a.Args...) {
			t.inBody[v] = true
		}
	}
	return t
}

// run replaces variables until no equality does.
func (t *tidy) run() {
	for {
		t.decide()
		v, by := t.find()
		if v == term.None {
			return
		}
		t.replace(v, by)
	}
}

// clause returns what has become of the clause.
func (t *tidy) clause() horn.Clause {
	c := horn.Clause{Body: t.body, Head: t.head, Origin: t.origin, Constraint: t.terms.And(t.conjuncts...)}
	c.Vars = t.terms.VarsOf(termsOf(&c)...)
	return c
}

// isLiteral reports whether a formula is a Boolean variable or a comparison, or the negation of one.
func isLiteral(p *term.Pool, f term.Term) bool {
	if p.Op(f) == term.OpNot {
		f = p.Args(f)[0]
	}
	switch p.Op(f) {
	case term.OpVar, term.OpLe, term.OpLt, term.OpEq:
		return true
	}
	return false
}

// decide puts the literals among the conjuncts into the others.
func (t *tidy) decide() {
	p := t.terms
	for {
		known := map[term.Term]term.Term{}
		for _, c := range t.conjuncts {
			if !isLiteral(p, c) {
				continue
			}
			if p.Op(c) == term.OpNot {
				known[p.Args(c)[0]] = term.False
			} else {
				known[c] = term.True
			}
		}
		by := term.NewSubstitution(p, func(u term.Term) (term.Term, bool) { v, ok := known[u]; return v, ok })
		all, changed := make([]term.Term, len(t.conjuncts)), false
		for i, c := range t.conjuncts {
			all[i] = c
			if !isLiteral(p, c) {
				all[i] = by.Apply(c)
			}
			changed = changed || all[i] != c
		}
		if !changed {
			return
		}
		t.conjuncts = p.Conjuncts(p.And(all...))
	}
}

// find returns a variable that a conjunct says the value of, and that.
func (t *tidy) find() (v, by term.Term) {
	for _, c := range t.conjuncts {
		if v, by = t.solve(c); v != term.None {
			return v, by
		}
	}
	return term.None, term.None
}

// solve returns a variable with its value in all solutions of a formula.
func (t *tidy) solve(c term.Term) (v, by term.Term) {
	p := t.terms
	negated := p.Op(c) == term.OpNot
	if negated {
		c = p.Args(c)[0]
	}
	switch op := p.Op(c); {
	case op == term.OpVar && !t.kept[c]:
		return c, term.Truth(!negated)
	case op == term.OpIff:
		for i, v := range p.Args(c) {
			by := p.Args(c)[1-i]
			if negated {
				by = p.Not(by)
			}
			if p.Op(v) == term.OpVar && t.fits(v, by) {
				return v, by
			}
		}
	case op == term.OpEq && !negated:
		return t.solveLinear(p.LinearOf(c))
	}
	return term.None, term.None
}

// solveLinear returns a variable with its value in all solutions of l = 0. Variables that are in no atom of the body
// come first.
func (t *tidy) solveLinear(l term.Linear) (v, by term.Term) {
	p := t.terms
	for _, inBody := range []bool{false, true} {
		for i, u := range l.Terms {
			sort, c := p.SortOf(u), l.Coefs[i]
			if p.Op(u) != term.OpVar || t.inBody[u] != inBody || sort == term.Int && !c.Abs().IsOne() {
				continue
			}
			rest := term.Linear{Const: l.Const.Div(c).Neg()}
			for k, other := range l.Terms {
				if k != i {
					rest.Terms, rest.Coefs = append(rest.Terms, other), append(rest.Coefs, l.Coefs[k].Div(c).Neg())
				}
			}
			if by := p.Sum(sort, rest); t.fits(u, by) {
				return u, by
			}
		}
	}
	return term.None, term.None
}

// fits reports whether a variable can be replaced by a term. One of an atom of the body is replaced only by what is
// no larger, since an argument that is a variable can be left out more often.
func (t *tidy) fits(v, by term.Term) bool {
	p := t.terms
	if t.kept[v] || t.inBody[v] && p.Op(by) != term.OpVar && len(p.Args(by)) > 0 {
		return false
	}
	return !slices.Contains(p.VarsOf(by), v)
}

// replace replaces a variable everywhere.
func (t *tidy) replace(v, by term.Term) {
	p := t.terms
	s := term.NewSubstitution(p, func(u term.Term) (term.Term, bool) { return by, u == v })
	apply := func(all []term.Term) []term.Term {
		done := make([]term.Term, len(all))
		for i, u := range all {
			done[i] = s.Apply(u)
		}
		return done
	}
	for u, value := range t.values {
		t.values[u] = s.Apply(value)
	}
	t.values[v] = by
	t.conjuncts = p.Conjuncts(p.And(apply(t.conjuncts)...))
	for i, a := range t.body {
		t.body[i].Args = apply(a.Args)
	}
	t.head.Args = apply(t.head.Args)
	if t.inBody[v] {
		for _, u := range p.VarsOf(by) {
			t.inBody[u] = true
		}
	}
}

// slice leaves out what no query depends on, and what has a predicate in its body that no clause derives.
func (w *work) slice() {
	s := w.System
	derived := make([]bool, len(s.Preds))
	for changed := true; changed; {
		changed = false
		for i := range s.Clauses {
			c := &s.Clauses[i]
			if !c.IsQuery() && !derived[c.Head.Pred] && !slices.ContainsFunc(c.Body, func(a horn.Atom) bool { return !derived[a.Pred] }) {
				derived[c.Head.Pred], changed = true, true
			}
		}
	}
	possible := &horn.System{Terms: s.Terms, Preds: s.Preds}
	r := &rewrite{before: s, fixed: map[horn.Pred]term.Term{}}
	var from []int
	for i, c := range s.Clauses {
		if !slices.ContainsFunc(c.Body, func(a horn.Atom) bool { return !derived[a.Pred] }) {
			possible.Clauses, from = append(possible.Clauses, c), append(from, i)
		}
	}
	asked := horn.UsesOf(len(possible.Preds), possible.Shapes()).Asked
	var clauses []horn.Clause
	for i, c := range possible.Clauses {
		if c.IsQuery() || asked[c.Head.Pred] {
			clauses = append(clauses, c)
			r.clauses = append(r.clauses, rewritten{from: from[i]})
		}
	}
	if len(clauses) == len(s.Clauses) {
		return
	}
	for p := range s.Preds {
		switch {
		case !derived[p]:
			r.fixed[horn.Pred(p)] = term.False
		case !asked[p]:
			r.fixed[horn.Pred(p)] = term.True
		}
	}
	w.become(clauses, r)
	r.after = w.System
}

// contradictory leaves out clauses whose constraint has no solution.
func (w *work) contradictory(ctx context.Context) {
	s := w.System
	r := &rewrite{before: s}
	var clauses []horn.Clause
	for i, c := range s.Clauses {
		if ctx.Err() == nil && c.Constraint != term.True {
			solver := lia.New(lia.Options{})
			l := formula.New(s.Terms, solver).Lit(c.Constraint)
			if l == circuit.False {
				continue
			}
			solver.Assert(l)
			if result, err := solver.Solve(ctx); err == nil && result == sat.Unsat {
				continue
			}
		}
		clauses, r.clauses = append(clauses, c), append(r.clauses, rewritten{from: i})
	}
	if len(clauses) < len(s.Clauses) {
		w.become(clauses, r)
		r.after = w.System
	}
}
