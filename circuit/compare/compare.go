// Package compare sets two circuits side by side: it matches their inputs, outputs,
// properties and latches, makes the product circuit whose bads say that they differ, and
// replays a run of the product on each of the two.
//
// Two circuits are equal when
//
//   - the same runs are allowed: in no step of a run do the constraints of one hold, in all
//     steps so far, and those of the other not. That comes first, because a constraint that is
//     false from the start would make everything equal.
//   - in each step of each run that both allow, each pair of signals that are observed has
//     equal values: outputs, bads, literals of justice properties and fairness conditions.
//
// Runs are over all values of the inputs of both, of which those that are matched are one,
// and over all starts: free latches that are matched start with the same value, whatever
// it is, and any other free latch with either.
//
// The package knows no engine, no file and no format. Names come from the reader of the
// circuits, which also knows how these would be written in other formats (Side.Respelled).
package compare

import (
	"errors"
	"fmt"

	"aiglens/circuit"
)

// Side is one of the circuits, with its names.
type Side struct {
	Circuit *circuit.Circuit
	Names   Names
	// Respelled are the names that converters give to the elements of the circuit. They
	// match elements that Names leave alone.
	Respelled []Names
}

// Names are those of the elements of a circuit, by position. "" and a position after the
// last name have no name.
type Names struct {
	Inputs, Latches, Outputs, Bads, Justice, Fairness []string
	// Constraints, Lemmas and Covers are not compared.
	Constraints, Lemmas, Covers []string
	// Asserts says, by bad, that its name is that of the signal which must always be 1, the
	// negation of the bad.
	Asserts []bool
	// Hidden says, by output, that it is there only to show a property, and is not an output.
	Hidden []bool
}

func (n *Names) list(k Kind) []string {
	return [...][]string{Input: n.Inputs, Latch: n.Latches, Output: n.Outputs, Bad: n.Bads, Justice: n.Justice, Fairness: n.Fairness}[k]
}

// Kind says in which list of a circuit an element stands.
type Kind uint8

// The kinds of elements.
const (
	Input Kind = iota
	Latch
	Output
	Bad
	Justice
	Fairness
)

func (k Kind) String() string {
	return [...]string{"input", "latch", "output", "bad", "justice", "fairness"}[k]
}

// Element is an element of a circuit.
type Element struct {
	Kind  Kind
	Index int
	// Literal is the position in a justice property, among its literals other than the
	// constant 1, which demands nothing.
	Literal int
}

func (e Element) String() string {
	if e.Kind == Justice {
		return fmt.Sprintf("%s:%d.%d", e.Kind, e.Index, e.Literal)
	}
	return fmt.Sprintf("%s:%d", e.Kind, e.Index)
}

// Name returns the name of an element, or "".
func (s *Side) Name(e Element) string { return at(s.Names.list(e.Kind), e.Index) }

// Label names an element for a person: by its name, or by its kind and position.
func (s *Side) Label(e Element) string {
	name := s.Name(e)
	switch {
	case name == "":
		return e.String()
	case e.Kind == Justice:
		return fmt.Sprintf("%s.%d", name, e.Literal)
	}
	return name
}

// Lit returns the literal of an element.
func (s *Side) Lit(e Element) circuit.Lit {
	c := s.Circuit
	switch e.Kind {
	case Input:
		return c.Inputs()[e.Index].Lit
	case Latch:
		return c.Latches()[e.Index].Lit
	case Output:
		return c.Outputs()[e.Index].Lit
	case Bad:
		return c.Bads()[e.Index].Lit
	case Justice:
		return goals(c.Justice()[e.Index])[e.Literal]
	}
	return c.Fairness()[e.Index].Lit
}

// goals returns the literals of a justice property that demand something.
func goals(j circuit.Justice) []circuit.Lit {
	var all []circuit.Lit
	for _, l := range j.Lits {
		if l != circuit.True {
			all = append(all, l)
		}
	}
	return all
}

func at[T any](list []T, i int) (value T) {
	if i < len(list) {
		return list[i]
	}
	return value
}

// count returns the length of a list of a circuit.
func (s *Side) count(k Kind) int {
	c := s.Circuit
	return [...]int{Input: len(c.Inputs()), Latch: len(c.Latches()), Output: len(c.Outputs()), Bad: len(c.Bads()),
		Justice: len(c.Justice()), Fairness: len(c.Fairness())}[k]
}

// Pair is an element of each side that are taken for the same.
type Pair struct {
	A, B Element
	// Negated says that the two are equal when they have opposite values: a bad whose name
	// is that of its negation, and an output of this name.
	Negated bool
	// How says what they were matched by.
	How How
}

// How says what a pair was matched by.
type How uint8

// What a pair was matched by.
const (
	ByName How = iota
	ByRespelling
	ByPosition
	ByMap
)

func (h How) String() string {
	return [...]string{"name", "respelled name", "position", "map"}[h]
}

// ErrNothing is returned for circuits of which no output and no property is matched:
// nothing could be compared.
var ErrNothing = errors.New("no output and no property of one has a partner in the other: nothing can be compared")
