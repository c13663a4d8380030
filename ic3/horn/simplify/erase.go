package simplify

import (
	"context"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// erased is a step in which arguments of predicates are left out.
type erased struct {
	before, after *horn.System
	kept          [][]int // for each predicate, the arguments that stay
}

func (e *erased) model(_ context.Context, m cert.Model) (cert.Model, error) {
	defs := make([]cert.Definition, len(m.Definitions))
	for p, d := range m.Definitions {
		all := params(m.Terms, e.before.Preds[p].Args)
		for i, k := range e.kept[p] {
			all[k] = d.Params[i]
		}
		defs[p] = cert.Definition{Params: all, Formula: d.Formula}
	}
	return cert.Model{Terms: m.Terms, Definitions: defs}, nil
}

// derivation gives values to the variables that only those arguments had. One of an atom of the body stands for
// what the premise derives; any value will do for one of the head alone.
func (e *erased) derivation(d cert.Derivation) cert.Derivation {
	p := e.before.Terms
	heads := make([][]cert.Value, len(d))
	all := make(cert.Derivation, len(d))
	for i, step := range d {
		c := &e.before.Clauses[step.Clause]
		known := map[term.Term]cert.Value{}
		for k, v := range e.after.Clauses[step.Clause].Vars {
			known[v] = step.Values[k]
		}
		for k, a := range c.Body {
			for j, t := range a.Args {
				if _, ok := known[t]; !ok && p.Op(t) == term.OpVar {
					known[t] = heads[step.Premises[k]][j]
				}
			}
		}
		values := make([]cert.Value, len(c.Vars))
		for k, v := range c.Vars {
			value, ok := known[v]
			if !ok {
				value = anyValue(p.SortOf(v))
			}
			values[k] = value
		}
		all[i] = cert.Step{Clause: step.Clause, Values: values, Premises: step.Premises}
		env := evaluation(p, c.Vars, values)
		for _, t := range c.Head.Args {
			heads[i] = append(heads[i], valueOf(p, env, t))
		}
	}
	return all
}

// without makes a step that leaves arguments out: keeps says which stay.
func (w *work) without(keeps func(p horn.Pred, arg int) bool) {
	s := w.System
	e := &erased{before: s, kept: make([][]int, len(s.Preds))}
	preds := slices.Clone(s.Preds)
	changed := false
	for p, pred := range s.Preds {
		preds[p].Args = nil
		for i, sort := range pred.Args {
			if keeps(horn.Pred(p), i) {
				e.kept[p] = append(e.kept[p], i)
				preds[p].Args = append(preds[p].Args, sort)
			}
		}
		changed = changed || len(e.kept[p]) < len(pred.Args)
	}
	if !changed {
		return
	}
	atom := func(a horn.Atom) horn.Atom {
		if a.Pred == horn.NoPred {
			return a
		}
		short := horn.Atom{Pred: a.Pred}
		for _, i := range e.kept[a.Pred] {
			short.Args = append(short.Args, a.Args[i])
		}
		return short
	}
	clauses := make([]horn.Clause, len(s.Clauses))
	for i, c := range s.Clauses {
		body := make([]horn.Atom, len(c.Body))
		for k, a := range c.Body {
			body[k] = atom(a)
		}
		c.Body, c.Head = body, atom(c.Head)
		c.Vars = s.Terms.VarsOf(termsOf(&c)...)
		clauses[i] = c
	}
	w.System = &horn.System{Terms: s.Terms, Preds: preds, Clauses: clauses}
	e.after = w.System
	w.steps = append(w.steps, e)
}

// erase leaves out arguments that nothing needs (Leuschel and Sørensen, "Redundant Argument Filtering of Logic
// Programs", LOPSTR 1996): where the predicate is in a body, the argument is a variable that is nowhere else, but in
// arguments of the head that nothing needs.
func (w *work) erase() {
	s := w.System
	needed := make([][]bool, len(s.Preds))
	for p, pred := range s.Preds {
		needed[p] = make([]bool, len(pred.Args))
	}
	for changed := true; changed; {
		changed = false
		for i := range s.Clauses {
			c := &s.Clauses[i]
			uses := usesIn(s.Terms, c, needed)
			for _, a := range c.Body {
				for j, t := range a.Args {
					if !needed[a.Pred][j] && (s.Terms.Op(t) != term.OpVar || uses[t] > 1) {
						needed[a.Pred][j], changed = true, true
					}
				}
			}
		}
	}
	w.without(func(p horn.Pred, arg int) bool { return needed[p][arg] })
}

// usesIn counts where a variable is in a clause, but for arguments of the head that are not needed.
func usesIn(p *term.Pool, c *horn.Clause, needed [][]bool) map[term.Term]int {
	uses := map[term.Term]int{}
	count := func(t term.Term) {
		for _, v := range p.VarsOf(t) {
			uses[v]++
		}
	}
	count(c.Constraint)
	for _, a := range c.Body {
		for _, t := range a.Args {
			count(t)
		}
	}
	for j, t := range c.Head.Args {
		if needed[c.Head.Pred][j] {
			count(t)
		}
	}
	return uses
}
