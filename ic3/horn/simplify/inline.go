package simplify

import (
	"context"
	"slices"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// inlined is a step in which the clauses of a predicate take its place. The predicate is in none of their bodies.
type inlined struct {
	before, after *horn.System
	pred          horn.Pred
	clauses       []unfolded // for each clause after the step
}

// unfolded says what a clause was made of.
type unfolded struct {
	from     int    // the clause whose body has the predicate, or any other
	premises []part // for each atom of its body
}

// part is an atom of a body, or the clause that took its place.
type part struct {
	atom int // of the body after the step, if by is nil
	by   *replacement
}

type replacement struct {
	clause int
	vars   []term.Term // what its variables are called
	first  int         // of the atoms of its body, the place of the first one in that after the step
}

func (s *inlined) derivation(d cert.Derivation) cert.Derivation {
	var all cert.Derivation
	at := make([]int, len(d)) // the step before that derives the same
	for i, step := range d {
		u := s.clauses[step.Clause]
		p := s.before.Terms
		e := evaluation(p, s.after.Clauses[step.Clause].Vars, step.Values)
		values := func(vars []term.Term) (vs []cert.Value) {
			for _, v := range vars {
				vs = append(vs, valueOf(p, e, v))
			}
			return vs
		}
		whole := cert.Step{Clause: u.from, Values: values(s.before.Clauses[u.from].Vars)}
		for _, part := range u.premises {
			if part.by == nil {
				whole.Premises = append(whole.Premises, at[step.Premises[part.atom]])
				continue
			}
			inner := cert.Step{Clause: part.by.clause, Values: values(part.by.vars)}
			for k := range s.before.Clauses[part.by.clause].Body {
				inner.Premises = append(inner.Premises, at[step.Premises[part.by.first+k]])
			}
			whole.Premises = append(whole.Premises, len(all))
			all = append(all, inner)
		}
		at[i] = len(all)
		all = append(all, whole)
	}
	return all
}

// model adds the definition of the predicate: it follows from the bodies of its clauses, and no clause that has it in
// the body is false.
func (s *inlined) model(ctx context.Context, m cert.Model) (cert.Model, error) {
	defs := slices.Clone(m.Definitions)
	m = cert.Model{Terms: m.Terms, Definitions: defs}
	d, err := define(ctx, s.before, s.pred, m)
	defs[s.pred] = d
	return m, err
}

const (
	// largestBody is how many atoms the body of an unfolded clause has at most, if none had more.
	largestBody = 2
	// largestGrowth is how many terms inlined predicates make at most, together.
	largestGrowth = 200_000
)

// inline replaces predicates by their clauses, as long as one has few enough.
func (w *work) inline(ctx context.Context) {
	refused := map[horn.Pred]bool{}
	for ctx.Err() == nil {
		p, ok := w.candidate(refused)
		if !ok {
			return
		}
		if !w.unfold(p) {
			refused[p] = true
		}
	}
}

// candidate returns the predicate that makes the fewest clauses when it is replaced: not more than there are.
func (w *work) candidate(refused map[horn.Pred]bool) (best horn.Pred, ok bool) {
	s := w.System
	heads, made := make([]int, len(s.Preds)), make([]int, len(s.Preds))
	uses, recursive := make([]int, len(s.Preds)), make([]bool, len(s.Preds))
	for i := range s.Clauses {
		if c := &s.Clauses[i]; !c.IsQuery() {
			heads[c.Head.Pred]++
		}
	}
	largest := largestBody
	for i := range s.Clauses {
		largest = max(largest, len(s.Clauses[i].Body))
	}
	for i := range s.Clauses {
		c := &s.Clauses[i]
		for k, a := range c.Body {
			if a.Pred == c.Head.Pred {
				recursive[a.Pred] = true
			}
			if slices.ContainsFunc(c.Body[:k], func(b horn.Atom) bool { return b.Pred == a.Pred }) {
				continue
			}
			uses[a.Pred]++
			clauses := 1
			for _, b := range c.Body {
				if b.Pred == a.Pred {
					clauses *= min(heads[a.Pred], 100)
				}
			}
			made[a.Pred] += min(clauses, 10_000)
		}
	}
	least := 0
	for p := range s.Preds {
		pred := horn.Pred(p)
		if heads[p] == 0 || uses[p] == 0 || recursive[p] || refused[pred] || made[p] > heads[p]+uses[p] {
			continue
		}
		if grown := made[p] - heads[p] - uses[p]; !ok || grown < least {
			best, least, ok = pred, grown, true
		}
	}
	return best, ok
}

// unfold replaces a predicate by its clauses, unless that makes bodies or terms too large.
func (w *work) unfold(pred horn.Pred) bool {
	s := w.System
	u := &unfolding{terms: s.Terms, system: s, pred: pred}
	largest := largestBody
	for i := range s.Clauses {
		if largest = max(largest, len(s.Clauses[i].Body)); s.Clauses[i].Head.Pred == pred {
			u.by = append(u.by, i)
		}
	}
	for i := range s.Clauses {
		if s.Clauses[i].Head.Pred == pred {
			continue
		}
		if u.clause(i); s.Terms.Len() > w.limit {
			return false
		}
	}
	if slices.ContainsFunc(u.made, func(c horn.Clause) bool { return len(c.Body) > largest }) {
		return false
	}
	step := &inlined{before: s, pred: pred, clauses: u.from}
	w.become(u.made, step)
	step.after = w.System
	w.clean()
	return true
}

// unfolding makes the clauses without a predicate.
type unfolding struct {
	terms  *term.Pool
	system *horn.System
	pred   horn.Pred
	by     []int // its clauses
	made   []horn.Clause
	from   []unfolded
}

// clause makes those of one clause: for each combination of clauses that take the places of its atoms.
func (u *unfolding) clause(i int) {
	c := &u.system.Clauses[i]
	u.expand(i, c, horn.Clause{Constraint: c.Constraint, Head: c.Head, Origin: c.Origin}, nil)
}

// expand goes on with the atoms of the body from that on for which there is no part yet.
func (u *unfolding) expand(i int, c *horn.Clause, made horn.Clause, parts []part) {
	if len(parts) == len(c.Body) {
		made.Vars = u.terms.VarsOf(termsOf(&made)...)
		u.made, u.from = append(u.made, made), append(u.from, unfolded{i, parts})
		return
	}
	a := c.Body[len(parts)]
	parts = slices.Clip(parts)
	made.Body = slices.Clip(made.Body)
	if a.Pred != u.pred {
		parts = append(parts, part{atom: len(made.Body)})
		made.Body = append(made.Body, a)
		u.expand(i, c, made, parts)
		return
	}
	for _, k := range u.by {
		d := renamed(u.terms, &u.system.Clauses[k])
		next := made
		all := []term.Term{made.Constraint, d.Constraint}
		for j, t := range a.Args {
			all = append(all, u.terms.Equal(t, d.Head.Args[j]))
		}
		next.Constraint = u.terms.And(all...)
		next.Body = append(next.Body, d.Body...)
		u.expand(i, c, next, append(parts, part{by: &replacement{k, d.Vars, len(made.Body)}}))
	}
}

// renamed returns a clause with other variables.
func renamed(p *term.Pool, c *horn.Clause) horn.Clause {
	by := make(map[term.Term]term.Term, len(c.Vars))
	d := horn.Clause{Origin: c.Origin}
	for _, v := range c.Vars {
		by[v] = p.Fresh("v", p.SortOf(v))
		d.Vars = append(d.Vars, by[v])
	}
	s := term.NewSubstitution(p, func(t term.Term) (term.Term, bool) { r, ok := by[t]; return r, ok })
	atom := func(a horn.Atom) horn.Atom {
		moved := horn.Atom{Pred: a.Pred}
		for _, t := range a.Args {
			moved.Args = append(moved.Args, s.Apply(t))
		}
		return moved
	}
	for _, a := range c.Body {
		d.Body = append(d.Body, atom(a))
	}
	d.Head, d.Constraint = atom(c.Head), s.Apply(c.Constraint)
	return d
}
