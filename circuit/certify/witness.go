package certify

import (
	"errors"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Certificate is a witness circuit that was made for a proof, with the model that it
// belongs to: the circuit with the proved property alone. Inputs and latches of the model
// come first in the witness, in their order.
type Certificate struct {
	Model, Witness *circuit.Circuit
	// Reads are what the liveness signals of the witness read at the second point in time.
	Reads []Read
}

// Read says that an input of the witness stands for a literal at the second point in time.
type Read struct{ At, Input circuit.Lit }

// Of returns the certificate of a proved property. It fails when the property was not
// proved. Whether the certificate is valid is for Check to say.
//
// With reset functions invariants and ranks refer to the steps after the first one. The
// witness then has a latch more, which is 1 in step 0 alone, and while that is 1 the
// latches equal their resets.
func Of(c *circuit.Circuit, checked cert.Checked) (*Certificate, error) {
	p := checked.Property()
	switch bad, ok := c.Bad(p); {
	case checked.Outcome() != cert.Proved:
		return nil, errors.New("only a proved property has a witness circuit")
	case ok:
		return ofSafety(c, bad, checked.Invariant()), nil
	}
	repetition, err := c.Repetition(p)
	if err != nil {
		return nil, err
	}
	return ofJustice(c, repetition, c.Justice()[p.Index].Lits, checked.Ranking()), nil
}

// ofSafety returns a witness whose only bad is ¬(¬bad ∧ Inv).
func ofSafety(c *circuit.Circuit, bad circuit.Lit, invariant cert.Invariant) *Certificate {
	m, w := circuit.NewBuilder(c.NumVars()), circuit.NewBuilder(c.NumVars())
	m.Bad(circuit.CopyConstrained(c, m)(bad), 0)
	lit := circuit.CopyConstrained(c, w)
	inv := w.Clauses(invariant, lit)
	if c.HasResetFunctions() {
		inv = w.Mux(firstStep(w), areReset(w, c, lit), inv)
	}
	w.Bad(w.And(lit(bad).Not(), inv).Not(), 0)
	return &Certificate{Model: m.Build(), Witness: w.Build()}
}

// ranked makes the witness of a justice property.
type ranked struct {
	b     *circuit.Builder
	reads []Read
	input map[circuit.Lit]circuit.Lit // by literal: the input that stands for it at the second point
}

// ofJustice returns a witness with the latches of the Repetition after its own, whose
// safety property is that some rank holds and not all goals were seen. A state x is not
// smaller than y when neither its rank is, nor its signals of Monotone in their
// lexicographic order, and when, where these are equal, no goal is seen in y that is not
// seen in x. Liveness signal i holds of x and y when x is not smaller than y and goal i is
// the first that is not seen in x.
//
// A step never leads to a smaller state. If it leads to an equal one then no round ends in
// it, because that changes rank or signals; and nothing is seen that was not, so that the goal
// which is the first not seen is 0 and stays the first.
func ofJustice(c *circuit.Circuit, repetition *circuit.Repetition, goals []circuit.Lit, r *cert.Ranking) *Certificate {
	m := circuit.NewBuilder(c.NumVars())
	lit := circuit.CopyConstrained(c, m)
	m.Justice(all(lit, goals), 0)
	for _, f := range c.Fairness() {
		m.Fairness(lit(f.Lit), 0)
	}

	x := ranked{b: circuit.NewBuilder(2 * c.NumVars()), input: map[circuit.Lit]circuit.Lit{}}
	w := x.b
	lit = circuit.CopyConstrained(c, w)
	latches, meant, fits := x.latches(c, repetition, lit)
	seen := latches[len(latches)-repetition.Seen():]
	rank := x.ranks(repetition.Circuit, r.Ranks, meant)
	holds := w.And(fits, rank[0])
	if len(seen) > 0 {
		holds = w.And(holds, x.conjunctionOf(seen).Not())
	}
	w.Bad(holds.Not(), 0)

	notSmaller := x.notSmaller(rank[1:], x.sets(repetition.Circuit, r.Monotone, meant), seen)
	signals := []circuit.Lit{notSmaller.Not()}
	before := notSmaller // x is not smaller than y, and the goals so far are seen in x
	for i, l := range seen {
		if i > 0 {
			signals = append(signals, circuit.False)
		}
		signals[i] = w.And(before, l.Not()).Not()
		before = w.And(before, l)
	}
	// Without a goal each step ends a round, and the signal holds of no two steps that
	// follow each other: it is one that the model does not have.
	ofJustice := max(len(goals), len(signals)-len(c.Fairness()))
	w.Justice(signals[:ofJustice], 0)
	for _, l := range signals[ofJustice:] {
		w.Fairness(l, 0)
	}
	return &Certificate{Model: m.Build(), Witness: w.Build(), Reads: x.reads}
}

// latches completes the latches of the witness with those of the Repetition, and returns
// them, and what each means in the Repetition: there a latch with a reset function is 0 in
// step 0. fits says that it has its reset then.
func (x *ranked) latches(c *circuit.Circuit, repetition *circuit.Repetition, lit func(circuit.Lit) circuit.Lit) (latches, meant []circuit.Lit, fits circuit.Lit) {
	fits = circuit.True
	for _, l := range c.Latches() {
		latches = append(latches, lit(l.Lit))
	}
	meant = append(meant, latches...)
	if repetition.First {
		first := firstStep(x.b)
		fits = x.b.Or(first.Not(), areReset(x.b, c, lit))
		for i, l := range c.Latches() {
			if l.HasFunction() {
				meant[i] = x.b.And(latches[i], first.Not())
			}
		}
		latches, meant = append(latches, first), append(meant, first)
	}
	for range repetition.Seen() {
		l := x.b.Latch(0)
		latches, meant = append(latches, l), append(meant, l)
	}
	var inputs []circuit.Lit
	for _, in := range c.Inputs() {
		inputs = append(inputs, lit(in.Lit))
	}
	now := (&goal{b: x.b}).at(repetition.Circuit, inputs, meant)
	for i := len(latches) - repetition.Seen(); i < len(latches); i++ {
		x.b.SetNext(latches[i], now.lit(repetition.Circuit.Latches()[i].Next))
	}
	return latches, meant, fits
}

// sets adds the gates of sets of states.
func (x *ranked) sets(c *circuit.Circuit, sets []cert.Invariant, latches []circuit.Lit) []circuit.Lit {
	lits := make([]circuit.Lit, len(sets))
	for i, s := range sets {
		lits[i] = x.b.Clauses(s, func(l circuit.Lit) circuit.Lit {
			return latches[c.LatchIndex(l.Var())].NotIf(l.IsNegated())
		})
	}
	return lits
}

// ranks returns for each rank whether a state has that rank or a later one. There is one for
// rank 0 also without ranks.
func (x *ranked) ranks(c *circuit.Circuit, ranks []cert.Invariant, latches []circuit.Lit) []circuit.Lit {
	if len(ranks) == 0 {
		return []circuit.Lit{circuit.False}
	}
	from := x.sets(c, ranks, latches)
	for d := len(from) - 2; d >= 0; d-- {
		from[d] = x.b.Or(from[d], from[d+1])
	}
	return from
}

// notSmaller compares the first point in time with the second.
func (x *ranked) notSmaller(ranks, monotone, seen []circuit.Lit) circuit.Lit {
	b := x.b
	least, same := circuit.True, circuit.True
	for _, l := range ranks {
		least = b.And(least, b.Or(l, x.read(l).Not()))
		same = b.And(same, b.Xor(l, x.read(l)).Not())
	}
	lexicographic := circuit.True
	for i := len(monotone) - 1; i >= 0; i-- {
		now, then := monotone[i], x.read(monotone[i])
		equal := b.Xor(now, then).Not()
		lexicographic = b.Or(b.And(now, then.Not()), b.And(equal, lexicographic))
		same = b.And(same, equal)
	}
	keeps := circuit.True
	for _, l := range seen {
		keeps = b.And(keeps, b.Or(l, x.read(l).Not()))
	}
	return b.And(b.And(least, lexicographic), b.Or(same.Not(), keeps))
}

// read returns what stands for a literal at the second point in time.
func (x *ranked) read(l circuit.Lit) circuit.Lit {
	if l <= circuit.True {
		return l
	}
	at := l.Positive()
	if _, ok := x.input[at]; !ok {
		x.input[at] = x.b.Input(0)
		x.reads = append(x.reads, Read{At: at, Input: x.input[at]})
	}
	return x.input[at].NotIf(l.IsNegated())
}

func (x *ranked) conjunctionOf(lits []circuit.Lit) circuit.Lit {
	met := circuit.True
	for _, l := range lits {
		met = x.b.And(met, l)
	}
	return met
}

// firstStep adds a latch that is 1 in step 0 alone.
func firstStep(b *circuit.Builder) circuit.Lit {
	first := b.Latch(0)
	b.SetReset(first, circuit.True)
	b.SetNext(first, circuit.False)
	return first
}

// areReset says that all latches have their resets.
func areReset(b *circuit.Builder, c *circuit.Circuit, lit func(circuit.Lit) circuit.Lit) circuit.Lit {
	met := circuit.True
	for _, l := range c.Latches() {
		if !l.IsFree() {
			met = b.And(met, b.Xor(lit(l.Lit), lit(l.Reset)).Not())
		}
	}
	return met
}

// all returns where literals went.
func all(lit func(circuit.Lit) circuit.Lit, lits []circuit.Lit) []circuit.Lit {
	to := make([]circuit.Lit, len(lits))
	for i, l := range lits {
		to[i] = lit(l)
	}
	return to
}
