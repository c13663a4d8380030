// Package ic3 decides safety properties by incremental construction of
// inductive clauses: Bradley, "SAT-Based Model Checking without Unrolling"
// (VMCAI 2011), in the arrangement of Eén, Mishchenko and Brayton, "Efficient
// Implementation of Property Directed Reachability" (FMCAD 2011): obligations
// in a priority queue, each clause stored at the highest level where it holds,
// literals dropped with counterexamples to generalisation (Hassan, Bradley and
// Somenzi, FMCAD 2013).
//
// Two things differ from the papers, because AIGER circuits are Mealy machines
// with constraints:
//
//   - Bads depend on inputs. The property is never a clause over states and
//     never primed; a state is bad when the bad literal can become 1 in it now,
//     under some input that meets the constraints.
//   - Constraints C hold in every step, the last included. They are part of
//     every query about the current step and of every lifted reason.
//
// Notation: I initial states, T transition relation, F_0 = I, F_1 … F_k the
// frames. Invariants between steps of the main loop: I ⇒ F_i; F_i ⇒ F_{i+1};
// F_i ∧ C ∧ T ⇒ F′_{i+1}; for i < k no state of F_i is bad.
//
// The engine does no I/O, no logging and reads no clock: same circuit, same
// options, same run. It owns its solvers and never changes the circuit.
package ic3

