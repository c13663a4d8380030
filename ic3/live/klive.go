package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
)

// kLiveness proves that the literal of r is 1 at most k times, for k = 0, 1, 2, …:
// Claessen and Sörensson, "A Liveness Checking Algorithm that Counts" (FMCAD 2012). It
// cannot refute. Steps in which one of some monotone signals changes are not counted,
// which does not happen for ever: the paper's stabilising constraints, in an order.
//
// The monitor that counts only grows with k. So the frames of IC3 stay frames, and a run
// goes on where the one before found its counterexample.
func kLiveness(ctx context.Context, r *circuit.Repetition, o Options, turn Turn) (Claim, error) {
	q := newQuestions(ctx, o, turn)
	defer q.stop()
	monotone, _, err := q.monotone(r.Circuit)
	if err != nil {
		return Claim{}, err
	}
	m := newCounter(r.Circuit, monotone, 0)
	var frames ic3.Frames
	for {
		q.depth = m.k
		v, reached, err := q.check(m.circuit, frames)
		switch {
		case err != nil:
			return Claim{}, err
		case v.Outcome == cert.Proved:
			ranking, err := q.ranking(m, v.Invariant, monotone)
			return Claim{Ranking: ranking}, err
		}
		next := newCounter(r.Circuit, monotone, m.k+1)
		m, frames = next, m.grown(reached, next)
	}
}

// counter is a circuit with latches that count the rounds of another one: bad 0 is 1 at
// the end of round k+1.
type counter struct {
	circuit *circuit.Circuit
	of      *circuit.Circuit // the other one
	k       int
}

// newCounter copies c, inputs and latches at their positions, and adds k latches after
// them: latch n, from 0, is 1 once n+1 rounds have ended. A round that ends in a step in
// which one of some signals becomes 1 is not counted. That is so in each step in which some
// change, as the first of these does.
func newCounter(c *circuit.Circuit, monotone []cert.Invariant, k int) *counter {
	b := circuit.NewBuilder(c.NumVars() + 2*k + 4*len(monotone))
	lit := c.CopyTo(b)
	counted := lit(c.Bads()[0].Lit)
	for _, signal := range monotone {
		now := b.Clauses(signal, lit)
		next := b.Clauses(signal, func(l circuit.Lit) circuit.Lit { return lit(nextOf(c, l)) })
		counted = b.And(counted, b.And(now.Not(), next).Not())
	}
	m := &counter{of: c, k: k}
	before := circuit.True
	for range k {
		latch := b.Latch(0)
		b.SetNext(latch, b.Or(latch, b.And(counted, before)))
		before = latch
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	b.Bad(b.And(counted, before), c.Bads()[0].Origin)
	m.circuit = b.Build()
	return m
}

// nextOf returns what a literal of a latch will be in the next step.
func nextOf(c *circuit.Circuit, l circuit.Lit) circuit.Lit {
	return c.Latches()[c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
}

// rounds returns the literal that is 1 once n rounds have ended, from 1 to k.
func (m *counter) rounds(n int) circuit.Lit {
	return m.circuit.Latches()[len(m.of.Latches())+n-1].Lit
}

// grown translates the frames of m after a counterexample to a counter of more rounds. In
// all but the last frame round m.k+1 cannot end, so that it has not ended in the last one.
func (m *counter) grown(frames ic3.Frames, to *counter) ic3.Frames {
	grown := make(ic3.Frames, len(frames))
	for level, clauses := range frames {
		grown[level] = translate(clauses, m.circuit, to.circuit)
	}
	for n := m.k + 1; n <= to.k; n++ {
		last := len(grown) - 1
		grown[last] = append(grown[last], []circuit.Lit{to.rounds(n).Not()})
	}
	return grown
}

// translate returns the same clauses about the latches at the same positions of another
// circuit.
func translate(clauses cert.Invariant, from, to *circuit.Circuit) cert.Invariant {
	translated := make(cert.Invariant, len(clauses))
	for i, clause := range clauses {
		translated[i] = make([]circuit.Lit, len(clause))
		for j, l := range clause {
			translated[i][j] = to.Latches()[from.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
		}
	}
	return translated
}

// ranking makes ranks of an invariant of a counter, or of what is needed of it: one for
// each number of rounds so far.
func (q *questions) ranking(m *counter, invariant cert.Invariant, monotone []cert.Invariant) (*cert.Ranking, error) {
	if isEmpty(invariant) {
		return &cert.Ranking{}, nil
	}
	invariant, err := q.weakest(m.circuit, invariant, circuit.True)
	if err != nil {
		return nil, err
	}
	r := &cert.Ranking{Monotone: monotone}
	for n := range m.k + 1 {
		r.Ranks = append(r.Ranks, m.after(n, invariant))
	}
	return r, nil
}

// after returns what an invariant says of the states after n rounds.
func (m *counter) after(n int, invariant cert.Invariant) cert.Invariant {
	return withLatches(invariant, m.circuit, m.of, func(i int) bool { return i < n })
}

// withLatches returns what clauses over the latches of a circuit say of those of another
// one, which has fewer: latch i of those that it lacks has the value isOne(i).
func withLatches(clauses cert.Invariant, from, to *circuit.Circuit, isOne func(i int) bool) cert.Invariant {
	said := cert.Invariant{}
next:
	for _, clause := range clauses {
		rest := []circuit.Lit{}
		for _, l := range clause {
			at := from.LatchIndex(l.Var())
			if more := at - len(to.Latches()); more < 0 {
				rest = append(rest, to.Latches()[at].Lit.NotIf(l.IsNegated()))
			} else if isOne(more) != l.IsNegated() {
				continue next
			}
		}
		said = append(said, rest)
	}
	return said
}

// isEmpty reports whether an invariant holds no state at all: no initial state meets the
// constraints.
func isEmpty(invariant cert.Invariant) bool { return len(invariant) == 1 && len(invariant[0]) == 0 }
