package syntax

import (
	"slices"

	"aiglens/internal/source"
)

// asideSpaces are the spaces of names in the order in which asides look there. Inputs and
// latches share the first.
var asideSpaces = [numAsideSpaces]SectionKind{SectionInputs, SectionOutputs, SectionBads, SectionConstraints, SectionFairness}

// elementOf returns an element as asides know it. Its section must have a space.
func elementOf(k SectionKind, index int, lit uint32) namedElement {
	space := k
	if k == SectionLatches {
		space = SectionInputs
	}
	return namedElement{space: slices.Index(asideSpaces[:], space), section: uint8(k), index: index, lit: lit}
}

// Aside is a literal in a line of the comment section that makes a property, or a word.
type Aside struct {
	Kind  AsideKind
	Index int // of a property among those of its kind, of a bit among those of its line; from 0
	Lit   uint32
	Label string      // or ""
	Line  int         // from 0
	Span  source.Span // the line without white space around
	// Target covers what stands for the literal, with its sign and its quotes; Name what is
	// between these.
	Target, Name source.Span
	// IsNamed says that Name is the symbol of the element at position At of a section. The
	// literal is otherwise written as a number.
	IsNamed bool
	Section SectionKind
	At      int
}

// asideTable is what the comment section says of literals.
type asideTable struct {
	// asideLines are the lines of the comment that may be asides, ascending, counted from
	// its first line.
	asideLines       []uint32
	asides, dangling []Aside
	asidesOf         [numAsideKinds][]uint32 // positions in asides
	words            func() *Words
}

// TargetText returns a name of the property that an aside makes where it has no label.
func (f *File) TargetText(a Aside) string {
	text := f.text.Slice(a.Name)
	if f.text.Byte(a.Target.Start) == '!' {
		text = "!" + text
	}
	return text
}

// Asides returns the lemmas and covers of the comment section in text order. The slice is
// shared.
func (t *asideTable) Asides() []Aside { return t.asides }

// Dangling returns the asides that write a number which is not a literal of the file, or a name
// that means none or several, in text order. The literal of the latter says nothing. The slice
// is shared.
func (t *asideTable) Dangling() []Aside { return t.dangling }

// AsideOf returns the aside that makes a property.
func (t *asideTable) AsideOf(k AsideKind, index int) (Aside, bool) {
	if k >= numAsideKinds || index < 0 || index >= len(t.asidesOf[k]) {
		return Aside{}, false
	}
	return t.asides[t.asidesOf[k][index]], true
}

// SpellLiteral returns how an aside writes a literal of the file: by a name where one means
// exactly it, else by its number.
func (f *File) SpellLiteral(lit uint32) string {
	return f.SpellLiteralAs(lit, "")
}

// SpellLiteralAs is SpellLiteral by a certain name, where that means the literal.
func (f *File) SpellLiteralAs(lit uint32, name string) string {
	names := []string{name, f.Name(lit >> 1), f.PropertyName(lit), f.PropertyName(lit ^ 1)}
	return spellAside(lit, names, f.asideNames(names))
}

// SpellBits is SpellLiteral for the bits of a word, whose names are looked for all at once.
func SpellBits(f *File, lits []uint32) (spelled []string) {
	const each = 3
	var names []string
	for _, lit := range lits {
		names = append(names, f.Name(lit>>1), f.PropertyName(lit), f.PropertyName(lit^1))
	}
	known := f.asideNames(names)
	for i, lit := range lits {
		spelled = append(spelled, spellAside(lit, names[each*i:each*(i+1)], known))
	}
	return spelled
}

// asideNames finds the elements that have one of some names.
func (f *File) asideNames(wanted []string) knownNames {
	names := knownNames{}
	hashes := map[uint32]bool{}
	var near bitFilter
	for _, name := range wanted {
		if name == "" {
			continue
		}
		names.want(name)
		for _, space := range asideSpaces {
			h := hashName(name, space)
			hashes[h] = true
			near.add(h)
		}
	}
	if len(names) == 0 {
		return names
	}
	t := &f.symbols
	for place := range t.lines {
		s := &t.lines[place]
		if !near.has(s.hash) || !s.names(f.counts) || !hashes[s.hash] {
			continue
		}
		if first, _ := t.find(s.kind, int(s.index)); first != place {
			continue
		}
		if row := f.rows.at(f.counts.start(s.kind) + int(s.index)); row.N > 0 && s.kind != SectionJustice {
			names.add(t.name(place), elementOf(s.kind, int(s.index), row.Num[0]))
		}
	}
	return names
}

