package cert_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// size is the number of values that a number of a random system has in a clause.
const size = 4

// randomSystem returns a system with few values: in each clause, Int variables are 0 to 3,
// and Real ones 0, ½, 1 or 3⁄2. So a search of all instances says what is true of it.
func randomSystem(r *rand.Rand) *horn.System {
	g := &generator{r: r, p: term.NewPool(), few: true}
	s := &horn.System{Terms: g.p, Preds: g.preds()}
	for range 2 + r.IntN(4) {
		s.Clauses = append(s.Clauses, g.clause(s, r.IntN(5)/2))
	}
	query := g.clause(s, 1+r.IntN(2))
	query.Head = horn.Atom{Pred: horn.NoPred}
	s.Clauses = append(s.Clauses, query)
	for i := range s.Clauses {
		s.Clauses[i].Origin = i
	}
	return s
}

type generator struct {
	r   *rand.Rand
	p   *term.Pool
	few bool // variables have few values only
}

func (g *generator) preds() (all []horn.Predicate) {
	for i := range 1 + g.r.IntN(3) {
		p := horn.Predicate{Name: fmt.Sprint("P", i)}
		for range 1 + g.r.IntN(2) {
			p.Args = append(p.Args, []term.Sort{term.Int, term.Int, term.Real, term.Bool}[g.r.IntN(4)])
		}
		all = append(all, p)
	}
	return all
}

func (g *generator) clause(s *horn.System, body int) horn.Clause {
	c := horn.Clause{}
	for i, sort := range []term.Sort{term.Int, term.Int, term.Real, term.Bool}[:2+g.r.IntN(3)] {
		c.Vars = append(c.Vars, g.p.Var(fmt.Sprint("x", i), sort))
	}
	c.Constraint = g.formula(c.Vars, 1+g.r.IntN(2))
	for _, v := range c.Vars {
		if g.few {
			c.Constraint = g.p.And(c.Constraint, g.valuesAre(v))
		}
	}
	for range body {
		c.Body = append(c.Body, g.atom(s, c.Vars))
	}
	c.Head = g.atom(s, c.Vars)
	return c
}

// valuesAre returns that a variable has one of the values of its sort.
func (g *generator) valuesAre(v term.Term) term.Term {
	var some []term.Term
	for _, x := range valuesOf(g.p.SortOf(v)) {
		some = append(some, g.p.Equal(v, g.constant(x, g.p.SortOf(v))))
	}
	return g.p.Or(some...)
}

func (g *generator) constant(x cert.Value, sort term.Sort) term.Term {
	if sort == term.Bool {
		return map[bool]term.Term{false: term.False, true: term.True}[x.Bool]
	}
	return g.p.NumberOf(rational.FromBig(x.Number), sort)
}

// valuesOf returns the values of a sort that occur.
func valuesOf(sort term.Sort) (all []cert.Value) {
	if sort == term.Bool {
		return []cert.Value{{}, {Bool: true}}
	}
	for n := range int64(size) {
		all = append(all, cert.Value{Number: big.NewRat(n, map[term.Sort]int64{term.Int: 1, term.Real: 2}[sort])})
	}
	return all
}

func (g *generator) atom(s *horn.System, vars []term.Term) horn.Atom {
	p := g.r.IntN(len(s.Preds))
	a := horn.Atom{Pred: horn.Pred(p)}
	for _, sort := range s.Preds[p].Args {
		if sort == term.Bool {
			a.Args = append(a.Args, g.formula(vars, 0))
		} else {
			a.Args = append(a.Args, g.number(vars, sort))
		}
	}
	return a
}