import (
	"context"
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Options choose a variant. The zero value is usable.
type Options struct {
	// Solver makes the solvers; nil is sat.NewCore.
	Solver sat.Factory
	// Switched are the tactics that differ from DefaultTactics.
	Switched Tactics
	// Seed, unless 0, breaks ties between literals at random.
	Seed uint64
	// Lemmas and Guesses are clauses over latches to begin with. Nothing is known of
	// them, but it pays when many of Lemmas are inductive together; Guesses are tried
	// in F_1 only.
	Lemmas, Guesses cert.Invariant
	// Exchange carries lemmas between this run and others; nil for a run by itself. With
	// one, a run depends on what the others do.
	Exchange Exchange
	// Unfinished, unless nil, is called when a run ends without an answer, with the clauses
	// of its last frame but one: they hold in all states that are reached in fewer steps
	// than the depth of the verdict; whether they do later is unknown.
	Unfinished func(lemmas cert.Invariant)
}

// Progress is how far a run has come.
type Progress struct {
	Depth       int   // number of frames k
	Lemmas      int   // clauses in all frames
	Obligations int   // open proof obligations
	Effort      int64 // spent so far, about as many as propagations
}

// Stats counts what a run did, in the terms of Pick's checker.
type Stats struct {
	Frames          int
	Lemmas          int
	LemmaLiterals   int // in all lemmas ever learnt
	Learnt          int // lemmas ever learnt
	CTIs            int // predecessors and bad states found
	CTGs            int // counterexamples to generalisation blocked
	Generalizations int
	Predicted       int // generalisations that the prediction of a lemma spared
	ModelsFound     int // queries that KeepModels spared
	Infinite        int // lemmas of the infinite frame
	Postponed       int // constraints that are no part of the queries
	Constrained     int // constraints that became one again
	Seeds           int // of Options.Lemmas, those that are inductive together
	SeedRounds      int // until that was known
	Published       int // lemmas given to Options.Exchange
	Received, Taken int // lemmas of others looked at, and those that hold and were new
	Effort          int64
	ReachedSkips    int // queries that a reached state spared
	Solver          sat.Stats
}

// Check decides whether bad 0 of c can become 1 under its constraints. It calls
// progress after every obligation and every frame. An error is that of ctx; the
// verdict then still says the depth reached.
func Check(ctx context.Context, c *circuit.Circuit, o Options, progress func(Progress)) (cert.Verdict, Stats, error) {
	e, v, err := check(ctx, c, nil, o, progress)
	return v, e.finalStats(), err
}

// Frames are lemmas by the highest level at which they hold, from level 0, which has
// none: those of level i and above hold together in all states that are reached in at
// most i steps, and a step from them leads to states in which those of level i+1 and
// above hold.
type Frames []cert.Invariant

// CheckFrom is Check with frames that are known to be such of c, and in whose levels but
// the last no state is bad. It returns those that it ends with.
func CheckFrom(ctx context.Context, c *circuit.Circuit, frames Frames, o Options, progress func(Progress)) (cert.Verdict, Frames, Stats, error) {
	e, v, err := check(ctx, c, frames, o, progress)
	return v, e.knownFrames(), e.finalStats(), err
}

func check(ctx context.Context, c *circuit.Circuit, frames Frames, o Options, progress func(Progress)) (*engine, cert.Verdict, error) {
	defs, err := definitions(ctx, c, o)
	if err != nil {
		return &engine{}, cert.Verdict{Reason: "cancelled"}, err
	}
	e := newEngine(ctx, c, defs, o, progress)
	v, err := e.run(o, frames)
	if err != nil {
		v = cert.Verdict{Depth: e.depth(), Reason: "cancelled"}
		if last := e.depth() - 1; last > 0 && o.Unfinished != nil {
			o.Unfinished(e.invariant(last))
		}
	}
	return e, v, err
}

func definitions(ctx context.Context, c *circuit.Circuit, o Options) (*sat.Definitions, error) {
	if (DefaultTactics^o.Switched)&EliminateGates == 0 {
		return encode.Gates(c), nil
	}
	return encode.EliminatedContext(ctx, c)
}

// engine is one run.
type engine struct {
	ctx      context.Context
	c        *circuit.Circuit
	bad      circuit.Lit
	defs     *sat.Definitions
	factory  sat.Factory
	tactics  Tactics
	progress func(Progress)
	exchange Exchange // nil for a run by itself
	// The effort from which on lemmas of others are asked for, and that at which the last
	// ones had been looked at.
	receiveAt, receivedAt int64

	constraints constraints
	// reset is, by variable, the literal of a latch that is true initially, or
	// False when the latch is free or the variable no latch.
	reset []circuit.Lit

	// frames[i] holds the lemmas whose highest level is i; F_i is the
	// conjunction of the lemmas of frames[i], frames[i+1], … The last frame
	// holds those of the frontier k.
	frames  [][]*lemma
	solvers []sat.Solver // by level; solvers[i] holds F_i and the constraints
	added   []int        // by level: lemmas that the solver holds, superfluous ones included
	// infinite holds lemmas that are part of every frame but F_0 and inductive
	// together; always is the solver that holds them, nil without InfiniteFrame.
	infinite []*lemma
	always   sat.Solver
	loose    []*lemma       // of those known in advance, those to be tried in F_1
	reached  *reachedStates // nil before the first use, or for ever
	models   *models
	// model is that of models which shows why the last cube was not inductive.
	model int

	// Bounds, see the constants of these names.
	reachedAfter int64
	lateAfter    int64
	renewLeast   int

	lift    sat.Solver // definitions only
	queue   queue
	created int // obligations
	// badStates counts those found in the present frontier.
	badStates int
	// activity says, by literal, how often it stood in the last lemmas; bump is
	// what one more counts.
	activity []float64
	bump     float64

	// Scratch, valid until the next use.
	clause, assumptions, roots, isTrue []circuit.Lit

	lemmas  int   // in all frames
	effort  int64 // about as many as propagations
	stats   Stats
	retired sat.Stats // of solvers that were replaced
}

func newEngine(ctx context.Context, c *circuit.Circuit, defs *sat.Definitions, o Options, progress func(Progress)) *engine {
	e := &engine{
		ctx:      ctx,
		c:        c,
		bad:      c.Bads()[0].Lit,
		defs:     defs,
		factory:  o.Solver,
		tactics:  DefaultTactics ^ o.Switched,
		progress: progress,
		exchange: o.Exchange,
		reset:    make([]circuit.Lit, c.NumVars()),
		activity: make([]float64, 2*c.NumVars()),
		bump:     1,

		reachedAfter: reachedAfter,
		lateAfter:    lateAfter,
		renewLeast:   renewLeast,
		constraints:  constraints{least: postponeGates},
	}
	if e.factory == nil {
		e.factory = sat.NewCore
	}
	if o.Seed != 0 {
		random := rand.New(rand.NewPCG(o.Seed, 0))
		for i := range e.activity {
			e.activity[i] = random.Float64() * tieBreak
		}
	}
	for _, s := range c.Constraints() {
		e.constraints.active = append(e.constraints.active, s.Lit)
	}
	for _, l := range c.Latches() {
		if !l.IsFree() {
			e.reset[l.Lit.Var()] = l.Lit.NotIf(l.Reset == circuit.False)
		}
	}
	e.models = newModels(c)
	e.lift = e.factory(e.defs)
	if e.has(InfiniteFrame) {
		e.always = e.newSolver()
	}
	return e
}

// has reports whether a tactic is on.
func (e *engine) has(t Tactics) bool { return e.tactics&t != 0 }

// depth is k, the level of the frontier.
func (e *engine) depth() int { return max(0, len(e.solvers)-1) }

// run is the main loop.
func (e *engine) run(o Options, known Frames) (cert.Verdict, error) {
	e.newFrame()
	switch r, err := e.solve(e.solvers[0], sat.Query{Roots: e.constraints.active}); {
	case err != nil:
		return cert.Verdict{}, err
	case r == sat.Unsat: // no initial state meets the constraints
		return cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{}}}, nil
	}
	if err := e.seed(o); err != nil {
		return cert.Verdict{}, err
	}
	postpone(e)
	e.resume(known)
	for {
		cex, err := e.strengthen()
		if err != nil {
			return cert.Verdict{}, err
		}
		if cex != nil {
			// F_i holds no bad state for i < k: no violation before step k.
			return cert.Verdict{Outcome: cert.Refuted, Depth: e.depth(), Trace: *cex}, nil
		}
		e.newFrame()
		e.report()
		if err := e.seedFirst(); err != nil {
			return cert.Verdict{}, err
		}
		fixpoint, err := e.propagate()
		if err != nil {
			return cert.Verdict{}, err
		}
		if fixpoint >= 0 {
			return cert.Verdict{Outcome: cert.Proved, Depth: e.depth(), Invariant: e.invariant(fixpoint)}, nil
		}
	}
}

