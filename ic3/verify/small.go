package verify

import (
	"context"
	"weak"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/proof"
)

// smallProof is the proof of a cone made small, once that was requested. All copies
// of a Result share it.
type smallProof struct {
	first keptCone      // of the check that found the proof
	lock  chan struct{} // holds one; guards the rest
	// claim is a verdict on the cone; its Outcome is Unknown as long as there is none.
	claim cert.Verdict
	stats proof.MinimizeStats
	// found is claim, checked for property of a circuit that is still there, or not.
	found    Result
	of       weak.Pointer[circuit.Circuit]
	property circuit.Property
}

func newSmallProof(c *circuit.Circuit, p circuit.Property, cone *circuit.Cone) *smallProof {
	return &smallProof{first: keptCone{weak.Make(c), p, weak.Make(cone)}, lock: make(chan struct{}, 1)}
}

// keptCone is the cone of a property of a circuit, which a check keeps in memory until it is over.
type keptCone struct {
	circuit  weak.Pointer[circuit.Circuit]
	property circuit.Property
	cone     weak.Pointer[circuit.Cone]
}

// of returns the cone of a property of a circuit, and cuts it out unless it is there.
func (k keptCone) of(ctx context.Context, c *circuit.Circuit, p circuit.Property) (*circuit.Cone, error) {
	if cone := k.cone.Value(); cone != nil && k.circuit == weak.Make(c) && k.property == p {
		return cone, nil
	}
	return c.ConeContext(ctx, p)
}

// WithSmallProof returns the result for property p of a circuit, whose cone has the same
// fingerprint, with an invariant made small: one to be read. The first time it takes a share
// of the effort of the run. The invariant is checked as that of an engine is; when it fails,
// or does not become smaller, it is the one that there was. A check after
// an edit starts from the larger one, of which there is more to reuse. ok is false when
// there is no proof by an invariant of that cone, or ctx has ended.
func (r Result) WithSmallProof(ctx context.Context, c *circuit.Circuit, p circuit.Property) (small Result, stats proof.MinimizeStats, ok bool) {
	s := r.small
	if s == nil || ctx.Err() != nil {
		return r, stats, false
	}
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
	case <-ctx.Done():
		return r, stats, false
	}
	if s.of == weak.Make(c) && s.property == p {
		return s.found, s.stats, true
	}
	cone, err := s.first.of(ctx, c, p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return r, stats, false
	}
	if s.claim.Outcome == cert.Unknown {
		inv, found, err := proof.Minimize(ctx, cone.Problem, r.claim.Invariant, proof.MinimizeEffort(r.effort))
		if err != nil {
			return r, stats, false
		}
		s.claim, s.stats = r.claim, found
		s.claim.Invariant = inv
	}
	small = r.certify(ctx, c, p, cone, s.claim)
	if !small.Checked.Certified() && ctx.Err() == nil {
		s.claim, s.stats.After, s.stats.ClausesAfter = r.claim, s.stats.Before, s.stats.ClausesBefore
		small = r.certify(ctx, c, p, cone, r.claim)
	}
	if !small.Checked.Certified() {
		return r, stats, false
	}
	s.found, s.of, s.property = small, weak.Make(c), p
	return small, s.stats, true
}

// HasSmallProof reports whether WithSmallProof has made a proof small before, so that it
// only needs to check it. It never waits.
func (r Result) HasSmallProof() bool {
	s := r.small
	if s == nil {
		return false
	}
	select {
	case s.lock <- struct{}{}:
		defer func() { <-s.lock }()
		return s.claim.Outcome != cert.Unknown
	default: // another goroutine computes it
		return false
	}
}
