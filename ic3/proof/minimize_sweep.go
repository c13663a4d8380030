package proof

import (
	"cmp"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// sweeping shortens the clauses of an invariant with one question each, and drops those that
// a shorter one implies. After each clause what is left is an invariant, so that it can end
// at any time: this is for invariants that are too large to be closed.
type sweeping struct {
	*minimizer
	solver sat.Solver
	pool   cert.Invariant
	gone   []bool
	with   map[circuit.Lit][]int // by literal: the clauses that had it at the beginning
}

// sweep returns what is left of an invariant when the effort has come to a bound, or all
// clauses were asked about.
func (m *minimizer) sweep(pool cert.Invariant, bound int64) (cert.Invariant, error) {
	x := &sweeping{minimizer: m, pool: make(cert.Invariant, len(pool)), gone: make([]bool, len(pool)), with: map[circuit.Lit][]int{}}
	for i, clause := range pool {
		x.pool[i] = slices.Sorted(slices.Values(clause))
		for _, l := range clause {
			x.with[l] = append(x.with[l], i)
		}
	}
	inOrder := make([]int, len(pool))
	for i := range pool {
		inOrder[i] = i
	}
	slices.SortStableFunc(inOrder, func(a, b int) int { return cmp.Compare(len(pool[b]), len(pool[a])) })
	for _, i := range inOrder {
		if x.spent >= bound {
			break
		}
		if x.gone[i] || len(x.pool[i]) == 1 {
			continue
		}
		if x.solver == nil {
			x.begin(pool)
		}
		if err := x.cut(i); err != nil {
			return nil, err
		}
	}
	left := cert.Invariant{}
	for i, clause := range x.pool {
		if !x.gone[i] {
			left = append(left, clause)
		}
	}
	return left, nil
}

// begin makes the solver, which an invariant of single literals does without.
func (x *sweeping) begin(inv cert.Invariant) {
	x.solver = sat.NewCore(encode.Gates(x.c))
	for _, s := range x.c.Constraints() {
		x.solver.AddClause([]circuit.Lit{s.Lit})
	}
	for _, clause := range inv {
		x.solver.AddClause(clause)
	}
}

// cut drops what does not matter for that a clause holds after a step.
func (x *sweeping) cut(i int) error {
	clause := x.pool[i]
	violated := x.violatedNext(clause)
	r, err := x.solve(x.solver, sat.Query{Assumptions: violated})
	if err != nil || r != sat.Unsat {
		return err
	}
	part := inCore(x.solver, clause, violated)
	if len(part) == 0 || len(part) == len(clause) {
		return nil
	}
	if ok, err := x.startsWith(part); err != nil || !ok {
		return err
	}
	x.pool[i] = part
	x.solver.AddClause(part)
	rare := slices.MinFunc(part, func(a, b circuit.Lit) int { return cmp.Compare(len(x.with[a]), len(x.with[b])) })
	for _, j := range x.with[rare] {
		x.gone[j] = x.gone[j] || j != i && includes(x.pool[j], part)
	}
	x.spent += int64(len(x.with[rare]) / lookShare)
	return nil
}

// includes reports whether a sorted clause has all literals of another one.
func includes(clause, part []circuit.Lit) bool {
	for _, l := range part {
		if _, ok := slices.BinarySearch(clause, l); !ok {
			return false
		}
	}
	return true
}
