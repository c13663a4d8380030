package reduce

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// grown is a circuit that grows gate by gate, with literals merged that were shown to be
// equal, and a solver over it that keeps what it learns. It grows as circuit/cert lets its own
// grow, so that clauses over the one are clauses over the other.
type grown struct {
	ctx    context.Context
	b      *circuit.Builder
	defs   *sat.Definitions // of b
	solver sat.Solver
	equals []circuit.Lit   // by variable of b: a literal of a lower one that is equal, or its own
	learnt [][]circuit.Lit // since the last proof
}

// grownDomainShare is the number of variables of a domain that count as one effort.
const grownDomainShare = 4

// init makes it empty, with room for some variables, which may not become more.
func (g *grown) init(ctx context.Context, vars int) {
	g.ctx = ctx
	g.b, g.defs = circuit.NewBuilder(vars), sat.NewDefinitions(vars)
	g.equals = []circuit.Lit{circuit.False}
	g.solver = sat.CoreOptions{Vars: vars, Learnt: func(clause []circuit.Lit) {
		g.learnt = append(g.learnt, append([]circuit.Lit(nil), clause...))
	}}.New(g.defs)
}

// free takes a new variable into account that is not a gate.
func (g *grown) free(l circuit.Lit) circuit.Lit {
	g.defs.Define(nil)
	g.equals = append(g.equals, l)
	return l
}

// and returns a literal for the conjunction of l and r.
func (g *grown) and(l, r circuit.Lit) circuit.Lit {
	m := g.b.And(l, r)
	if int(m.Var()) == len(g.equals) { // it is a new gate
		g.defs.Define([]circuit.Var{l.Var(), r.Var()},
			[]circuit.Lit{m.Not(), l}, []circuit.Lit{m.Not(), r}, []circuit.Lit{m, l.Not(), r.Not()})
		g.equals = append(g.equals, m)
	}
	return g.find(m)
}

// find returns what a literal was merged with.
func (g *grown) find(l circuit.Lit) circuit.Lit {
	for g.equals[l.Var()] != l.Var().Lit() {
		l = g.equals[l.Var()].NotIf(l.IsNegated())
	}
	return l
}

// equate merges two literals that are equal.
func (g *grown) equate(l, m circuit.Lit) {
	g.solver.AddClause([]circuit.Lit{l.Not(), m})
	g.solver.AddClause([]circuit.Lit{l, m.Not()})
	if l.Var() < m.Var() {
		l, m = m, l
	}
	if l.Var() != m.Var() {
		g.equals[l.Var()] = m.NotIf(l.IsNegated())
	}
}

// differ asks whether two literals can differ, with the roots and the bound of a query.
func (g *grown) differ(l, m circuit.Lit, q sat.Query) (result sat.Result, err error) {
	for _, assumptions := range [][]circuit.Lit{{l, m.Not()}, {l.Not(), m}} {
		q.Assumptions = assumptions
		if result, err = g.solver.Solve(g.ctx, q); result != sat.Unsat || err != nil {
			break
		}
	}
	return result, err
}

// proof returns the clauses that were learnt since the last one.
func (g *grown) proof() [][]circuit.Lit {
	clauses := g.learnt
	g.learnt = nil
	return clauses
}

// spent returns the effort of the solver.
func (g *grown) spent() int64 {
	s := g.solver.Stats()
	return s.Propagations + s.DomainVars/grownDomainShare
}
