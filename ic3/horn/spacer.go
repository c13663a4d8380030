package horn

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

var (
	errQueries     = errors.New("horn: the limit of queries is reached")
	errObligations = errors.New("horn: the limit of obligations is reached")
)

// engine is one run.
type engine struct {
	ctx     context.Context
	system  *chc.System
	options Options
	terms   *term.Pool
	preds   []*predicate // those of the system, then the goal
	queries int64
	stats   Stats
	// frontier is the level N: the goal has no derivation of a height below it.
	frontier int
}

func newEngine(ctx context.Context, s *chc.System, o Options) *engine {
	e := &engine{ctx: ctx, system: s, options: o, terms: s.Terms.Clone()}
	for i := range s.Preds {
		e.preds = append(e.preds, e.newPredicate(chc.Pred(i)))
	}
	e.preds = append(e.preds, e.newPredicate(chc.NoPred))
	for i := range s.Clauses {
		e.newRule(i)
	}
	for _, p := range e.preds {
		p.newSolver()
	}
	return e
}

func (e *engine) predicateOf(p chc.Pred) *predicate {
	if p == chc.NoPred {
		return e.preds[len(e.preds)-1]
	}
	return e.preds[p]
}

func (e *engine) goal() *predicate { return e.preds[len(e.preds)-1] }

// solve runs to an answer.
func (e *engine) solve() Answer {
	a, err := e.run()
	switch {
	case err == nil:
	case e.ctx.Err() != nil:
		a.Reason = ReasonCancelled
	case errors.Is(err, errQueries):
		a.Reason = ReasonQueries
	case errors.Is(err, errObligations):
		a.Reason = ReasonPoints
	case errors.Is(err, lia.ErrLimit):
		a.Reason = ReasonIntegers
	default:
		a.Reason = err.Error()
	}
	if err != nil {
		a.Outcome = cert.Unknown
	}
	e.stats.Level = e.frontier
	for _, p := range e.preds {
		e.stats.Facts += len(p.facts)
		e.stats.Solver.Add(p.solver.Stats())
	}
	return Answer{a, e.stats}
}

func (e *engine) run() (cert.Answer, error) {
	for ; e.options.Limits.Levels == 0 || e.frontier <= e.options.Limits.Levels; e.frontier++ {
		reached, err := e.reach()
		if err != nil {
			return cert.Answer{}, err
		}
		if reached != nil {
			d, err := e.derivation(reached)
			return cert.Answer{Outcome: cert.Unsat, Derivation: d}, err
		}
		k, err := e.propagate()
		if err != nil {
			return cert.Answer{}, err
		}
		if k >= 0 {
			return cert.Answer{Outcome: cert.Sat, Model: e.model(k)}, nil
		}
		for _, p := range e.preds {
			p.renew()
		}
		e.report()
	}
	return cert.Answer{Reason: ReasonLevels}, nil
}

func (e *engine) report() {
	if e.options.Progress == nil {
		return
	}
	p := Progress{Level: e.frontier, Queries: e.queries}
	for _, q := range e.preds {
		p.Lemmas, p.Facts = p.Lemmas+len(q.lemmas), p.Facts+len(q.facts)
	}
	e.options.Progress(p)
}

// obligation asks for a derivation, of a height up to level, of something in a cube.
type obligation struct {
	pred  *predicate
	cube  []term.Term
	level int
	depth int // obligations from the goal
	facts int // of the predicate that do not meet the cube

	parent *obligation
	fact   *fact // that answers the obligation
	// rule is what the last model used. Body atoms in must were facts in it, and the child asks for the atom open;
	// APDR and GPDR have a child for each body atom.
	rule     *rule
	must     []int
	open     int
	children []*obligation
}

// reach looks for a derivation of the goal whose height is that of the frontier. It returns the fact, or nil.
func (e *engine) reach() (*fact, error) {
	root := &obligation{pred: e.goal(), level: e.frontier}
	queue := []*obligation{root}
	for len(queue) > 0 {
		best := 0
		for i, o := range queue {
			if b := queue[best]; o.level < b.level || o.level == b.level && o.depth >= b.depth {
				best = i
			}
		}
		o := queue[best]
		children, f, err := e.process(o)
		switch {
		case err != nil:
			return nil, err
		case f != nil && o == root:
			return f, nil
		case len(children) > 0:
			if e.stats.Obligations += len(children); e.options.Limits.Obligations > 0 && e.stats.Obligations > e.options.Limits.Obligations {
				return nil, errObligations
			}
			queue = append(queue, children...)
			continue
		}
		queue = slices.Delete(queue, best, best+1)
		o.fact = f
		if parent := o.parent; f != nil && parent != nil && len(parent.children) == 1 && parent.children[0] == o && o.level == parent.level-1 {
			parent.must = append(parent.must, parent.open)
		}
		if f == nil && o != root && o.level < e.frontier {
			o.level++
			queue = append(queue, o)
		}
	}
	return nil, nil
}

