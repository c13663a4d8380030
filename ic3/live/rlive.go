package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
)

// rlive goes from the end of one round to the end of the next as long as it can: Xia,
// Becchi, Cimatti, Griggio, Li and Pu, "Avoiding the Shoals: A New Approach to Liveness
// Checking" (CAV 2024). A state that comes again on the way closes a lasso. From a state
// that leads to no further end of a round it goes back, and keeps the states that the proof
// of that is about: a shoal, into which no later search goes.
//
// It differs from the paper in that a round ends with a step, not in a state: a search
// from a state begins with a step that ends a round, so that what it proves refers to the
// states after all such steps.
func rlive(ctx context.Context, r *circuit.Repetition, o Options, turn Turn) (Claim, error) {
	q := newQuestions(ctx, o, turn)
	defer q.stop()
	monotone, inOrder, err := q.monotone(r.Circuit)
	if err != nil {
		return Claim{}, err
	}
	if !inOrder { // they spare a round each, but make each search harder
		monotone = nil
	}
	c := newCounter(r.Circuit, monotone, 0).circuit
	x := &voyage{questions: q, c: c, path: newPath(c)}
	b := circuit.NewBuilder(c.NumVars() + 1)
	x.inBase = c.CopyTo(b)
	x.first = b.Latch(0)
	x.base = b.Build()
	x.stack = []*port{{}}
	for {
		top := x.stack[len(x.stack)-1]
		v, err := x.search(top)
		switch {
		case err != nil:
			return Claim{}, err
		case v.Outcome == cert.Refuted:
			if lasso := x.path.follow(v.Trace); lasso != nil {
				return Claim{Lasso: lasso}, nil
			}
			x.spent += x.path.effort()
			x.stack = append(x.stack, &port{state: x.path.state(), steps: x.path.steps()})
		case len(x.stack) == 1:
			return Claim{Ranking: x.ranking(v.Invariant, r.Circuit, monotone)}, nil
		default:
			if err := x.avoid(v.Invariant); err != nil {
				return Claim{}, err
			}
			x.stack = x.stack[:len(x.stack)-1]
			x.path.truncate(x.stack[len(x.stack)-1].steps)
		}
	}
}

// voyage is one run of rlive.
type voyage struct {
	*questions
	c *circuit.Circuit
	// base is c with one more latch. The circuits of all searches have the inputs and the
	// latches of base, and these are the same variables in all of them.
	base   *circuit.Circuit
	inBase func(circuit.Lit) circuit.Lit // where the literals of c are
	first  circuit.Lit                   // of base: the latch that c lacks
	asked  *circuit.Circuit              // of the last search
	stack  []*port                       // the first one stands for the initial states
	path   *path                         // from an initial state through the states of the stack to the last one
	// shoals are in the order in which they were found. From the states of each, every
	// step that ends a round leads to one in front of it, and every other step to itself or
	// one in front of it.
	shoals []cert.Invariant
}

// port is a state in which a round can end.
type port struct {
	state []bool // by latch; nil: all initial states
	steps int    // of the path to it
	// frames are what the last search from it has learnt. They hold with more shoals, too,
	// which only forbid steps.
	frames ic3.Frames
}

// search looks for the end of a round that is reached from a port: after a step that ends
// one, unless it is that of the initial states.
func (x *voyage) search(from *port) (cert.Verdict, error) {
	x.asked, x.depth = x.circuit(from), len(x.stack)-1
	v, frames, err := x.check(x.asked, from.frames)
	from.frames = frames
	return v, err
}

// circuit returns x.base with no step into a shoal. The last latch stays 0, but from a
// state it is 1 in step 0; that step ends a round, and bad 0 is 1 when a later one does.
func (x *voyage) circuit(from *port) *circuit.Circuit {
	b := circuit.NewBuilder(x.base.NumVars())
	copied := x.base.CopyTo(b)
	lit := func(l circuit.Lit) circuit.Lit { return copied(x.inBase(l)) }
	for _, s := range x.c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	for _, shoal := range x.shoals {
		b.Constraint(b.Clauses(shoal, func(l circuit.Lit) circuit.Lit { return lit(nextOf(x.c, l)) }).Not(), 0)
	}
	bad := x.c.Bads()[0]
	ends := lit(bad.Lit)
	b.SetNext(copied(x.first), circuit.False)
	if from.state == nil {
		b.Bad(ends, bad.Origin)
		return b.Build()
	}
	for i, l := range x.c.Latches() {
		b.SetReset(lit(l.Lit), circuit.False.NotIf(from.state[i]))
	}
	first := copied(x.first)
	b.SetReset(first, circuit.True)
	b.Constraint(b.Or(first.Not(), ends), 0)
	b.Bad(b.And(ends, first.Not()), bad.Origin)
	return b.Build()
}

// avoid adds the shoal that an invariant of the last search, from a state, stands for:
// what it says of the states after the first step.
func (x *voyage) avoid(invariant cert.Invariant) error {
	if isEmpty(invariant) { // each end of a round leads into a shoal at once
		return nil
	}
	latches := x.asked.Latches()
	weakest, err := x.weakest(x.asked, invariant, latches[len(latches)-1].Lit.Not())
	x.shoals = append(x.shoals, x.behindFirst(weakest))
	return err
}

// behindFirst returns what clauses about the latches of the last search say of those of
// x.c when the one that it lacks is 0.
func (x *voyage) behindFirst(clauses cert.Invariant) cert.Invariant {
	return withLatches(clauses, x.asked, x.c, func(int) bool { return false })
}

// ranking makes ranks of the shoals, and of an invariant that says that no round ends in
// front of them. It refers to the latches of c.
func (x *voyage) ranking(invariant cert.Invariant, c *circuit.Circuit, monotone []cert.Invariant) *cert.Ranking {
	r := &cert.Ranking{}
	if isEmpty(invariant) {
		if len(x.shoals) == 0 {
			return r
		}
		// Each step from an initial state leads into a shoal.
		invariant = nil
		for _, l := range x.c.Latches() {
			if !l.IsFree() {
				invariant = append(invariant, []circuit.Lit{l.Lit.NotIf(l.Reset == circuit.False)})
			}
		}
	} else {
		invariant = x.behindFirst(invariant)
	}
	r.Monotone, r.Ranks = monotone, append(r.Ranks, translate(invariant, x.c, c))
	for i := range x.shoals {
		r.Ranks = append(r.Ranks, translate(x.shoals[len(x.shoals)-1-i], x.c, c))
	}
	return r
}
