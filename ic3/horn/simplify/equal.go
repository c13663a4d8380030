package simplify

import (
	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/term"
)

// equalities leaves out arguments that always equal an earlier one of the same predicate. At first all arguments of
// a sort are taken for equal; a clause tells apart those of its head that differ as terms, when those of the body
// are equal. What stays together to the end is so in all that is derived.
func (w *work) equalities() {
	s := w.System
	first := make([][]int, len(s.Preds)) // of each argument, the first one that it equals
	for p, pred := range s.Preds {
		first[p] = make([]int, len(pred.Args))
		for i := range pred.Args {
			for first[p][i] = 0; pred.Args[first[p][i]] != pred.Args[i]; first[p][i]++ {
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range s.Clauses {
			if c := &s.Clauses[i]; !c.IsQuery() {
				changed = split(first[c.Head.Pred], headOf(s.Terms, c, first)) || changed
			}
		}
	}
	facts := map[horn.Pred]cert.Definition{}
	for p, pred := range s.Preds {
		d := cert.Definition{Params: params(s.Terms, pred.Args), Formula: term.True}
		for i, f := range first[p] {
			d.Formula = s.Terms.And(d.Formula, s.Terms.Equal(d.Params[f], d.Params[i]))
		}
		if d.Formula != term.True {
			facts[horn.Pred(p)] = d
		}
	}
	if len(facts) == 0 {
		return
	}
	w.rewrite(facts, facts, nil)
	w.without(func(p horn.Pred, arg int) bool { return first[p][arg] == arg })
}

// headOf returns the arguments of the head, where those of the body are equal that are taken for equal.
func headOf(p *term.Pool, c *horn.Clause, first [][]int) []term.Term {
	by := map[term.Term]term.Term{} // a variable for an equal one
	var find func(t term.Term) term.Term
	find = func(t term.Term) term.Term {
		if next, ok := by[t]; ok {
			return find(next)
		}
		return t
	}
	for _, a := range c.Body {
		for i, f := range first[a.Pred] {
			x, y := find(a.Args[i]), find(a.Args[f])
			if x != y && p.Op(x) == term.OpVar && p.Op(y) == term.OpVar {
				by[x] = y
			}
		}
	}
	s := term.NewSubstitution(p, func(t term.Term) (term.Term, bool) {
		r := find(t)
		return r, r != t
	})
	all := make([]term.Term, len(c.Head.Args))
	for i, t := range c.Head.Args {
		all[i] = s.Apply(t)
	}
	return all
}

// split tells arguments apart that differ, and reports whether it did.
func split(first []int, args []term.Term) (changed bool) {
	leader := map[[2]int]int{} // of those with the same first argument and the same term
	for i, f := range first {
		key := [2]int{f, int(args[i])}
		to, ok := leader[key]
		if !ok {
			to = i
			leader[key] = i
		}
		changed = changed || to != f
		first[i] = to
	}
	return changed
}