// number returns a number of a sort over variables.
func (g *generator) number(vars []term.Term, sort term.Sort) term.Term {
	v := vars[g.r.IntN(len(vars))]
	switch have := g.p.SortOf(v); {
	case have == term.Bool:
		return g.p.Ite(v, g.constantOf(sort), g.constantOf(sort))
	case have == term.Real && sort == term.Int:
		return g.constantOf(sort)
	case sort == term.Real:
		v = g.p.ToReal(v)
		return []term.Term{v, g.p.Scale(rational.Frac(1, 2), v), g.p.Add(v, g.constantOf(sort))}[g.r.IntN(3)]
	}
	switch g.r.IntN(8) {
	case 0:
		return g.p.Div(v, rational.Int(int64(2+g.r.IntN(2))))
	case 1:
		return g.p.Mod(g.p.Add(v, vars[0]), rational.Int(int64(2+g.r.IntN(2))))
	case 2:
		return g.p.Add(v, g.constantOf(sort))
	case 3:
		return g.p.Sub(v, vars[1])
	}
	return v
}

func (g *generator) constantOf(sort term.Sort) term.Term {
	if sort == term.Real {
		return g.p.NumberOf(rational.Frac(int64(g.r.IntN(7)-3), 2), sort)
	}
	return g.p.IntOf(int64(g.r.IntN(7) - 3))
}

// formula returns a formula over variables, the first of which is an Int.
func (g *generator) formula(vars []term.Term, depth int) term.Term {
	if depth == 0 {
		v := vars[g.r.IntN(len(vars))]
		if g.p.SortOf(v) == term.Bool {
			return []term.Term{v, g.p.Not(v)}[g.r.IntN(2)]
		}
		sort := []term.Sort{term.Int, term.Real}[g.r.IntN(2)]
		a, b := g.number(vars, sort), g.number(vars, sort)
		if g.r.IntN(2) == 0 {
			b = g.constantOf(sort)
		}
		return []term.Term{g.p.Le(a, b), g.p.Lt(a, b), g.p.Equal(a, b), g.p.Le(b, a)}[g.r.IntN(4)]
	}
	a, b := g.formula(vars, depth-1), g.formula(vars, depth-1)
	switch g.r.IntN(6) {
	case 0:
		return g.p.Iff(a, b)
	case 1:
		return g.p.Ite(g.formula(vars, 0), a, b)
	case 2:
		return g.p.And(a, b)
	}
	return g.p.Or(a, b)
}

// instances calls visit with each instance of a clause whose constraint holds, until that
// returns false.
func instances(s *horn.System, c *horn.Clause, visit func(values []cert.Value, e *term.Evaluation) bool) bool {
	values := make([]cert.Value, len(c.Vars))
	var search func(at int) bool
	search = func(at int) bool {
		if at == len(c.Vars) {
			e := evaluation(s.Terms, c.Vars, values)
			return !e.Holds(c.Constraint) || visit(values, e)
		}
		for _, v := range valuesOf(s.Terms.SortOf(c.Vars[at])) {
			values[at] = v
			if !search(at + 1) {
				return false
			}
		}
		return true
	}
	return search(0)
}

// evaluation evaluates by package term, not by the checker.
func evaluation(p *term.Pool, vars []term.Term, values []cert.Value) *term.Evaluation {
	return term.NewEvaluation(p, func(v term.Term) term.Value {
		x := values[slices.Index(vars, v)]
		if x.Number == nil {
			return term.Value{Truth: x.Bool}
		}
		return term.Value{Number: rational.FromBig(x.Number)}
	})
}

func argsOf(e *term.Evaluation, p *term.Pool, a horn.Atom) []cert.Value {
	all := make([]cert.Value, len(a.Args))
	for i, t := range a.Args {
		v := e.Value(t)
		if p.SortOf(t) == term.Bool {
			all[i] = cert.Value{Bool: v.Truth}
		} else {
			all[i] = cert.Value{Number: v.Number.Big()}
		}
	}
	return all
}

