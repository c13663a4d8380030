package verify

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
)

// Names are those of the latches and inputs of a circuit, by position. "" and a
// position after the last name are like no other. Of several with the same name the
// first counts.
type Names struct{ Latches, Inputs []string }

// Earlier is a certificate in the words of a text: an old trace, the clauses of an old
// invariant or of a run that found none, or an old lasso or ranking, by the names of latches and inputs. It can be
// held against another circuit, such as that of the text after an edit. Nothing in it is
// trusted: names may have come to mean something else.
type Earlier struct {
	question        circuit.Question
	outcome         cert.Outcome
	latches, inputs []string          // that it refers to
	clauses         [][]circuit.Lit   // over variables that are positions in latches
	partial         bool              // some clause of the invariant is not among them
	ranking         *cert.Ranking     // likewise; see firstLatch for those without a name
	loop            int               // of a lasso
	initial         []circuit.Value   // by latch
	steps           [][]circuit.Value // by step and input
	effort          int64             // see Seeds
}

// Reuse says what of an earlier result an answer rests on.
type Reuse string

// The kinds of Reuse.
const (
	ReusedNothing Reuse = ""
	ReusedTrace   Reuse = "trace"  // the earlier counterexample is one still
	ReusedLemmas  Reuse = "lemmas" // clauses of the earlier invariant or ranking hold still
)

// Earlier returns what a result about c leaves for the next one, or nil when it has no
// certificate and no clauses that a run without an answer leaves. It does not hold on to c.
func (r Result) Earlier(ctx context.Context, c *circuit.Circuit, names Names) *Earlier {
	if r.Checked.Property().Kind.Question() == circuit.Liveness {
		return r.earlierLiveness(c, names)
	}
	switch r.Checked.Outcome() {
	case cert.Proved:
		e := earlierInvariant(r.Checked.Invariant(), c, names)
		e.effort = r.effort
		return e
	case cert.Refuted:
		return earlierTrace(r.Checked.Trace(), names)
	}
	if !r.HasUnfinished() {
		return nil
	}
	e := earlierInvariant(r.Unfinished(ctx, c, r.Checked.Property()), c, names)
	e.outcome = cert.Unknown
	return e
}

func earlierInvariant(inv cert.Invariant, c *circuit.Circuit, names Names) *Earlier {
	e := &Earlier{outcome: cert.Proved}
	number := map[int]circuit.Var{} // of a latch, by its position in c
	for _, clause := range inv {
		own := make([]circuit.Lit, 0, len(clause))
		for _, l := range clause {
			at := -1
			if int(l.Var()) < c.NumVars() {
				at = c.LatchIndex(l.Var())
			}
			name := nameAt(names.Latches, at)
			if name == "" {
				break
			}
			v, known := number[at]
			if !known {
				v = circuit.Var(len(e.latches))
				number[at] = v
				e.latches = append(e.latches, name)
			}
			own = append(own, v.Lit().NotIf(l.IsNegated()))
		}
		if len(own) == len(clause) && len(clause) > 0 {
			e.clauses = append(e.clauses, own)
		} else {
			e.partial = true
		}
	}
	return e
}

// earlierTrace keeps the rows and columns that have a name.
func earlierTrace(t cert.Trace, names Names) *Earlier {
	e := &Earlier{outcome: cert.Refuted, steps: make([][]circuit.Value, t.Steps())}
	for i, v := range t.Initial {
		if name := nameAt(names.Latches, i); name != "" && v != circuit.X {
			e.latches = append(e.latches, name)
			e.initial = append(e.initial, v)
		}
	}
	var columns []int
	for i := range t.Inputs[0] {
		if name := nameAt(names.Inputs, i); name != "" && isKnown(t, i) {
			e.inputs = append(e.inputs, name)
			columns = append(columns, i)
		}
	}
	for step, row := range t.Inputs {
		e.steps[step] = make([]circuit.Value, len(columns))
		for i, at := range columns {
			e.steps[step][i] = row[at]
		}
	}
	return e
}

// isKnown reports whether an input has a value in some step.
func isKnown(t cert.Trace, input int) bool {
	return slices.ContainsFunc(t.Inputs, func(row []circuit.Value) bool { return row[input] != circuit.X })
}

func nameAt(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return ""
	}
	return names[i]
}

// positionsOf returns, for each of the elements of a cone, at which at gives the
// position in the whole circuit, where its name stands among some others; −1 for
// nowhere.
func positionsOf(all []string, at []int, among []string) []int {
	position := make(map[string]int, len(among))
	for i, name := range slices.Backward(among) {
		position[name] = i
	}
	to := make([]int, len(at))
	for i, p := range at {
		where, found := position[nameAt(all, p)]
		if !found {
			where = -1
		}
		to[i] = where
	}
	return to
}

// positionsIn returns the position of each latch in a cone; −1 for nowhere.
func (e *Earlier) positionsIn(cone *circuit.Cone, names Names) []int {
	to := make([]int, len(e.latches))
	for i := range to {
		to[i] = -1
	}
	for i, at := range slices.Backward(positionsOf(names.Latches, cone.Latches, e.latches)) {
		if at >= 0 {
			to[at] = i
		}
	}
	return to
}