// strengthen excludes all bad states from the frontier (Gurfinkel's rule
// Candidate, until it applies no more), or returns a counterexample.
func (e *engine) strengthen() (*cert.Trace, error) {
	k := e.depth()
	e.badStates = 0
	for {
		s := e.solvers[k]
		e.roots = append(e.roots[:0], e.constraints.active...)
		r, err := e.solve(s, sat.Query{Assumptions: []circuit.Lit{e.bad}, Roots: e.roots})
		if err != nil {
			return nil, err
		}
		if r == sat.Unsat {
			return nil, nil
		}
		e.isTrue = s.AppendModel(e.isTrue[:0])
		o, err := e.predecessor(e.models.keep(e.isTrue, k), nil, k)
		if err != nil {
			return nil, err
		}
		cex, err := e.block(o)
		if cex != nil || err != nil {
			return cex, err
		}
	}
}

// predecessor makes an obligation of the model in s: a state, found in F_level,
// that leads into the cube of next, or is bad when next is nil. The state is
// generalised to the cube of all states that do so under the same inputs and
// meet the constraints under them (rules Candidate and Decide).
func (e *engine) predecessor(model int, next *obligation, level int) (*obligation, error) {
	e.stats.CTIs++
	o := &obligation{level: level, order: e.created, next: next, inputs: make([]circuit.Value, len(e.c.Inputs()))}
	e.created++
	if next == nil {
		e.badStates++
	} else {
		next.predecessors++
		o.depth = next.depth + 1
	}
	o.siblings = e.siblings(next)
	if next != nil {
		o.siblings = max(o.siblings, next.siblings)
	}
	e.assumptions = e.models.appendInputs(e.assumptions[:0], model)
	for _, l := range e.assumptions {
		o.inputs[e.c.InputIndex(l.Var())] = circuit.ValueOf(!l.IsNegated())
	}
	slices.Sort(e.assumptions)
	inputs := len(e.assumptions)
	e.assumptions = append(e.assumptions, e.models.state(model)...)
	e.clause = e.clause[:0]
	if next == nil {
		e.clause = append(e.clause, e.bad.Not())
	} else {
		for _, l := range next.cube {
			e.clause = append(e.clause, e.prime(l).Not())
		}
	}
	for _, c := range e.constraints.active {
		e.clause = append(e.clause, c.Not())
	}
	passes := 1
	switch {
	case e.isWhole(o):
		passes = 0
	case e.has(LiftAgain):
		passes = liftPasses
	}
	for range passes {
		before := len(e.assumptions)
		if err := e.liftOnce(inputs); err != nil {
			return nil, err
		}
		if len(e.assumptions) == before {
			break
		}
		slices.Reverse(e.assumptions[inputs:]) // another order, another core
	}
	o.cube = newCube(e.assumptions[inputs:])
	return o, nil
}

