package horn

import (
	"slices"

	"aiglens/circuit"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// processSpacer answers an obligation by Successor, Conflict, DecideMust or DecideMay.
func (e *engine) processSpacer(o *obligation) (children []*obligation, f *fact, err error) {
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
		// The solver also wants a clause that derives the arguments: that of the fact does, from facts.
		r, err := p.ask(append(append(p.onlyFacts(), cube...), p.solver.Or(some...)))
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
	r, err := p.ask(append(p.onlyFacts(), cube...))
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

// onlyFacts returns assumptions: whatever rule is used, its body atoms are facts.
func (p *predicate) onlyFacts() []lia.Lit {
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
