package verify

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// asked is what an engine is asked in the place of a cone: the same, but for reset
// functions, which engines never see.
type asked struct {
	circuit.Problem
	cone *circuit.Cone
	// first is the latch of Problem that is 1 in step 0 alone, after those of the cone;
	// False when the cone has no reset functions.
	first circuit.Lit
}

func ask(cone *circuit.Cone) asked {
	a := asked{Problem: cone.Problem, cone: cone}
	if cone.Circuit.HasResetFunctions() {
		a.Circuit, a.first = cone.Circuit.ConstantResets()
	}
	return a
}

// lower translates clauses over latches of the cone, which hold from step 1 on.
func (a asked) lower(clauses cert.Invariant) cert.Invariant {
	if a.first == circuit.False {
		return clauses
	}
	lowered := make(cert.Invariant, len(clauses))
	for i, clause := range clauses {
		for _, l := range clause {
			at := a.cone.Circuit.LatchIndex(l.Var())
			lowered[i] = append(lowered[i], a.Circuit.Latches()[at].Lit.NotIf(l.IsNegated()))
		}
		lowered[i] = append(lowered[i], a.first)
	}
	return lowered
}

// lift translates a claim about what was asked into one about the cone. What does not
// fit stays as it is, for the check of the certificate to find. A ranking refers to the
// circuit.Repetition, which is that of the cone.
func (a asked) lift(v cert.Verdict) cert.Verdict {
	if a.first == circuit.False {
		return v
	}
	if v.Lasso != nil {
		lasso := *v.Lasso
		lasso.Trace = a.liftTrace(lasso.Trace)
		v.Lasso = &lasso
	}
	if a.Question == circuit.Liveness {
		return v
	}
	var invariant cert.Invariant
	for _, clause := range v.Invariant {
		if lifted, ok := a.liftClause(clause); ok {
			invariant = append(invariant, lifted)
		}
	}
	v.Invariant = invariant
	if v.Outcome == cert.Refuted {
		v.Trace = a.liftTrace(v.Trace)
	}
	return v
}

// liftTrace returns a run of what was asked as one of the cone.
func (a asked) liftTrace(t cert.Trace) cert.Trace {
	if len(t.Initial) != len(a.Circuit.Latches()) {
		return t
	}
	latches := a.cone.Circuit.Latches()
	initial := make([]circuit.Value, len(latches))
	for i, l := range latches {
		initial[i] = t.Initial[i]
		if l.HasFunction() {
			initial[i] = circuit.X
		}
	}
	t.Initial = initial
	return t
}

// liftClause returns what is left of a clause from step 1 on; ok is false when it is
// true there anyway.
func (a asked) liftClause(clause []circuit.Lit) (lifted []circuit.Lit, ok bool) {
	lifted = []circuit.Lit{}
	for _, l := range clause {
		if l == a.first.Not() {
			return nil, false
		}
		if l == a.first {
			continue
		}
		at := -1
		if int(l.Var()) < a.Circuit.NumVars() {
			at = a.Circuit.LatchIndex(l.Var())
		}
		if at < 0 { // no latch: nothing that could be certified
			return clause, true
		}
		lifted = append(lifted, a.cone.Circuit.Latches()[at].Lit.NotIf(l.IsNegated()))
	}
	return lifted, true
}
