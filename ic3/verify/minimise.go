package verify

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// minimiseWork bounds what is spent to make a counterexample minimal, in the measure
// of trace.Minimize: some hundred million are a second.
const minimiseWork = 20_000_000

// minimise sets what a certified counterexample does not need to x and certifies it
// again. Whatever goes wrong, the counterexample that there is stays.
func (r *Result) minimise(ctx context.Context, c *circuit.Circuit, p circuit.Property, cone *circuit.Cone) {
	if r.claim.Outcome != cert.Refuted || r.claim.Lasso != nil || r.minimal || r.Cached && hasX(r.claim.Trace) {
		return // a cached one with an x was made minimal when it was found
	}
	small := r.claim
	t, stats, err := trace.Minimize(ctx, cone.Circuit, cone.Circuit.Bads()[0].Lit, r.claim.Trace, minimiseWork)
	if err != nil {
		return
	}
	small.Trace = t
	lifted, err := lift(c, p, cone, small)
	if err != nil {
		return
	}
	if checked, err := cert.Check(ctx, c, p, lifted); err == nil {
		r.Checked, r.claim, r.minimal = checked, small, !stats.Bounded
	}
}

func hasX(t cert.Trace) bool {
	return slices.ContainsFunc(t.Inputs, func(row []circuit.Value) bool { return slices.Contains(row, circuit.X) })
}
