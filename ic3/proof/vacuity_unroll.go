package proof

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

const (
	fewSteps    = 4         // that are looked at in any case
	maxUnrolled = 2_000_000 // gates of an unrolled circuit
	conflicts   = 50_000    // of a query
	// Bounds of what is looked at before an engine is asked, which takes longer for many steps.
	cheapUnrolled  = 20_000 // variables of an unrolled circuit
	cheapConflicts = 1_000  // of a query whether there is a bound
)

// unrolled is a circuit over its first steps.
type unrolled struct {
	solver sat.Solver
	// constraints are literals by step and position.
	constraints [][]circuit.Lit
}

// unroll returns the first steps of a circuit. The error is that of ctx.
func unroll(ctx context.Context, c *circuit.Circuit, steps int) (*unrolled, error) {
	if c.HasResetFunctions() {
		c, _ = c.ConstantResets()
	}
	b := circuit.NewBuilder(steps * c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	state := make([]circuit.Lit, len(c.Latches()))
	for i, l := range c.Latches() {
		if state[i] = l.Reset; l.IsFree() {
			state[i] = b.Input(0)
		}
	}
	u := &unrolled{}
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, l := range c.Latches() {
			to[l.Lit.Var()] = state[i]
		}
		for i := range to {
			v := circuit.Var(i)
			if left, right, isGate := c.Operands(v); isGate {
				to[v] = b.And(lit(left), lit(right))
			} else if c.Kind(v) == circuit.KindInput {
				to[v] = b.Input(0)
			}
		}
		for i, l := range c.Latches() {
			state[i] = lit(l.Next)
		}
		var now []circuit.Lit
		for _, s := range c.Constraints() {
			now = append(now, lit(s.Lit))
		}
		u.constraints = append(u.constraints, now)
	}
	u.solver = sat.NewCore(encode.Gates(b.Build()))
	return u, nil
}

// excluded asks whether some constraints, by their positions, leave no run of a number of
// steps, and returns those that matter; nil when they leave one, or that is hard to see.
func (u *unrolled) excluded(ctx context.Context, constraints []int, steps int, conflicts int64) ([]int, error) {
	var assumptions []circuit.Lit
	for _, now := range u.constraints[:steps] {
		for _, i := range constraints {
			assumptions = append(assumptions, now[i])
		}
	}
	r, err := u.solver.Solve(ctx, sat.Query{Assumptions: assumptions, MaxConflicts: conflicts})
	if err != nil || r != sat.Unsat {
		return nil, err
	}
	matter := []int{}
	for _, i := range constraints {
		for _, now := range u.constraints[:steps] {
			if u.solver.InCore(now[i]) {
				matter = append(matter, i)
				break
			}
		}
	}
	return matter, nil
}

// longest returns how many steps the longest run has if there is none of a number of steps, with
// constraints of which each matters; nil if there is one, or that takes more conflicts to see than
// firstConflicts. The error is that of ctx.
func longest(ctx context.Context, c *circuit.Circuit, steps int, firstConflicts int64) (*Vacuity, error) {
	u, err := unroll(ctx, c, steps)
	if err != nil {
		return nil, err
	}
	all := make([]int, len(c.Constraints()))
	for i := range all {
		all[i] = i
	}
	culprits, err := u.excluded(ctx, all, steps, firstConflicts)
	if culprits == nil || err != nil {
		return nil, err
	}
	possible, excluded := 0, steps // there is a run of so many steps, and none
	for possible+1 < excluded {
		middle := (possible + excluded) / 2
		fewer, err := u.excluded(ctx, all, middle, conflicts)
		if err != nil {
			return nil, err
		}
		if fewer == nil {
			possible = middle
		} else {
			excluded, culprits = middle, fewer
		}
	}
	for i := len(culprits) - 1; i >= 0; i-- {
		rest := append(append([]int{}, culprits[:i]...), culprits[i+1:]...)
		fewer, err := u.excluded(ctx, rest, excluded, conflicts)
		if err != nil {
			return nil, err
		}
		if fewer != nil {
			culprits = fewer
			i = min(i, len(culprits))
		}
	}
	return &Vacuity{Kind: VacuousBounded, Steps: possible, Constraints: culprits}, nil
}
