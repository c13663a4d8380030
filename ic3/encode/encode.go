// Package encode turns a circuit into clauses for an incremental solver.
//
// There is one copy of the graph: the primed literal of a latch is its
// next-state literal, so there are no primed variables. That is exact as long
// as no query needs the inputs of two steps at once; bads and constraints are
// therefore asked for in the current step only.
//
// Gates whose elimination makes the clauses no more are eliminated (Eén and Biere, "Effective
// Preprocessing in SAT through Variable and Clause Elimination", SAT 2005). The package does no
// search and knows no frames.
package encode

import (
	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// Gates returns the definitions of all variables of c (Tseitin, 1968):
// variable v of the circuit is variable v of the definitions.
func Gates(c *circuit.Circuit) *sat.Definitions {
	d := sat.NewDefinitions(c.NumVars())
	for i := 1; i < c.NumVars(); i++ {
		v := circuit.Var(i)
		l, r, isGate := c.Operands(v)
		if !isGate {
			d.Define(nil)
			continue
		}
		g := v.Lit()
		d.Define([]circuit.Var{l.Var(), r.Var()},
			[]circuit.Lit{g.Not(), l},
			[]circuit.Lit{g.Not(), r},
			[]circuit.Lit{g, l.Not(), r.Not()})
	}
	return d
}
