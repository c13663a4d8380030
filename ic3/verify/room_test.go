package verify_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestRoom: as many checks have a circuit in memory as the room takes, those that wait have none, and the
// problem that comes back is the one that was there before.
func TestRoom(t *testing.T) {
	b := circuit.NewBuilder(0)
	const checks = 5
	for i := range checks {
		l := b.Latch(0)
		b.SetNext(l, l)
		b.Bad(b.And(l, b.Input(0).NotIf(i%2 == 0)), 0)
	}
	c := b.Build()
	var waiting sync.WaitGroup
	waiting.Add(checks)
	var inside atomic.Int64
	auto := engines.NewAuto()
	e := verify.Engine{Name: "elsewhere", Safety: true, Where: verify.InCluster, Room: verify.NewRoom(c.NumVars()), Check: func(ctx context.Context, t verify.Task) verify.Report {
		before := t.Problem
		if inside.Add(1) > 1 {
			return verify.Report{Err: context.DeadlineExceeded}
		}
		inside.Add(-1)
		t.Away()
		waiting.Done()
		waiting.Wait() // for all the others, which the room would not take at the same time
		after, err := t.Back(ctx)
		if err != nil || after.Question != before.Question || after.Circuit == before.Circuit || after.Circuit.NumVars() != before.Circuit.NumVars() {
			return verify.Report{Err: context.DeadlineExceeded}
		}
		t.Problem = after
		return auto.Check(ctx, t)
	}}
	var all sync.WaitGroup
	for i := range checks {
		all.Go(func() {
			r := verify.Run(t.Context(), verify.Job{Circuit: c, Property: circuit.Property{Kind: circuit.PropertyBad, Index: i}, Engine: e}, nil)
			if !r.Checked.Certified() || r.Internal != nil {
				t.Errorf("%d: %s, %v", i, r, r.Internal)
			}
		})
	}
	all.Wait()
}