// process answers an obligation: a child has to be answered first, a fact meets it, or a lemma blocks it.
func (e *engine) process(o *obligation) (children []*obligation, f *fact, err error) {
	if e.isClassic() {
		return e.processClassic(o)
	}
	p := o.pred
	if f, err := p.known(o); f != nil || err != nil {
		return nil, f, err
	}
	r, err := p.ask(append(p.assume(o.level-1, nil), p.literals(o.cube)...))
	if err != nil {
		return nil, nil, err
	}
	if r == sat.Unsat {
		return nil, nil, e.block(o)
	}
	if err := p.preferFacts(o); err != nil {
		return nil, nil, err
	}
	return e.decide(o)
}

// preferFacts looks for a model of an obligation, which has one, with as many body atoms among the facts as can be:
// else a fact that answers a child would not bring its parent on.
func (p *predicate) preferFacts(o *obligation) error {
	var must []use
	fixed, isSame := 0, true // isSame: the last model is one of the obligation
	if len(o.must) > 0 {
		for _, j := range o.must {
			must = append(must, use{o.rule, j})
		}
		r, err := p.mixed(o, must)
		switch {
		case err != nil:
			return err
		case r == sat.Sat:
			fixed = len(must)
		default: // frames have changed since
			must, isSame = nil, false
		}
	}
	for _, r := range p.rules {
		for j, q := range r.body {
			if u := (use{r, j}); len(r.body) > 1 && len(q.facts) > 0 && !slices.Contains(must, u) {
				must = append(must, u)
			}
		}
	}
	if len(must) == 0 && isSame {
		return nil
	}
	for {
		r, err := p.mixed(o, must)
		if err != nil || r == sat.Sat {
			return err
		}
		i := len(must) - 1
		for i > fixed && !p.solver.InCore(must[i].isFact()) {
			i--
		}
		must = slices.Delete(must, i, i+1)
	}
}

// mixed asks for a model of an obligation in which some body atoms are facts, and the others are within their frames.
func (p *predicate) mixed(o *obligation, must []use) (sat.Result, error) {
	lits := p.assume(o.level-1, func(r *rule, at int) bool { return slices.Contains(must, use{r, at}) })
	for _, u := range must {
		lits = append(lits, u.isFact())
	}
	return p.ask(append(lits, p.literals(o.cube)...))
}

// known returns a fact that meets a cube: one that is there, or one that facts give in one step.
func (p *predicate) known(o *obligation) (*fact, error) {
	cube := p.literals(o.cube)
	if len(p.facts) > o.facts {
		some := make([]lia.Lit, 0, len(p.facts))
		for _, f := range p.facts[o.facts:] {
			some = append(some, p.encoder.Lit(p.engine.terms.And(f.cube...)))
		}
		// Both are over the parameters. The clauses do not matter, but what derives the fact is among them.
		r, err := p.ask(append(append(p.must(), cube...), p.solver.Or(some...)))
		if err != nil {
			return nil, err
		}
		if r == sat.Sat {
			eval := term.NewEvaluation(p.engine.terms, p.encoder.Value)
			for _, f := range p.facts[o.facts:] {
				if eval.Holds(p.engine.terms.And(f.cube...)) {
					return f, nil
				}
			}
		}
		o.facts = len(p.facts)
	}
	if !p.hasPremises() {
		return nil, nil
	}
	r, err := p.ask(append(p.must(), cube...))
	if err != nil || r != sat.Sat {
		return nil, err
	}
	rule := p.selected()
	premises := make([]*fact, len(rule.body))
	eval := term.NewEvaluation(p.engine.terms, p.encoder.Value)
	for j := range rule.body {
		premises[j] = rule.factAt(j, eval)
	}
	return p.addFact(rule, premises), nil
}

// hasPremises reports whether some rule with a body has facts for all of it.
func (p *predicate) hasPremises() bool {
	return slices.ContainsFunc(p.rules, func(r *rule) bool {
		return len(r.body) > 0 && !slices.ContainsFunc(r.body, func(q *predicate) bool { return len(q.facts) == 0 })
	})
}