// findAsides finds the lines of the comment that may be asides, counted from the line that
// starts it. Those that an edit has left alone are taken from old, unless that is nil.
func (f *File) findAsides(old *File, e lineEdit) {
	t := &f.symbols
	if t.commentLine < 0 {
		return
	}
	first := t.commentLine + 1
	if old != nil && old.symbols.commentLine >= 0 {
		was := old.symbols.commentLine
		switch shift := e.newHi - e.oldHi; {
		case e.oldHi <= was && t.commentLine == was+shift:
			f.asideLines = old.asideLines
			return
		case e.lo > was && t.commentLine == was:
			f.asideLines = f.updatedAsides(old.asideLines, first, e)
			return
		}
	}
	f.asideLines = f.asidesFrom(nil, first, f.text.NumLines())
}

// updatedAsides returns the lines after an edit after the line that starts the comment.
func (f *File) updatedAsides(old []uint32, first int, e lineEdit) []uint32 {
	lo, _ := slices.BinarySearch(old, uint32(e.lo-first))
	hi, _ := slices.BinarySearch(old, uint32(e.oldHi-first))
	lines := f.asidesFrom(slices.Clone(old[:lo]), e.lo, e.newHi)
	for _, line := range old[hi:] {
		lines = append(lines, uint32(int(line)+e.newHi-e.oldHi))
	}
	return lines
}

// asidesFrom appends the lines from one to another that may be asides.
func (f *File) asidesFrom(lines []uint32, from, to int) []uint32 {
	first := f.symbols.commentLine + 1
	for line, content := range f.text.LinesFrom(from) {
		if line >= to {
			break
		}
		if mayBeAside(content) {
			lines = append(lines, uint32(line-first))
		}
	}
	return lines
}

// readAsides reads the asides and reports what is wrong with them.
func (p *parser) readAsides(old *File, e lineEdit) {
	f := p.file
	f.findAsides(old, e)
	if len(f.asideLines) == 0 {
		return
	}
	first := f.symbols.commentLine + 1
	var wanted []string
	for _, l := range f.asideLines {
		if a, ok := readAside(f.text.Line(first + int(l))); ok {
			if name, ok := a.named(); ok {
				wanted = append(wanted, name)
			}
		}
	}
	names := f.asideNames(wanted)
	for _, l := range f.asideLines {
		number := first + int(l)
		at := f.text.LineStart(number)
		a, ok := readAside(f.text.Line(number))
		if !ok {
			continue
		}
		e, found := a.literal(names, f.isDefined)
		_, isNamed := a.named()
		f.addAside(Aside{
			Kind: a.kind, Lit: e.lit, Label: a.LabelText(), Line: number, Span: a.Span(at), Target: a.targetSpan(at), Name: a.nameSpan(at),
			IsNamed: isNamed, Section: SectionKind(e.section), At: e.index,
		}, a.isSound(), found)
		a.report(&p.List, at, e, found)
	}
}

// addAside adds a line of which found literals are known.
func (t *asideTable) addAside(a Aside, isSound bool, found int) {
	switch {
	case isSound && found == 1:
		a.Index = len(t.asidesOf[a.Kind])
		t.asidesOf[a.Kind] = append(t.asidesOf[a.Kind], uint32(len(t.asides)))
		t.asides = append(t.asides, a)
	case isSound:
		t.dangling = append(t.dangling, a)
	}
}

// asideOccurrence returns an aside as the use of a literal.
func asideOccurrence(a Aside) Occurrence {
	role := [...]Role{AsideLemma: roleLemma, AsideCover: roleCover, AsideBit: RoleBit}[a.Kind]
	return Occurrence{Span: a.Target, Lit: a.Lit, Role: role, Index: a.Index, IsNamed: a.IsNamed}
}
