package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

// engine returns an engine that is made of a function.
func engine(check func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error)) verify.Engine {
	return verify.Engine{Name: "test", Safety: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		r.Verdict, r.Err = check(ctx, t.Problem.Circuit, t.Progress)
		return r
	}}
}

// toggle returns a latch that follows its input; bad when it is 1, in step 1.
// Logic outside the cone of the bad stands before it, so that positions differ
// between cone and circuit.
func toggle() *circuit.Circuit {
	b := circuit.NewBuilder(0)
	other := b.Latch(0)
	b.SetReset(other, other)
	b.SetNext(other, b.Input(0))
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Bad(l, 0)
	return b.Build()
}

func TestRunAgreesWithSearch(t *testing.T) {
	shape := explicit.Shape{Inputs: 4, Latches: 8, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true}
	for seed := range uint64(400) {
		shape.ResetFunctions = seed%2 == 1
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(7, seed)), shape)
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: engines.IC3{}.Engine()}, nil)
		want := cert.Refuted
		if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
			want = cert.Proved
		}
		if r.Checked.Outcome() != want || !r.Checked.Certified() || r.Internal != nil {
			t.Fatalf("seed %d: %s, internal error %v, want %s", seed, r.Checked, r.Internal, want)
		}
	}
}

// TestLies: whatever an engine claims without a valid certificate, the outcome
// is unknown and the fault is reported.
func TestLies(t *testing.T) {
	zero, one := circuit.Zero, circuit.One
	for name, claim := range map[string]cert.Verdict{
		"proved, all states":       {Outcome: cert.Proved},
		"proved, no state":         {Outcome: cert.Proved, Invariant: cert.Invariant{{}}},
		"proved, foreign literals": {Outcome: cert.Proved, Invariant: cert.Invariant{{4000}}},
		"refuted, no trace":        {Outcome: cert.Refuted},
		"refuted, no violation":    {Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{zero}, Inputs: [][]circuit.Value{{zero}, {one}}}},
		"refuted, wrong reset":     {Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{one}, Inputs: [][]circuit.Value{{zero}}}},
		"refuted, wrong widths":    {Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{zero, zero}, Inputs: [][]circuit.Value{{one, one}, {}}}},
		"no such outcome":          {Outcome: 9},
	} {
		t.Run(name, func(t *testing.T) {
			lying := engine(func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) {
				return claim, nil
			})
			r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: lying}, nil)
			if r.Checked.Outcome() != cert.Unknown || r.Checked.Certified() || r.Internal == nil {
				t.Errorf("%s, internal error %v", r.Checked, r.Internal)
			}
		})
	}
}

func TestPanickingEngine(t *testing.T) {
	broken := engine(func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) { panic("broken") })
	r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: broken}, nil)
	if r.Checked.Outcome() != cert.Unknown || r.Internal == nil || !strings.Contains(r.Internal.Error(), "broken") {
		t.Errorf("%s, internal error %v", r.Checked, r.Internal)
	}
}

// brokenCache panics when it is asked or told.
type brokenCache struct{ verify.Cache }

// TestReasonsOfInternalErrors: the user reads what happened in a few words, and the
// stack stays where faults are looked for.
func TestReasonsOfInternalErrors(t *testing.T) {
	told := func(v cert.Verdict) verify.Engine {
		return engine(func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) { return v, nil })
	}
	broken := engine(func(_ context.Context, _ *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		progress(verify.Progress{Depth: 7})
		panic("broken")
	})
	for _, test := range []struct {
		job   verify.Job
		want  string
		stack bool
	}{
		{verify.Job{Engine: broken}, "unknown: internal error, engine failed, no violation in 7 steps", true},
		{verify.Job{Engine: told(cert.Verdict{}), Cache: brokenCache{}}, "unknown: internal error, reuse of earlier results failed", true},
		{verify.Job{Engine: told(cert.Verdict{Outcome: cert.Proved})}, "unknown: internal error, certificate rejected", false},
		{verify.Job{Engine: told(cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: make([]circuit.Value, 9)}})},
			"unknown: internal error, certificate rejected", false},
	} {
		test.job.Circuit, test.job.Property = toggle(), bad0
		r := verify.Run(context.Background(), test.job, nil)
		if got := r.Checked.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if r.Internal == nil || strings.Contains(r.Internal.Error(), "goroutine") != test.stack {
			t.Errorf("%s: internal error %v", test.want, r.Internal)
		}
	}
}

