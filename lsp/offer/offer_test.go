package offer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// answering is an engine with a function for its check.
type answering struct {
	name  string
	check func(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error)
	left  cert.Invariant // see verify.Unfinished
}

func (e *answering) Name() string                { return e.name }
func (*answering) Answers(circuit.Question) bool { return true }
func (*answering) Rejected()                     {}
func (e *answering) Unfinished() cert.Invariant  { return e.left }
func (e *answering) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.check(ctx, p, progress)
}

func (e *answering) CheckWithin(ctx context.Context, p circuit.Problem, _ verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.check(ctx, p, progress)
}

// fixedLink is a link to somebody with one engine.
type fixedLink struct{ engine verify.Remote }

func (l fixedLink) Engine(engines.Spec) (verify.Remote, bool) { return l.engine, true }
func (fixedLink) Cache(next verify.Cache) verify.Cache        { return next }
func (fixedLink) Close()                                      {}

var errGivenUp = errors.New("given up")

// problem returns one with a latch that is never 1.
func problem() circuit.Problem {
	b := circuit.NewBuilder(1)
	b.Bad(b.Latch(0), 0)
	return circuit.Problem{Circuit: b.Build()}
}

// TestAnswerBehindAnEndHere: an answer from elsewhere that comes after the check here has given up
// is never lost, for the other one is at work until its answer is there.
func TestAnswerBehindAnEndHere(t *testing.T) {
	for i := range 1000 {
		d := NewDesk(1)
		begun := make(chan struct{})
		there := &answering{name: "there", check: func(_ context.Context, _ circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
			progress(verify.Progress{Nodes: 1})
			close(begun)
			time.Sleep(20 * time.Microsecond)
			return cert.Verdict{Outcome: cert.Proved}, nil
		}}
		here := &answering{name: "here", check: func(context.Context, circuit.Problem, func(verify.Progress)) (cert.Verdict, error) {
			<-begun
			return cert.Verdict{}, errGivenUp
		}}
		d.Set(fixedLink{there})
		e := d.Engine(here, engines.Spec{}, verify.Limits{})
		v, err := e.Check(t.Context(), problem(), func(verify.Progress) {})
		e.(verify.Lasting).End()
		d.Close()
		if err != nil || v.Outcome != cert.Proved || e.Name() != "there" {
			t.Fatalf("check %d: %s by %s, %v", i, v.Outcome, e.Name(), err)
		}
	}
}

// TestUnfinishedOfHere: what a check here leaves without an answer is left by the engine that
// offers it elsewhere, too.
func TestUnfinishedOfHere(t *testing.T) {
	d := NewDesk(time.Hour)
	defer d.Close()
	p := problem()
	here := &answering{name: "here", check: func(context.Context, circuit.Problem, func(verify.Progress)) (cert.Verdict, error) {
		return cert.Verdict{Depth: 3}, errGivenUp
	}, left: cert.Invariant{{p.Circuit.Latches()[0].Lit.Not()}}}
	e := d.Engine(here, engines.Spec{}, verify.Limits{})
	defer e.(verify.Lasting).End()
	r := verify.Run(t.Context(), verify.Job{Circuit: p.Circuit, Engine: e}, nil)
	if got := r.Unfinished(t.Context(), p.Circuit, circuit.Property{}); len(got) != 1 || !slices.Equal(got[0], here.left[0]) {
		t.Errorf("left %v, want %v", got, here.left)
	}
}

// TestPanicElsewhere: a panic on the way to an answer from elsewhere is told, and costs nothing
// else.
func TestPanicElsewhere(t *testing.T) {
	d := NewDesk(1)
	defer d.Close()
	panicked := make(chan struct{})
	d.Set(fixedLink{&answering{name: "there", check: func(context.Context, circuit.Problem, func(verify.Progress)) (cert.Verdict, error) {
		defer close(panicked)
		panic("on the way")
	}}})
	here := &answering{name: "here", check: func(context.Context, circuit.Problem, func(verify.Progress)) (cert.Verdict, error) {
		<-panicked
		return cert.Verdict{Outcome: cert.Proved}, nil
	}}
	e := d.Engine(here, engines.Spec{}, verify.Limits{}).(*engine)
	defer e.End()
	v, err := e.Check(t.Context(), problem(), func(verify.Progress) {})
	<-e.offered.over
	if fault := e.Fault(); err != nil || v.Outcome != cert.Proved || fault == nil || !strings.Contains(fault.Error(), "panic: on the way") {
		t.Errorf("%s, %v, fault %v", v.Outcome, err, fault)
	}
}
