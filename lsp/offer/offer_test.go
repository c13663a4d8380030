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

// answering returns an engine with a function for its check.
func answering(name string, check func(ctx context.Context, t verify.Task) verify.Report) verify.Engine {
	return verify.Engine{Name: name, Safety: true, Liveness: true, Where: verify.InWorker, Check: func(ctx context.Context, t verify.Task) verify.Report {
		r := check(ctx, t)
		r.Engine = name
		return r
	}}
}

// fixedLink is a link to a node with one engine.
type fixedLink struct{ engine verify.Engine }

func (l *fixedLink) Engine(engines.Spec) (verify.Engine, bool) { return l.engine, true }
func (*fixedLink) Cache(next verify.Cache) verify.Cache        { return next }
func (*fixedLink) Close()                                      {}

var errGivenUp = errors.New("given up")

// problem returns one with a latch that is never 1.
func problem() circuit.Problem {
	b := circuit.NewBuilder(1)
	b.Bad(b.Latch(0), 0)
	return circuit.Problem{Circuit: b.Build()}
}

// task is about the problem.
func task() verify.Task { return verify.Task{Problem: problem(), Progress: func(verify.Progress) {}} }

var proved = verify.Report{Verdict: cert.Verdict{Outcome: cert.Proved}}

// TestAnswerBehindAnEndHere: an answer from elsewhere that comes after the check here has given up
// is never lost, because the other one is at work until its answer is there.
func TestAnswerBehindAnEndHere(t *testing.T) {
	for i := range 1000 {
		d := NewCluster(1)
		begun := make(chan struct{})
		d.Set(&fixedLink{answering("there", func(_ context.Context, t verify.Task) verify.Report {
			t.Progress(verify.Progress{Nodes: 1})
			close(begun)
			time.Sleep(20 * time.Microsecond)
			return proved
		})})
		here := answering("here", func(context.Context, verify.Task) verify.Report {
			<-begun
			return verify.Report{Err: errGivenUp}
		})
		job := d.Offer(t.Context(), verify.Job{Engine: here}, engines.Spec{})
		r := job.Engine.Check(t.Context(), task())
		job.Between.End()
		d.Close()
		if r.Err != nil || r.Verdict.Outcome != cert.Proved || r.Engine != "there" {
			t.Fatalf("check %d: %s by %s, %v", i, r.Verdict.Outcome, r.Engine, r.Err)
		}
	}
}

// TestNextTurnIsReady: an answer from elsewhere that comes between two turns is that of the next
// one, at once, and no wait is taken from the time of the job.
func TestNextTurnIsReady(t *testing.T) {
	d := NewCluster(1)
	defer d.Close()
	d.Set(&fixedLink{answering("there", func(ctx context.Context, _ verify.Task) verify.Report {
		r := proved
		r.Waited = time.Hour
		return r
	})})
	turn := 0
	here := answering("here", func(ctx context.Context, _ verify.Task) verify.Report {
		turn++
		return verify.Report{Err: context.Canceled}
	})
	job := d.Offer(t.Context(), verify.Job{Engine: here}, engines.Spec{})
	defer job.Between.End()
	if job.Between.Ready() {
		t.Error("ready before the first turn")
	}
	ended, end := context.WithCancel(t.Context())
	end() // the turn is over
	asked := task()
	job.Engine.Check(ended, asked)
	for !job.Between.Ready() {
		time.Sleep(time.Millisecond)
	}
	if r := job.Engine.Check(t.Context(), asked); r.Engine != "there" || r.Verdict.Outcome != cert.Proved || r.Waited != 0 || turn > 1 {
		t.Errorf("%+v after %d turns here", r, turn)
	}
}

// TestHereAlone: a job whose engine runs in this process is not offered.
func TestHereAlone(t *testing.T) {
	d := NewCluster(1)
	defer d.Close()
	if job := d.Offer(t.Context(), verify.Job{Engine: engines.NewAuto()}, engines.Spec{}); job.Between.Ready != nil || job.Between.End != nil {
		t.Error("something goes on between its turns")
	}
}

// TestUnfinishedOfHere: what a check here leaves without an answer is left by the engine that
// offers it elsewhere, too.
func TestUnfinishedOfHere(t *testing.T) {
	d := NewCluster(time.Hour)
	defer d.Close()
	p := problem()
	left := []circuit.Lit{p.Circuit.Latches()[0].Lit.Not()}
	here := answering("here", func(context.Context, verify.Task) verify.Report {
		return verify.Report{Verdict: cert.Verdict{Depth: 3}, Err: errGivenUp, Unfinished: cert.Invariant{left}}
	})
	job := d.Offer(t.Context(), verify.Job{Circuit: p.Circuit, Engine: here}, engines.Spec{})
	defer job.Between.End()
	r := verify.Run(t.Context(), job, nil)
	if got := r.Unfinished(t.Context(), p.Circuit, circuit.Property{}); len(got) != 1 || !slices.Equal(got[0], left) {
		t.Errorf("left %v, want %v", got, left)
	}
}

// TestPanicElsewhere: a panic on the way to an answer from elsewhere is told, and costs nothing
// else.
func TestPanicElsewhere(t *testing.T) {
	d := NewCluster(1)
	defer d.Close()
	d.Set(&fixedLink{answering("there", func(context.Context, verify.Task) verify.Report { panic("on the way") })})
	var e *turns
	here := answering("here", func(context.Context, verify.Task) verify.Report {
		<-e.offered.over
		return proved
	})
	e = newTurns(t.Context(), d, verify.Job{Engine: here}, engines.Spec{})
	defer e.end()
	r := e.check(t.Context(), task())
	if r.Err != nil || r.Verdict.Outcome != cert.Proved || r.Fault == nil || !strings.Contains(r.Fault.Error(), "panic: on the way") {
		t.Errorf("%s, %v, fault %v", r.Verdict.Outcome, r.Err, r.Fault)
	}
}
