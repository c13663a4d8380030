package verify

import (
	"context"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// Imported checks a counterexample from elsewhere for property p of c; of a
// justice property the state after its last step is that of an earlier one.
// The error says at which step it goes wrong, and how.
func Imported(ctx context.Context, c *circuit.Circuit, p circuit.Property, t cert.Trace) (Result, error) {
	return imported(ctx, c, p, t, false)
}

// ImportedAsIs is Imported for a counterexample that is to keep its values and steps, where some
// of them would not be needed.
func ImportedAsIs(ctx context.Context, c *circuit.Circuit, p circuit.Property, t cert.Trace) (Result, error) {
	return imported(ctx, c, p, t, true)
}

func imported(ctx context.Context, c *circuit.Circuit, p circuit.Property, t cert.Trace, asIs bool) (Result, error) {
	start := time.Now()
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return Result{}, err
	}
	found := cert.Verdict{Outcome: cert.Refuted}
	if bad, ok := c.Bad(p); ok {
		kept, _, err := trace.Violation(ctx, c, bad, t)
		if err != nil {
			return Result{}, err
		}
		found.Trace = kept.Restrict(cone.Latches, cone.Inputs)
	} else {
		kept, loop, err := trace.Lasso(ctx, c, p.Index, t)
		if err != nil {
			return Result{}, err
		}
		found.Lasso = &cert.Lasso{Trace: kept.Restrict(cone.Latches, cone.Inputs), Loop: loop}
	}
	r := Result{Engine: "witness", Fingerprint: cone.Fingerprint, minimal: asIs}.certify(ctx, c, p, cone, found)
	r.Elapsed = time.Since(start)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case r.Internal != nil:
		return Result{}, fmt.Errorf("the counterexample was refused: %w", r.Internal)
	case !r.Checked.Certified():
		return Result{}, fmt.Errorf("the counterexample was refused: %s", r.Checked.Reason())
	}
	return r, nil
}

// ImportedProof checks an invariant over latches of c from elsewhere, for a
// property of safety, as found, of another circuit, says how. The error is that of ctx, or says
// that it is not a proof.
func ImportedProof(ctx context.Context, c *circuit.Circuit, p circuit.Property, inv cert.Invariant, found Result) (Result, error) {
	start := time.Now()
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return Result{}, err
	}
	own := make(map[circuit.Lit]circuit.Lit, len(cone.Latches))
	for i, at := range cone.Latches {
		own[c.Latches()[at].Lit] = cone.Circuit.Latches()[i].Lit
	}
	lowered := make(cert.Invariant, len(inv))
	for i, clause := range inv {
		lowered[i] = make([]circuit.Lit, len(clause))
		for j, l := range clause {
			latch, ok := own[l.Positive()]
			if !ok {
				return Result{}, fmt.Errorf("literal %d of an invariant is not a latch that the property depends on", l)
			}
			lowered[i][j] = latch.NotIf(l.IsNegated())
		}
	}
	claim := cert.Verdict{Outcome: cert.Proved, Depth: found.Checked.Depth(), Invariant: lowered}
	r := Result{Engine: found.Engine, Fingerprint: cone.Fingerprint, Allowed: found.Allowed, Progress: found.Progress}.certify(ctx, c, p, cone, claim)
	r.Elapsed = found.Elapsed + time.Since(start)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case r.Internal != nil:
		return Result{}, fmt.Errorf("the proof was refused: %w", r.Internal)
	case !r.Checked.Certified():
		return Result{}, fmt.Errorf("the proof was refused: %s", r.Checked.Reason())
	}
	return r, nil
}
