package syntax

import (
	"slices"
	"strconv"
	"strings"

	"aiglens/internal/propline"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

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

// AsideEntry is an aside of Contents. Spans are offsets in the comment.
type AsideEntry struct {
	Kind    AsideKind
	Lit     uint32
	Label   string      // or ""
	Text    string      // what names the literal, without quotes
	IsNamed bool        // by a symbol, not by a number
	Line    source.Span // with its line end
	Target  source.Span
	// IsDangling says that it is not a property: it writes a number which is not a literal, or a name
	// that means none or several. Lit says something of a number alone then.
	IsDangling bool
}

// Asides returns the lemmas and covers in the comment, in their order, dangling ones among
// them.
func (c *Contents) Asides() []AsideEntry {
	return slices.DeleteFunc(c.Mentioned(), func(a AsideEntry) bool { return a.Kind == AsideBit })
}

// Mentioned is Asides with the bits of words.
func (c *Contents) Mentioned() []AsideEntry {
	if !strings.Contains(c.Comment, propline.Prefix) && !strings.Contains(c.Comment, wordline.Prefix) {
		return nil
	}
	var all []AsideEntry
	names, isDefined := c.asideNames(c.wantedNames()), c.definedLits()
	c.eachAside(func(a asideLine, line source.Span) {
		if !a.isSound() {
			return
		}
		e, found := a.literal(names, isDefined)
		_, isNamed := a.named()
		all = append(all, AsideEntry{
			Kind: a.kind, Lit: e.lit, Label: a.LabelText(), Text: a.targetText(), IsNamed: isNamed,
			Line: line, Target: a.targetSpan(line.Start), IsDangling: found != 1,
		})
	})
	c.readWords(func(_ Word, bits []AsideEntry, _ bool) { all = append(all, bits...) })
	slices.SortStableFunc(all, func(a, b AsideEntry) int { return a.Target.Start - b.Target.Start })
	return all
}

// eachAside calls visit for the lines of the comment that look like asides, with their places
// in it, line ends included.
func (c *Contents) eachAside(visit func(a asideLine, line source.Span)) {
	for pos := 0; pos < len(c.Comment); {
		line, next := lineAt(c.Comment, pos)
		if a, ok := readAside(line); ok {
			visit(a, source.SpanFromTo(pos, next))
		}
		pos = next
	}
}

// SpellLiteral returns how an aside writes a literal: by a name where one means exactly it,
// else by its number.
func (c *Contents) SpellLiteral(lit uint32) string {
	return c.SpellLiterals([]uint32{lit})[lit]
}

// SpellLiterals is SpellLiteral for several literals, which it looks for among the symbols
// all at once.
func (c *Contents) SpellLiterals(lits []uint32) map[uint32]string {
	symbols := make(map[uint32][]SymbolEntry, len(lits)) // by variable, of those alone
	for _, lit := range lits {
		symbols[lit>>1] = nil
	}
	var wanted []string
	for _, s := range c.Symbols {
		if l, ok := c.element(s.Kind, s.Index); ok {
			if of, ok := symbols[l>>1]; ok {
				symbols[l>>1], wanted = append(of, s), append(wanted, s.Name)
			}
		}
	}
	known := c.asideNames(wanted)
	spelled := make(map[uint32]string, len(lits))
	for _, lit := range lits {
		if _, ok := spelled[lit]; ok {
			continue
		}
		var names []string
		for _, negated := range []uint32{0, 1} {
			for _, s := range symbols[lit>>1] {
				if l, _ := c.element(s.Kind, s.Index); l == lit^negated || negated == 0 && s.Kind <= SectionLatches {
					names = append(names, s.Name)
				}
			}
		}
		spelled[lit] = spellAside(lit, names, known)
	}
	return spelled
}

func (c *Contents) asideNames(wanted []string) knownNames {
	names := knownNames{}
	for _, name := range wanted {
		if name != "" {
			names.want(name)
		}
	}
	if len(names) == 0 {
		return names
	}
	type element struct {
		kind  SectionKind
		index int
	}
	seen := map[element]bool{} // of two symbols of an element the first counts
	for _, s := range c.Symbols {
		if lit, ok := c.element(s.Kind, s.Index); ok && !seen[element{s.Kind, s.Index}] {
			seen[element{s.Kind, s.Index}] = true
			names.add(s.Name, elementOf(s.Kind, s.Index, lit))
		}
	}
	return names
}

// element returns the literal of the element at a position of a section.
func (c *Contents) element(k SectionKind, index int) (lit uint32, ok bool) {
	var list []uint32
	switch k {
	case SectionInputs:
		list = c.Inputs
	case SectionLatches:
		if index < len(c.Latches) {
			return c.Latches[index].Lit, true
		}
	case SectionOutputs:
		list = c.Outputs
	case SectionBads:
		list = c.Bads
	case SectionConstraints:
		list = c.Constraints
	case SectionFairness:
		list = c.Fairness
	}
	if index >= len(list) {
		return 0, false
	}
	return list[index], true
}

// definedLits returns a function that reports whether a literal is defined, or constant.
func (c *Contents) definedLits() func(lit uint32) bool {
	largest, n := uint32(0), 0
	each := func(visit func(v uint32)) {
		for _, lit := range c.Inputs {
			visit(lit / 2)
		}
		for _, l := range c.Latches {
			visit(l.Lit / 2)
		}
		for _, a := range c.Ands {
			visit(a.LHS / 2)
		}
	}
	each(func(v uint32) { largest, n = max(largest, v), n+1 })
	if int(largest) > 16*n+1<<10 { // numbers with large gaps
		defined := map[uint32]bool{0: true}
		each(func(v uint32) { defined[v] = true })
		return func(lit uint32) bool { return defined[lit/2] }
	}
	defined := make([]bool, largest+1)
	defined[0] = true
	each(func(v uint32) { defined[v] = true })
	return func(lit uint32) bool { return lit/2 <= largest && defined[lit/2] }
}

// reportAsides reports what is wrong with the asides of a binary file, whose comment starts
// at an offset.
func (b *binaryReader) reportAsides(base int) {
	m := b.contents
	names, isDefined := knownNames(nil), func(uint32) bool { return false }
	m.eachAside(func(a asideLine, line source.Span) {
		if names == nil {
			names, isDefined = m.asideNames(m.wantedNames()), m.definedLits()
		}
		e, found := a.literal(names, isDefined)
		a.report(&b.List, base+line.Start, e, found)
	})
	for _, d := range m.readWords(func(Word, []AsideEntry, bool) {}) {
		d.Span.Start += base
		for i := range d.Related {
			d.Related[i].Span.Start += base
		}
		b.Keep(*d)
	}
}

// wantedNames returns the names that asides and words write.
func (c *Contents) wantedNames() (names []string) {
	c.eachAside(func(a asideLine, _ source.Span) {
		if name, ok := a.named(); ok {
			names = append(names, name)
		}
	})
	for _, line := range c.wordLines() {
		names = append(names, namesIn(line)...)
	}
	return names
}
