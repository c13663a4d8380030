package verify

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Cache keeps claims on cones from one run of the program to the next. It is
// trusted in nothing: a claim from it counts when its certificate passes the same
// check as one that was just made. Its methods may be called from any goroutine.
type Cache interface {
	// Lookup returns the entry for a cone, one that fits the form of problem.
	Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (Entry, bool)
	// Store keeps an entry. A failure is the cache's own concern.
	Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e Entry)
	// Drop forgets an entry whose certificate failed its check.
	Drop(fingerprint circuit.Fingerprint)
}

// Entry is a claim on a cone and how it once came about.
type Entry struct {
	Verdict cert.Verdict // proved or refuted
	Engine  string
	Elapsed time.Duration // see Result
	Place   string        // see Result
}

// notCached is the reason of a Recall that finds nothing.
const notCached = "not checked"

// recall asks the cache; ok says that it had an answer whose certificate passed. The
// limits of the job hold: the check of a large certificate may take long.
func (r Result) recall(ctx context.Context, job Job, cone *circuit.Cone) (found Result, ok bool) {
	if job.Cache == nil {
		return r, false
	}
	e, ok := job.Cache.Lookup(cone.Fingerprint, cone.Problem)
	if !ok || e.Verdict.Outcome == cert.Unknown {
		return r, false
	}
	ctx, stop := job.withMemory(ctx)
	defer stop()
	r.Engine, r.Cached, r.Found, r.Place = e.Engine, true, e.Elapsed, e.Place
	r = r.certify(ctx, job.Circuit, job.Property, cone, e.Verdict)
	if r.Internal != nil { // damage, and no fault of the program
		job.Cache.Drop(cone.Fingerprint)
	}
	return r, r.Checked.Certified()
}

// keep puts a checked answer into the cache.
func (r Result) keep(job Job, cone *circuit.Cone) {
	if job.Cache != nil && r.Checked.Certified() {
		job.Cache.Store(cone.Fingerprint, cone.Problem, Entry{Verdict: r.claim, Engine: r.Engine, Elapsed: r.Elapsed, Place: r.Place})
	}
}
