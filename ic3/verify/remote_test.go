package verify_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// remote is another process with an engine. It keeps what it is told.
type remote struct {
	engine   verify.Engine
	limits   verify.Limits
	rejected int
}

func checkRemote(r *remote, l verify.Limits) verify.Result {
	e := r.engine
	e.Where = verify.InWorker
	e.Check = func(ctx context.Context, t verify.Task) verify.Report {
		r.limits = t.Limits
		report := r.engine.Check(ctx, t)
		report.Rejected = func() { r.rejected++ }
		return report
	}
	return verify.Run(context.Background(), verify.Job{Circuit: toggle(), Property: bad0, Engine: e, Limits: l}, nil)
}

// TestRemote: the limits of another process are its own, but for the time that
// the user waits; what it claims is checked here.
func TestRemote(t *testing.T) {
	limits := verify.Limits{Wall: time.Hour, CPU: time.Nanosecond, Memory: 1 << 30}
	r := &remote{engine: engines.IC3{}.Engine()}
	if got := checkRemote(r, limits); got.Checked.Outcome() != cert.Refuted || !got.Checked.Certified() || r.rejected != 0 {
		t.Errorf("%s, rejected %d times", got.Checked, r.rejected)
	}
	if r.limits != limits {
		t.Errorf("limits %+v, want %+v", r.limits, limits)
	}
	r = &remote{engine: engine(waiting)}
	if got := checkRemote(r, verify.Limits{Wall: time.Millisecond}); got.Checked.Reason() != "timeout" || got.Lost {
		t.Errorf("%s, lost %v", got.Checked, got.Lost)
	}
}

func TestRemoteLies(t *testing.T) {
	r := &remote{engine: engine(func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved}, nil
	})}
	if got := checkRemote(r, verify.Limits{}); got.Checked.Outcome() != cert.Unknown || got.Internal == nil || r.rejected != 1 {
		t.Errorf("%s, internal error %v, rejected %d times", got.Checked, got.Internal, r.rejected)
	}
}

// TestRemoteErrors: the reason is shown, and whose fault it was is kept.
func TestRemoteErrors(t *testing.T) {
	fault := errors.New("fault")
	r := &remote{engine: engine(func(_ context.Context, _ *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		progress(verify.Progress{Depth: 5})
		return cert.Verdict{}, &verify.RemoteError{Reason: "it died", Lost: true, Internal: fault}
	})}
	got := checkRemote(r, verify.Limits{})
	if s := got.Checked.String(); s != "unknown: it died, no violation in 5 steps" || !got.Lost || !errors.Is(got.Internal, fault) {
		t.Errorf("%s, lost %v, internal error %v", s, got.Lost, got.Internal)
	}
}

// TestClaim: what an engine says elsewhere, with the reason when it has no answer.
func TestClaim(t *testing.T) {
	cone, err := toggle().Cone(bad0)
	if err != nil {
		t.Fatal(err)
	}
	claim := func(e verify.Engine, l verify.Limits) cert.Verdict {
		return verify.Claim(context.Background(), e, verify.Task{Problem: cone.Problem, Limits: l, Progress: func(verify.Progress) {}}).Verdict
	}
	if v := claim(engines.IC3{}.Engine(), verify.Limits{}); v.Outcome != cert.Refuted || v.Trace.Steps() != 2 {
		t.Errorf("%+v", v)
	}
	if v := claim(engine(waiting), verify.Limits{Wall: time.Millisecond}); v.Outcome != cert.Unknown || v.Reason != "timeout" || v.Depth != 3 {
		t.Errorf("%+v", v)
	}
}
