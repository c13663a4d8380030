package verify_test

import (
	"context"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// TestQueueing: the limit on wall time does not count while a check waits for a worker,
// and neither does the time that is shown.
func TestQueueing(t *testing.T) {
	b := circuit.NewBuilder(0)
	b.Bad(b.And(b.Input(0), circuit.False), 0)
	c := b.Build()
	bounded := true
	engine := verify.Engine{Name: "queueing", Safety: true, Where: verify.InCluster, Check: func(ctx context.Context, _ verify.Task) verify.Report {
		_, bounded = ctx.Deadline()
		return verify.Report{Verdict: cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{}}, Waited: time.Hour}
	}}
	job := verify.Job{Circuit: c, Property: c.Properties()[0], Engine: engine, Limits: verify.Limits{Wall: time.Minute}}
	late := verify.Limits{}
	job.Then = func(ctx context.Context, _ verify.Result) {
		if until, ok := ctx.Deadline(); ok {
			late.Wall = time.Until(until)
		}
	}
	turns := verify.Turns{Waiting: func() bool { return false }}
	r, done := turns.Run(t.Context(), job, nil)
	if !done || !r.Checked.Certified() || bounded {
		t.Errorf("%v, done %v, the wait is bounded: %v", r, done, bounded)
	}
	if r.Elapsed > -time.Minute || late.Wall < time.Minute {
		t.Errorf("elapsed %v, and %v are left", r.Elapsed, late.Wall)
	}
}
