package horn

import (
	"fmt"
	"slices"

	chc "aiglens/horn"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
	"aiglens/ic3/sat"
)

// predicate is one of the system, or the goal, which stands for false and has no arguments. Its solver knows the
// clauses that derive it.
type predicate struct {
	engine *engine
	number chc.Pred // NoPred for the goal
	params []term.Term
	inner  []term.Term // copies of the parameters, for arguments in a body
	rules  []*rule
	uses   []use

	solver  *lia.Solver
	encoder *formula.Encoder
	levels  []lia.Lit // levels[k] activates the lemmas of level k, of all predicates
	lemmas  []*lemma
	facts   []*fact

	conflicts []conflict // of the last query
	asserted  int        // clauses of lemmas in the solver
}

// use is a place in the body of a rule.
type use struct {
	rule *rule
	at   int
}

// rule is a clause. Its variables are renamed: arguments of the head are the parameters of its predicate where that
// is possible, all others are variables of this rule alone.
type rule struct {
	clause     int
	head       *predicate
	body       []*predicate
	args       [][]term.Term
	constraint term.Term
	vars       map[term.Term]term.Term // by variable of the clause
	selector   lia.Lit                 // implies the constraint
	may        []lia.Lit               // by body atom: it is within its frames; else nothing is known of it
}

// lemma says that a cube over the parameters of its predicate has no derivation of height up to level.
type lemma struct {
	cube  []term.Term
	level int
}

// fact says that all of a cube over the parameters can be derived by a rule from other facts.
type fact struct {
	cube     []term.Term
	rule     *rule
	premises []*fact
}

func (e *engine) newPredicate(number chc.Pred) *predicate {
	p := &predicate{engine: e, number: number}
	if number != chc.NoPred {
		for i, sort := range e.system.Preds[number].Args {
			p.params = append(p.params, e.terms.Fresh(fmt.Sprint("x", i), sort))
			p.inner = append(p.inner, e.terms.Fresh(fmt.Sprint("y", i), sort))
		}
	}
	return p
}

// newRule adds a clause to its predicate.
func (e *engine) newRule(i int) {
	c := &e.system.Clauses[i]
	r := &rule{clause: i, head: e.predicateOf(c.Head.Pred), vars: map[term.Term]term.Term{}}
	for k, a := range c.Head.Args {
		if _, used := r.vars[a]; !used && e.terms.Op(a) == term.OpVar {
			r.vars[a] = r.head.params[k]
		}
	}
	for _, v := range c.Vars {
		if _, used := r.vars[v]; !used {
			r.vars[v] = e.terms.Fresh(e.terms.Name(v), e.terms.SortOf(v))
		}
	}
	rename := term.NewSubstitution(e.terms, func(t term.Term) (term.Term, bool) { v, ok := r.vars[t]; return v, ok })
	all := []term.Term{rename.Apply(c.Constraint)}
	for k, a := range c.Head.Args {
		all = append(all, e.terms.Equal(r.head.params[k], rename.Apply(a)))
	}
	r.constraint = e.terms.And(all...)
	for j, a := range c.Body {
		p := e.predicateOf(a.Pred)
		p.uses = append(p.uses, use{r, j})
		args := make([]term.Term, len(a.Args))
		for k, t := range a.Args {
			args[k] = rename.Apply(t)
		}
		r.body, r.args = append(r.body, p), append(r.args, args)
	}
	r.head.rules = append(r.head.rules, r)
}

// spareClauses is how many clauses of lemmas a solver may have beyond twice those in force.
const spareClauses = 200

// renew makes a solver in the place of one with many lemmas that are no longer in force, or have moved to a higher
// level: each costs time with every query.
func (p *predicate) renew() {
	inForce := 0
	for _, r := range p.rules {
		for _, q := range r.body {
			inForce += len(q.lemmas)
		}
	}
	if p.asserted <= spareClauses+2*inForce {
		return
	}
	p.engine.stats.Solver.Add(p.solver.Stats())
	p.newSolver()
	for _, r := range p.rules {
		for j, q := range r.body {
			for _, l := range q.lemmas {
				use{r, j}.activate(l.cube, l.level)
			}
		}
	}
}

