package edit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// nameable is an element that a symbol line can name.
type nameable struct {
	kind  syntax.SectionKind
	index int
}

// nameableAt returns what a new name for the literal at offset would name: the
// row that it stands on when that is a property, else the input or latch that
// it means. ok is false for a gate, which AIGER cannot name.
func nameableAt(f *syntax.File, offset int) (n nameable, ok bool) {
	if sym, ok := f.SymbolAt(offset); ok {
		return nameable{sym.Kind, sym.Index}, true
	}
	if a, ok := asideAt(f, offset); ok && a.IsNamed {
		return nameable{a.Section, a.At}, true
	}
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return nameable{}, false
	}
	switch o.Role {
	case syntax.RoleOutput:
		return nameable{syntax.SectionOutputs, o.Index}, true
	case syntax.RoleBad:
		return nameable{syntax.SectionBads, o.Index}, true
	case syntax.RoleConstraint:
		return nameable{syntax.SectionConstraints, o.Index}, true
	case syntax.RoleFairness:
		return nameable{syntax.SectionFairness, o.Index}, true
	case syntax.RoleJustice:
		return nameable{syntax.SectionJustice, o.Index}, true
	}
	d, ok := f.Definition(o.Var())
	switch {
	case ok && d.Role == syntax.RoleInput:
		return nameable{syntax.SectionInputs, d.Index}, true
	case ok && d.Role == syntax.RoleLatch:
		return nameable{syntax.SectionLatches, d.Index}, true
	}
	return nameable{}, false
}

// renameSymbol returns the edits that give an element a name: of its symbol
// line, or of a new one, which goes where the order of sections and positions
// has it.
//
// It fails for a name that cannot be written, and for one that another element
// has where tools insist on different ones.
func renameSymbol(f *syntax.File, n nameable, name string) ([]source.Edit, error) {
	switch {
	case strings.ContainsAny(name, "\n\r"):
		return nil, errors.New("a name ends with its line, so it cannot hold a line end")
	case strings.TrimSpace(name) == "":
		return nil, errors.New("a name cannot be empty")
	}
	symbols := f.Symbols()
	for _, s := range symbols {
		if s.Name == name && nameSpace(s.Kind) == nameSpace(n.kind) && (s.Kind != n.kind || s.Index != n.index) {
			return nil, fmt.Errorf("%s %d has the name %s already", s.Kind.One(), s.Index, findings.Quote(name))
		}
	}
	if slices.ContainsFunc(f.Words().All, func(w syntax.Word) bool { return w.Name.Text == name }) {
		return nil, fmt.Errorf("a word has the name %s already", findings.Quote(name))
	}
	if s, ok := f.Symbol(n.kind, n.index); ok {
		return keepAsides(f, []source.Edit{{Span: s.NameSpan, NewText: name}}, same, name)
	}
	if err := structure(f); err != nil {
		return nil, err
	}
	line := lineBehind(f, syntax.SectionAnds)
	for _, s := range symbols {
		if s.Kind > n.kind || s.Kind == n.kind && s.Index > n.index {
			break
		}
		line = s.Line + 1
	}
	return keepAsides(f, []source.Edit{insertLine(f, line, nameLine(n, name))}, same, name)
}

func nameLine(n nameable, name string) string {
	return fmt.Sprintf("%c%d %s\n", n.kind.Letter(), n.index, name)
}

// nameSpace gives the elements among which names should differ: inputs and
// latches share one space, as in the tools that insist on it.
func nameSpace(k syntax.SectionKind) syntax.SectionKind {
	if k == syntax.SectionLatches {
		return syntax.SectionInputs
	}
	return k
}