// lemmas returns the clauses over latches that a cone has.
func (e *Earlier) lemmas(cone *circuit.Cone, names Names) cert.Invariant {
	to := e.positionsIn(cone, names)
	var lemmas cert.Invariant
next:
	for _, clause := range e.clauses {
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			at := to[l.Var()]
			if at < 0 {
				continue next
			}
			own[i] = cone.Circuit.Latches()[at].Lit.NotIf(l.IsNegated())
		}
		lemmas = append(lemmas, own)
	}
	return lemmas
}

const (
	replaySeed = 1
	// replayVars bounds the variables of all steps together.
	replayVars = 100_000_000
)

// replay returns a trace of a cone with the inputs of an earlier one, or none: the earlier one as it is,
// with the values that it leaves open, when that still ends in a violation.
//
// Otherwise replay makes 64 runs at once, and the trace ends in the first violation on the way. The runs
// differ in what the earlier trace leaves open or does not know; in the first one all
// of that is 0. In half of them a sixteenth of its values is changed, because the edit may
// have negated what an input did. They go on for some steps after the end.
func (e *Earlier) replay(ctx context.Context, cone *circuit.Cone, names Names) (cert.Trace, bool) {
	p := replay{
		Earlier: e,
		c:       cone.Circuit,
		inputs:  positionsOf(names.Inputs, cone.Inputs, e.inputs),
		latches: positionsOf(names.Latches, cone.Latches, e.latches),
		random:  rand.New(rand.NewPCG(replaySeed, 0)),
	}
	steps := len(e.steps) + len(e.steps)/4 + 1
	if steps > replayVars/p.c.NumVars() {
		return cert.Trace{}, false
	}
	if t, ok := p.asItWas(ctx); ok {
		return t, true
	}
	return p.run(ctx, steps)
}

// replay is an earlier trace on its way through a cone.
type replay struct {
	*Earlier
	c *circuit.Circuit
	// By input and by latch of the cone: its position in the earlier trace, or −1.
	inputs, latches []int
	random          *rand.Rand
}

// word returns the values of all runs for one of the earlier trace.
func (p *replay) word(v circuit.Value) uint64 {
	const half = 0xFFFFFFFF << 32
	r := p.random
	changed := half & r.Uint64() & r.Uint64() & r.Uint64() & r.Uint64()
	switch v {
	case circuit.Zero:
		return changed
	case circuit.One:
		return ^changed
	}
	return r.Uint64() &^ 1
}

func (p *replay) run(ctx context.Context, steps int) (cert.Trace, bool) {
	sim := circuit.NewParallel(p.c)
	initial := make([]uint64, len(p.c.Latches()))
	sim.Reset(func(i int) uint64 {
		v := circuit.X
		if at := p.latches[i]; at >= 0 {
			v = p.initial[at]
		}
		initial[i] = p.word(v)
		return initial[i]
	})
	alive := ^uint64(0)
	var rows [][]uint64
	for step := range steps {
		if ctx.Err() != nil {
			return cert.Trace{}, false
		}
		row := make([]uint64, len(p.c.Inputs()))
		for i, at := range p.inputs {
			v := circuit.X
			if at >= 0 {
				v = p.steps[min(step, len(p.steps)-1)][at]
			}
			row[i] = p.word(v)
		}
		rows = append(rows, row)
		sim.Eval(row)
		for _, s := range p.c.Constraints() {
			alive &= sim.Value(s.Lit)
		}
		if hit := alive & sim.Value(p.c.Bads()[0].Lit); hit != 0 {
			return traceOf(p.c, initial, rows, bits.TrailingZeros64(hit)), true
		}
		if alive == 0 {
			break
		}
		sim.Advance()
	}
	return cert.Trace{}, false
}

// asItWas returns the earlier trace up to its first violation in the cone, if there is one whatever
// the trace leaves open.
func (p *replay) asItWas(ctx context.Context) (t cert.Trace, ok bool) {
	t.Initial = make([]circuit.Value, len(p.latches))
	sim := circuit.NewTernary(p.c)
	sim.Reset()
	for i, at := range p.latches {
		if t.Initial[i] = circuit.X; p.c.Latches()[i].IsFree() && at >= 0 {
			t.Initial[i] = p.initial[at]
			sim.SetLatch(i, p.initial[at])
		}
	}
	isNotOne := func(s circuit.Signal) bool { return sim.Value(s.Lit) != circuit.One }
	for _, values := range p.steps {
		row := make([]circuit.Value, len(p.inputs))
		for i, at := range p.inputs {
			if row[i] = circuit.X; at >= 0 {
				row[i] = values[at]
			}
		}
		t.Inputs = append(t.Inputs, row)
		if sim.Eval(row); ctx.Err() != nil || slices.ContainsFunc(p.c.Constraints(), isNotOne) {
			return t, false
		}
		if !isNotOne(p.c.Bads()[0]) {
			return t, true
		}
		sim.Advance()
	}
	return t, false
}