// solve returns the answer of a search: the least model, as one disjunct for each fact, or
// a derivation.
func solve(s *horn.System) cert.Answer {
	type fact struct {
		args []cert.Value
		step int
	}
	facts := make([][]fact, len(s.Preds))
	find := func(p horn.Pred, args []cert.Value) int {
		return slices.IndexFunc(facts[p], func(f fact) bool { return slices.EqualFunc(f.args, args, cert.Value.Equal) })
	}
	var steps cert.Derivation
	for changed := true; changed; {
		changed = false
		for i := range s.Clauses {
			c := &s.Clauses[i]
			ended := !instances(s, c, func(values []cert.Value, e *term.Evaluation) bool {
				step := cert.Step{Clause: i, Values: slices.Clone(values)}
				for _, a := range c.Body {
					at := find(a.Pred, argsOf(e, s.Terms, a))
					if at < 0 {
						return true
					}
					step.Premises = append(step.Premises, facts[a.Pred][at].step)
				}
				if c.IsQuery() {
					steps = append(steps, step)
					return false
				}
				if args := argsOf(e, s.Terms, c.Head); find(c.Head.Pred, args) < 0 {
					facts[c.Head.Pred] = append(facts[c.Head.Pred], fact{args, len(steps)})
					steps = append(steps, step)
					changed = true
				}
				return true
			})
			if ended {
				return cert.Answer{Outcome: cert.Unsat, Derivation: steps}
			}
		}
	}
	m := cert.Model{Terms: s.Terms.Clone()}
	g := &generator{p: m.Terms}
	for p, pred := range s.Preds {
		d := cert.Definition{}
		for i, sort := range pred.Args {
			d.Params = append(d.Params, m.Terms.Var(fmt.Sprint("a", i), sort))
		}
		var some []term.Term
		for _, f := range facts[p] {
			var all []term.Term
			for i, x := range f.args {
				all = append(all, m.Terms.Equal(d.Params[i], g.constant(x, pred.Args[i])))
			}
			some = append(some, m.Terms.And(all...))
		}
		d.Formula = m.Terms.Or(some...)
		m.Definitions = append(m.Definitions, d)
	}
	return cert.Answer{Outcome: cert.Sat, Model: m}
}

// certifies reports whether a search of all instances takes an answer for right.
func certifies(s *horn.System, a cert.Answer) bool {
	if a.Outcome == cert.Sat {
		return isModel(s, a.Model)
	}
	return derives(s, a.Derivation)
}

func isModel(s *horn.System, m cert.Model) bool {
	for i := range s.Clauses {
		c := &s.Clauses[i]
		valid := instances(s, c, func(_ []cert.Value, e *term.Evaluation) bool {
			holds := func(a horn.Atom) bool {
				d := m.Definitions[a.Pred]
				return evaluation(m.Terms, d.Params, argsOf(e, s.Terms, a)).Holds(d.Formula)
			}
			for _, a := range c.Body {
				if !holds(a) {
					return true
				}
			}
			return !c.IsQuery() && holds(c.Head)
		})
		if !valid {
			return false
		}
	}
	return true
}

func derives(s *horn.System, d cert.Derivation) bool {
	heads := make([][]cert.Value, len(d))
	for i, step := range d {
		if step.Clause < 0 || step.Clause >= len(s.Clauses) {
			return false
		}
		c := &s.Clauses[step.Clause]
		if c.IsQuery() != (i == len(d)-1) || len(step.Values) != len(c.Vars) || len(step.Premises) != len(c.Body) {
			return false
		}
		for j, v := range step.Values {
			sort := s.Terms.SortOf(c.Vars[j])
			if (v.Number == nil) != (sort == term.Bool) || sort == term.Int && !v.Number.IsInt() {
				return false
			}
		}
		e := evaluation(s.Terms, c.Vars, step.Values)
		for j, a := range c.Body {
			from := step.Premises[j]
			if from < 0 || from >= i || s.Clauses[d[from].Clause].Head.Pred != a.Pred ||
				!slices.EqualFunc(argsOf(e, s.Terms, a), heads[from], cert.Value.Equal) {
				return false
			}
		}
		if !e.Holds(c.Constraint) {
			return false
		}
		heads[i] = argsOf(e, s.Terms, c.Head)
	}
	return len(d) > 0
}
