package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
)

// Names are those of the latches and inputs of a circuit, by position. "" and a
// position behind the last name are like no other. Of several with the same name the
// first counts.
type Names struct{ Latches, Inputs []string }

// Earlier is a certificate in the words of a text: an old trace, or the clauses of
// an old invariant, by the names of latches and inputs. It can be held against
// another circuit, such as that of the text after an edit. Nothing in it is trusted:
// names may have come to mean something else.
type Earlier struct {
	outcome         cert.Outcome
	latches, inputs []string          // that it speaks of
	clauses         [][]circuit.Lit   // over variables that are positions in latches
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
	ReusedLemmas  Reuse = "lemmas" // clauses of the earlier invariant hold still
)

// Earlier returns what a result about c leaves for the next one, or nil when it
// has no certificate. It does not hold on to c.
func (r Result) Earlier(c *circuit.Circuit, names Names) *Earlier {
	switch r.Checked.Outcome() {
	case cert.Proved:
		e := earlierInvariant(r.Checked.Invariant(), c, names)
		e.effort = r.effort
		return e
	case cert.Refuted:
		return earlierTrace(r.Checked.Trace(), names)
	}
	return nil
}

func earlierInvariant(inv cert.Invariant, c *circuit.Circuit, names Names) *Earlier {
	e := &Earlier{outcome: cert.Proved}
	number := map[int]circuit.Var{} // of a latch, by its position in c
	for _, clause := range inv {
		own := make([]circuit.Lit, 0, len(clause))
		for _, l := range clause {
			at := c.LatchIndex(l.Var())
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
		}
	}
	return e
}

// earlierTrace keeps the values that are not 0, which is what all others become.
func earlierTrace(t cert.Trace, names Names) *Earlier {
	e := &Earlier{outcome: cert.Refuted, steps: make([][]circuit.Value, t.Steps())}
	for i, v := range t.Initial {
		if name := nameAt(names.Latches, i); name != "" && v == circuit.One {
			e.latches = append(e.latches, name)
			e.initial = append(e.initial, v)
		}
	}
	var columns []int
	for i := range t.Inputs[0] {
		for _, row := range t.Inputs {
			if name := nameAt(names.Inputs, i); name != "" && row[i] == circuit.One {
				e.inputs = append(e.inputs, name)
				columns = append(columns, i)
				break
			}
		}
	}
	for step, row := range t.Inputs {
		e.steps[step] = make([]circuit.Value, len(columns))
		for i, at := range columns {
			e.steps[step][i] = circuit.ValueOf(row[at] == circuit.One)
		}
	}
	return e
}

func nameAt(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return ""
	}
	return names[i]
}

// positionsOf returns where in a cone each of some names stands, −1 for nowhere.
// at gives, by position in the cone, the one in all.
func positionsOf(wanted, all []string, at []int) []int {
	position := make(map[string]int, len(at))
	for i := len(at) - 1; i >= 0; i-- {
		position[nameAt(all, at[i])] = i
	}
	delete(position, "")
	to := make([]int, len(wanted))
	for i, name := range wanted {
		p, found := position[name]
		if !found {
			p = -1
		}
		to[i] = p
	}
	return to
}

// lemmas returns the clauses over latches that a cone has.
func (e *Earlier) lemmas(cone *circuit.Cone, names Names) cert.Invariant {
	to := positionsOf(e.latches, names.Latches, cone.Latches)
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

// replay runs the inputs of an earlier trace through a cone. It returns a trace that
// ends in the first violation on the way, or none. Inputs and free latches that the
// earlier trace does not know are 0.
func (e *Earlier) replay(ctx context.Context, cone *circuit.Cone, names Names) (cert.Trace, bool) {
	c := cone.Circuit
	t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
	for i, l := range c.Latches() {
		t.Initial[i] = circuit.ValueOf(l.Reset == circuit.True)
	}
	for i, at := range positionsOf(e.latches, names.Latches, cone.Latches) {
		if at >= 0 && c.Latches()[at].IsFree() {
			t.Initial[at] = e.initial[i]
		}
	}
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, v := range t.Initial {
		sim.SetLatch(i, v)
	}
	to := positionsOf(e.inputs, names.Inputs, cone.Inputs)
	for _, values := range e.steps {
		if ctx.Err() != nil {
			return cert.Trace{}, false
		}
		row := make([]circuit.Value, len(c.Inputs()))
		for i, at := range to {
			if at >= 0 {
				row[at] = values[i]
			}
		}
		t.Inputs = append(t.Inputs, row)
		sim.Eval(row)
		for _, s := range c.Constraints() {
			if sim.Value(s.Lit) != circuit.One {
				return cert.Trace{}, false
			}
		}
		if sim.Value(c.Bads()[0].Lit) == circuit.One {
			return t, true
		}
		sim.Advance()
	}
	return cert.Trace{}, false
}

// Bounds of what is spent to shorten a replayed trace: gates of all its steps
// together, and conflicts for all lengths together. That it is there within
// milliseconds is worth more than a shorter one.
const (
	replayGates     = 20_000
	replayConflicts = 500
)

// replayEarlier tries the earlier counterexamples of a job.
func (r Result) replayEarlier(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	for _, e := range job.Earlier {
		if e == nil || e.outcome != cert.Refuted {
			continue
		}
		t, hit := e.replay(ctx, cone, job.Names)
		if !hit {
			continue
		}
		if t.Steps()*cone.Circuit.NumGates() <= replayGates {
			t, _ = bmc.Shorten(ctx, cone.Circuit, t, 1, replayConflicts/int64(t.Steps())+1)
		}
		r := r
		r.Engine = "replay"
		r = r.certify(ctx, job.Circuit, job.Property, cone, cert.Verdict{Outcome: cert.Refuted, Trace: t})
		if r.Checked.Certified() {
			r.Reused = ReusedTrace
			return r, true
		}
	}
	return r, false
}

// Seeds are what an earlier invariant leaves for a run.
type Seeds struct {
	// Clauses are over the latches of the problem. Nothing is known of them.
	Clauses cert.Invariant
	// Effort is what the run from scratch took that found the invariant, in the
	// measure of package ic3; 0 is not known. It bounds what is spent to find out
	// whether the clauses hold still.
	Effort int64
}

// Seeded is implemented by engines that can begin with an earlier invariant.
type Seeded interface {
	// Seed is called before Check, for its problem.
	Seed(Seeds)
}

// seed gives the engine of a job the clauses of earlier invariants.
func (job Job) seed(cone *circuit.Cone) {
	engine, ok := job.Engine.(Seeded)
	if !ok {
		return
	}
	seeds := Seeds{Effort: job.earlierEffort()}
	for _, e := range job.Earlier {
		if e != nil && e.outcome == cert.Proved {
			seeds.Clauses = append(seeds.Clauses, e.lemmas(cone, job.Names)...)
		}
	}
	if len(seeds.Clauses) > 0 {
		engine.Seed(seeds)
	}
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

// Keys of Stats: the number of clauses of an earlier invariant that the answer rests
// on, and the effort in the measure of package ic3.
const (
	reusedLemmas = "reused_lemmas"
	effortSpent  = "effort"
)
