package syntax

import (
	"iter"
	"slices"

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
	roleLemma // of an aside
	roleCover // of an aside
	RoleBit   // of a word
)

func (r Role) String() string {
	return [...]string{"input", "latch", "and", "next", "reset", "operand",
		"output", "bad", "constraint", "justice", "fairness", "lemma", "cover", "bit of a word"}[r]
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
	SectionJustice:     nil, // sizes are not literals
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
	// literal, that of the justice property it belongs to; for an aside, among those of its
	// kind.
	Index int
	// IsNamed says that a name stands at the place, not the number: that of an aside.
	IsNamed bool
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
	return f.OccurrencesIn(source.Span{Length: f.text.Len()})
}

// OccurrencesIn yields the literals of the lines that span touches. Its cost
// is that of those lines.
func (f *File) OccurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		first := f.text.LineAt(span.Start)
		last := f.text.LineAt(max(span.Start, span.End()))
		if !f.occurrences(f.rowFrom(first), f.rowFrom(last+1), yield) {
			return
		}
		if len(f.asideLines) == 0 || last <= f.symbols.commentLine {
			return
		}
		mentioned, _ := f.Mentioned()
		at, _ := slices.BinarySearchFunc(mentioned, first, func(a Aside, line int) int { return a.Line - line })
		for _, a := range mentioned[at:] {
			if a.Line > last || !yield(asideOccurrence(a)) {
				return
			}
		}
	}
}

// rowFrom returns the first row on or after a line.
func (f *File) rowFrom(line int) int {
	for ; line < f.end; line++ {
		if r, ok := f.rowOf(line); ok || r < 0 {
			return max(r, 0)
		}
	}
	return f.rows.len()
}

// occurrences yields the literals of the rows lo to hi, hi excluded. It returns false when
// yield does.
func (f *File) occurrences(lo, hi int, yield func(Occurrence) bool) bool {
	for r := lo; r < hi; r++ {
		kind, index, ok := f.Place(r)
		if !ok {
			return true // rows that no section has room for
		}
		if !f.rowOccurrences(r, kind, index, yield) {
			return false
		}
	}
	return true
}

func (f *File) rowOccurrences(r int, kind SectionKind, index int, yield func(Occurrence) bool) bool {
	row := f.rows.at(r)
	roles := rolesOf[kind]
	if row.N == 0 || len(roles) == 0 {
		return true
	}
	if kind == SectionJusticeLits {
		index = f.justiceOf(index)
	}
	spans, n := f.numberSpans(f.LineOf(r))
	for i := range min(n, len(roles)) {
		if row.Num[i] == maxLit && row.flags&rowHuge != 0 {
			continue
		}
		if !yield(Occurrence{Span: spans[i], Lit: row.Num[i], Role: roles[i], Index: index}) {
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
					num := &rows[i].Num
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
		mentioned, _ := f.Mentioned()
		for _, a := range mentioned {
			if a.Lit>>1 == v && !yield(asideOccurrence(a)) {
				return
			}
		}
	}
}

// CountUses returns how often variable v is used as it stands and negated;
// definitions do not count. In a file of a million lines it takes some
// milliseconds the first time, then a tenth of that.
func (f *File) CountUses(v uint32) (positive, negated int) {
	if v == 0 {
		return 0, 0
	}
	var n [2]int
	lo := 0
	for k, size := range f.counts {
		from, to := usesOf(SectionKind(k))
		for _, rows := range f.rows.runsWith(lo, lo+size, v) {
			for i := range rows {
				num := &rows[i].Num
				if num[0]>>1 != v && num[1]>>1 != v && num[2]>>1 != v {
					continue
				}
				for j := from; j < min(to, rows[i].N); j++ {
					if num[j]>>1 == v {
						n[num[j]&1]++
					}
				}
			}
		}
		lo += size
	}
	for _, a := range f.asides {
		if a.Lit>>1 == v {
			n[a.Lit&1]++
		}
	}
	return n[0], n[1]
}

// maxSought is for how many variables at once the filters of chunks are of use.
const maxSought = 16

// runsWith yields the runs of the rows lo to hi that may hold one of some
// variables. In most files a gate has a larger number than its operands, so that
// the runs before a variable drop out; of those after it, the filters of the chunks
// leave the ones that hold it and one in ten of the others.
func (t *rowTable) runsWith(lo, hi int, vs ...uint32) iter.Seq2[int, []Numbers] {
	return func(yield func(int, []Numbers) bool) {
		c, least := t.chunkOf(lo), slices.Min(vs)
		for first, rows := range t.runs(lo, hi) {
			if t.chunks[c].mayHold(least, vs) && !yield(first, rows) {
				return
			}
			c++
		}
	}
}

// mayHold reports whether the rows may hold one of some variables.
func (c *rowChunk) mayHold(least uint32, vs []uint32) bool {
	switch {
	case c.flags&rowHuge != 0: // largest leaves out rows with such numbers
		return true
	case c.largest>>1 < least:
		return false
	case len(vs) > maxSought:
		return true
	}
	filter := c.numbers.Load()
	if filter == nil {
		filter = newNumberFilter(c.rows)
		c.numbers.Store(filter) // another goroutine may have stored the same
	}
	return slices.ContainsFunc(vs, filter.has)
}

// numberFilter is a Bloom filter (Communications of the ACM, 1970) of two hash
// functions for the variables in the rows of a chunk. It is made when a chunk is
// first searched.
type numberFilter [1 << 14 / 64]uint64

func newNumberFilter(rows []Numbers) *numberFilter {
	var f numberFilter
	for i := range rows {
		for _, lit := range rows[i].Num {
			h, g := hashVar(lit >> 1)
			f[h/64] |= 1 << (h % 64)
			f[g/64] |= 1 << (g % 64)
		}
	}
	return &f
}

func (f *numberFilter) has(v uint32) bool {
	h, g := hashVar(v)
	return f[h/64]>>(h%64)&1 != 0 && f[g/64]>>(g%64)&1 != 0
}

// hashVar returns two numbers below 2^14.
func hashVar(v uint32) (h, g uint32) {
	x := v * 0x9e3779b1 // 2^32 by the golden ratio
	return x >> 18, x >> 4 & (1<<14 - 1)
}

// usesOf returns which numbers of a row of a section use a literal.
func usesOf(k SectionKind) (from, to uint8) {
	switch k {
	case SectionInputs, SectionJustice:
		return 0, 0
	case SectionLatches, SectionAnds:
		return 1, 3
	}
	return 0, 1
}

// DefiningRow returns the row that defines variable v, the first one when there
// are several. It is cheaper than Definition, because it looks at no text.
func (f *File) DefiningRow(v uint32) (Row, bool) {
	r, ok := f.defs.row(v)
	if !ok {
		return Row{}, false
	}
	kind, index, ok := f.Place(r)
	row := f.rows.at(r)
	return Row{Kind: kind, Index: index, Line: f.LineOf(r), Numbers: row.Num, Count: int(row.N)}, ok
}

// LargestVar returns the largest variable of the rows.
func (f *File) LargestVar() uint32 { return uint32(f.largestUsed()) }

// JusticeOf returns the justice property that a row of SectionJusticeLits
// belongs to.
func (f *File) JusticeOf(literal int) int { return f.justiceOf(literal) }

// NumLiterals returns how many literals a row of the section has at most.
func (k SectionKind) NumLiterals() int { return len(rolesOf[k]) }
