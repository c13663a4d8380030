package live

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

const (
	// monotoneConflicts bounds the search of one proof.
	monotoneConflicts = 1000
	// monotoneEffort bounds that of all proofs, roots apart.
	monotoneEffort = 20_000_000
	// effortPerQuery is what a query costs beside its propagations. That is about one for
	// each root, so that more roots than that cost more.
	effortPerQuery = 200
)

// monotone returns literals of latches that stay 1 once they are, whatever the state
// before, in steps in which none in front of them changes: induction over one step. inOrder
// says that one of them does not stay 1 otherwise.
func (q *questions) monotone(c *circuit.Circuit) (found []cert.Invariant, inOrder bool, err error) {
	b := circuit.NewBuilder(c.NumVars() + 4*len(c.Latches()))
	lit := c.CopyTo(b)
	still := make([]circuit.Lit, len(c.Latches()))
	var open []int // latches
	for i, l := range c.Latches() {
		still[i] = b.Xor(lit(l.Lit), lit(l.Next)).Not()
		open = append(open, i)
	}
	definitions := encode.Gates(b.Snapshot())
	solver, alone := sat.NewCore(definitions), sat.NewCore(definitions)
	effort := func() int64 {
		sum := solver.Stats()
		sum.Add(alone.Stats())
		return sum.Propagations + effortPerQuery*sum.Queries
	}
	spent, roots := q.spent, int64(0) // of queries, beyond as many as effortPerQuery stands for
	ask := func(s sat.Solver, latch circuit.Latch, held []circuit.Lit) (circuit.Lit, error) {
		before := s.Stats().Queries
		l, err := q.monotoneOf(s, latch, lit, held)
		roots += (s.Stats().Queries - before) * int64(max(0, len(held)-effortPerQuery))
		return l, err
	}
	var held []circuit.Lit // in every step that is looked at
	hold := func(l circuit.Lit) {
		held = append(held, l)
		solver.AddClause([]circuit.Lit{l})
	}
	for _, s := range c.Constraints() {
		hold(lit(s.Lit))
		alone.AddClause([]circuit.Lit{lit(s.Lit)})
	}
	constraints := slices.Clone(held)
	for before := -1; before != len(found); {
		before = len(found)
		slices.Reverse(open) // the bits of a counter come up in either order
		var rest []int
		for _, i := range open {
			if effort() > monotoneEffort {
				return found, inOrder, nil
			}
			l, err := ask(solver, c.Latches()[i], held)
			switch {
			case err != nil:
				return nil, false, err
			case l == circuit.False:
				rest = append(rest, i)
			default:
				if !inOrder {
					other, err := ask(alone, c.Latches()[i], constraints)
					if err != nil {
						return nil, false, err
					}
					inOrder = other == circuit.False
				}
				found = append(found, cert.Invariant{{l}})
				hold(still[i])
			}
			if err := q.rest(spent + effort() + roots - q.spent); err != nil {
				return nil, false, err
			}
		}
		open = rest
	}
	return found, inOrder, nil
}

// monotoneOf returns the literal of a latch that stays 1 once it is, or False when there is
// none. Of the two of a latch that never changes it takes the one that is 1 initially.
func (q *questions) monotoneOf(solver sat.Solver, latch circuit.Latch, lit func(circuit.Lit) circuit.Lit, held []circuit.Lit) (circuit.Lit, error) {
	for _, l := range [...]circuit.Lit{latch.Lit.NotIf(latch.Reset == circuit.True), latch.Lit.NotIf(latch.Reset != circuit.True)} {
		r, err := solver.Solve(q.ctx, sat.Query{
			Assumptions:  []circuit.Lit{lit(l), lit(latch.Next).NotIf(l != latch.Lit).Not()},
			Roots:        held,
			MaxConflicts: monotoneConflicts,
		})
		if err != nil || r == sat.Unsat {
			return l, err
		}
	}
	return circuit.False, nil
}
