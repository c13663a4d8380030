package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/minimize"
)

// WithSmallProof returns the result for property p of a circuit, whose cone has the same
// fingerprint, with an invariant made small: one to be read. It takes a share of the effort of
// the run. The invariant is checked as that of an engine is; when it fails, or does not
// become smaller, it is the one that there was. Whoever goes on checking after an edit does
// so from the larger one, of which there is more to reuse. ok is false when there is no proof
// by an invariant of that cone, or ctx has ended.
func (r Result) WithSmallProof(ctx context.Context, c *circuit.Circuit, p circuit.Property) (small Result, stats minimize.Stats, ok bool) {
	if r.Checked.Outcome() != cert.Proved || p.Kind.Question() != circuit.Safety {
		return r, stats, false
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return r, stats, false
	}
	claim := r.claim
	claim.Invariant, stats, err = minimize.Invariant(ctx, cone.Problem, claim.Invariant, minimize.EffortFor(r.effort))
	if err != nil {
		return r, stats, false
	}
	small = r.certify(ctx, c, p, cone, claim)
	if !small.Checked.Certified() && ctx.Err() == nil {
		stats.After, stats.ClausesAfter = stats.Before, stats.ClausesBefore
		small = r.certify(ctx, c, p, cone, r.claim)
	}
	return small, stats, small.Checked.Certified()
}
