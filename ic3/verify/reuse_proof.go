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
	// timePerVariable is about what the checker takes to load a variable, before it can be stopped.
	timePerVariable = time.Microsecond
	// provedShare is the part of the effort of an earlier run, as time, that the check of its
	// invariant may take, within bounds.
	provedShare = 8
	provedLeast = 30 * time.Millisecond
	provedMost  = time.Second
)

// provedAgain checks the invariant of the first earlier proof of which no clause is lost, and for which
// the circuit is not too large. Most edits leave it an invariant, and then checking it is all the
// work. The time that the check may take decides only whether this or the engine finds the proof.
//
// Lemmas of the text are left to the engine, which says what a proof uses of them; so are reset
// functions, with which an invariant of the circuit need not be one of the cone.
func (r Result) provedAgain(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	if !job.Engine.TakesSeeds || job.resumed || len(job.Lemmas) > 0 || job.Circuit.HasResetFunctions() {
		return r, false
	}
	ctx, stop := job.withMemory(ctx)
	defer stop()
	for _, e := range job.Earlier {
		if e == nil || e.question != circuit.Safety || e.outcome != cert.Proved || e.partial {
			continue
		}
		inv := e.lemmas(cone, job.Names)
		if len(inv) == 0 || len(inv) < len(e.clauses) {
			continue
		}
		limit := min(max(provedLeast, time.Duration(e.effort)*timePerEffort/provedShare), provedMost)
		if time.Duration(job.Circuit.NumVars())*timePerVariable > limit {
			continue
		}
		ctx, stop := thread.WithTimeout(ctx, limit)
		defer stop()
		found = r
		found.Engine = "replay"
		found = found.certify(ctx, job.Circuit, job.Property, cone, cert.Verdict{Outcome: cert.Proved, Depth: 1, Invariant: inv})
		found.Reused, found.effort = ReusedLemmas, job.earlierEffort()
		return found, found.Checked.Certified()
	}
	return r, false
}
