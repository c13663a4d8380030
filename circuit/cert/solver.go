package cert

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"aiglens/circuit"
)

// checker asks gini about one step of a circuit. Its clauses are the gates
// alone, which any assignment of inputs and latches satisfies, and clauses
// guarded by a literal that is only ever assumed: so they never contradict
// each other without assumptions, a case that gini v1.0.4 answers by ending the
// process.
type checker struct {
	c     *circuit.Circuit
	g     *gini.Gini
	lits  []z.Lit // by variable: its literal in g, or LitNull
	guard z.Lit   // assumed: the invariant holds
	todo  []circuit.Var
}

func newChecker(c *circuit.Circuit) *checker {
	k := &checker{c: c, g: gini.NewVc(64, 256), lits: make([]z.Lit, c.NumVars())}
	k.lits[0] = k.g.Lit()
	k.clause(k.lits[0].Not())
	k.guard = k.g.Lit()
	return k
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
		case k.lits[v] != z.LitNull:
			k.todo = k.todo[:len(k.todo)-1]
		case isGate && k.lits[left.Var()] == z.LitNull:
			k.todo = append(k.todo, left.Var())
		case isGate && k.lits[right.Var()] == z.LitNull:
			k.todo = append(k.todo, right.Var())
		default:
			m := k.g.Lit()
			k.lits[v] = m
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

// known returns the literal of an l that has been loaded.
func (k *checker) known(l circuit.Lit) z.Lit {
	m := k.lits[l.Var()]
	if l.IsNegated() {
		return m.Not()
	}
	return m
}

// unsatisfiable reports whether the assumptions and the constraints contradict
// each other.
func (k *checker) unsatisfiable(ctx context.Context, assumptions ...z.Lit) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	for _, s := range k.c.Constraints() {
		assumptions = append(assumptions, k.lit(s.Lit))
	}
	k.g.Assume(assumptions...)
	conn := k.g.GoSolve()
	for {
		// Pause returns at gini's next tick, or with the result.
		result, paused := conn.Pause()
		if !paused {
			return result == -1, nil
		}
		err := ctx.Err()
		conn.Unpause()
		if err != nil {
			conn.Stop()
			return false, err
		}
	}
}

// initiation reports whether I ∧ C ⇒ clause.
func (k *checker) initiation(ctx context.Context, clause []circuit.Lit) (bool, error) {
	for _, l := range clause {
		reset := k.c.Latches()[k.c.LatchIndex(l.Var())].Reset
		if reset <= circuit.True && reset.NotIf(l.IsNegated()) == circuit.True {
			return true, nil // a literal of the clause holds in every initial state
		}
	}
	var assumptions []z.Lit
	for _, l := range k.c.Latches() {
		if l.Reset <= circuit.True {
			assumptions = append(assumptions, k.lit(l.Lit.NotIf(l.Reset == circuit.False)))
		}
	}
	for _, l := range clause {
		assumptions = append(assumptions, k.lit(l).Not())
	}
	return k.unsatisfiable(ctx, assumptions...)
}

// assumeInvariant adds the clauses of the invariant under the guard.
func (k *checker) assumeInvariant(inv Invariant) {
	for _, clause := range inv {
		ms := []z.Lit{k.guard.Not()}
		for _, l := range clause {
			ms = append(ms, k.lit(l))
		}
		k.clause(ms...)
	}
}

// consecution reports whether Inv ∧ C ∧ T ⇒ clause′.
func (k *checker) consecution(ctx context.Context, clause []circuit.Lit) (bool, error) {
	assumptions := []z.Lit{k.guard}
	for _, l := range clause {
		next := k.c.Latches()[k.c.LatchIndex(l.Var())].Next
		assumptions = append(assumptions, k.lit(next.NotIf(l.IsNegated())).Not())
	}
	return k.unsatisfiable(ctx, assumptions...)
}

// safety reports whether Inv ∧ C ⇒ ¬bad.
func (k *checker) safety(ctx context.Context, bad circuit.Lit) (bool, error) {
	return k.unsatisfiable(ctx, k.guard, k.lit(bad))
}
