package verify

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// lift translates a verdict on a cone to the circuit it was taken from, in which it is
// about property p. What lies outside the cone does not matter: x. The error is that of
// ctx, or says that the verdict does not even fit the cone.
func lift(ctx context.Context, c *circuit.Circuit, p circuit.Property, cone *circuit.Cone, v cert.Verdict) (cert.Verdict, error) {
	if cone.Question == circuit.Liveness {
		return liftLiveness(ctx, c, p, cone, v)
	}
	invariant := make(cert.Invariant, 0, len(v.Invariant))
	for _, clause := range v.Invariant {
		lifted := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			if int(l.Var()) >= cone.Circuit.NumVars() {
				return v, fmt.Errorf("literal %d of an invariant lies outside the circuit", l)
			}
			lifted[i] = cone.LitFrom(l)
		}
		invariant = append(invariant, lifted)
	}
	v.Invariant = invariant
	if v.Outcome != cert.Refuted {
		v.Trace = cert.Trace{}
		return v, nil
	}
	var err error
	v.Trace, err = liftTrace(c, cone, v.Trace)
	return v, err
}

func liftTrace(c *circuit.Circuit, cone *circuit.Cone, own cert.Trace) (t cert.Trace, err error) {
	t = cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: make([][]circuit.Value, own.Steps())}
	if err := spread(t.Initial, own.Initial, cone.Latches); err != nil {
		return t, err
	}
	for i, row := range own.Inputs {
		t.Inputs[i] = make([]circuit.Value, len(c.Inputs()))
		if err := spread(t.Inputs[i], row, cone.Inputs); err != nil {
			return t, err
		}
	}
	return t, nil
}

// liftLiveness is lift for a justice property.
func liftLiveness(ctx context.Context, c *circuit.Circuit, p circuit.Property, cone *circuit.Cone, v cert.Verdict) (cert.Verdict, error) {
	if v.Lasso != nil {
		t, err := liftTrace(c, cone, v.Lasso.Trace)
		if err != nil {
			return v, err
		}
		v.Lasso = &cert.Lasso{Trace: t, Loop: v.Lasso.Loop}
	}
	if v.Ranking != nil {
		own, err := cone.Circuit.RepetitionContext(ctx, cone.Property())
		if err != nil {
			return v, err
		}
		whole, err := c.RepetitionContext(ctx, p)
		if err != nil {
			return v, err
		}
		if v.Ranking, err = liftRanking(v.Ranking, own, whole, cone.Latches); err != nil {
			return v, err
		}
	}
	return v, nil
}

// liftRanking translates a ranking over the Repetition of a cone to that of the circuit it
// was taken from, in which the latches of the cone stand at given positions.
func liftRanking(r *cert.Ranking, own, whole *circuit.Repetition, at []int) (*cert.Ranking, error) {
	to := make([]circuit.Lit, 0, len(own.Circuit.Latches())) // by latch of own
	for _, i := range at {
		to = append(to, whole.Circuit.Latches()[i].Lit)
	}
	if own.First { // then the whole has reset functions, too
		to = append(to, whole.Circuit.Latches()[whole.Latches].Lit)
	}
	seen := len(whole.Circuit.Latches()) - whole.Seen()
	for i := range own.Seen() {
		to = append(to, whole.Circuit.Latches()[seen+i].Lit)
	}
	return mapRanking(r, func(l circuit.Lit) (circuit.Lit, error) {
		latch := -1
		if int(l.Var()) < own.Circuit.NumVars() {
			latch = own.Circuit.LatchIndex(l.Var())
		}
		if latch < 0 {
			return 0, errNoLatch(l)
		}
		return to[latch].NotIf(l.IsNegated()), nil
	})
}

func errNoLatch(l circuit.Lit) error {
	return fmt.Errorf("a ranking has literal %d, which is not a latch", l)
}

// mapRanking translates each literal of a ranking. It stops at the first error.
func mapRanking(r *cert.Ranking, to func(circuit.Lit) (circuit.Lit, error)) (*cert.Ranking, error) {
	sets := func(sets []cert.Invariant) ([]cert.Invariant, error) {
		mapped := make([]cert.Invariant, len(sets))
		for i, states := range sets {
			mapped[i] = make(cert.Invariant, len(states))
			for j, clause := range states {
				mapped[i][j] = make([]circuit.Lit, len(clause))
				for k, l := range clause {
					var err error
					if mapped[i][j][k], err = to(l); err != nil {
						return nil, err
					}
				}
			}
		}
		return mapped, nil
	}
	ranks, err := sets(r.Ranks)
	if err != nil {
		return nil, err
	}
	monotone, err := sets(r.Monotone)
	return &cert.Ranking{Ranks: ranks, Monotone: monotone}, err
}

// spread fills dst with x and puts src[i] at position to[i].
func spread(dst, src []circuit.Value, to []int) error {
	if len(src) != len(to) {
		return fmt.Errorf("a trace has %d values where the cone has %d", len(src), len(to))
	}
	for i := range dst {
		dst[i] = circuit.X
	}
	for i, v := range src {
		dst[to[i]] = v
	}
	return nil
}

// TransferTo returns the same verdict for property p of another circuit, when
// the cone of p there has the same fingerprint. The certificate is lifted
// again, so that it refers to the latches and inputs of that circuit, and checked
// there.
func (r Result) TransferTo(ctx context.Context, c *circuit.Circuit, p circuit.Property) (Result, bool) {
	cone, err := c.ConeContext(ctx, p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return Result{}, false
	}
	if !r.Checked.Certified() {
		return r.unknown(p, r.Checked.Reason(), r.Checked.Depth()), true
	}
	r = r.certify(ctx, c, p, cone, r.claim)
	return r, r.Checked.Certified()
}