// renumber returns the edits that turn the literal from into to everywhere, and
// its negation into that of to. M follows when the largest variable changes.
//
// It fails when to is a constant, of the other sign, or in use, and when the comment or a
// symbol refers to literals by their numbers.
func renumber(f *syntax.File, from, to uint32) ([]source.Edit, error) {
	switch {
	case from/2 == 0:
		return nil, errors.New("0 and 1 are constants and have no other number")
	case to/2 == 0:
		return nil, errors.New("0 and 1 are constants and define nothing")
	case from&1 != to&1:
		return nil, fmt.Errorf("%d and %d differ in sign: use %d", from, to, to^1)
	case from == to:
		return nil, nil
	}
	if span, ok := f.Comment(); ok {
		if aiger.MapsLiterals(f.Text().Slice(span)) {
			return nil, aiger.ErrMapped
		}
	}
	for s := range f.EachSymbol() {
		if aiger.NamesLiteral(s.Kind, s.Name) {
			return nil, aiger.ErrMapped
		}
	}
	for o := range f.Uses(to / 2) {
		line, _ := f.Text().LineColumn(o.Span.Start)
		return nil, fmt.Errorf("%d is in use on line %d", o.Lit, line)
	}
	_, dangling := f.Mentioned()
	for _, a := range dangling {
		if !a.IsNamed && a.Lit/2 == to/2 {
			return nil, fmt.Errorf("%d is in use on line %d", a.Lit, a.Line+1)
		}
	}
	var edits []source.Edit
	renumbered := func(lit uint32) uint32 {
		if lit/2 == from/2 {
			return to&^1 | lit&1
		}
		return lit
	}
	for o := range f.Uses(from / 2) {
		if o.IsNamed {
			continue
		}
		lit := renumbered(o.Lit)
		edits = append(edits, source.Edit{Span: o.Span, NewText: strconv.FormatUint(uint64(lit), 10)})
	}
	largest := f.LargestVar()
	values := f.HeaderValues()
	switch {
	case to/2 > uint32(values.Max):
		values.Max = int(to / 2)
	case from/2 == largest && values.Max == int(largest):
		values.Max = int(max(largestBut(f, from/2), to/2))
	}
	return keepAsides(f, slices.Concat(f.HeaderEdits(values), edits), renumbered)
}

// largestBut returns the largest variable that a row uses, other than v.
func largestBut(f *syntax.File, v uint32) uint32 {
	largest := uint32(0)
	eachVariable(f, func(u uint32) {
		if u != v {
			largest = max(largest, u)
		}
	})
	return largest
}

// parseLiteral reads a literal as a file writes it.
func parseLiteral(s string) (uint32, bool) {
	v, err := strconv.ParseUint(s, 10, 32)
	return uint32(v), err == nil
}

// RenameTarget returns what Rename changes at offset: the name on a symbol
// line, or a literal. text is what is there now, the name of a literal where it
// has one.
func RenameTarget(f *syntax.File, offset int) (span source.Span, text string, ok bool) {
	if sym, ok := f.SymbolAt(offset); ok {
		return sym.NameSpan, sym.Name, true
	}
	if w, span, ok := wordNamedAt(f, offset); ok {
		return span, w.Name.Text, true
	}
	o, ok := f.OccurrenceAt(offset)
	if !ok || o.Var() == 0 {
		return source.Span{}, "", false
	}
	if a, ok := asideAt(f, offset); ok && a.IsNamed {
		return a.Name, f.Text().Slice(a.Name), true
	}
	if n, ok := nameableAt(f, offset); ok {
		if sym, ok := f.Symbol(n.kind, n.index); ok && strings.TrimSpace(sym.Name) != "" {
			return o.Span, sym.Name, true
		}
	}
	return o.Span, f.Text().Slice(o.Span), true
}

// Rename returns the edits that give what stands at offset another name. On a
// literal a number renumbers its variable, and anything else names what
// NameableAt says.
func Rename(f *syntax.File, offset int, to string) ([]source.Edit, error) {
	if w, span, ok := wordNamedAt(f, offset); ok {
		return renameWord(f, w, span, to)
	}
	_, onSymbol := f.SymbolAt(offset)
	o, onLiteral := f.OccurrenceAt(offset)
	switch {
	case onSymbol || onLiteral && (to == "" || strings.Trim(to, "0123456789") != ""):
		n, ok := nameableAt(f, offset)
		if !ok && to != "" {
			return nil, fmt.Errorf("%s is not a number, and AIGER has no names for gates", findings.Quote(to))
		}
		return renameSymbol(f, n, to)
	case onLiteral:
		lit, ok := parseLiteral(to)
		if !ok {
			return nil, fmt.Errorf("%s is not a literal: the largest is %d", findings.Quote(to), uint32(math.MaxUint32))
		}
		return renumber(f, o.Lit, lit)
	}
	return nil, errors.New("there is neither a name nor a literal here")
}
