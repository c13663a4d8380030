package reach

import (
	"errors"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bdd"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

var errClauses = errors.New("the proof has too many clauses")

// clauses returns an invariant that holds the reached states and no bad one. It begins with
// all states. Those that are bad, or lead out of the clauses so far, are not reached; so
// each has a clause that excludes it and holds in all reached states. That ends, at the
// latest with the reached states. Bad states and steps count where the constraints hold.
func (r *run) clauses() (inv cert.Invariant, err error) {
	x := exclusion{run: r, outside: r.model.Outside(r.reached), solver: sat.NewCore(encode.Gates(r.c))}
	for _, s := range r.c.Constraints() {
		x.solver.AddClause([]circuit.Lit{s.Lit})
		x.constraints = append(x.constraints, s.Lit)
	}
	if err := x.exclude([]circuit.Lit{r.c.Bads()[0].Lit}); err != nil {
		return nil, err
	}
	for i := 0; i < len(x.found); i++ { // which grows
		var leaving []circuit.Lit
		for _, l := range x.found[i] {
			leaving = append(leaving, r.c.Latches()[r.c.LatchIndex(l.Var())].Next.NotIf(!l.IsNegated()))
		}
		if err := x.exclude(leaving); err != nil {
			return nil, err
		}
	}
	return x.found, nil
}

// exclusion is a search for clauses.
type exclusion struct {
	*run
	outside     *bdd.Outside // of the reached states
	solver      sat.Solver
	constraints []circuit.Lit
	found       cert.Invariant
}

// effortPerQuery is what a query costs beside its propagations.
const effortPerQuery = 200

// exclude adds clauses until no state that meets all of them makes some literals true.
func (x *exclusion) exclude(lits []circuit.Lit) error {
	for {
		before := x.solver.Stats().Propagations
		result, err := x.solver.Solve(x.ctx, sat.Query{Assumptions: lits, Roots: x.constraints})
		x.queries += effortPerQuery + x.solver.Stats().Propagations - before
		x.stats.Queries++
		if err == nil && x.stats.Queries%pollQueries == 0 {
			err = x.poll()
		}
		if err != nil || result == sat.Unsat {
			return err
		}
		state := x.model.anything()
		for i, l := range x.c.Latches() {
			switch x.solver.Value(l.Lit) {
			case circuit.Zero:
				state[i] = 0
			case circuit.One:
				state[i] = 1
			}
		}
		if err := x.model.Try(func() { x.outside.Enlarge(state) }); err != nil {
			return err
		}
		if x.stats.Clauses++; x.stats.Clauses > x.options.MaxClauses {
			return errClauses
		}
		clause := x.clauseOf(state)
		x.solver.AddClause(clause)
		x.found = append(x.found, clause)
	}
}

// pollQueries is the number of queries between two looks at the context.
const pollQueries = 64

// clauseOf returns what excludes a cube.
func (x *exclusion) clauseOf(c bdd.Cube) (clause []circuit.Lit) {
	for i, l := range x.c.Latches() {
		if c[i] != bdd.Any {
			clause = append(clause, l.Lit.NotIf(c[i] == 1))
		}
	}
	return clause
}