// must returns assumptions for bodies that are facts.
func (p *predicate) must() []lia.Lit {
	var lits []lia.Lit
	for _, r := range p.rules {
		for j := range r.body {
			lits = append(lits, use{r, j}.isFact())
		}
	}
	return lits
}

// isFact returns a literal that says that a body atom is among the facts, if its rule is used.
func (u use) isFact() lia.Lit {
	h := u.rule.head
	some := []lia.Lit{u.rule.selector.Not()}
	for _, f := range u.rule.body[u.at].facts {
		some = append(some, h.encoder.Lit(u.rule.instance(u.at, h.engine.terms.And(f.cube...))))
	}
	return h.solver.Or(some...)
}

// selected returns the rule that the last model uses.
func (p *predicate) selected() *rule {
	for _, r := range p.rules {
		if p.solver.Holds(r.selector) == circuit.One {
			return r
		}
	}
	panic("horn: a model without a rule")
}

// factAt returns a fact that holds for a body atom in a model.
func (r *rule) factAt(at int, eval *term.Evaluation) *fact {
	for _, f := range r.body[at].facts {
		if eval.Holds(r.instance(at, r.head.engine.terms.And(f.cube...))) {
			return f
		}
	}
	return nil
}

// addFact adds what a rule derives from facts in the last model.
func (p *predicate) addFact(r *rule, premises []*fact) *fact {
	e := p.engine
	m := newImplicant(e.terms, p.encoder.Value)
	m.take(r.constraint)
	for j, f := range premises {
		m.take(r.instance(j, e.terms.And(f.cube...)))
	}
	f := &fact{m.project(p.params, nil, nil), r, premises}
	p.facts = append(p.facts, f)
	return f
}

// decide looks at the last model, in which bodies are in their frames: all are facts, or one becomes an obligation.
func (e *engine) decide(o *obligation) ([]*obligation, *fact, error) {
	p := o.pred
	r := p.selected()
	eval := term.NewEvaluation(e.terms, p.encoder.Value)
	premises := make([]*fact, len(r.body))
	open := -1
	for j := range r.body {
		premises[j] = r.factAt(j, eval)
		if premises[j] == nil && open < 0 {
			open = j
		}
	}
	if open < 0 {
		return nil, p.addFact(r, premises), nil
	}
	o.rule, o.must, o.open = r, o.must[:0], open
	for j, f := range premises {
		if f != nil {
			o.must = append(o.must, j)
		}
	}
	m := newImplicant(e.terms, p.encoder.Value)
	m.take(r.constraint)
	m.take(e.terms.And(o.cube...))
	for j, q := range r.body {
		switch {
		case j == open:
		case premises[j] != nil:
			m.take(r.instance(j, e.terms.And(premises[j].cube...)))
		default:
			for _, l := range q.lemmas {
				if l.level >= o.level-1 {
					m.take(r.instance(j, e.terms.Not(e.terms.And(l.cube...))))
				}
			}
		}
	}
	q := r.body[open]
	o.children = []*obligation{{parent: o, pred: q, cube: m.project(q.params, q.inner, r.args[open]), level: o.level - 1, depth: o.depth + 1}}
	return o.children, nil, nil
}

// propagate pushes lemmas to higher levels. It returns a level whose frame is that of the next, or −1.
func (e *engine) propagate() (int, error) {
	for k := 0; k < e.frontier; k++ {
		isEqual := true
		for _, p := range e.preds {
			for _, l := range slices.Clone(p.lemmas) {
				if l.level != k {
					continue
				}
				ok, err := p.inductive(l.cube, k)
				if err != nil {
					return -1, err
				}
				if !ok {
					isEqual = false
					continue
				}
				l.level = k + 1
				p.activate(l.cube, k+1)
			}
		}
		if isEqual {
			return k, nil
		}
	}
	return -1, nil
}

// model defines each predicate by its frame of a level that is that of the next.
func (e *engine) model(k int) cert.Model {
	m := cert.Model{Terms: e.terms}
	for _, p := range e.preds[:len(e.preds)-1] {
		var all []term.Term
		for _, l := range p.lemmas {
			if l.level > k {
				all = append(all, e.terms.Not(e.terms.And(l.cube...)))
			}
		}
		m.Definitions = append(m.Definitions, cert.Definition{Params: p.params, Formula: e.terms.And(all...)})
	}
	return m
}
