package portfolio_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// engine is a member as a test wants it.
type engine struct {
	name     string
	check    func(ctx context.Context) (cert.Verdict, error)
	seeds    *verify.Seeds
	rejected *atomic.Int64   // answers
	failed   context.Context // ends when an answer is rejected, or the engine panics
	fail     func()
}

func newEngine(name string, check func(ctx context.Context) (cert.Verdict, error)) engine {
	failed, fail := context.WithCancel(context.Background())
	return engine{name, check, new(verify.Seeds), new(atomic.Int64), failed, fail}
}

// value returns the engine as one of the program.
func (e engine) value() verify.Engine {
	return verify.Engine{Name: e.name, Safety: true, TakesSeeds: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		*e.seeds = t.Seeds
		t.Progress(verify.Progress{Depth: 3, Lemmas: 2})
		r.Stats = map[string]float64{verify.StatEffort: 7}
		r.Rejected = func() {
			e.rejected.Add(1)
			e.fail()
		}
		isOver := false
		defer func() {
			if !isOver {
				e.fail()
			}
		}()
		r.Verdict, r.Err = e.check(ctx)
		isOver = true
		return r
	}}
}

// says is a member with an answer.
func says(name string, v cert.Verdict) engine {
	return newEngine(name, func(context.Context) (cert.Verdict, error) { return v, nil })
}

// waits is a member that has none before it is told to stop.
func waits(name string) engine {
	return newEngine(name, func(ctx context.Context) (cert.Verdict, error) {
		<-ctx.Done()
		return cert.Verdict{Depth: 5}, ctx.Err()
	})
}

func panics(name string) engine {
	return newEngine(name, func(context.Context) (cert.Verdict, error) { panic("broken") })
}

// toggle is a latch that is 1 in every second step; bad is that it is.
func toggle() *circuit.Circuit {
	b := circuit.NewBuilder(2)
	l := b.Latch(0)
	b.SetNext(l, l.Not())
	b.Bad(l, 0)
	return b.Build()
}

var (
	bad0     = circuit.Property{Kind: circuit.PropertyBad}
	right    = cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{circuit.Zero}, Inputs: make([][]circuit.Value, 2)}}
	tooShort = cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: []circuit.Value{circuit.Zero}, Inputs: make([][]circuit.Value, 1)}}
	wrong    = cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{circuit.Var(1).Lit().Not()}}}
	gaveUp   = cert.Verdict{Reason: "too large", Depth: 9}
)

// of returns a portfolio of some members.
func of(members ...engine) verify.Engine {
	var all []verify.Engine
	for _, m := range members {
		all = append(all, m.value())
	}
	return verify.Engine{Name: portfolio.Name, Safety: true, TakesSeeds: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		return portfolio.Check(ctx, t, all)
	}}
}

// task is about the toggle.
func task() verify.Task {
	return verify.Task{Problem: circuit.Problem{Circuit: toggle()}, Progress: func(verify.Progress) {}}
}

// TestFirstChecked: the first answer with a certificate that passes is the one, whatever
// else the others say or do, and no goroutine is left.
func TestFirstChecked(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, test := range []struct {
		name    string
		members []engine
		outcome cert.Outcome
		engine  string
		reason  string // of unknown
		aside   string // what is reported beside the answer
		fault   string // what is reported instead of one
	}{
		{name: "one answers", members: []engine{waits("a"), says("b", right), waits("c")}, outcome: cert.Refuted, engine: "b"},
		{name: "one gives up", members: []engine{says("a", gaveUp), says("b", right)}, outcome: cert.Refuted, engine: "b"},
		{name: "one is wrong", members: []engine{says("a", wrong), says("b", right)}, outcome: cert.Refuted, engine: "b", aside: "rejected"},
		{name: "one is too short", members: []engine{says("a", tooShort), says("b", right)}, outcome: cert.Refuted, engine: "b", aside: "rejected"},
		{name: "one panics", members: []engine{panics("a"), says("b", right)}, outcome: cert.Refuted, engine: "b", aside: "broken"},
		{name: "all give up", members: []engine{says("a", gaveUp), says("b", gaveUp)}, engine: "portfolio", reason: "too large"},
		{name: "all are wrong", members: []engine{says("a", wrong), says("b", tooShort)}, engine: "portfolio", reason: "internal error", fault: "rejected"},
		{name: "all panic", members: []engine{panics("a"), panics("b")}, engine: "portfolio", reason: "internal error", fault: "broken"},
		{name: "one panics, one gives up", members: []engine{panics("a"), says("b", gaveUp)}, engine: "portfolio", reason: "internal error", fault: "broken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The answer comes when the fault of another one is known.
			for i, m := range test.members {
				if m.name == test.engine && test.aside != "" {
					test.members[i].check = func(ctx context.Context) (cert.Verdict, error) {
						<-test.members[0].failed.Done()
						return m.check(ctx)
					}
				}
			}
			r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: of(test.members...)}, nil)
			if r.Checked.Outcome() != test.outcome || r.Engine != test.engine || !strings.HasPrefix(r.Checked.Reason(), test.reason) {
				t.Errorf("%s by %s (%q), want %s by %s (%q)", r, r.Engine, r.Checked.Reason(), test.outcome, test.engine, test.reason)
			}
			for what, got := range map[string]error{test.aside: r.Fault, test.fault: r.Internal} {
				if (got == nil) != (what == "") || got != nil && !strings.Contains(got.Error(), what) {
					t.Errorf("reported is %v, want %q", got, what)
				}
			}
		})
	}
	settle(t, before)
}

