package cert

import (
	"errors"

	"aiglens/circuit"
)

// WitnessCircuit returns the certificate of a proved property in the form of
// the hardware model checking competitions (Certifaiger): a witness circuit
// whose only bad is ¬(¬bad ∧ Inv), and the model that it belongs to, which is c
// with that property alone. Inputs and latches correspond by position; no
// mapping is needed. It fails when the property was not proved.
//
// With reset functions the invariant speaks of the steps behind the first one. The
// witness circuit then has one latch more than the model, which is 1 in step 0 alone,
// and while that is 1 the latches equal their resets in the place of Inv.
func WitnessCircuit(c *circuit.Circuit, checked Checked) (model, witness *circuit.Circuit, err error) {
	bad, ok := c.Bad(checked.Property())
	if !ok || checked.Outcome() != Proved {
		return nil, nil, errors.New("only a proved safety property has a witness circuit")
	}
	m, w := circuit.NewBuilder(c.NumVars()), circuit.NewBuilder(c.NumVars())
	m.Bad(copyLogic(m, c)(bad), 0)
	lit := copyLogic(w, c)
	inv := conjunction(w, checked.Invariant(), lit)
	if c.HasResetFunctions() {
		first := w.Latch(0)
		w.SetReset(first, circuit.True)
		w.SetNext(first, circuit.False)
		inv = w.Mux(first, conjunction(w, resetStates(c), lit), inv)
	}
	w.Bad(w.And(lit(bad).Not(), inv).Not(), 0)
	return m.Build(), w.Build(), nil
}

// conjunction adds the gates of a conjunction of clauses.
func conjunction(b *circuit.Builder, clauses Invariant, lit func(circuit.Lit) circuit.Lit) circuit.Lit {
	all := circuit.True
	for _, clause := range clauses {
		violated := circuit.True
		for _, l := range clause {
			violated = b.And(violated, lit(l).Not())
		}
		all = b.And(all, violated.Not())
	}
	return all
}

// copyLogic copies inputs, latches, gates and constraints of c and returns
// where its literals went.
func copyLogic(b *circuit.Builder, c *circuit.Circuit) func(circuit.Lit) circuit.Lit {
	lit := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	return lit
}
