package explicit

import (
	"fmt"
	"math/rand/v2"

	"aiglens/circuit"
)

// Edit returns a copy of c with one gate changed, as a user who edits a netlist
// might, and says how. Inputs and latches keep their positions. Structural hashing
// may undo the change.
func Edit(r *rand.Rand, c *circuit.Circuit) (edited *circuit.Circuit, change string) {
	var gates []circuit.Var
	for v := range circuit.Var(c.NumVars()) {
		if _, _, ok := c.Operands(v); ok {
			gates = append(gates, v)
		}
	}
	if len(gates) == 0 {
		return c, "none"
	}
	at := gates[r.IntN(len(gates))]
	left, right, _ := c.Operands(at)
	negated := false
	switch r.IntN(4) {
	case 0:
		left, change = left.Not(), "operand negated"
	case 1:
		right, change = right.Not(), "operand negated"
	case 2:
		// Gates stand after their operands, so that there is no cycle.
		left, change = circuit.Var(1+r.IntN(int(at)-1)).Lit().NotIf(left.IsNegated()), "operand replaced"
	case 3:
		left, right, negated, change = left.Not(), right.Not(), true, "and to or"
	}
	b := circuit.NewBuilder(c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.Inputs() {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	for _, l := range c.Latches() {
		to[l.Lit.Var()] = b.Latch(l.Origin)
	}
	for _, v := range gates {
		x, y, _ := c.Operands(v)
		if v == at {
			to[v] = b.And(lit(left), lit(right)).NotIf(negated)
			continue
		}
		to[v] = b.And(lit(x), lit(y))
	}
	for _, l := range c.Latches() {
		b.SetNext(to[l.Lit.Var()], lit(l.Next))
		b.SetReset(to[l.Lit.Var()], lit(l.Reset))
	}
	for _, s := range c.Outputs() {
		b.Output(lit(s.Lit), s.Origin)
	}
	for _, s := range c.Bads() {
		b.Bad(lit(s.Lit), s.Origin)
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	for _, j := range c.Justice() {
		goals := make([]circuit.Lit, len(j.Lits))
		for i, l := range j.Lits {
			goals[i] = lit(l)
		}
		b.Justice(goals, j.Origin)
	}
	for _, s := range c.Fairness() {
		b.Fairness(lit(s.Lit), s.Origin)
	}
	if b.ResetCycle() != nil {
		return c, "none"
	}
	return b.Build(), fmt.Sprintf("gate %d: %s", at, change)
}
