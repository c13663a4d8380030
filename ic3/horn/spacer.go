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

var errQueries = errors.New("horn: the limit of queries is reached")

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
		selectors := make([]lia.Lit, len(p.rules))
		for i, r := range p.rules {
			selectors[i] = r.selector
		}
		p.solver.Assert(p.solver.Or(selectors...))
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
		child, f, err := e.process(o)
		switch {
		case err != nil:
			return nil, err
		case f != nil && o == root:
			return f, nil
		case child != nil:
			e.stats.Obligations++
			queue = append(queue, child)
			continue
		}
		queue = slices.Delete(queue, best, best+1)
		if f == nil && o != root && o.level < e.frontier {
			o.level++
			queue = append(queue, o)
		}
	}
	return nil, nil
}

// process answers an obligation: a child has to be answered first, a fact meets it, or a lemma blocks it.
func (e *engine) process(o *obligation) (child *obligation, f *fact, err error) {
	p := o.pred
	if f, err := p.known(o); f != nil || err != nil {
		return nil, f, err
	}
	r, err := p.ask(append(p.assume(o.level-1), p.literals(o.cube)...))
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
	var must []lia.Lit
	for _, r := range p.rules {
		for j := range r.body {
			if len(r.body) > 1 && len(r.body[j].facts) > 0 {
				must = append(must, p.solver.Or(r.selector.Not(), r.anyFact(j)))
			}
		}
	}
	if len(must) == 0 {
		return nil
	}
	frame := append(p.assume(o.level-1), p.literals(o.cube)...)
	for {
		r, err := p.ask(append(slices.Clone(frame), must...))
		if err != nil || r == sat.Sat {
			return err
		}
		i := len(must) - 1
		for i >= 0 && !p.solver.InCore(must[i]) {
			i--
		}
		if i < 0 {
			i = len(must) - 1
		}
		must = slices.Delete(must, i, i+1)
	}
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
			lits = append(lits, p.solver.Or(r.selector.Not(), r.anyFact(j)))
		}
	}
	return lits
}

// anyFact returns a literal that says that a body atom is among the facts.
func (r *rule) anyFact(at int) lia.Lit {
	var some []lia.Lit
	for _, f := range r.body[at].facts {
		some = append(some, r.head.encoder.Lit(r.instance(at, r.head.engine.terms.And(f.cube...))))
	}
	return r.head.solver.Or(some...)
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
func (e *engine) decide(o *obligation) (*obligation, *fact, error) {
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
	return &obligation{pred: q, cube: m.project(q.params, q.inner, r.args[open]), level: o.level - 1, depth: o.depth + 1}, nil, nil
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
