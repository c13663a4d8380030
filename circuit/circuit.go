// Package circuit is the sequential and-inverter graph that both formats are
// read into and every engine works on.
//
// A Circuit is immutable: a Builder makes it, with structural hashing and
// constant folding, and nothing changes it afterwards. It knows no text, no
// names and no file format; each element carries an opaque Origin issued by
// the format package, so that a verdict finds its way back to the text.
//
// Semantics follow the AIGER 1.9 note (Biere, Heljanko, Wieringa, "AIGER 1.9
// and Beyond", 2011): all properties are Mealy, they may depend on the inputs
// of the step in which they are evaluated, and constraints hold in every step of
// a path up to and including the last.
package circuit

import (
	"fmt"
	"sync/atomic"
)

// Var is the index of a variable. Variable 0 is the constant.
type Var uint32

// Lit is a literal: variable·2, plus 1 when negated. False is 0, True is 1, as
// in AIGER.
type Lit uint32

// The constant literals.
const (
	False Lit = 0
	True  Lit = 1
)

// Var returns the variable of a literal.
func (l Lit) Var() Var { return Var(l >> 1) }

// Not returns the negation.
func (l Lit) Not() Lit { return l ^ 1 }

// IsNegated reports whether the literal is the negation of its variable.
func (l Lit) IsNegated() bool { return l&1 == 1 }

// NotIf returns the negation when cond holds, else the literal itself.
func (l Lit) NotIf(cond bool) Lit {
	if cond {
		return l ^ 1
	}
	return l
}

// Positive returns the literal of the same variable without negation.
func (l Lit) Positive() Lit { return l &^ 1 }

// Lit returns the positive literal of a variable.
func (v Var) Lit() Lit { return Lit(v) << 1 }

// Origin says where an element comes from. Only the format package that
// issued it can read it; 0 is not an origin.
type Origin uint32

// Kind says what defines a variable.
type Kind uint8

// The kinds of variables.
const (
	KindConstant Kind = iota
	KindInput
	KindLatch
	KindAnd
)

func (k Kind) String() string {
	return [...]string{"constant", "input", "latch", "and"}[k]
}

// Input is a primary input: a fresh arbitrary value in every step.
type Input struct {
	Lit    Lit // positive
	Origin Origin
}

// Latch is one bit of state.
type Latch struct {
	Lit  Lit // positive
	Next Lit // value in the next step
	// Reset is the initial value: False, True, or Lit itself for a free one.
	// Any other literal is a reset function (see reset.go), which engines never see:
	// they are given what ConstantResets makes of the circuit.
	Reset  Lit
	Origin Origin
}

// IsFree reports whether the latch starts with either value.
func (l Latch) IsFree() bool { return l.Reset == l.Lit }

// Signal is a literal with a role: an output, a bad, a constraint or a
// fairness condition.
type Signal struct {
	Lit    Lit
	Origin Origin
}

// Justice is a set of literals each of which must hold infinitely often.
type Justice struct {
	Lits   []Lit
	Origin Origin
}

// Circuit is a sequential and-inverter graph. Variables are numbered so that a
// gate comes after its operands. The slices that its methods return are shared
// and must not be changed.
type Circuit struct {
	kinds []Kind
	// fanin holds the operands of a gate, left > right, both of lower variables
	// than its own; for an input or a latch, left is its position among the inputs
	// or latches.
	fanin       []fanin
	inputs      []Input
	latches     []Latch
	outputs     []Signal
	bads        []Signal
	constraints []Signal
	justice     []Justice
	fairness    []Signal
	lemmas      []Signal
	covers      []Signal
	gates       int
	start       []Var // see StartOrder
	// plain holds what all Repetitions begin with, once one was asked for.
	plain    *atomic.Pointer[Circuit]
	original Original // nil for a circuit that is no abstraction
}

type fanin struct{ left, right Lit }

// NumVars returns the number of variables, the constant included.
func (c *Circuit) NumVars() int { return len(c.kinds) }

// NumGates returns the number of and gates.
func (c *Circuit) NumGates() int { return c.gates }

// Kind returns what defines v.
func (c *Circuit) Kind(v Var) Kind { return c.kinds[v] }

