package verify

import (
	"context"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// Imported judges a counterexample that somebody else has found for property p of c.
// The error says at which step it goes wrong, and how.
func Imported(ctx context.Context, c *circuit.Circuit, p circuit.Property, t cert.Trace) (Result, error) {
	start := time.Now()
	bad, ok := c.Bad(p)
	if !ok {
		return Result{}, circuit.ErrNoBad
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return Result{}, err
	}
	kept, _, err := trace.Violation(ctx, c, bad, t)
	if err != nil {
		return Result{}, err
	}
	own := kept.Restrict(cone.Latches, cone.Inputs)
	r := Result{Engine: "witness", Fingerprint: cone.Fingerprint}.certify(ctx, c, p, cone, cert.Verdict{Outcome: cert.Refuted, Trace: own})
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
