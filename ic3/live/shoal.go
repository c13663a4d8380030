package live

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// weakest returns clauses of an invariant of c that are one by themselves, with a literal
// held at 1 in every step: those that a proof of safety needs, those that the proofs of
// these need, and so on. Fewer clauses are more states. What holds initially still does.
func (q *questions) weakest(c *circuit.Circuit, invariant cert.Invariant, held circuit.Lit) (cert.Invariant, error) {
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	clauses := make([]circuit.Lit, len(invariant))
	violations := make([]circuit.Lit, len(invariant)) // in the next step
	for i, clause := range invariant {
		clauses[i] = b.Clauses(cert.Invariant{clause}, lit)
		violations[i] = b.Clauses(cert.Invariant{clause}, func(l circuit.Lit) circuit.Lit { return lit(nextOf(c, l)) }).Not()
	}
	solver := sat.NewCore(encode.Gates(b.Snapshot()))
	roots := []circuit.Lit{lit(held)}
	for _, s := range c.Constraints() {
		roots = append(roots, lit(s.Lit))
	}
	for _, l := range roots {
		solver.AddClause([]circuit.Lit{l})
	}
	needed := make([]bool, len(invariant))
	var todo []int
	need := func(violation circuit.Lit) error {
		assumptions := append([]circuit.Lit{violation}, clauses...)
		before := solver.Stats().Propagations
		r, err := solver.Solve(q.ctx, sat.Query{Assumptions: assumptions, Roots: roots})
		if err != nil {
			return err
		}
		for i, l := range clauses {
			if !needed[i] && (r != sat.Unsat || solver.InCore(l)) {
				needed[i] = true
				todo = append(todo, i)
			}
		}
		return q.rest(int64(len(assumptions)) + solver.Stats().Propagations - before)
	}
	err := need(lit(c.Bads()[0].Lit))
	for len(todo) > 0 && err == nil {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		err = need(violations[i])
	}
	var weakest cert.Invariant
	for i, clause := range invariant {
		if needed[i] {
			weakest = append(weakest, clause)
		}
	}
	return weakest, err
}
