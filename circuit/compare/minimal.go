package compare

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// Minimal returns a difference of the same pair with no more steps, in which every value that
// it does not need is X: no further one can become X under three-valued simulation, as package
// trace has it. work bounds the trials, in changes and gates looked at; 0 is no bound. What
// comes out has been replayed on both sides; where it shows nothing there, the difference
// stays as it was. The error is that of ctx.
func (m *Matching) Minimal(ctx context.Context, d *Difference, work int64) (*Difference, error) {
	p, bad := m.asking(d)
	// A difference may have been seen only where what is X is 0.
	for _, sides := range [][2]cert.Trace{d.Traces, {m.zeros(0, d.Traces[0]), m.zeros(1, d.Traces[1])}} {
		minimal, _, err := trace.Minimize(ctx, p.Circuit, bad, m.joined(d, sides), work)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err != nil {
			continue
		}
		replayed, err := m.replay(ctx, p.Split(minimal))
		if err != nil {
			return d, err
		}
		if own := replayed.of(d.Pair); own != nil && own.Step <= d.Step {
			return own, nil
		}
	}
	return d, nil
}

// of returns what a replay has shown of a pair, or of the steps that are allowed; nil for
// nothing.
func (r *Replayed) of(pair int) *Difference {
	if pair < 0 {
		return r.Forbidden
	}
	for i := range r.Differences {
		if r.Differences[i].Pair == pair {
			return &r.Differences[i]
		}
	}
	return nil
}

// asking returns the product that asks for one difference only, in which no latches are
// merged, and the literal that is 1 where it shows.
func (m *Matching) asking(d *Difference) (p *Product, bad circuit.Lit) {
	apart, question := make([]bool, len(m.Latches)), 0
	if d.Pair >= 0 {
		p = m.Differences([]int{d.Pair}, apart)
	} else {
		p = m.Runs(apart)
		if d.Values[0] != circuit.One { // it is the second side that allows the step
			question = 1
		}
	}
	return p, p.Circuit.Bads()[question].Lit
}

// joined returns the runs of a difference as one of the product that asks for it.
func (m *Matching) joined(d *Difference, sides [2]cert.Trace) (t cert.Trace) {
	t.Initial = append(append(t.Initial, sides[0].Initial...), sides[1].Initial...)
	if d.Pair < 0 {
		t.Initial = append(t.Initial, circuit.One) // both sides have allowed all steps so far
	}
	partner := m.partners(m.Inputs, len(m.Sides[1].Circuit.Inputs()))
	for step, row := range sides[0].Inputs {
		both := append([]circuit.Value(nil), row...)
		for i, v := range sides[1].Inputs[step] {
			if partner[i] < 0 {
				both = append(both, v)
			}
		}
		t.Inputs = append(t.Inputs, both)
	}
	return t
}
