package engines

import (
	"aiglens/circuit"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
)

// translated is an ic3.Exchange for a run on a reduced circuit. It carries clauses over
// the circuit as asked, so that runs can talk to each other whatever each has left out.
// A lemma may rest on facts that the reduction has found, which its receiver need not
// know: the receiver finds out itself whether it holds.
type translated struct {
	ic3.Exchange
	reduced *reduce.Reduced
	lower   func(clause []circuit.Lit) (lowered []circuit.Lit, ok bool)
}

func translate(x ic3.Exchange, r *reduce.Reduced) ic3.Exchange {
	return translated{x, r, r.Lowering()}
}

// Publish implements ic3.Exchange.
func (t translated) Publish(l ic3.Lemma) {
	clause, ok, err := t.reduced.LiftClause(l.Clause)
	if err != nil {
		panic(err) // the lemma is not of a run on the reduced circuit
	}
	if ok {
		t.Exchange.Publish(ic3.Lemma{Clause: clause, Level: l.Level})
	}
}

// Receive implements ic3.Exchange.
func (t translated) Receive() []ic3.Lemma {
	received := t.Exchange.Receive()
	lowered := make([]ic3.Lemma, 0, len(received))
	for _, l := range received {
		if clause, ok := t.lower(l.Clause); ok {
			lowered = append(lowered, ic3.Lemma{Clause: clause, Level: l.Level})
		}
	}
	return lowered
}