// waiting is an engine that reports once and then waits for its context.
func waiting(ctx context.Context, _ *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
	progress(verify.Progress{Depth: 3})
	<-ctx.Done()
	return cert.Verdict{Depth: 3}, ctx.Err()
}

// burning is one that also uses CPU.
func burning(ctx context.Context, _ *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
	for ctx.Err() == nil {
	}
	return cert.Verdict{}, ctx.Err()
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		engine verify.Engine
		limits verify.Limits
		reason string
	}{
		{"wall", engine(waiting), verify.Limits{Wall: time.Millisecond}, "timeout"},
		{"cpu", engine(burning), verify.Limits{CPU: time.Millisecond, Wall: time.Minute}, "CPU limit"},
		{"memory", engine(waiting), verify.Limits{Memory: 1, Wall: time.Minute}, "memory limit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: test.engine, Limits: test.limits}, nil)
			if r.Checked.Outcome() != cert.Unknown || r.Checked.Reason() != test.reason {
				t.Errorf("%s, want unknown: %s", r.Checked, test.reason)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	b := circuit.NewBuilder(0)
	l := b.Latch(0)
	b.Bad(l, 0)
	b.Justice([]circuit.Lit{l}, 0)
	r := verify.Run(context.Background(), verify.Job{Circuit: b.Build(), Property: circuit.Property{Kind: circuit.PropertyJustice}, Engine: engines.IC3{}.Engine()}, nil)
	if r.Checked.Outcome() != cert.Unknown || !strings.Contains(r.Checked.Reason(), "does not check justice") || !r.Unsupported {
		t.Errorf("%s", r.Checked)
	}
}

// TestResetFunctionOutsideTheCone: it does not hinder a verdict, in a run and in
// a transfer.
func TestResetFunctionOutsideTheCone(t *testing.T) {
	build := func(reset circuit.Lit) *circuit.Circuit {
		b := circuit.NewBuilder(0)
		toggles, stays, other := b.Latch(0), b.Latch(0), b.Latch(0)
		b.SetNext(toggles, toggles.Not())
		b.SetReset(other, reset)
		b.Bad(toggles, 0)
		b.Bad(stays, 0)
		b.Bad(other, 0)
		return b.Build()
	}
	c, sound := build(2), build(circuit.False)
	for i, want := range []cert.Outcome{cert.Refuted, cert.Proved, cert.Proved} {
		p := circuit.Property{Kind: circuit.PropertyBad, Index: i}
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engines.IC3{}.Engine()}, nil)
		if r.Checked.Outcome() != want || r.Internal != nil {
			t.Errorf("%s: %s, %v, want %s", p, r.Checked, r.Internal, want)
		}
		if moved, ok := r.TransferTo(context.Background(), sound, p); ok != (i < 2) || ok && moved.Checked.Outcome() != want {
			t.Errorf("%s in the circuit without a reset function: %s, %v", p, moved.Checked, ok)
		}
	}
}

// TestTransfer: a verdict moves to a circuit whose cone is equal, and its trace
// refers to that circuit's latches and inputs.
func TestTransfer(t *testing.T) {
	r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: engines.IC3{}.Engine()}, nil)
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	extra := b.Latch(0)
	b.Bad(b.And(extra, in), 0)
	b.Bad(l, 0)
	moved := b.Build()
	got, ok := r.TransferTo(context.Background(), moved, circuit.Property{Kind: circuit.PropertyBad, Index: 1})
	if !ok || got.Checked.Outcome() != cert.Refuted || len(got.Checked.Trace().Initial) != 2 || got.Checked.Property().Index != 1 {
		t.Fatalf("%v, %s, %+v", ok, got.Checked, got.Checked.Trace())
	}
	if _, ok := r.TransferTo(context.Background(), moved, bad0); ok {
		t.Error("a verdict moved to another cone")
	}
}

// log collects events.
type log struct {
	mu      sync.Mutex
	changed *sync.Cond
	events  []verify.Event
}

func newLog() *log {
	l := &log{}
	l.changed = sync.NewCond(&l.mu)
	return l
}

