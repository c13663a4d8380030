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

// rolesOf gives the roles of the numbers of a row.
var rolesOf = [numRowSections][]Role{
	SectionInputs:      {RoleInput},
	SectionLatches:     {RoleLatch, RoleNext, RoleReset},
	SectionOutputs:     {RoleOutput},
	SectionBads:        {RoleBad},
	SectionConstraints: {RoleConstraint},
	SectionJustice:     nil, // sizes are no literals
	SectionJusticeLits: {RoleJustice},
	SectionFairness:    {RoleFairness},
	SectionAnds:        {RoleAnd, RoleOperand, RoleOperand},
}

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
func (f *File) Occurrences() iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) { f.occurrences(0, f.rows.len(), yield) }
}

// OccurrencesIn yields the literals of the lines that span touches. Its cost
// is that of those lines.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		first := f.text.LineAt(span.Start)
		last := f.text.LineAt(max(span.Start, span.End()))
		f.occurrences(f.rowFrom(first), f.rowFrom(last+1), yield)
	}
}

// rowFrom returns the first row on or behind a line.
func (f *File) rowFrom(line int) int {
	for ; line < f.end; line++ {
		if r, ok := f.rowOf(line); ok || r < 0 {
			return max(r, 0)
		}
	}
	return f.rows.len()
}

// occurrences yields the literals of the rows lo to hi, hi excluded.
func (f *File) occurrences(lo, hi int, yield func(Occurrence) bool) {
	for r := lo; r < hi; r++ {
		kind, index, ok := f.place(r)
		if !ok || !f.rowOccurrences(r, kind, index, yield) {
			return
		}
	}
}

func (f *File) rowOccurrences(r int, kind SectionKind, index int, yield func(Occurrence) bool) bool {
	row := f.rows.at(r)
	roles := rolesOf[kind]
	if row.n == 0 || len(roles) == 0 {
		return true
	}
	if kind == SectionJusticeLits {
		index = f.justiceOf(index)
	}
	spans, n := f.numberSpans(f.lineOf(r))
	for i := range min(n, len(roles)) {
		if row.num[i] == maxLit && row.flags&rowHuge != 0 {
			continue
		}
		if !yield(Occurrence{spans[i], row.num[i], roles[i], index}) {
			return false
		}
	}
	return true
}

// OccurrenceAt returns the literal at offset, or directly before it.
func (f *File) OccurrenceAt(offset int) (Occurrence, bool) {
	for o := range f.OccurrencesIn(source.Span{Start: offset}) {
		if o.Span.Contains(offset) {
			return o, true
		}
	}
	return Occurrence{}, false
}

// Uses yields every occurrence of variable v in either polarity, its
// definition included, in text order. It looks at the rows of all chunks that
// may hold it.
func (f *File) Uses(v uint32) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		lo := 0
		for k, n := range f.counts {
			for base, rows := range f.rows.runsWith(lo, lo+n, v) {
				for i := range rows {
					num := &rows[i].num
					if num[0]>>1 != v && num[1]>>1 != v && num[2]>>1 != v {
						continue
					}
					more := f.rowOccurrences(base+i, SectionKind(k), base+i-lo, func(o Occurrence) bool {
						return o.Var() != v || yield(o)
					})
					if !more {
						return
					}
				}
			}
			lo += n
		}
	}
}