// newSolver makes a solver that knows the rules.
func (p *predicate) newSolver() {
	p.solver = lia.New(lia.Options{
		Limits: lia.Limits{Implicants: interpolantImplicants},
		Conflict: func(premises []lia.Atom, r *lia.Refutation) {
			p.conflicts = append(p.conflicts, conflict{premises, r})
		},
	})
	p.encoder = formula.New(p.engine.terms, p.solver)
	p.levels, p.asserted = nil, 0
	selectors := make([]lia.Lit, len(p.rules))
	for i, r := range p.rules {
		r.may = r.may[:0]
		for range r.body {
			r.may = append(r.may, p.solver.NewBool())
		}
		r.selector = p.solver.NewBool()
		p.solver.Assert(p.solver.Or(r.selector.Not(), p.encoder.Lit(r.constraint)))
		selectors[i] = r.selector
	}
	p.solver.Assert(p.solver.Or(selectors...))
}

// instance returns a formula over the parameters of a body atom for its arguments.
func (r *rule) instance(at int, t term.Term) term.Term {
	params, args := r.body[at].params, r.args[at]
	by := make(map[term.Term]term.Term, len(params))
	for i, p := range params {
		by[p] = args[i]
	}
	return r.head.engine.terms.Substitute(t, by)
}

// level returns the literal that activates the lemmas of a level.
func (p *predicate) level(k int) lia.Lit {
	for len(p.levels) <= k {
		p.levels = append(p.levels, p.solver.NewBool())
	}
	return p.levels[k]
}

// assume returns assumptions for bodies within F_k, k ≥ −1; there are none in F_{−1}. Body atoms for which except
// holds are left out: facts need not be within frames, as their derivations can be higher. except can be nil.
func (p *predicate) assume(k int, except func(r *rule, at int) bool) []lia.Lit {
	var lits []lia.Lit
	for i := range p.levels {
		lits = append(lits, p.levels[i].NotIf(i < k))
	}
	for _, r := range p.rules {
		if k < 0 && len(r.body) > 0 {
			lits = append(lits, r.selector.Not())
		}
		for j, l := range r.may {
			if except == nil || !except(r, j) {
				lits = append(lits, l)
			}
		}
	}
	return lits
}

// reportEvery is how many queries are asked between two reports.
const reportEvery = 32

// ask is a query: can the predicate be derived under assumptions?
func (p *predicate) ask(assumptions []lia.Lit) (sat.Result, error) {
	e := p.engine
	if e.options.Limits.Queries > 0 && e.queries >= e.options.Limits.Queries {
		return sat.Unsolved, errQueries
	}
	if e.queries++; e.queries%reportEvery == 0 {
		e.report()
	}
	p.conflicts = p.conflicts[:0]
	r, err := p.solver.Solve(e.ctx, assumptions...)
	if err == nil && r == sat.Unsolved {
		err = lia.ErrLimit
	}
	return r, err
}

// literals returns the literals of a cube.
func (p *predicate) literals(cube []term.Term) []lia.Lit {
	lits := make([]lia.Lit, len(cube))
	for i, t := range cube {
		lits[i] = p.encoder.Lit(t)
	}
	return lits
}

// addLemma blocks a cube up to a level, in the frames and in the solvers of the rules that use the predicate.
func (p *predicate) addLemma(cube []term.Term, level int) {
	p.lemmas = slices.DeleteFunc(p.lemmas, func(l *lemma) bool { return l.level <= level && subsumes(cube, l.cube) })
	p.lemmas = append(p.lemmas, &lemma{cube, level})
	p.engine.stats.Lemmas++
	p.activate(cube, level)
}

// activate tells the solvers of the rules about a lemma.
func (p *predicate) activate(cube []term.Term, level int) {
	for _, u := range p.uses {
		u.activate(cube, level)
	}
}

func (u use) activate(cube []term.Term, level int) {
	h := u.rule.head
	h.asserted++
	h.solver.Assert(h.solver.Or(h.level(level).Not(), u.rule.selector.Not(), u.rule.may[u.at].Not(), u.blocked(cube)))
}

// blocked returns the literal of the negation of a cube at a place.
func (u use) blocked(cube []term.Term) lia.Lit {
	h := u.rule.head
	lits := make([]lia.Lit, len(cube))
	for i, t := range cube {
		lits[i] = h.encoder.Lit(u.rule.instance(u.at, t)).Not()
	}
	return h.solver.Or(lits...)
}

// subsumes reports whether the lemma that blocks a is at least as strong as that which blocks b.
func subsumes(a, b []term.Term) bool {
	return !slices.ContainsFunc(a, func(t term.Term) bool { return !slices.Contains(b, t) })
}
