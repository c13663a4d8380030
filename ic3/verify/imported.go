package verify

import (
	"context"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// Imported judges a counterexample that somebody else has found for property p of c; of a
// justice property the state after its last step is that of an earlier one.
// The error says at which step it goes wrong, and how.
func Imported(ctx context.Context, c *circuit.Circuit, p circuit.Property, t cert.Trace) (Result, error) {
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
	r := Result{Engine: "witness", Fingerprint: cone.Fingerprint}.certify(ctx, c, p, cone, found)
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