// settle waits until there are no more goroutines than before.
func settle(t *testing.T, before int) {
	t.Helper()
	for range 1_000_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestCancelled: the end of the context is that of all members.
func TestCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan struct{})
	first := waits("a")
	wait := first.check
	first.check = func(ctx context.Context) (cert.Verdict, error) {
		close(begun)
		return wait(ctx)
	}
	go func() {
		<-begun
		cancel()
	}()
	r := of(first, waits("b")).Check(ctx, task())
	if !errors.Is(r.Err, context.Canceled) || r.Verdict.Outcome != cert.Unknown || r.Verdict.Depth != 5 || r.Fault != nil {
		t.Errorf("%+v, %v, fault %v", r.Verdict, r.Err, r.Fault)
	}
	settle(t, before)
}

// TestSeedsAndStats: the first member that takes earlier clauses gets them, and the
// counters are those of the winner, with the effort of all.
func TestSeedsAndStats(t *testing.T) {
	a, b := waits("a"), says("b", right)
	begun, wait, say := make(chan struct{}), a.check, b.check
	a.check = func(ctx context.Context) (cert.Verdict, error) {
		close(begun)
		return wait(ctx)
	}
	b.check = func(ctx context.Context) (cert.Verdict, error) {
		<-begun // a member that has not begun before the answer does not begin
		return say(ctx)
	}
	asked, depth := task(), 0
	asked.Seeds = verify.Seeds{Clauses: wrong.Invariant, Effort: 1}
	asked.Progress = func(now verify.Progress) { depth = now.Depth }
	r := of(a, b).Check(context.Background(), asked)
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if len(a.seeds.Clauses) != 1 || len(b.seeds.Clauses) != 0 {
		t.Errorf("clauses of %d and %d", len(a.seeds.Clauses), len(b.seeds.Clauses))
	}
	s := r.Stats
	if s["winner"] != 2 || s["members"] != 2 || s[verify.StatEffort] != 7 || s["effort_of_all"] != 14 || depth != 3 {
		t.Errorf("%v, depth %d", s, depth)
	}
}

// TestLostMembers: a member whose process ends is one less. Without any other one there is
// no answer, and with a reason of another one that counts; a fault of a process is reported.
func TestLostMembers(t *testing.T) {
	ends := func(name string, e *verify.RemoteError) engine {
		return newEngine(name, func(context.Context) (cert.Verdict, error) { return cert.Verdict{Depth: 2}, e })
	}
	gone := ends("gone", &verify.RemoteError{Lost: true, Reason: "worker ended"})
	goneToo := ends("gone too", &verify.RemoteError{Lost: true, Reason: "worker ended"})
	broken := ends("broken", &verify.RemoteError{Lost: true, Reason: "worker ended", Internal: errors.New("exit status 2")})
	limited := ends("limited", &verify.RemoteError{Reason: "CPU limit"})
	for _, test := range []struct {
		members  []engine
		outcome  cert.Outcome
		reason   string
		lost     bool
		internal bool
	}{
		{members: []engine{gone, says("b", right)}, outcome: cert.Refuted},
		{members: []engine{gone, goneToo}, reason: "worker ended", lost: true},
		{members: []engine{limited, gone}, reason: "CPU limit"},
		{members: []engine{gone, broken}, reason: "internal error", internal: true},
	} {
		r := verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: of(test.members...)}, nil)
		if r.Checked.Outcome() != test.outcome || !strings.HasPrefix(r.Checked.Reason(), test.reason) || r.Lost != test.lost || (r.Internal != nil) != test.internal {
			t.Errorf("%s (%q), lost %v, internal error %v, want %+v", r, r.Checked.Reason(), r.Lost, r.Internal, test)
		}
	}
}

// TestRejectedMember: the process that has sent a wrong certificate hears of it, at once
// and when a later check finds that out.
func TestRejectedMember(t *testing.T) {
	liar, honest := says("a", wrong), says("b", right)
	honest.check = func(context.Context) (cert.Verdict, error) {
		<-liar.failed.Done()
		return right, nil
	}
	r := of(liar, honest).Check(context.Background(), task())
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	if liar.rejected.Load() != 1 || honest.rejected.Load() != 0 {
		t.Errorf("rejected %d and %d times", liar.rejected.Load(), honest.rejected.Load())
	}
	if r.Reject(); liar.rejected.Load() != 1 || honest.rejected.Load() != 1 {
		t.Errorf("later, rejected %d and %d times", liar.rejected.Load(), honest.rejected.Load())
	}
}
