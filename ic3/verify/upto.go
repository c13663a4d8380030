package verify

import (
	"context"

	"aiglens/circuit/cert"
	"aiglens/internal/thread"
)

// UpTo returns the engine for a question of safety about the first steps alone, at least one: a check ends
// without an answer once it has no violation in these. A counterexample that is longer is no answer to that
// question where a shorter one is excluded; another one stands, as it would without the bound.
func (e Engine) UpTo(steps int) Engine {
	check := e.Check
	e.Check = func(ctx context.Context, t Task) Report {
		within, stop := thread.WithCancel(ctx)
		defer stop()
		progress, clean := t.Progress, 0
		t.Steps = steps
		t.Progress = func(p Progress) {
			progress(p)
			if clean = max(clean, p.CleanSteps()); clean >= steps {
				stop()
			}
		}
		r := check(within, t)
		clean = max(clean, r.Verdict.Depth)
		hasNone := r.Err == nil && (r.Verdict.Outcome == cert.Unknown || r.Verdict.Outcome == cert.Refuted && r.Verdict.Trace.Steps() > steps)
		if wasEnded := r.Err != nil && ctx.Err() == nil && within.Err() != nil; clean >= steps && (wasEnded || hasNone) {
			r.Err, r.Verdict = nil, cert.Verdict{Depth: clean, Reason: "the bound is reached"}
		}
		return r
	}
	return e
}
