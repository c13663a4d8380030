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
	if r.claim.Outcome != cert.Refuted || r.minimal || r.Cached && hasX(r.claim) {
		return // a cached one with an x was made minimal when it was found
	}
	small, stats, err := minimised(ctx, cone.Problem, r.claim)
	if err != nil {
		return
	}
	lifted, err := lift(ctx, c, p, cone, small)
	if err != nil {
		return
	}
	if checked, err := cert.Check(ctx, c, p, lifted); err == nil {
		r.Checked, r.claim, r.minimal = checked, small, !stats.Bounded
	}
}

// minimised returns a claim with a counterexample that is one still.
func minimised(ctx context.Context, p circuit.Problem, v cert.Verdict) (cert.Verdict, trace.Stats, error) {
	if v.Lasso != nil {
		l, stats, err := trace.MinimizeLasso(ctx, p.Circuit, p.Circuit.Goals(0), *v.Lasso, minimiseWork)
		v.Lasso = &l
		return v, stats, err
	}
	t, stats, err := trace.Minimize(ctx, p.Circuit, p.Circuit.Bads()[0].Lit, v.Trace, minimiseWork)
	v.Trace = t
	return v, stats, err
}

func hasX(v cert.Verdict) bool {
	t := v.Trace
	if v.Lasso != nil {
		t = v.Lasso.Trace
	}
	return slices.ContainsFunc(t.Inputs, func(row []circuit.Value) bool { return slices.Contains(row, circuit.X) })
}
