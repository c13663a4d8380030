package horn

import (
	"context"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
)

// WithRefutations returns a model with the contradictions that a solver meets, for each clause of a system, while it shows
// that the model makes the clause valid. They save the checker the search for them. The error is that of ctx.
//
// The solver is asked for each conjunct of a head alone: for all together it would have to find out, too, with which
// conjunct each contradiction has to do.
func WithRefutations(ctx context.Context, s *chc.System, m cert.Model) (cert.Model, error) {
	m.Terms, m.Refutations = m.Terms.Clone(), make([][]cert.Refutation, len(s.Clauses))
	into := term.NewCopy(m.Terms, s.Terms)
	for i := range s.Clauses {
		var conflicts []conflict
		solver := lia.New(lia.Options{Conflict: func(premises []lia.Atom, r *lia.Refutation) {
			conflicts = append(conflicts, conflict{premises, r})
		}})
		encoder := formula.New(m.Terms, solver)
		body, heads := instances(&s.Clauses[i], m, into)
		solver.Assert(encoder.Lit(body))
		for _, h := range heads {
			if _, err := solver.Solve(ctx, encoder.Lit(h).Not()); err != nil {
				return cert.Model{}, err
			}
		}
		for _, c := range conflicts {
			for _, l := range c.refutation.Lemmas(c.premises, solver.IsInt) {
				if hint, ok := hintOf(encoder, l); ok {
					m.Refutations[i] = append(m.Refutations[i], hint)
				}
			}
		}
	}
	return m, nil
}

// instances returns what a model makes of a clause: the body, and conjuncts each of which it must imply.
func instances(c *chc.Clause, m cert.Model, into *term.Copy) (body term.Term, heads []term.Term) {
	instance := func(a chc.Atom) term.Term {
		by := map[term.Term]term.Term{}
		for k, p := range m.Definitions[a.Pred].Params {
			by[p] = into.Copy(a.Args[k])
		}
		return m.Terms.Substitute(m.Definitions[a.Pred].Formula, by)
	}
	all := []term.Term{into.Copy(c.Constraint)}
	for _, a := range c.Body {
		all = append(all, instance(a))
	}
	if c.IsQuery() {
		return m.Terms.And(all...), []term.Term{term.False}
	}
	return m.Terms.And(all...), m.Terms.Conjuncts(instance(c.Head))
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
