package reduce

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of signal correspondence. Effort counts propagations and the variables
// of the domains of all queries, and for other work what takes about as long; it
// does not depend on the machine.
const (
	correspondenceEffort = 60 // for each variable of the circuit
	minEffort            = 10_000
	structuralRounds     = 24 // after the effort is spent
	queryConflicts       = 100
	copyEffort           = 6 // of a gate copied and encoded
)

// correspondence is the search for the coarsest partition of the latches that is
// inductive: in every state that meets it and the constraints, a step leads to a
// state that meets it. Candidates are all latches with a fixed reset, taken
// negated when that is 1, so that in the reset states all members of a class are
// 0; what a step from a state that meets the candidates tells apart is in no
// inductive partition among them.
type correspondence struct {
	patterns
	ctx     context.Context
	readers readers
	// shown[v]: v and its representative are equal after every step from a state
	// that meets the candidates and the constraints.
	shown     []bool
	constants *partition // inductive by itself, and coarser classes hold it
	stats     *Stats
}

// correspond returns an inductive partition of the latches of c that holds
// constants.
func correspond(ctx context.Context, c *circuit.Circuit, readers readers, constants *partition, o Options, stats *Stats) (*partition, error) {
	x := &correspondence{
		patterns:  newPatterns(c, 1, o.effort(correspondenceEffort, minEffort, c.NumVars())),
		ctx:       ctx,
		readers:   readers,
		shown:     make([]bool, c.NumVars()),
		constants: constants,
		stats:     stats,
	}
	for _, l := range c.Latches() {
		if l.Reset <= circuit.True {
			x.classes.join(l.Lit.Var(), 0, l.Reset == circuit.True)
		}
	}
	before := x.effort
	defer func() { stats.Effort += before - x.effort }()
	if err := x.simulate(); err != nil {
		return nil, err
	}
	for late := 0; ; {
		open := x.open()
		if len(open) == 0 {
			return x.classes, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stats.Rounds++
		if x.effort <= 0 {
			stats.GaveUp = true
			late++
		}
		if late <= structuralRounds {
			if err := x.round(open); err != nil {
				return nil, err
			}
		} else {
			x.giveUp(open)
		}
		x.reconsider()
	}
}

// open returns the candidates that are not shown.
func (x *correspondence) open() []circuit.Var {
	var open []circuit.Var
	for _, v := range x.classes.members {
		if !x.shown[v] && x.constants.rep[v] == v {
			open = append(open, v)
		}
	}
	return open
}

// reconsider withdraws what was shown with the help of candidates that are so no
// longer: of latches, or of representatives of latches, whose next state
// depends on a latch that has a new representative, and everything when a
// constraint does.
func (x *correspondence) reconsider() {
	reached, latches := x.readers.reach(x.c, x.separated)
	touched := make([]bool, x.c.NumVars())
	for _, v := range append(latches, x.separated...) {
		touched[v] = true
	}
	all := false
	for _, s := range x.c.Constraints() {
		all = all || reached[s.Lit.Var()]
	}
	for _, v := range x.classes.members {
		if all || touched[v] || touched[x.classes.rep[v]] {
			x.shown[v] = false
		}
	}
	x.separated = x.separated[:0]
}

// giveUp separates what is not shown.
func (x *correspondence) giveUp(open []circuit.Var) {
	alone := map[circuit.Var]bool{}
	for _, v := range open {
		alone[v] = true
	}
	x.refine(func(v circuit.Var) uint64 {
		if alone[v] {
			return uint64(v)
		}
		return 0
	})
}

// round tests whether the open candidates hold after a step, and separates
// those that do not. It assumes all candidates by replacing every latch by its
// representative, after which most next states that are equal are the same
// literal. The solver decides on the others, unless the effort is spent: then
// they are separated.
func (x *correspondence) round(open []circuit.Var) error {
	needed := x.needed(open)
	k, err := copyMerged(x.ctx, x.c, x.classes, needed, true)
	if err != nil {
		return err
	}
	next := func(v circuit.Var) circuit.Lit { // of the normal literal
		if v == 0 {
			return circuit.False
		}
		l := x.c.Latches()[x.c.LatchIndex(v)].Next
		return k.read(x.classes, l).NotIf(x.classes.negated[v])
	}
	var pairs []pair
	for _, v := range open {
		rep := x.classes.rep[v]
		if n, m := next(v), next(rep); n == m {
			x.shown[v] = true
		} else {
			pairs = append(pairs, pair{v, rep, k.builder.Xor(n, m)})
		}
	}
	switch {
	case len(pairs) == 0:
		return nil
	case x.effort > 0:
		return x.prove(k, pairs)
	}
	unequal := map[circuit.Var]bool{}
	for _, p := range pairs {
		unequal[p.member] = true
	}
	x.refine(func(v circuit.Var) uint64 {
		if unequal[v] {
			return uint64(next(v)) + 1
		}
		return 0
	})
	return nil
}

// needed returns which variables the next states of latches, and those of their
// representatives, and the constraints are made of.
func (x *correspondence) needed(latches []circuit.Var) []bool {
	needed := make([]bool, x.c.NumVars())
	next := func(v circuit.Var) {
		if v != 0 {
			needed[x.c.Latches()[x.c.LatchIndex(v)].Next.Var()] = true
		}
	}
	for _, v := range latches {
		next(v)
		next(x.classes.rep[v])
	}
	for _, s := range x.c.Constraints() {
		needed[s.Lit.Var()] = true
	}
	gates := int64(0)
	for v := len(needed) - 1; v > 0; v-- {
		if left, right, isGate := x.c.Operands(circuit.Var(v)); isGate && needed[v] {
			needed[left.Var()], needed[right.Var()] = true, true
			gates++
		}
	}
	x.effort -= copyEffort*gates + int64(x.c.NumVars()/simulationShare)
	return needed
}

// pair is a candidate with its representative, and a literal that is true when
// the two differ after a step.
type pair struct {
	member, rep circuit.Var
	differ      circuit.Lit
}

// prove asks the solver whether the pairs can differ after a step from a state
// that meets the candidates.
func (x *correspondence) prove(k *copied, pairs []pair) error {
	constraints := make([]circuit.Lit, len(x.c.Constraints()))
	for i, s := range x.c.Constraints() {
		constraints[i] = k.read(x.classes, s.Lit)
	}
	solver := sat.NewCore(encode.Gates(k.builder.Build()))
	for _, l := range constraints {
		solver.AddClause([]circuit.Lit{l})
	}
	unsolved := map[circuit.Var]bool{}
	var before sat.Stats
	for _, p := range pairs {
		if x.classes.rep[p.member] != p.rep {
			continue // separated since
		}
		if x.effort <= 0 {
			break
		}
		result, err := solver.Solve(x.ctx, sat.Query{
			Assumptions:  []circuit.Lit{p.differ},
			Roots:        constraints,
			MaxConflicts: queryConflicts,
		})
		if err != nil {
			return err
		}
		stats := solver.Stats()
		x.effort -= work(stats) - work(before)
		before = stats
		switch result {
		case sat.Unsat:
			x.shown[p.member] = true
			continue
		case sat.Sat:
			x.learn(k, solver)
		}
		if x.classes.rep[p.member] == p.rep {
			unsolved[p.member] = true
		}
	}
	x.stats.Queries += before.Queries
	x.stats.Conflicts += before.Conflicts
	if len(unsolved) > 0 {
		x.stats.GaveUp = true
		x.refine(func(v circuit.Var) uint64 {
			if unsolved[v] {
				return 1
			}
			return 0
		})
	}
	return nil
}

// work is the effort that the counters of a solver stand for.
func work(s sat.Stats) int64 { return s.Propagations + s.DomainVars }
