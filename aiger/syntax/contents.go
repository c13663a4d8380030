package syntax

import "strconv"

// Contents is what an AIGER file of either encoding holds, as numbers. Literals
// are those of the file: variable·2, plus 1 when negated.
type Contents struct {
	MaxVar                     uint32
	Inputs                     []uint32
	Latches                    []Latch
	Outputs, Bads, Constraints []uint32
	Justice                    [][]uint32
	Fairness                   []uint32
	Ands                       []And
	Symbols                    []SymbolEntry
	Comment                    string // the lines after "c", with their line ends
	HasComment                 bool
}

// Latch is a latch row: Reset is 0, 1, Lit (uninitialised) or any other literal (a reset
// function).
type Latch struct{ Lit, Next, Reset uint32 }

// And is an and gate: LHS = RHS0 ∧ RHS1.
type And struct{ LHS, RHS0, RHS1 uint32 }

// SymbolEntry names the element at a position of a section.
type SymbolEntry struct {
	Kind  SectionKind
	Index int
	Name  string
}

// Contents returns the numbers of the file, whatever is wrong with them.
func (f *File) Contents() *Contents {
	m := &Contents{
		MaxVar: uint32(f.header.value(fieldM)),
		Inputs: f.column(SectionInputs), Outputs: f.column(SectionOutputs), Bads: f.column(SectionBads),
		Constraints: f.column(SectionConstraints), Fairness: f.column(SectionFairness),
	}
	lo, hi := f.RowsOf(SectionLatches)
	for _, rows := range f.rows.runs(lo, hi) {
		for _, r := range rows {
			m.Latches = append(m.Latches, Latch{r.Num[0], r.Num[1], r.Num[2]})
		}
	}
	lits := f.column(SectionJusticeLits)
	for i := range f.counts[SectionJustice] {
		from, to := f.JusticeLiterals(i)
		m.Justice = append(m.Justice, lits[from:to:to])
	}
	lo, hi = f.RowsOf(SectionAnds)
	for _, rows := range f.rows.runs(lo, hi) {
		for _, r := range rows {
			m.Ands = append(m.Ands, And{r.Num[0], r.Num[1], r.Num[2]})
		}
	}
	m.Symbols = f.symbols.entries()
	if span, ok := f.Comment(); ok {
		m.Comment, m.HasComment = f.text.Slice(span), true
	}
	return m
}

// column returns the first number of every row of a section.
func (f *File) column(k SectionKind) []uint32 {
	lo, hi := f.RowsOf(k)
	var ls []uint32
	for _, rows := range f.rows.runs(lo, hi) {
		for _, r := range rows {
			ls = append(ls, r.Num[0])
		}
	}
	return ls
}

// entries returns the symbols as Contents has them.
func (t *symbolTable) entries() []SymbolEntry {
	var ss []SymbolEntry
	for place, s := range t.lines {
		if s.state.isSymbol() {
			ss = append(ss, SymbolEntry{s.kind, int(s.index), t.name(place)})
		}
	}
	return ss
}

// AppendRow appends a row of numbers with its line end.
func AppendRow(dst []byte, numbers ...uint32) []byte {
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendUint(dst, uint64(n), 10)
	}
	return append(dst, '\n')
}

// Ordered returns the gate with RHS0 ≥ RHS1.
func (a And) Ordered() And {
	a.RHS0, a.RHS1 = max(a.RHS0, a.RHS1), min(a.RHS0, a.RHS1)
	return a
}