// traceOf returns one of 64 runs of a circuit, which have begun with given values of its
// free latches.
func traceOf(c *circuit.Circuit, initial []uint64, rows [][]uint64, run int) cert.Trace {
	t := cert.Trace{Initial: make([]circuit.Value, len(initial)), Inputs: make([][]circuit.Value, len(rows))}
	for i, l := range c.Latches() {
		t.Initial[i] = circuit.ValueOf(l.Reset == circuit.True || l.IsFree() && initial[i]>>run&1 == 1)
		if l.HasFunction() {
			t.Initial[i] = circuit.X
		}
	}
	for step, row := range rows {
		t.Inputs[step] = make([]circuit.Value, len(row))
		for i, w := range row {
			t.Inputs[step][i] = circuit.ValueOf(w>>run&1 == 1)
		}
	}
	return t
}

// Bounds of what is spent to shorten a replayed trace: gates of all its steps
// together, and conflicts for all lengths together. That it is there within
// milliseconds is worth more than a shorter one.
const (
	replayGates     = 20_000
	replayConflicts = 500
)

// replayEarlier tries the earlier counterexamples of a job, and then its earlier proofs.
func (r Result) replayEarlier(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	if cone.Question == circuit.Liveness {
		return r.liveAgain(ctx, job, cone)
	}
	for _, e := range job.Earlier {
		if e == nil || e.question != circuit.Safety || e.outcome != cert.Refuted {
			continue
		}
		t, hit := e.replay(ctx, cone, job.Names)
		if !hit {
			continue
		}
		if t.Steps() > len(e.steps) { // the earlier trace was shortened already
			t = shortenReplayed(ctx, cone, t)
		}
		if replayed, ok := r.replayed(ctx, job, cone, t); ok {
			replayed.Reused = ReusedTrace
			return replayed, true
		}
	}
	return r.provedAgain(ctx, job, cone)
}

// shortenReplayed looks for a shorter trace within the bounds of a replay.
func shortenReplayed(ctx context.Context, cone *circuit.Cone, t cert.Trace) cert.Trace {
	if t.Steps()*cone.Circuit.NumGates() <= replayGates {
		t, _ = bmc.Shorten(ctx, cone.Circuit, t, 1, replayConflicts/int64(t.Steps())+1)
	}
	return t
}

// replayed checks a trace of a cone that a simulation has found.
func (r Result) replayed(ctx context.Context, job Job, cone *circuit.Cone, t cert.Trace) (found Result, ok bool) {
	r.Engine = "replay"
	r = r.certify(ctx, job.Circuit, job.Property, cone, cert.Verdict{Outcome: cert.Refuted, Trace: t})
	return r, r.Checked.Certified()
}

// Seeds are what an earlier invariant leaves for a run.
type Seeds struct {
	// Clauses are over the latches of the problem. Nothing is known of them.
	Clauses cert.Invariant
	// Effort is what the run from scratch took that found the invariant, in the
	// measure of package ic3, or what it might take; 0 is not known. It bounds what is spent to find out
	// whether the clauses hold still.
	Effort int64
	// Lemmas are invariants of other properties of the same circuit. They hold as far as
	// checked certificates say so, which spares no engine a look of its own.
	Lemmas cert.Invariant
}

// IsEmpty reports whether there are no clauses.
func (s Seeds) IsEmpty() bool { return len(s.Clauses)+len(s.Lemmas) == 0 }

// seeds returns the clauses of earlier invariants and, where a first turn has not been enough,
// those of other properties, for an engine that takes them.
func (job Job) seeds(cone *circuit.Cone, a asked) (seeds Seeds) {
	if !job.Engine.TakesSeeds || cone.Question == circuit.Liveness {
		return Seeds{}
	}
	seeds = Seeds{Effort: job.earlierEffort()}
	for _, e := range job.Earlier {
		if e != nil && e.question == circuit.Safety && e.outcome != cert.Refuted {
			seeds.Clauses = append(seeds.Clauses, a.lower(e.lemmas(cone, job.Names))...)
		}
	}
	if job.Property.Kind == circuit.PropertyLemma {
		own := lemmaClauses(cone.Circuit)
		seeds.Clauses = append(seeds.Clauses, a.lower(own)...)
		seeds.Effort = max(seeds.Effort, effortPerClause*int64(min(len(own), maxLemmas)))
	}
	if job.resumed && job.Common != nil {
		whole, parts := job.Common.lemmas(cone)
		seeds.Lemmas = a.lower(whole)
		seeds.Clauses = append(seeds.Clauses, a.lower(parts)...)
	}
	if seeds.IsEmpty() {
		return Seeds{}
	}
	return seeds
}

func (job Job) earlierEffort() int64 {
	effort := int64(0)
	for _, e := range job.Earlier {
		if e != nil {
			effort = max(effort, e.effort)
		}
	}
	return effort
}

// Keys of Report.Stats that an engine has which takes seeds.
const (
	StatEffort = "effort"        // of its run, in a measure of its own
	StatReused = "reused_lemmas" // clauses of its Seeds that the answer rests on
)
