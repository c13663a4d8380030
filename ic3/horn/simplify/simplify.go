// Package simplify makes a system of Horn clauses smaller before an engine works on it, and takes the engine's
// answer back to the system as it was: a model becomes a model, a derivation a derivation.
//
// What it does: clauses and arguments on which no query depends are left out; equalities of a clause replace
// variables; arguments that are constant, or always equal to another one, are left out; bounds of arguments,
// found by abstract interpretation (Cousot and Cousot, POPL 1977), are added to the bodies; predicates that no
// clause derives from themselves are replaced by their clauses (unfolding: Tamaki and Sato, 1984), unless that
// makes more clauses.
//
// Nothing here is trusted: the checker of horn/cert tests what Model and Derivation return against the system as
// it was. The package knows no engine and decides nothing.
package simplify

import (
	"context"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// Options change what is done. The zero value does everything.
type Options struct {
	// KeepPredicates leaves all predicates that a query depends on: none is replaced by its clauses.
	KeepPredicates bool
	// NoBounds adds no bounds of arguments.
	NoBounds bool
}

// Simplified is a simplified system with the way back.
type Simplified struct {
	// System is the smaller system. It can be without queries, or without any clause.
	System *horn.System
	steps  []step
}

// step is one change of a system. What it takes and returns is about the system after it and before it. Its model
// has its terms in the pool of both.
type step interface {
	model(ctx context.Context, m cert.Model) (cert.Model, error)
	derivation(d cert.Derivation) cert.Derivation
}

// rounds is how often all is done: an inlined predicate can make further arguments constant.
const rounds = 4

// Simplify returns a system that is satisfiable if and only if s is. The error is that of ctx.
func Simplify(ctx context.Context, s *horn.System, o Options) (*Simplified, error) {
	w := &work{Simplified: Simplified{System: &horn.System{Terms: s.Terms.Clone(), Preds: s.Preds, Clauses: s.Clauses}}}
	w.limit = w.terms().Len() + largestGrowth
	w.clean()
	for range rounds {
		before := len(w.steps)
		w.slice()
		w.constants(ctx)
		w.equalities()
		w.erase()
		if !o.KeepPredicates {
			w.inline(ctx)
		}
		if len(w.steps) == before || ctx.Err() != nil {
			break
		}
	}
	if !o.NoBounds {
		w.bounds(ctx)
	}
	w.contradictory(ctx)
	w.slice()
	w.compact()
	return &w.Simplified, ctx.Err()
}

// Model takes a model of the simplified system back. The error says that it has no definition of an inlined
// predicate within the limits, or is that of ctx.
func (s *Simplified) Model(ctx context.Context, m cert.Model) (cert.Model, error) {
	terms := s.System.Terms.Clone()
	moved := cert.Model{Terms: terms}
	into := term.NewCopy(terms, m.Terms)
	for _, d := range m.Definitions {
		var c cert.Definition
		for _, p := range d.Params {
			c.Params = append(c.Params, into.Copy(p))
		}
		c.Formula = into.Copy(d.Formula)
		moved.Definitions = append(moved.Definitions, c)
	}
	for i := len(s.steps) - 1; i >= 0; i-- {
		var err error
		if moved, err = s.steps[i].model(ctx, moved); err != nil {
			return cert.Model{}, err
		}
	}
	return moved, nil
}

// Derivation takes a derivation of the simplified system back.
func (s *Simplified) Derivation(d cert.Derivation) cert.Derivation {
	for i := len(s.steps) - 1; i >= 0; i-- {
		d = s.steps[i].derivation(d)
	}
	return d
}

// work is a system that is being simplified.
type work struct {
	Simplified
	limit int // of terms, beyond which no predicate is inlined
}

// terms returns the pool of all systems on the way.
func (w *work) terms() *term.Pool { return w.System.Terms }

// become makes a step to other clauses.
func (w *work) become(clauses []horn.Clause, s step) {
	w.System = &horn.System{Terms: w.System.Terms, Preds: w.System.Preds, Clauses: clauses}
	w.steps = append(w.steps, s)
}

// params returns variables for the arguments of a predicate, which no clause has.
func params(p *term.Pool, sorts []term.Sort) []term.Term {
	all := make([]term.Term, len(sorts))
	for i, sort := range sorts {
		all[i] = p.Fresh("a", sort)
	}
	return all
}

// instance returns the formula of a definition for some arguments.
func instance(p *term.Pool, d cert.Definition, args []term.Term) term.Term {
	by := make(map[term.Term]term.Term, len(args))
	for i, param := range d.Params {
		by[param] = args[i]
	}
	return p.Substitute(d.Formula, by)
}

// termsOf returns all terms of a clause.
func termsOf(c *horn.Clause) []term.Term {
	all := []term.Term{c.Constraint}
	for _, a := range c.Body {
		all = append(all, a.Args...)
	}
	return append(all, c.Head.Args...)
}