func (l *log) add(e verify.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	l.changed.Broadcast()
}

// wait returns the first event of a run in a state.
func (l *log) wait(run uint64, s verify.State) verify.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for _, e := range l.events {
			if e.Run == run && e.State == s {
				return e
			}
		}
		l.changed.Wait()
	}
}

func TestSchedulerReplacesAndCancels(t *testing.T) {
	l := newLog()
	s := verify.NewScheduler(t.Context(), 2, l.add)
	id := verify.ID{Document: "a", Property: bad0}
	slow := verify.Job{Circuit: toggle(), Property: bad0, Engine: engine(waiting)}
	first := s.Submit(id, slow)
	l.wait(first, verify.Running)
	second := s.Submit(id, verify.Job{Circuit: toggle(), Property: bad0, Engine: engines.IC3{}.Engine()})
	if e := l.wait(first, verify.Done); e.Result.Checked.Reason() != "cancelled" {
		t.Errorf("replaced run: %s", e.Result.Checked)
	}
	if e := l.wait(second, verify.Done); e.Result.Checked.Outcome() != cert.Refuted {
		t.Errorf("second run: %s", e.Result.Checked)
	}
	third := s.Submit(id, slow)
	s.Cancel(id)
	if e := l.wait(third, verify.Done); e.Result.Checked.Reason() != "cancelled" {
		t.Errorf("cancelled run: %s", e.Result.Checked)
	}
	fourth := s.Submit(id, slow)
	s.Close()
	if e := l.wait(fourth, verify.Done); e.Result.Checked.Reason() != "cancelled" {
		t.Errorf("run at close: %s", e.Result.Checked)
	}
}

// TestPause: while one job after the other is cancelled none of them starts in the place
// of one that has ended.
func TestPause(t *testing.T) {
	l := newLog()
	s := verify.NewScheduler(t.Context(), 1, l.add)
	defer s.Close()
	var started atomic.Int32
	count := engine(func(ctx context.Context, c *circuit.Circuit, report func(verify.Progress)) (cert.Verdict, error) {
		started.Add(1)
		return waiting(ctx, c, report)
	})
	id := func(i int) verify.ID { return verify.ID{Document: fmt.Sprint(i), Property: bad0} }
	var runs []uint64
	for i := range 50 {
		runs = append(runs, s.Submit(id(i), verify.Job{Circuit: toggle(), Property: bad0, Engine: count}))
	}
	l.wait(runs[0], verify.Running)
	resume := s.Pause()
	for i, run := range runs {
		s.Cancel(id(i))
		l.wait(run, verify.Done)
	}
	last := s.Submit(id(0), verify.Job{Circuit: toggle(), Property: bad0, Engine: engines.IC3{}.Engine()})
	resume()
	if e := l.wait(last, verify.Done); e.Result.Checked.Outcome() != cert.Refuted || started.Load() > 1 {
		t.Errorf("%s after the pause, %d jobs started", e.Result.Checked, started.Load())
	}
}

// TestSchedulerSlots: of many submissions to one slot no two execute at once,
// and every run ends with exactly one Done.
func TestSchedulerSlots(t *testing.T) {
	l := newLog()
	s := verify.NewScheduler(t.Context(), 4, l.add)
	var mu sync.Mutex
	executing, overlaps := 0, 0
	counting := engine(func(ctx context.Context, _ *circuit.Circuit, _ func(verify.Progress)) (cert.Verdict, error) {
		mu.Lock()
		if executing++; executing > 1 {
			overlaps++
		}
		mu.Unlock()
		<-ctx.Done()
		mu.Lock()
		executing--
		mu.Unlock()
		return cert.Verdict{}, ctx.Err()
	})
	const runs = 300
	for range runs {
		s.Submit(verify.ID{Document: "a"}, verify.Job{Circuit: toggle(), Property: bad0, Engine: counting})
	}
	s.Close()
	done := map[uint64]int{}
	for _, e := range l.events {
		if e.State == verify.Done {
			done[e.Run]++
		}
	}
	if overlaps > 0 || len(done) != runs {
		t.Errorf("%d overlaps, %d runs ended, want %d", overlaps, len(done), runs)
	}
	for run, n := range done {
		if n != 1 {
			t.Errorf("run %d ended %d times", run, n)
		}
	}
}
