package classic

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// engine is what all variants share: the frames and the questions about them.
type engine struct {
	ctx      context.Context
	c        *circuit.Circuit
	options  Options
	bad      circuit.Lit
	defs     *sat.Definitions
	factory  sat.Factory
	progress func(Progress)
	trace    func(Event)

	constraints []circuit.Lit
	// roots holds the latches and the constraints. They take part in every query
	// about a frame, so that a model is a whole state and meets every lemma.
	roots []circuit.Lit
	// reset is, by variable, the literal of a latch that is true initially, or
	// False when the latch is free or the variable no latch.
	reset []circuit.Lit

	k int // the frontier
	// frames[i] holds the cubes of the lemmas whose highest level is i: clauses(F_i)
	// are those of frames[i], frames[i+1], … In frames[0] there are none.
	frames  [][]cube
	solvers []sat.Solver // by level; solvers[i] holds F_i and the constraints
	lifter  sat.Solver   // definitions only
	open    int          // obligations, for progress
	created int          // obligations ever made
	stats   Stats
}

func newEngine(ctx context.Context, c *circuit.Circuit, o Options, progress func(Progress), trace func(Event)) *engine {
	e := &engine{
		ctx:      ctx,
		c:        c,
		options:  o,
		bad:      c.Bads()[0].Lit,
		defs:     encode.Eliminated(c),
		factory:  o.Solver,
		progress: progress,
		trace:    trace,
		reset:    make([]circuit.Lit, c.NumVars()),
	}
	if e.factory == nil {
		e.factory = sat.NewCore
	}
	for _, s := range c.Constraints() {
		e.constraints = append(e.constraints, s.Lit)
	}
	e.roots = append(e.roots, e.constraints...)
	for _, l := range c.Latches() {
		e.roots = append(e.roots, l.Lit)
		if !l.IsFree() {
			e.reset[l.Lit.Var()] = l.Lit.NotIf(l.Reset == circuit.False)
		}
	}
	e.lifter = e.factory(e.defs)
	return e
}

// openInitial opens F_0 = I. It reports whether no initial state meets the constraints;
// v is then the verdict.
func (e *engine) openInitial() (v cert.Verdict, empty bool, err error) {
	e.newFrame()
	r, err := e.solvers[0].Solve(e.ctx, sat.Query{Roots: e.roots})
	if err != nil || r == sat.Sat {
		return v, false, err
	}
	return cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{}}}, true, nil
}

// start opens F_0 and settles what can be settled there: done says that the
// verdict is final. Else no initial state is bad, and F_1 is open.
func (e *engine) start() (v cert.Verdict, done bool, err error) {
	v, done, err = e.openInitial()
	if done || err != nil {
		return v, done, err
	}
	o, err := e.badState(0)
	if err != nil {
		return v, false, err
	}
	if o != nil {
		return e.refuted(o), true, nil
	}
	e.newFrame()
	return v, false, nil
}

// mainLoop is that of all variants but Gurfinkel's: strengthen makes sure that
// no state of F_k is bad, or returns the start of a counterexample; propagate
// pushes clauses forward and returns the lowest i ≤ k with F_i = F_{i+1}, or −1.
func (e *engine) mainLoop(strengthen func() (*obligation, error), propagate func() (int, error)) (cert.Verdict, error) {
	v, done, err := e.start()
	if done || err != nil {
		return v, err
	}
	for e.k = 1; ; e.k++ {
		e.newFrame()
		cex, err := strengthen()
		if err != nil {
			return cert.Verdict{}, err
		}
		if cex != nil {
			return e.refuted(cex), nil
		}
		fixpoint, err := propagate()
		if err != nil {
			return cert.Verdict{}, err
		}
		if fixpoint > 0 {
			return cert.Verdict{Outcome: cert.Proved, Depth: e.k, Invariant: e.invariant(fixpoint)}, nil
		}
		e.report()
	}
}

// badState returns a state of F_level that is bad now, or nil.
func (e *engine) badState(level int) (*obligation, error) {
	s := e.solvers[level]
	r, err := s.Solve(e.ctx, sat.Query{Assumptions: []circuit.Lit{e.bad}, Roots: e.roots})
	if err != nil || r == sat.Unsat {
		return nil, err
	}
	return e.newObligation(s, nil, level), nil
}

// step asks whether a state of F_level outside avoid leads into target:
// F_level ∧ C ∧ ¬avoid ∧ T ∧ target′; nil avoids nothing. When none does, core is
// the subcube of target that the refutation needs, with a literal put back when
// it would otherwise hold an initial state and target does not. Else the model
// is in solvers[level].
func (e *engine) step(level int, avoid, target cube) (core cube, blocked bool, err error) {
	s := e.solvers[level]
	q := sat.Query{Roots: e.roots, Assumptions: make([]circuit.Lit, len(target))}
	if avoid != nil {
		q.Clause = avoid.clause()
	}
	for i, l := range target {
		q.Assumptions[i] = e.prime(l)
	}
	r, err := s.Solve(e.ctx, q)
	if err != nil || r == sat.Sat {
		return nil, false, err
	}
	core = target.only(func(l circuit.Lit) bool { return s.InCore(e.prime(l)) })
	return e.withInitiation(core, target), true, nil
}

// inductive asks whether the clause ¬c is inductive relative to F_level.
func (e *engine) inductive(c cube, level int) (core cube, ok bool, err error) {
	return e.step(level, c, c)
}

// prime returns the literal that is true now iff l is true in the next step.
func (e *engine) prime(l circuit.Lit) circuit.Lit {
	return e.c.Latches()[e.c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
}

// isInitial reports whether some initial state lies in the cube: whether it has
// no literal that is false in all of them.
func (e *engine) isInitial(c cube) bool {
	for _, l := range c {
		if e.excludesInitial(l) {
			return false
		}
	}
	return true
}

// excludesInitial reports whether a literal is false in all initial states.
func (e *engine) excludesInitial(l circuit.Lit) bool { return e.reset[l.Var()] == l.Not() }

// withInitiation adds to sub, a subcube of c, a literal of c that no initial
// state meets when it has none and c has one.
func (e *engine) withInitiation(sub, c cube) cube {
	if !e.isInitial(sub) {
		return sub
	}
	for _, l := range c {
		if e.excludesInitial(l) {
			return newCube(append(sub, l))
		}
	}
	return sub
}

// stateFrom returns the state in the model of a frame's solver.
func (e *engine) stateFrom(s sat.Solver) cube {
	lits := make([]circuit.Lit, 0, len(e.c.Latches()))
	for _, l := range e.c.Latches() {
		lits = append(lits, l.Lit.NotIf(s.Value(l.Lit) != circuit.One))
	}
	return newCube(lits)
}

func (e *engine) report() {
	if e.progress != nil {
		e.progress(Progress{Depth: e.k, Lemmas: e.lemmas(), Obligations: e.open})
	}
}

// applied records the application of a rule.
func (e *engine) applied(r Rule, frame int, c cube) {
	if e.trace != nil {
		e.trace(Event{Rule: r, Frame: frame, Cube: c})
	}
}

func (e *engine) finalStats() Stats {
	s := e.stats
	s.Frames = e.k
	s.Lemmas = e.lemmas()
	for _, t := range e.solvers {
		s.Solver.Add(t.Stats())
	}
	s.Solver.Add(e.lifter.Stats())
	return s
}
