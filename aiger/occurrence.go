package aiger

import (
	"iter"

	"aiglens/internal/source"
)

// Role says what a literal does at a place.
type Role uint8

// The roles. The first three define their variable.
const (
	RoleInput Role = iota
	RoleLatch
	RoleAnd
	RoleNext
	RoleReset
	RoleOperand
	RoleOutput
	RoleBad
	RoleConstraint
	RoleJustice
	RoleFairness
)

func (r Role) String() string {
	return [...]string{"input", "latch", "and", "next", "reset", "operand",
		"output", "bad", "constraint", "justice", "fairness"}[r]
}

// IsDefinition reports whether the role defines the variable.
func (r Role) IsDefinition() bool { return r <= RoleAnd }

// Occurrence is a literal at a place.
type Occurrence struct {
	Span source.Span
	Lit  uint32
	Role Role
	// Index is the position of the row in its section, from 0; for a justice
	// literal, that of the justice property it belongs to.
	Index int
}

// Var returns the variable of the literal.
func (o Occurrence) Var() uint32 { return o.Lit >> 1 }

// Definition is the place that defines a variable.
type Definition struct {
	Role  Role // RoleInput, RoleLatch or RoleAnd
	Index int  // position in its section
	Line  int  // from 0
	Span  source.Span
}

// Occurrences yields every literal of the file in text order. Numbers that are
// no literals, such as justice sizes, are left out.
func (f *File) Occurrences() iter.Seq[Occurrence] { return func(func(Occurrence) bool) {} }

// OccurrencesIn yields the literals of the lines that span touches. Its cost
// is that of those lines.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(func(Occurrence) bool) {}
}

// OccurrenceAt returns the literal at offset, or directly before it.
func (f *File) OccurrenceAt(offset int) (Occurrence, bool) { return Occurrence{}, false }

// Uses yields every occurrence of variable v in either polarity, its
// definition included, in text order.
func (f *File) Uses(v uint32) iter.Seq[Occurrence] { return func(func(Occurrence) bool) {} }
