package horn

import (
	"context"
	"errors"
	"slices"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
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
