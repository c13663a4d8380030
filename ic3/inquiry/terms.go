// Package inquiry answers questions about a circuit beyond whether a property holds:
//
//   - FindAnother, FindShortest: further counterexamples of a property, and the shortest one;
//   - Isolate: which groups of latches make a property hard;
//   - Suggest: which lemmas might help where a check has ended without an answer;
//   - FindObstacle: which step stands in the way of a proof (a counterexample to induction);
//   - ReachLiterals, ReachLatches: what can happen in a circuit, question by question.
//
// Each file names the papers that it follows. Whatever an engine claims is checked by package
// verify, against the circuit as it is, before it leaves this package. The exception is said in
// the answer: a suggestion is a guess until a caller has it proved.
//
// The package knows no engine by name, no text, no format and no names of signals; names that it
// is given are compared and never shown.
package inquiry

import "aiglens/circuit"

// copyConstrained copies a circuit with its constraints and without its properties.
func copyConstrained(c *circuit.Circuit, b *circuit.Builder) func(circuit.Lit) circuit.Lit {
	to := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(to(s.Lit), s.Origin)
	}
	return to
}
