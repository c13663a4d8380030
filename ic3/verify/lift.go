package verify

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// lift translates a verdict on a cone to the circuit it was taken from. What
// lies outside the cone does not matter: x. The error says that the verdict
// does not even fit the cone.
func lift(c *circuit.Circuit, cone *circuit.Cone, v cert.Verdict) (cert.Verdict, error) {
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
	t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: make([][]circuit.Value, v.Trace.Steps())}
	if err := spread(t.Initial, v.Trace.Initial, cone.Latches); err != nil {
		return v, err
	}
	for i, row := range v.Trace.Inputs {
		t.Inputs[i] = make([]circuit.Value, len(c.Inputs()))
		if err := spread(t.Inputs[i], row, cone.Inputs); err != nil {
			return v, err
		}
	}
	v.Trace = t
	return v, nil
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
// anew, so that it speaks of the latches and inputs of that circuit, and checked
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
