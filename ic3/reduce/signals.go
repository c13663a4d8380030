package reduce

import (
	"cmp"
	"context"
	"math/bits"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of signal correspondence of latches and gates.
const (
	signalRuns      = 16  // from reset
	signalSteps     = 128 // of a run
	signalConflicts = 100
	startConflicts  = 1_000   // of the search for a first step that meets the constraints
	signalGain      = 8       // see Options.SignalGain
	signalOverdraft = 250_000 // that a run may spend beyond the effort given: short ones leave more to the solver
	refineShare     = 4       // candidates looked at that count as one effort
	reachShare      = 4       // variables of a frame looked through that count as one effort
	// weighAgain is the part of the candidates that must have gone, as one of so many,
	// before it is asked again whether merging the others pays.
	weighAgain = 8
)

// Signals is the search for the coarsest partition of latches and gates that is
// inductive over k steps: the members of a class are equal in the first k steps of every
// run, and in the step after k in which all are, whatever the inputs that meet the
// constraints. It goes on where it stopped: the partition only ever becomes finer.
//
// That is signal correspondence as in van Eijk's paper, with speculative reduction (Mony
// and others, "Speculative Reduction-Based Scalable Redundancy Identification", DATE
// 2009).
type Signals struct {
	patterns
	ctx     context.Context // of the present call
	before  Reduced         // its circuit is c: inputs, then latches, then gates
	options Options
	k       int
	readers readers
	granted int64 // effort, up to the present call
	runs    int   // simulated
	open    []obligation
	asked   *test // of the first that is open, under way; or nil
	// shown[v]: v passed a test of the first open obligation, which has the same claim
	// still, and the same assumptions within its cone.
	shown   []bool
	weighed int // candidates when merging them was last seen to pay
	done    bool
	stats   Stats
}

// NewSignals returns a search that has done nothing yet, for facts that are inductive
// over k ≥ 1 steps, in the circuit of r. It finds nothing under reset functions, nor in a
// circuit with facts about gates.
func (r *Reduced) NewSignals(o Options, k int) *Signals {
	x := &Signals{before: *r, options: o, k: k, stats: r.Stats}
	if r.facts != nil || r.Circuit.HasResetFunctions() || r.Circuit.Bads()[0].Lit == circuit.False {
		x.done = true
		return x
	}
	x.before.Circuit = inOrder(r.Circuit)
	x.patterns = newPatterns(x.before.Circuit, 3, 0)
	x.readers = newReaders(x.c)
	x.shown = make([]bool, x.c.NumVars())
	for frames := 1; frames <= k; frames++ {
		x.open = append(x.open, obligation{frames, true})
	}
	x.open = append(x.open, obligation{k + 1, false})
	return x
}

// inOrder returns c with its inputs first, then its latches, then its gates, all at their
// positions.
func inOrder(c *circuit.Circuit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	for _, s := range c.Bads() {
		b.Bad(to(s.Lit), s.Origin)
	}
	return b.Build()
}

// Effort returns what was spent, as Stats counts it.
func (x *Signals) Effort() int64 { return x.granted - x.effort }

// Done reports whether the search has come to its end.
func (x *Signals) Done() bool { return x.done }

// Advance goes on until about the given effort is spent in all. At its end the search
// returns, once, the circuit with those latches and gates merged that are equal or
// opposite in all reachable states; nil before, and when little can be merged. The error
// is that of ctx, and the search can go on after it.
//
// An invariant of the result rests on facts about gates, which Lift turns into clauses
// over latches; it can fail with ErrTooLarge. LiftRanking knows no such facts.
func (x *Signals) Advance(ctx context.Context, effort int64) (*Reduced, error) {
	x.ctx = ctx
	x.effort += effort - x.granted
	x.granted = effort
	for !x.done && x.effort > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case x.runs < signalRuns:
			if err := x.simulate(); err != nil {
				return nil, err
			}
		case x.asked != nil:
			if err := x.ask(); err != nil {
				return nil, err
			}
		default:
			merged, err := x.weigh()
			if err != nil {
				return nil, err
			}
			if x.done {
				return merged, nil
			}
			if x.asked, err = x.newTest(x.open[0]); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// weigh ends the search when merging all candidates does not pay, or when none are
// left that are not shown; then it returns the result.
func (x *Signals) weigh() (*Reduced, error) {
	n := len(x.classes.members)
	if n > 0 && len(x.open) > 0 && x.weighed > 0 && n*weighAgain > x.weighed*(weighAgain-1) {
		return nil, nil
	}
	var merged *Reduced
	if n > 0 {
		var err error
		if merged, err = x.merge(); err != nil {
			return nil, err
		}
	}
	x.weighed = n
	x.done = merged == nil || len(x.open) == 0
	return merged, nil
}

// merge returns the circuit with the candidates merged, or nil when little goes. What
// constraints are made of is read as it was: merged under the assumption that they
// hold, they would hold always.
func (x *Signals) merge() (*Reduced, error) {
	x.effort -= copyEffort * int64(x.c.NumVars())
	k, err := copyMerged(x.ctx, x.c, x.classes, nil, !x.options.NoRewriting)
	if err != nil {
		return nil, err
	}
	constraints := unmerged(x.c, &k.rewriter, k.to)
	merged := x.before
	merged.facts = &facts{&x.before, x.classes, x.k, cmp.Or(x.options.FactClauses, strengthenClauses)}
	if err := merged.setCircuit(x.ctx, k.finishWith(x.c, x.classes, constraints)); err != nil {
		return nil, err
	}
	after, n := sizeOf(merged.Circuit), sizeOf(x.c)
	gain := cmp.Or(x.options.SignalGain, signalGain)
	if (n.Latches-after.Latches)*gain < n.Latches && (n.Gates-after.Gates)*gain < n.Gates {
		return nil, nil
	}
	merged.Stats = x.stats
	merged.Stats.After = after
	merged.Stats.Effort += x.Effort()
	return &merged, nil
}

// unmerged returns the constraints of c, made of gates that read no representatives, over
// given copies of the inputs and the latches.
func unmerged(c *circuit.Circuit, w *rewriter, copies []circuit.Lit) []circuit.Lit {
	if len(c.Constraints()) == 0 {
		return nil
	}
	needed := make([]bool, c.NumVars())
	for _, s := range c.Constraints() {
		needed[s.Lit.Var()] = true
	}
	for i := c.NumVars() - 1; i > 0; i-- {
		if left, right, isGate := c.Operands(circuit.Var(i)); isGate && needed[i] {
			needed[left.Var()], needed[right.Var()] = true, true
		}
	}
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for i := range to {
		if left, right, isGate := c.Operands(circuit.Var(i)); !isGate {
			to[i] = copies[i]
		} else if needed[i] {
			to[i] = w.and(lit(left), lit(right))
		}
	}
	constraints := make([]circuit.Lit, len(c.Constraints()))
	for i, s := range c.Constraints() {
		constraints[i] = lit(s.Lit)
	}
	return constraints
}

// simulate simulates a run from reset. What no run tells apart are the candidates.
func (x *Signals) simulate() error {
	lanes, err := x.start()
	if err != nil {
		return err
	}
	if lanes == 0 {
		x.done = true
		return nil
	}
	if x.runs == 0 {
		lane := bits.TrailingZeros64(lanes)
		for i := 1; i < x.c.NumVars(); i++ {
			if v := circuit.Var(i); x.c.Kind(v) != circuit.KindInput {
				x.classes.join(v, 0, x.sim.Value(v.Lit())>>lane&1 == 1)
			}
		}
	}
	x.runs++
	news := x.separate(lanes)
	if !x.run(lanes, signalSteps, ^held) && !news {
		x.runs = signalRuns
	}
	return nil
}

// start sets the simulation to a first step and returns the lanes in which that meets the
// constraints: none when no such step was found.
func (x *Signals) start() (lanes uint64, err error) {
	x.sim.Reset(func(int) uint64 { return x.rng.Uint64() })
	x.randomInputs(^uint64(0))
	x.eval()
	if lanes = x.allowed(); lanes != 0 {
		return lanes, nil
	}
	var assumptions []circuit.Lit
	for _, s := range x.c.Constraints() {
		assumptions = append(assumptions, s.Lit)
	}
	for _, l := range x.c.Latches() {
		if !l.IsFree() {
			assumptions = append(assumptions, l.Lit.NotIf(l.Reset == circuit.False))
		}
	}
	x.effort -= copyEffort * int64(x.c.NumVars())
	solver := sat.NewCore(encode.Gates(x.c))
	result, err := x.solve(solver, sat.Query{Assumptions: assumptions, MaxConflicts: startConflicts})
	if result != sat.Sat || err != nil {
		return 0, err
	}
	for i, l := range x.c.Latches() {
		if l.IsFree() {
			x.sim.SetLatch(i, modelWord(solver, l.Lit, x.rng))
		}
	}
	x.modelInputs(solver, func(i int) circuit.Lit { return x.c.Inputs()[i].Lit })
	x.eval()
	return x.allowed(), nil
}

// run simulates further steps from one in which the candidates hold in some lanes,
// with new inputs in others of them, until there is no news, or the effort, with what may
// be overdrawn, or the context is at its end. It reports whether there was.
func (x *Signals) run(lanes uint64, steps int, changing uint64) (news bool) {
	for quiet := 0; steps > 0 && quiet < quietSteps && x.effort > -signalOverdraft && x.ctx.Err() == nil; steps-- {
		x.sim.Advance()
		x.randomInputs(changing)
		x.eval()
		if lanes &= x.allowed(); lanes == 0 {
			break
		}
		quiet++
		if x.separate(lanes) {
			news, quiet = true, 0
		}
	}
	return news
}

// separate separates candidates that differ in some lanes.
func (x *Signals) separate(lanes uint64) (news bool) {
	x.effort -= int64(len(x.classes.members) / refineShare)
	return x.patterns.separate(lanes) != nil
}

// solve asks a solver and counts what that takes.
func (x *Signals) solve(solver sat.Solver, q sat.Query) (sat.Result, error) {
	before := solver.Stats()
	result, err := solver.Solve(x.ctx, q)
	after := solver.Stats()
	x.effort -= work(after) - work(before)
	x.stats.Queries += after.Queries - before.Queries
	x.stats.Conflicts += after.Conflicts - before.Conflicts
	return result, err
}
