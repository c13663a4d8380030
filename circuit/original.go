package circuit

import "context"

// Original is a design that a circuit is an abstraction of: the circuit has all runs of the design, and perhaps others. What
// is proved of the circuit holds for the design. A counterexample counts when it is a run of the design.
type Original interface {
	// IsAbstract reports whether a property depends on what the circuit does not have as the design has it.
	IsAbstract(Property) bool
	// Fingerprint identifies what Concrete depends on beside the circuit: two designs of the same circuit may have other
	// runs. It is for properties that IsAbstract.
	Fingerprint(Property) Fingerprint
	// Concrete returns the run of the design that chooses as a run of the circuit does, up to the first violation of a
	// property, as a run of the circuit. For such a run it returns the same. The error says why there is none, or is
	// that of ctx. What it returns is to be verified.
	Concrete(ctx context.Context, p Property, initial []Value, inputs [][]Value) ([]Value, [][]Value, error)
	// Verify tests that a run of the circuit is one of the design which meets its constraints and violates a property in
	// its last step, with the values of the design as far as they are not x. It evaluates the design itself, and shares
	// nothing with what has built the circuit. The error says why it is none, or is that of ctx.
	Verify(ctx context.Context, p Property, initial []Value, inputs [][]Value) error
	// Sample tests on some runs of the design that the circuit has them, with the values of the design, which it evaluates
	// as Verify does. A proof rests on that for all runs, which no certificate shows. The error says what is wrong, or is that of
	// ctx.
	Sample(ctx context.Context, p Property) error
}

// WithOriginal returns a circuit as an abstraction of a design. What is made of it has no original: only the circuit itself is
// asked for its properties.
func WithOriginal(c *Circuit, o Original) *Circuit {
	abstract := *c
	abstract.original = o
	return &abstract
}

// IsAbstraction reports whether a circuit is an abstraction of a design.
func IsAbstraction(c *Circuit) bool { return c.original != nil }

// OriginalOf returns the design that a circuit is an abstraction of, as far as a property depends on that; else nil.
func OriginalOf(c *Circuit, p Property) Original {
	if c.original == nil || !c.original.IsAbstract(p) {
		return nil
	}
	return c.original
}
