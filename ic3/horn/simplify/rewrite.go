package simplify

import (
	"context"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// rewrite is a step in which clauses are left out or get another form. Their bodies keep their atoms.
type rewrite struct {
	before, after *horn.System
	clauses       []rewritten // for each clause after the step
	// fixed has predicates without clauses after the step, with what they are then.
	fixed map[horn.Pred]term.Term
	// facts hold of all that is derived, for predicates that have one. Clauses can make use of that.
	facts map[horn.Pred]cert.Definition
}

// rewritten says which clause was rewritten, and what its variables are now. One that is not in values is itself.
type rewritten struct {
	from   int
	values map[term.Term]term.Term
}

func (r *rewrite) model(_ context.Context, m cert.Model) (cert.Model, error) {
	defs := make([]cert.Definition, len(m.Definitions))
	for p, d := range m.Definitions {
		if t, ok := r.fixed[horn.Pred(p)]; ok {
			d.Formula = t
		}
		if fact, ok := r.facts[horn.Pred(p)]; ok {
			d.Formula = m.Terms.And(instance(m.Terms, fact, d.Params), d.Formula)
		}
		defs[p] = d
	}
	return cert.Model{Terms: m.Terms, Definitions: defs}, nil
}

func (r *rewrite) derivation(d cert.Derivation) cert.Derivation {
	all := make(cert.Derivation, len(d))
	for i, step := range d {
		at := r.clauses[step.Clause]
		e := evaluation(r.after.Terms, r.after.Clauses[step.Clause].Vars, step.Values)
		values := make([]cert.Value, len(r.before.Clauses[at.from].Vars))
		for k, v := range r.before.Clauses[at.from].Vars {
			t, ok := at.values[v]
			if !ok {
				t = v
			}
			values[k] = valueOf(r.after.Terms, e, t)
		}
		all[i] = cert.Step{Clause: at.from, Values: values, Premises: step.Premises}
	}
	return all
}

// compacted is a step in which predicates without clauses are left out.
type compacted struct {
	sorts [][]term.Sort // of each predicate before
	from  []horn.Pred   // the predicates that stay
}

func (c *compacted) model(_ context.Context, m cert.Model) (cert.Model, error) {
	defs := make([]cert.Definition, len(c.sorts))
	for p, sorts := range c.sorts {
		defs[p] = cert.Definition{Params: params(m.Terms, sorts), Formula: term.False}
	}
	for i, p := range c.from {
		defs[p] = m.Definitions[i]
	}
	return cert.Model{Terms: m.Terms, Definitions: defs}, nil
}

func (c *compacted) derivation(d cert.Derivation) cert.Derivation { return d }

// compact leaves predicates without clauses out.
func (w *work) compact() {
	s := w.System
	used := make([]bool, len(s.Preds))
	for i := range s.Clauses {
		for _, a := range s.Clauses[i].Body {
			used[a.Pred] = true
		}
		if !s.Clauses[i].IsQuery() {
			used[s.Clauses[i].Head.Pred] = true
		}
	}
	c := &compacted{}
	number := map[horn.Pred]horn.Pred{horn.NoPred: horn.NoPred}
	var preds []horn.Predicate
	for p, pred := range s.Preds {
		c.sorts = append(c.sorts, pred.Args)
		if used[p] {
			number[horn.Pred(p)] = horn.Pred(len(preds))
			c.from, preds = append(c.from, horn.Pred(p)), append(preds, pred)
		}
	}
	if len(preds) == len(s.Preds) {
		return
	}
	clauses := make([]horn.Clause, len(s.Clauses))
	for i, k := range s.Clauses {
		body := make([]horn.Atom, len(k.Body))
		for j, a := range k.Body {
			body[j] = horn.Atom{Pred: number[a.Pred], Args: a.Args}
		}
		k.Body, k.Head.Pred = body, number[k.Head.Pred]
		clauses[i] = k
	}
	w.System = &horn.System{Terms: s.Terms, Preds: preds, Clauses: clauses}
	w.steps = append(w.steps, c)
}
