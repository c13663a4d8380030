package proof

import (
	"cmp"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// order sorts the clauses of a pool by when they are taken in.
type order func(cert.Invariant)

func asGiven(cert.Invariant) {}

func shortFirst(pool cert.Invariant) {
	slices.SortStableFunc(pool, func(a, b []circuit.Lit) int { return cmp.Compare(len(a), len(b)) })
}

// closure takes clauses of a pool in until they are an invariant. None is taken out again,
// so that the solver has them for good.
type closure struct {
	*minimizer
	solver    sat.Solver
	pool      cert.Invariant
	selectors []circuit.Lit // by clause: with which the solver has it; 0 when it does not
	free      circuit.Var   // the first selector
	in        []bool
	todo      []int // that are in and have not been looked at
}

func (m *minimizer) newClosure(pool cert.Invariant, sort order) *closure {
	x := &closure{minimizer: m, pool: slices.Clone(pool), selectors: make([]circuit.Lit, len(pool)), in: make([]bool, len(pool))}
	sort(x.pool)
	d := encode.Gates(m.c)
	x.free = circuit.Var(d.NumVars())
	for range pool {
		d.Define(nil)
	}
	x.solver = sat.NewCore(d)
	for _, s := range m.c.Constraints() {
		x.solver.AddClause([]circuit.Lit{s.Lit})
	}
	return x
}

// run includes what is needed. ok is false when the pool is not an invariant of the property,
// or the effort has come to a bound.
func (x *closure) run(bound int64) (ok bool, err error) {
	needed, ok, err := x.refute([]circuit.Lit{x.bad}, nil, bound)
	if !ok {
		return false, err
	}
	if len(needed) > 0 {
		x.atLeast = 1
	}
	x.include(needed)
	for len(x.todo) > 0 {
		i := x.todo[0]
		x.todo = x.todo[1:]
		if ok, err := x.startsWith(x.pool[i]); !ok {
			return false, err
		}
		violated := x.violatedNext(x.pool[i])
		needed, ok, err := x.refute(violated, x.pool[i], bound)
		if !ok {
			return false, err
		}
		part := inCore(x.solver, x.pool[i], violated)
		if len(part) > 0 && len(part) < len(x.pool[i]) {
			if ok, err = x.startsWith(part); err != nil {
				return false, err
			}
			if ok {
				x.pool[i] = part
				x.solver.AddClause(part)
			}
		}
		x.include(needed)
	}
	return true, nil
}

// inCore returns the literals of a clause for whose violation after a step a refutation has
// assumed something that it needs.
func inCore(s sat.Solver, clause, violated []circuit.Lit) (part []circuit.Lit) {
	for i, l := range clause {
		if s.InCore(violated[i]) {
			part = append(part, l)
		}
	}
	return part
}

// refute looks for clauses of the pool from whose states no step meets all literals, next to
// those that are in, and returns those that it needs. It begins with the latches of some
// clause, which are likely to matter.
func (x *closure) refute(lits, about []circuit.Lit, bound int64) (needed []int, ok bool, err error) {
	roots := slices.Clone(about)
	var selected []int
	for {
		assumptions := slices.Clone(lits)
		for _, i := range selected {
			assumptions = append(assumptions, x.selectors[i])
		}
		switch r, err := x.solve(x.solver, sat.Query{Assumptions: assumptions, Roots: roots}); {
		case err != nil:
			return nil, false, err
		case r == sat.Unsat:
			return slices.DeleteFunc(selected, func(i int) bool { return !x.solver.InCore(x.selectors[i]) }), true, nil
		case x.spent >= bound:
			return nil, false, nil
		}
		heeded, more := x.violated(selected)
		if len(heeded) == 0 && len(more) == 0 {
			return nil, false, nil
		}
		for _, i := range append(heeded, more...) {
			roots = append(roots, x.pool[i]...)
		}
		for _, i := range more {
			if x.selectors[i] == 0 {
				x.selectors[i] = (x.free + circuit.Var(i)).Lit()
				x.solver.AddClause(append(slices.Clone(x.pool[i]), x.selectors[i].Not()))
			}
			selected = append(selected, i)
		}
	}
}

// include takes clauses in.
func (x *closure) include(clauses []int) {
	for _, i := range clauses {
		x.in[i] = true
		x.todo = append(x.todo, i)
		x.solver.AddClause(x.pool[i])
	}
}

// violated returns clauses that the model violates: some that are in, which the solver has
// not looked at since it was not asked about their latches; else the first other one.
func (x *closure) violated(selected []int) (heeded, more []int) {
	x.read(x.solver)
	first, looked := -1, 0
	for i, clause := range x.pool {
		if !x.in[i] && first >= 0 {
			continue
		}
		looked += len(clause)
		if x.satisfies(clause) {
			continue
		}
		if !x.in[i] {
			if !slices.Contains(selected, i) {
				first = i
			}
		} else if heeded = append(heeded, i); len(heeded) == maxTaken {
			break
		}
	}
	x.spent += int64(looked / lookShare)
	if len(heeded) == 0 && first >= 0 {
		more = []int{first}
	}
	return heeded, more
}

// invariant returns the clauses that are in.
func (x *closure) invariant() cert.Invariant {
	inv := cert.Invariant{}
	for i, clause := range x.pool {
		if x.in[i] {
			inv = append(inv, clause)
		}
	}
	return inv
}
