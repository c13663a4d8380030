package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
)

// livenessToSafety looks for a counterexample of the question of safety that stands for
// the Repetition (see circuit.AsSafety) by IC3. A proof of that has no form that could be
// certified: then it has nothing to say.
func livenessToSafety(ctx context.Context, r *circuit.Repetition, o Options, turn Turn) (Claim, error) {
	s := r.AsSafety()
	v, _, err := ic3.Check(ctx, s.Circuit, o.IC3, func(p ic3.Progress) {
		_ = turn(Progress{Effort: p.Effort, Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations}) // its error ends ctx
	})
	if err != nil || v.Outcome != cert.Refuted {
		return Claim{}, err
	}
	return Claim{Lasso: lassoOf(s, v.Trace)}, nil
}

// lassoOf returns the lasso of a counterexample: it begins in the step in which the
// state was saved, and ends in front of the one in which it was met again.
func lassoOf(s *circuit.AsSafety, t cert.Trace) *cert.Lasso {
	inputs := len(s.Circuit.Inputs()) - 1 // Save is the last one
	latches := (len(s.Circuit.Latches()) - 2) / 2
	l := &cert.Lasso{Trace: cert.Trace{Initial: t.Initial[:latches]}}
	for step := range t.Steps() - 1 {
		l.Inputs = append(l.Inputs, t.Inputs[step][:inputs])
	}
	for l.Loop = 0; t.Inputs[l.Loop][inputs] != circuit.One; l.Loop++ {
	}
	return l
}
