package verify_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// toggles returns a circuit of latches that follow an input each; each has a bad.
func toggles(n int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	for range n {
		in, l := b.Input(0), b.Latch(0)
		b.SetNext(l, in)
		b.Bad(l, 0)
	}
	return b.Build()
}

func bad(i int) circuit.Property { return circuit.Property{Kind: circuit.PropertyBad, Index: i} }

// seeded returns an engine that may take turns.
func seeded(e verify.Engine) verify.Engine {
	e.TakesSeeds = true
	return e
}

// byIC3 runs IC3.
func byIC3(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
	r := engines.IC3{}.Engine().Check(ctx, verify.Task{Problem: circuit.Problem{Circuit: c}, Progress: progress})
	return r.Verdict, r.Err
}

// TestTurns: a job that takes long gives way to the others of its file, and is taken up
// again. Here it has its answer only after all of them have theirs, on one worker. The time that
// is shown and kept is that of all its turns.
func TestTurns(t *testing.T) {
	const others = 5
	c := toggles(others + 1)
	l := newLog()
	s := verify.NewScheduler(t.Context(), 1, l.add)
	defer s.Close()
	var answered, begun atomic.Int32
	patient := engine(func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		begun.Add(1)
		if answered.Load() == others {
			return byIC3(ctx, c, progress)
		}
		return waiting(ctx, c, progress)
	})
	quick := engine(func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		answered.Add(1)
		return byIC3(ctx, c, progress)
	})
	m := &memory{}
	runs := []uint64{s.Submit(verify.ID{Document: "a", Property: bad(0)}, verify.Job{Circuit: c, Property: bad(0), Engine: seeded(patient), Cache: m})}
	for i := range others {
		runs = append(runs, s.Submit(verify.ID{Document: "a", Property: bad(i + 1)}, verify.Job{Circuit: c, Property: bad(i + 1), Engine: quick, Size: 1}))
	}
	for i, run := range runs {
		e := l.wait(run, verify.Done)
		if e.Result.Checked.Outcome() != cert.Refuted {
			t.Errorf("%s: %s", bad(i), e.Result.Checked)
		}
		if kept := m.entries[e.Result.Fingerprint]; i == 0 && (kept.Elapsed != e.Result.Elapsed || kept.Elapsed < verify.FirstOfTurns) {
			t.Errorf("kept with %s, shown with %s", kept.Elapsed, e.Result.Elapsed)
		}
	}
	if begun.Load() < 2 {
		t.Errorf("begun %d times, want at least 2", begun.Load())
	}
}

// TestTurnsWithinLimits: turns together take no more than the limit, which is then the
// reason of the answer, and a job that waits for its next one can be cancelled.
func TestTurnsWithinLimits(t *testing.T) {
	c := toggles(3)
	l := newLog()
	s := verify.NewScheduler(t.Context(), 1, l.add)
	defer s.Close()
	const limit = time.Second
	submit := func(i int, limit time.Duration) uint64 {
		return s.Submit(verify.ID{Document: "a", Property: bad(i)}, verify.Job{Circuit: c, Property: bad(i), Engine: seeded(engine(waiting)), Limits: verify.Limits{Wall: limit}})
	}
	first, endless := submit(0, limit), submit(1, 0)
	e := l.wait(first, verify.Done)
	if of, ok := e.Result.TimeLimit(); !ok || of != limit || e.Result.Elapsed < limit {
		t.Errorf("%s after %s, limit %s", e.Result, e.Result.Elapsed, of)
	}
	last := submit(2, limit)
	l.wait(last, verify.Done)
	s.Cancel(verify.ID{Document: "a", Property: bad(1)})
	if e := l.wait(endless, verify.Done); e.Result.Checked.Reason() != "cancelled" {
		t.Errorf("cancelled between two turns: %s", e.Result.Checked)
	}
}

