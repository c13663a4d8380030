package cert

import (
	"context"
	"errors"

	"aiglens/circuit"
)

// Merges looks for gates of a circuit that are equal. The error is that of ctx.
type Merges func(ctx context.Context, c *circuit.Circuit) ([]Merge, error)

// mergesAfter returns the number of gini's ticks after which gates that are equal are merged. A tick takes 1.3 to 4 ms,
// and to find them some 10 µs for each variable; then gini begins again. So a check that ends soon has ended by then.
func mergesAfter(variables int) int { return 4 + variables/100 }

// assumed is a circuit for one step from the states of an invariant. What is equal in all of them is
// merged, so that gates become equal that read the one or the other. Latches stand at their positions.
type assumed struct {
	circuit *circuit.Circuit // its first bad is that of the property
	states  Invariant
}

// assume returns c without what the obligations of an invariant do not refer to.
func assume(c *circuit.Circuit, bad circuit.Lit, inv Invariant) *assumed {
	read := []circuit.Lit{bad}
	for _, s := range c.Constraints() {
		read = append(read, s.Lit)
	}
	for _, clause := range primed(c, inv) {
		read = append(read, clause...)
	}
	needed := cone(c, read)
	own := copied(c, []circuit.Signal{{Lit: bad}}, func(v circuit.Var) bool { return needed[v] }, equalLatches(inv))
	return (&assumed{c, inv}).on(own)
}

// on returns the same states of another circuit, whose latches stand at the same positions.
func (a *assumed) on(c *circuit.Circuit) *assumed {
	states := make(Invariant, len(a.states))
	for i, clause := range a.states {
		states[i] = make([]circuit.Lit, len(clause))
		for j, l := range clause {
			states[i][j] = c.Latches()[a.circuit.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
		}
	}
	return &assumed{c, states}
}

// obligations returns what holds of each step, if the invariant is one: Inv′, and as the last clause ¬bad.
func (a *assumed) obligations() Invariant {
	return append(primed(a.circuit, a.states), []circuit.Lit{a.circuit.Bads()[0].Lit.Not()})
}

// firstViolated returns the position of the first obligation that some step violates, or −1. A check
// that takes long merges gates that are equal, and goes on.
func (a *assumed) firstViolated(ctx context.Context, merges Merges) (int, error) {
	k, err := newChecker(ctx, a.circuit, a.states)
	if err != nil {
		return 0, err
	}
	if merges != nil {
		k.ticksLeft = mergesAfter(a.circuit.NumVars())
	}
	at, err := k.firstViolated(ctx, a.obligations())
	if !errors.Is(err, errTicks) {
		return at, err
	}
	if a, err = a.merged(ctx, merges); err != nil {
		return 0, err
	}
	if k, err = newChecker(ctx, a.circuit, a.states); err != nil {
		return 0, err
	}
	i, err := k.firstViolated(ctx, a.obligations()[at:])
	if i >= 0 {
		i += at
	}
	return i, err
}

// merged returns the same with gates merged that are equal.
func (a *assumed) merged(ctx context.Context, merges Merges) (*assumed, error) {
	found, err := merges(ctx, a.circuit)
	if err != nil {
		return nil, err
	}
	c, err := Merged(ctx, a.circuit, found)
	if err != nil {
		return nil, err
	}
	return a.on(c), nil
}

// equalLatches returns, by latch, the literal of a lower variable that it is equal to in all states of an
// invariant, as clauses of one and two literals say.
func equalLatches(inv Invariant) map[circuit.Var]circuit.Lit {
	equals := map[circuit.Var]circuit.Lit{}
	find := func(l circuit.Lit) circuit.Lit {
		for {
			to, ok := equals[l.Var()]
			if !ok {
				return l
			}
			l = to.NotIf(l.IsNegated())
		}
	}
	equate := func(l, m circuit.Lit) {
		l, m = find(l), find(m)
		if l.Var() < m.Var() {
			l, m = m, l
		}
		if l.Var() != m.Var() {
			equals[l.Var()] = m.NotIf(l.IsNegated())
		}
	}
	implied := map[[2]circuit.Lit]bool{} // clauses of two literals, the smaller one first
	for _, clause := range inv {
		switch len(clause) {
		case 1:
			equate(clause[0], circuit.True)
		case 2:
			l, m := min(clause[0], clause[1]), max(clause[0], clause[1])
			implied[[2]circuit.Lit{l, m}] = true
			if implied[[2]circuit.Lit{min(l.Not(), m.Not()), max(l.Not(), m.Not())}] {
				equate(l, m.Not())
			}
		}
	}
	return equals
}
