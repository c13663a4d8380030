package verify

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/thread"
)

const (
	// timePerEffort is about what a unit of an engine's effort takes.
	timePerEffort = 100 * time.Nanosecond
	// provedShare is the part of the time of an earlier run that the check of its invariant
	// may take.
	provedShare = 8
	provedLeast = 30 * time.Millisecond
)

// provedAgain checks the invariant of the first earlier proof of which no clause is lost. Most
// edits leave it one, and then its certificate is all that there is to do. The time that it may
// take is short, and decides nothing but who finds the proof.
func (r Result) provedAgain(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	if !job.Engine.TakesSeeds {
		return r, false
	}
	for _, e := range job.Earlier {
		if e == nil || e.question != circuit.Safety || e.outcome != cert.Proved || e.partial {
			continue
		}
		inv := e.lemmas(cone, job.Names)
		if len(inv) == 0 || len(inv) < len(e.clauses) {
			continue
		}
		ctx, stop := thread.WithTimeout(ctx, max(provedLeast, time.Duration(e.effort)*timePerEffort/provedShare))
		defer stop()
		found = r
		found.Engine = "replay"
		found = found.certify(ctx, job.Circuit, job.Property, cone, cert.Verdict{Outcome: cert.Proved, Depth: 1, Invariant: inv})
		found.Reused, found.effort = ReusedLemmas, job.earlierEffort()
		return found, found.Checked.Certified()
	}
	return r, false
}
