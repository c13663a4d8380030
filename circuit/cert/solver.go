package cert

import (
	"context"
	"errors"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"aiglens/circuit"
)

// checker asks gini about one step of a circuit, from a set of states.
//
// gini v1.0.4 ends the process when it is asked again after its clauses contradict
// each other without assumptions, so they never do: the gates are satisfied by every
// assignment of inputs and latches, and the set of states, with the constraints, is
// fixed only when some step is known to meet it.
type checker struct {
	c     *circuit.Circuit
	g     *gini.Gini
	lits  *circuit.Table[z.Lit] // by variable: its literal in g, or LitNull
	todo  []circuit.Var
	empty bool // no step meets the constraints: everything holds in all there are
	// ticksLeft is how many more ticks of gini there may be before a query ends with errTicks; 0 is no limit.
	// A query ticks after each 20,000 of its propagations. Some ticks go unseen on a busy machine.
	ticksLeft int
}

// errTicks says that gini has taken as many ticks as it may.
var errTicks = errors.New("gini takes long")

// newChecker returns a checker of the steps that meet the constraints and begin in a
// state which satisfies all clauses.
func newChecker(ctx context.Context, c *circuit.Circuit, states [][]circuit.Lit) (*checker, error) {
	k := &checker{c: c, g: gini.NewVc(64, 256), lits: circuit.NewTable[z.Lit](c)}
	k.lits.Set(0, k.g.Lit())
	k.clause(k.lits.At(0).Not())
	guard := k.g.Lit() // implies what the step must meet
	k.onlyIf(guard, states)
	for _, s := range c.Constraints() {
		k.clause(guard.Not(), k.lit(s.Lit))
	}
	var err error
	if k.empty, err = k.unsatisfiable(ctx, guard); err == nil && !k.empty {
		k.clause(guard)
	}
	return k, err
}

func (k *checker) clause(ms ...z.Lit) {
	for _, m := range ms {
		k.g.Add(m)
	}
	k.g.Add(z.LitNull)
}

// lit returns the literal of l in g, with the gates that define it.
func (k *checker) lit(l circuit.Lit) z.Lit {
	k.todo = append(k.todo[:0], l.Var())
	for len(k.todo) > 0 {
		v := k.todo[len(k.todo)-1]
		left, right, isGate := k.c.Operands(v)
		switch {
		case k.lits.At(v) != z.LitNull:
			k.todo = k.todo[:len(k.todo)-1]
		case isGate && k.lits.At(left.Var()) == z.LitNull:
			k.todo = append(k.todo, left.Var())
		case isGate && k.lits.At(right.Var()) == z.LitNull:
			k.todo = append(k.todo, right.Var())
		default:
			m := k.g.Lit()
			k.lits.Set(v, m)
			if isGate {
				a, b := k.known(left), k.known(right)
				k.clause(m.Not(), a)
				k.clause(m.Not(), b)
				k.clause(m, a.Not(), b.Not())
			}
		}
	}
	return k.known(l)
}

// met returns a literal with which all clauses hold.
func (k *checker) met(clauses Invariant) z.Lit {
	all := k.g.Lit()
	k.onlyIf(all, clauses)
	return all
}

// onlyIf adds that all clauses hold when a literal does.
func (k *checker) onlyIf(all z.Lit, clauses Invariant) {
	for _, clause := range clauses {
		ms := []z.Lit{all.Not()}
		for _, l := range clause {
			ms = append(ms, k.lit(l))
		}
		k.clause(ms...)
	}
}

// violated returns a literal with which some clause is false.
func (k *checker) violated(clauses Invariant) z.Lit {
	some := k.g.Lit()
	ms := []z.Lit{some.Not()}
	for _, clause := range clauses {
		ms = append(ms, k.falsified(clause))
	}
	k.clause(ms...)
	return some
}

// falsified returns a literal with which a clause is false.
func (k *checker) falsified(clause []circuit.Lit) z.Lit {
	if len(clause) == 1 {
		return k.lit(clause[0]).Not()
	}
	m := k.g.Lit()
	for _, l := range clause {
		k.clause(m.Not(), k.lit(l).Not())
	}
	return m
}

// holds returns a literal that is 1 exactly when all clauses hold.
func (k *checker) holds(clauses Invariant) z.Lit {
	all := k.violated(clauses).Not()
	k.onlyIf(all, clauses)
	return all
}

// known returns the literal of an l that has been loaded.
func (k *checker) known(l circuit.Lit) z.Lit {
	m := k.lits.At(l.Var())
	if l.IsNegated() {
		return m.Not()
	}
	return m
}

// firstViolated returns the position of the first clause that is false in some step, or −1. With an error it is
// the position of the clause that was asked about. All gates are loaded before the first query: gini looks at all
// its clauses when there are new ones.
func (k *checker) firstViolated(ctx context.Context, clauses [][]circuit.Lit) (int, error) {
	if k.empty {
		return -1, nil
	}
	for _, clause := range clauses {
		for _, l := range clause {
			k.lit(l)
		}
	}
	var negated []z.Lit
	for i, clause := range clauses {
		negated = negated[:0]
		for _, l := range clause {
			negated = append(negated, k.known(l).Not())
		}
		if holds, err := k.unsatisfiable(ctx, negated...); err != nil || !holds {
			return i, err
		}
	}
	return -1, nil
}

// unsatisfiable reports whether the assumptions contradict the clauses.
func (k *checker) unsatisfiable(ctx context.Context, assumptions ...z.Lit) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	// A clause that holds anyway takes gini back to where it has no assumptions.
	// Without one it would first learn from the conflict of the query before, under
	// assumptions that are gone.
	k.clause(k.lits.At(0).Not())
	k.g.Assume(assumptions...)
	conn := k.g.GoSolve()
	for {
		// Pause returns at gini's next tick, or with the result.
		result, paused := conn.Pause()
		if !paused {
			return result == -1, nil
		}
		err := k.tick(ctx)
		conn.Unpause()
		if err != nil {
			conn.Stop()
			return false, err
		}
	}
}

// tick returns why a query should end after one more tick.
func (k *checker) tick(ctx context.Context) error {
	if k.ticksLeft > 0 {
		if k.ticksLeft--; k.ticksLeft == 0 {
			return errTicks
		}
	}
	return ctx.Err()
}
