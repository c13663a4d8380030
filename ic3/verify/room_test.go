package verify_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestRoom: as many checks have a circuit in memory as the room takes, those that wait have none, and the
// problem that comes back is the one that was there before, with what is proved already.
func TestRoom(t *testing.T) {
	b := circuit.NewBuilder(0)
	off := b.Latch(0)
	b.SetNext(off, off)
	b.Lemma(off.Not(), 0)
	const checks = 5
	for i := range checks {
		l := b.Latch(0)
		b.SetNext(l, l)
		b.Bad(b.And(l, b.And(off.Not(), b.Input(0).NotIf(i%2 == 0))), 0)
	}
	c := b.Build()
	var waiting sync.WaitGroup
	waiting.Add(checks)
	var inside, begun, questions, asking atomic.Int64
	auto, common := engines.NewAuto(), verify.NewCommon(c)
	lemma := verify.Job{Circuit: c, Property: circuit.Property{Kind: circuit.PropertyLemma}, Engine: auto, Common: common}
	if r := verify.Run(t.Context(), lemma, nil); r.Checked.Outcome() != cert.Proved {
		t.Fatalf("the lemma: %s", r)
	}
	e := verify.Engine{Name: "elsewhere", Safety: true, Where: verify.InCluster, Room: verify.NewRoom(c.NumVars()), Check: func(ctx context.Context, t verify.Task) verify.Report {
		before, others := t.Problem, inside.Add(1)-1
		inside.Add(-1)
		t.Away()
		if begun.Add(1) > checks { // a vacuity question
			questions.Add(1)
			if asking.Add(1) > 1 {
				return verify.Report{Err: context.DeadlineExceeded}
			}
			time.Sleep(20 * time.Millisecond) // so that another one without room would come
			asking.Add(-1)
			after, err := t.Back(ctx)
			if t.Problem = after; err != nil {
				return verify.Report{Err: err}
			}
			return auto.Check(ctx, t)
		}
		waiting.Done()
		if others > 0 {
			return verify.Report{Err: context.DeadlineExceeded}
		}
		waiting.Wait() // for all the others, which the room would not take at the same time
		after, err := t.Back(ctx)
		if err != nil || after.Question != before.Question || after.Circuit == before.Circuit || after.Circuit.NumVars() != before.Circuit.NumVars() || len(after.Circuit.Constraints()) != 1 {
			return verify.Report{Err: context.DeadlineExceeded}
		}
		t.Problem = after
		return auto.Check(ctx, t)
	}}
	var all sync.WaitGroup
	for i := range checks {
		all.Go(func() {
			r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: circuit.Property{Kind: circuit.PropertyBad, Index: i}, Engine: e, FindVacuity: true, Common: common}, nil)
			if !r.Checked.Certified() || r.Internal != nil {
				t.Errorf("%d: %s, %v", i, r, r.Internal)
			}
		})
	}
	all.Wait()
	if questions.Load() < 2 || asking.Load() > 0 {
		t.Errorf("%d vacuity questions, %d of them where there was no room", questions.Load(), asking.Load())
	}
}
