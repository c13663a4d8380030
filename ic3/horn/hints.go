package horn

import (
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
	"aiglens/ic3/sat"
)

// refutations returns, for each clause, the contradictions that a solver meets while it shows that a model makes the
// clause valid. They save the checker the search for them.
func (e *engine) refutations(m cert.Model) ([][]cert.Refutation, error) {
	all := make([][]cert.Refutation, len(e.system.Clauses))
	for i := range e.system.Clauses {
		var conflicts []conflict
		s := lia.New(lia.Options{Conflict: func(premises []lia.Atom, r *lia.Refutation) {
			conflicts = append(conflicts, conflict{premises, r})
		}})
		encoder := formula.New(e.terms, s)
		r, err := s.Solve(e.ctx, encoder.Lit(e.violation(i, m)))
		if err != nil {
			return nil, err
		}
		if r != sat.Unsat {
			continue
		}
		for _, c := range conflicts {
			for _, l := range c.refutation.Lemmas(c.premises, s.IsInt) {
				if hint, ok := hintOf(encoder, l); ok {
					all[i] = append(all[i], hint)
				}
			}
		}
	}
	return all, nil
}

// violation returns what holds when a model makes a clause false.
func (e *engine) violation(clause int, m cert.Model) term.Term {
	c := &e.system.Clauses[clause]
	instance := func(pred int, args []term.Term) term.Term {
		by := map[term.Term]term.Term{}
		for k, p := range m.Definitions[pred].Params {
			by[p] = args[k]
		}
		return e.terms.Substitute(m.Definitions[pred].Formula, by)
	}
	all := []term.Term{c.Constraint}
	for _, a := range c.Body {
		all = append(all, instance(int(a.Pred), a.Args))
	}
	if !c.IsQuery() {
		all = append(all, e.terms.Not(instance(int(c.Head.Pred), c.Head.Args)))
	}
	return e.terms.And(all...)
}

// hintOf returns a lemma in terms; ok is false where a variable has none.
func hintOf(encoder *formula.Encoder, l lia.Lemma) (hint cert.Refutation, ok bool) {
	for i, a := range l.Atoms {
		t, ok := encoder.Atom(a)
		if !ok || t == term.True || t == term.False {
			return cert.Refutation{}, false
		}
		hint.Atoms = append(hint.Atoms, t)
		hint.Factors = append(hint.Factors, l.Factors[i].Big())
	}
	return hint, true
}