// siblings returns how many predecessors of next were found so far, or how many
// bad states of the frontier when next is nil.
func (e *engine) siblings(next *obligation) int {
	if next == nil {
		return e.badStates
	}
	return next.predecessors
}

// wholeStates is the number of predecessors of one obligation that are lifted and
// blocked by a core, and then that are taken whole, in turn. Lifting and cores
// keep what leads to the next cube and drop what may make a state unreachable.
// Where one predecessor after the other comes, as with the values of a counter,
// that is what a lemma should be about.
const wholeStates = 50

// isWhole reports whether a state is taken whole: it is not lifted, and
// generalised from all its literals.
func (e *engine) isWhole(o *obligation) bool {
	return e.has(WholeStates) && o.siblings/wholeStates%2 == 1
}

// liftPasses is how often a predecessor is lifted, each time from the core of
// the time before. On the tiers small and mid with a limit of 1 s, 3 passes
// solve 63 files where one solves 55.
const liftPasses = 3

// liftOnce drops the state literals of e.assumptions, which are those from
// position inputs on, that are not needed to make e.clause false.
func (e *engine) liftOnce(inputs int) error {
	r, err := e.solve(e.lift, sat.Query{Assumptions: e.assumptions, Clause: e.clause})
	if err != nil {
		return err
	}
	if r != sat.Unsat {
		panic("ic3: a state and its inputs do not determine the next step")
	}
	kept := e.assumptions[:inputs]
	for _, l := range e.assumptions[inputs:] {
		if e.lift.InCore(l) {
			kept = append(kept, l)
		}
	}
	e.assumptions = kept
	return nil
}

// prime returns the literal that is true now iff l is true in the next step.
func (e *engine) prime(l circuit.Lit) circuit.Lit {
	return e.c.Latches()[e.c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
}

// isInitial reports whether some initial state lies in the cube: whether it has
// no literal that is false in all of them.
func (e *engine) isInitial(c cube) bool {
	for _, l := range c {
		if e.reset[l.Var()] == l.Not() {
			return false
		}
	}
	return true
}

// trace builds the counterexample that starts in the cube of o. The cubes on
// the way are such that every state of one leads into the next under the
// inputs kept with it, so the values left open do not matter.
func (e *engine) trace(o *obligation) *cert.Trace {
	t := &cert.Trace{Initial: make([]circuit.Value, len(e.c.Latches()))}
	for i, l := range e.c.Latches() {
		t.Initial[i] = circuit.Zero
		if l.Reset == circuit.True || l.IsFree() && o.cube.contains(l.Lit) {
			t.Initial[i] = circuit.One
		}
	}
	for ; o != nil; o = o.next {
		t.Inputs = append(t.Inputs, o.inputs)
	}
	return t
}

func (e *engine) report() {
	if e.progress != nil {
		e.progress(Progress{Depth: e.depth(), Lemmas: e.lemmas, Obligations: len(e.queue), Effort: e.effort})
	}
}

// effortPerQuery is what a query costs beside its propagations. A solver that
// does not count those is judged by its queries.
const effortPerQuery = 200

// effortOfModel is what it costs to find a model instead of asking.
const effortOfModel = 20

// solve asks a solver and counts the effort.
func (e *engine) solve(s sat.Solver, q sat.Query) (sat.Result, error) {
	before := s.Stats().Propagations
	r, err := s.Solve(e.ctx, q)
	e.effort += effortPerQuery + s.Stats().Propagations - before
	return r, err
}

func (e *engine) finalStats() Stats {
	s := e.stats
	s.Frames = e.depth()
	s.Effort = e.effort
	s.Lemmas = e.lemmas
	s.Infinite = len(e.infinite)
	s.Postponed = len(e.constraints.postponed)
	s.Solver = e.retired
	for _, t := range e.solvers {
		s.Solver.Add(t.Stats())
	}
	if e.always != nil {
		s.Solver.Add(e.always.Stats())
	}
	if e.lift != nil { // else cancelled before it began
		s.Solver.Add(e.lift.Stats())
	}
	return s
}