// Operands returns the operands of the gate v; ok is false when v is not a gate.
func (c *Circuit) Operands(v Var) (left, right Lit, ok bool) {
	f := c.fanin[v]
	return f.left, f.right, c.kinds[v] == KindAnd
}

// InputIndex returns the position of v among the inputs, or -1.
func (c *Circuit) InputIndex(v Var) int {
	if c.kinds[v] != KindInput {
		return -1
	}
	return int(c.fanin[v].left)
}

// LatchIndex returns the position of v among the latches, or -1.
func (c *Circuit) LatchIndex(v Var) int {
	if c.kinds[v] != KindLatch {
		return -1
	}
	return int(c.fanin[v].left)
}

// Inputs returns the primary inputs.
func (c *Circuit) Inputs() []Input { return c.inputs }

// Latches returns the latches.
func (c *Circuit) Latches() []Latch { return c.latches }

// Outputs returns the outputs.
func (c *Circuit) Outputs() []Signal { return c.outputs }

// Bads returns the bad-state literals.
func (c *Circuit) Bads() []Signal { return c.bads }

// Constraints returns the invariant constraints.
func (c *Circuit) Constraints() []Signal { return c.constraints }

// Justice returns the justice properties.
func (c *Circuit) Justice() []Justice { return c.justice }

// Fairness returns the global fairness conditions.
func (c *Circuit) Fairness() []Signal { return c.fairness }

// Lemmas returns the literals that the text claims to be 1 in every step of every run. They
// are not constraints: each is a property of its own, which may be refuted.
func (c *Circuit) Lemmas() []Signal { return c.lemmas }

// Covers returns the literals that some run is to make 1.
func (c *Circuit) Covers() []Signal { return c.covers }

// PropertyKind says which list of the circuit a property stands in.
type PropertyKind uint8

// The kinds of properties.
const (
	PropertyBad PropertyKind = iota
	PropertyOutput
	PropertyJustice
	PropertyLemma
	PropertyCover
)

// NumPropertyKinds is the number of kinds.
const NumPropertyKinds = int(PropertyCover) + 1

func (k PropertyKind) String() string {
	return [...]string{"bad", "output", "justice", "lemma", "cover"}[k]
}

// Property identifies a property of a circuit: a kind and a position, from 0.
type Property struct {
	Kind  PropertyKind
	Index int
}

func (p Property) String() string { return fmt.Sprintf("%s:%d", p.Kind, p.Index) }

// Properties returns what there is to check: every bad; the outputs when there
// is neither a bad nor a justice property (the convention of AIGER 1.0); every
// justice property; every lemma and cover, which leave the convention as it is.
func (c *Circuit) Properties() []Property {
	var ps []Property
	for i := range c.bads {
		ps = append(ps, Property{PropertyBad, i})
	}
	if len(c.bads) == 0 && len(c.justice) == 0 {
		for i := range c.outputs {
			ps = append(ps, Property{PropertyOutput, i})
		}
	}
	for i := range c.justice {
		ps = append(ps, Property{PropertyJustice, i})
	}
	for i := range c.lemmas {
		ps = append(ps, Property{PropertyLemma, i})
	}
	for i := range c.covers {
		ps = append(ps, Property{PropertyCover, i})
	}
	return ps
}

// Bad returns the literal of which a question of safety asks whether it can become 1: that
// of a bad, an output or a cover, and the negation of a lemma. ok is false for a justice
// property, and for one that does not exist.
func (c *Circuit) Bad(p Property) (bad Lit, ok bool) {
	s, ok := c.asked(p)
	return s.Lit, ok
}

// asked is Bad with the Origin of the property.
func (c *Circuit) asked(p Property) (s Signal, ok bool) {
	list := c.bads
	switch p.Kind {
	case PropertyBad:
	case PropertyOutput:
		list = c.outputs
	case PropertyLemma:
		list = c.lemmas
	case PropertyCover:
		list = c.covers
	default:
		return Signal{}, false
	}
	if p.Index < 0 || p.Index >= len(list) {
		return Signal{}, false
	}
	s = list[p.Index]
	s.Lit = s.Lit.NotIf(p.Kind == PropertyLemma)
	return s, true
}