// TestThen: what follows a result is done once, with the answer of the last turn, before
// the run is said to be done.
func TestThen(t *testing.T) {
	c := toggles(2)
	l := newLog()
	s := verify.NewScheduler(t.Context(), 1, l.add)
	defer s.Close()
	var results []verify.Result
	job := verify.Job{
		Circuit: c, Property: bad(0), Engine: seeded(engine(waiting)), Limits: verify.Limits{Wall: time.Second},
		Then: func(_ context.Context, r verify.Result) { results = append(results, r) },
	}
	run := s.Submit(verify.ID{Document: "a", Property: bad(0)}, job)
	s.Submit(verify.ID{Document: "a", Property: bad(1)}, verify.Job{Circuit: c, Property: bad(1), Engine: seeded(engine(waiting))})
	e := l.wait(run, verify.Done)
	if len(results) != 1 || results[0].Checked.Reason() != e.Result.Checked.Reason() {
		t.Errorf("results %v before the end with %s", results, e.Result)
	}
}

// TestHitByAnother: a counterexample that violates other properties on its way is found
// without an engine, and shown from the cone of each.
func TestHitByAnother(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, other := b.Input(0), b.Input(0)
	l, m := b.Latch(0), b.Latch(0)
	b.SetNext(l, in)
	b.SetNext(m, l)
	b.Constraint(other, 0)
	b.Bad(b.And(m, other), 0) // in step 2
	b.Bad(l, 0)               // on the way, in step 1
	b.Bad(b.And(l, other.Not()), 0)
	c := b.Build()
	common := verify.NewCommon(c)
	run := func(i int, e verify.Engine) verify.Result {
		return verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad(i), Engine: e, Common: common}, nil)
	}
	if r := run(0, engines.IC3{}.Engine()); r.Checked.Outcome() != cert.Refuted || common.Hits() != 1 {
		t.Fatalf("%s, %d runs kept", r, common.Hits())
	}
	idle := engine(func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) {
		return cert.Verdict{Reason: "asked"}, nil
	})
	if r := run(1, idle); r.Checked.Outcome() != cert.Refuted || r.Checked.Trace().Steps() != 2 || r.Engine != "replay" {
		t.Errorf("hit on the way: %s by %s", r, r.Engine)
	}
	if common.Hits() != 0 {
		t.Errorf("%d runs of settled properties are kept", common.Hits())
	}
	// Only where the constraint does not hold.
	if r := run(2, idle); r.Checked.Outcome() != cert.Unknown {
		t.Errorf("against a constraint: %s", r)
	}
}

// TestCommonAgreesWithSearch: several properties of random circuits that begin with what
// the others have found, against a search of all states.
func TestCommonAgreesWithSearch(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 7, Gates: 40, MoreBads: 5, Constraints: 1, FreeLatches: true, OneResets: true}
	byReplay, byLemmas := 0, 0
	for seed := range uint64(200) {
		shape.ResetFunctions = seed%3 == 2
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(29, seed)), shape)
		common := verify.NewCommon(c)
		for _, p := range c.Properties() {
			job := verify.Job{Circuit: c, Property: p, Engine: engines.NewAuto(), Common: common}
			r := verify.Run(t.Context(), job.Resumed(), nil)
			want := cert.Refuted
			if explicit.FirstBadStep(c, p) == explicit.NotViolated {
				want = cert.Proved
			}
			if r.Checked.Outcome() != want || r.Internal != nil || r.Reused != verify.ReusedNothing {
				t.Fatalf("seed %d, %s: %s, internal error %v, want %s", seed, p, r, r.Internal, want)
			}
			if r.Engine == "replay" {
				byReplay++
			}
			if r.Stats[verify.StatReused] > 0 {
				byLemmas++
			}
		}
	}
	if byReplay == 0 || byLemmas == 0 {
		t.Errorf("%d by a counterexample of another property, %d with lemmas", byReplay, byLemmas)
	}
}
