package horn

import (
	"context"
	"fmt"
	"slices"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// oneSystem is a system with one predicate that stands for all of another (Gurfinkel 2015, section 1). Its clauses
// are those of the other, in the same order and with the same variables, so that a derivation is one of the other.
//
//	P(number, slots…)   number says which predicate it is; a predicate uses the first slots of each sort,
//	                    and the others are 0 or false
type oneSystem struct {
	*chc.System
	of    *chc.System
	slots [][]int // by predicate and argument
}

func newOneSystem(s *chc.System) *oneSystem {
	o := &oneSystem{System: &chc.System{Terms: s.Terms.Clone()}, of: s}
	all := chc.Predicate{Name: "P", Args: []term.Sort{term.Int}}
	for _, p := range s.Preds {
		var taken []int
		for _, sort := range p.Args {
			i := 1
			for i < len(all.Args) && (all.Args[i] != sort || slices.Contains(taken, i)) {
				i++
			}
			if i == len(all.Args) {
				all.Args = append(all.Args, sort)
			}
			taken = append(taken, i)
		}
		o.slots = append(o.slots, taken)
	}
	o.Preds = []chc.Predicate{all}
	for _, c := range s.Clauses {
		body := make([]chc.Atom, len(c.Body))
		for j, a := range c.Body {
			body[j] = o.atom(o.Terms, a)
		}
		c.Body, c.Head = body, o.atom(o.Terms, c.Head)
		o.Clauses = append(o.Clauses, c)
	}
	return o
}

// atom returns an atom of the one predicate, in a pool that has the arguments.
func (o *oneSystem) atom(terms *term.Pool, a chc.Atom) chc.Atom {
	if a.Pred == chc.NoPred {
		return a
	}
	args := []term.Term{terms.IntOf(int64(a.Pred))}
	for _, sort := range o.Preds[0].Args[1:] {
		if sort == term.Bool {
			args = append(args, term.False)
		} else {
			args = append(args, terms.NumberOf(rational.Zero, sort))
		}
	}
	for i, slot := range o.slots[a.Pred] {
		args[slot] = a.Args[i]
	}
	return chc.Atom{Args: args}
}

// model returns the definitions of the predicates that one for all stands for.
func (o *oneSystem) model(m cert.Model) cert.Model {
	all := m.Definitions[0]
	result := cert.Model{Terms: m.Terms}
	for p, pred := range o.of.Preds {
		d := cert.Definition{}
		a := chc.Atom{Pred: chc.Pred(p)}
		for i, sort := range pred.Args {
			a.Args = append(a.Args, m.Terms.Fresh(fmt.Sprint("x", i), sort))
		}
		d.Params = a.Args
		by := map[term.Term]term.Term{}
		for i, t := range o.atom(m.Terms, a).Args {
			by[all.Params[i]] = t
		}
		d.Formula = m.Terms.Substitute(all.Formula, by)
		result.Definitions = append(result.Definitions, d)
	}
	return result
}

// solveOne solves a system by way of the one with one predicate.
func solveOne(ctx context.Context, s *chc.System, o Options) Answer {
	one := newOneSystem(s)
	a := newEngine(ctx, one.System, o).solve()
	if a.Outcome == cert.Sat {
		a.Model = one.model(a.Model)
	}
	return a
}
