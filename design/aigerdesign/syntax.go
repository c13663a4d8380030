package aigerdesign

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/hierarchy"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// fileSyntax is an ASCII AIGER file; its signals are the variables.
type fileSyntax struct {
	design.Base   // without a core: nothing of it is asked for that looks there
	file          *syntax.File
	propertyNames func() map[design.Lit]string // by the literal of the named row
	overlay       func() *overlay
	view          *hierarchy.View // by which maps are found; nil for none
	names         *lastOverlay    // shared by the versions of a text
}

func parse(in design.Unparsed) design.Syntax {
	s := &fileSyntax{Base: design.Base{Text: in.Text}}
	if before, ok := in.Before.(*fileSyntax); ok {
		s.file, s.names = before.file.Reparse(in.Text), before.names
	} else {
		s.file, s.names = syntax.Parse(in.Text), &lastOverlay{}
	}
	o, _ := in.Option.(Option)
	s.view = o.viewOf(in.URI)
	s.overlay = sync.OnceValue(func() *overlay {
		return s.names.overlayOf(s.file, findMaps(s.view, o, s.names))
	})
	s.propertyNames = sync.OnceValue(func() map[design.Lit]string { return propertyNames(s.file) })
	return s
}

// HasNumbers holds: literals are the numbers of variables.
func (s *fileSyntax) HasNumbers() bool { return true }

// propertyNames collects the symbols of rows that hold one literal; of two for
// the same literal the first in the text counts. It looks at the rows of these
// sections, not at all symbols, most of which name inputs and latches.
func propertyNames(f *syntax.File) map[design.Lit]string {
	names, lines := map[design.Lit]string{}, map[design.Lit]int{}
	for _, kind := range []syntax.SectionKind{syntax.SectionOutputs, syntax.SectionBads, syntax.SectionConstraints, syntax.SectionFairness} {
		for sym := range f.SymbolsOf(kind) {
			row, ok := f.Row(kind, sym.Index)
			if !ok || row.Count == 0 || isBlank(sym.Name) {
				continue
			}
			lit := design.Lit(row.Numbers[0])
			if line, has := lines[lit]; !has || sym.Line < line {
				names[lit], lines[lit] = sym.Name, sym.Line
			}
		}
	}
	return names
}

func (s *fileSyntax) Diagnostics() []source.Diagnostic {
	return s.overlay().addFaults(s.file.Diagnostics(), s.file.Text().LineSpan(0))
}

func (s *fileSyntax) Name(v design.Signal) string {
	if v == 0 {
		return ""
	}
	if o := s.overlay(); o != nil {
		if row, ok := s.file.DefiningRow(uint32(v)); ok {
			if name, has := o.signal(definedKind(row.Kind), row.Index, uint32(v.Lit())); has {
				return name
			}
		}
	}
	if name := s.file.Name(uint32(v)); !isBlank(name) {
		return name
	}
	return s.propertyNames()[v.Lit()]
}

// OccurrenceAt finds a literal, or the signal that a symbol line names.
func (s *fileSyntax) OccurrenceAt(offset int) (design.Occurrence, bool) {
	if o, ok := s.file.OccurrenceAt(offset); ok {
		return occurrenceFromAIGER(o), true
	}
	if sym, ok := s.file.SymbolAt(offset); ok {
		if lit, ok := s.named(sym); ok {
			return design.Occurrence{Span: sym.Span, Lit: lit, Role: design.RoleName}, true
		}
	}
	return design.Occurrence{}, false
}

func occurrenceFromAIGER(o syntax.Occurrence) design.Occurrence {
	role := design.RoleUse
	if o.Role.IsDefinition() {
		role = design.RoleDefinition
	}
	return design.Occurrence{Span: o.Span, Lit: design.Lit(o.Lit), Role: role, Use: useFromAIGER(o.Role)}
}

// named returns the literal of the row that a symbol names. A justice property
// is not one literal.
func (s *fileSyntax) named(sym syntax.Symbol) (design.Lit, bool) {
	if sym.Kind == syntax.SectionJustice {
		return 0, false
	}
	row, ok := s.file.Row(sym.Kind, sym.Index)
	if !ok || row.Count == 0 {
		return 0, false
	}
	return design.Lit(row.Numbers[0]), true
}

func (s *fileSyntax) Occurrences(v design.Signal) []design.Occurrence {
	var all []design.Occurrence
	for o := range s.file.Uses(uint32(v)) {
		all = append(all, occurrenceFromAIGER(o))
		section, ok := namedSection(o.Role)
		if sym, has := s.file.Symbol(section, o.Index); ok && has && v != 0 {
			all = append(all, design.Occurrence{Span: sym.Span, Lit: design.Lit(o.Lit), Role: design.RoleName})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Span.Start < all[j].Span.Start })
	return all
}

func (s *fileSyntax) Definition(v design.Signal) (design.Definition, bool) {
	if v == 0 {
		return design.Definition{Kind: design.Constant}, false
	}
	d, ok := s.file.Definition(uint32(v))
	if !ok {
		return design.Definition{}, false
	}
	def := design.Definition{Index: d.Index, Span: d.Span, Row: s.file.Text().LineSpan(d.Line)}
	row, _ := s.file.RowAt(d.Line)
	number := func(i int, missing design.Lit) design.Lit {
		if i < min(row.Count, len(row.Numbers)) {
			return design.Lit(row.Numbers[i])
		}
		return missing
	}
	switch d.Role {
	case syntax.RoleInput:
		def.Kind = design.Input
	case syntax.RoleLatch:
		def.Kind, def.Next, def.Reset = design.Latch, number(1, v.Lit()), number(2, 0)
	case syntax.RoleAnd:
		def.Kind = design.Gate
		for i := 1; i < min(row.Count, len(row.Numbers)); i++ {
			def.Operands = append(def.Operands, design.Lit(row.Numbers[i]))
		}
	}
	return def, true
}

func (s *fileSyntax) Properties() []design.Property {
	var all []design.Property
	for _, id := range aiger.Properties(s.file) {
		row, ok := aiger.PropertySpan(s.file, id)
		if !ok {
			continue
		}
		all = append(all, design.Property{ID: id, Name: s.propertyName(id), Given: s.given(id), Row: row, Lits: s.propertyLits(id)})
	}
	return all
}

// PropertyRule says that outputs are properties.
func (s *fileSyntax) PropertyRule() string { return propertyRule(s.file.OutputsAreBads()) }

func propertyRule(ofOutputs bool) string {
	if ofOutputs {
		return "the circuit has no bad: its outputs are taken as bad-state properties"
	}
	return ""
}

// WithoutProperties lists the kinds that are missing.
func (s *fileSyntax) WithoutProperties() string { return withoutProperties }

const withoutProperties = "the circuit has no property: no bad, no justice, no output"

// NoProperties refers to the header, once it can be read.
func (s *fileSyntax) NoProperties() (none design.NoProperties) {
	if len(s.file.Header()) == 0 || !s.file.HeaderIsSound() {
		return none
	}
	if none.Unwritten = s.unwritten(); none.Unwritten == "" {
		none.Why = "the header announces no output, bad-state or justice property"
	}
	return none
}

// unwritten compares the properties of the header with their rows.
func (s *fileSyntax) unwritten() string {
	announced, found := s.announcedProperties()
	if found >= announced {
		return ""
	}
	words := findings.Count(announced, "property", "properties") + " announced"
	if found > 0 {
		words += fmt.Sprintf(", %d found", found)
	}
	return words + "; " + syntax.NotWritten(announced, found)
}

// announcedProperties returns how many properties the header announces, and how many of
// these have a row.
func (s *fileSyntax) announcedProperties() (announced, found int) {
	counts := s.file.HeaderValues().Counts
	sections := []syntax.SectionKind{syntax.SectionBads, syntax.SectionJustice}
	if counts[syntax.SectionBads]+counts[syntax.SectionJustice] == 0 {
		sections = []syntax.SectionKind{syntax.SectionOutputs}
	}
	for _, k := range sections {
		lo, hi := s.file.RowsOf(k)
		announced += counts[k]
		found += min(counts[k], hi-lo)
	}
	return announced, found
}

// propertySection is the section whose rows are the properties of a kind.
var propertySection = [...]syntax.SectionKind{
	circuit.PropertyBad:     syntax.SectionBads,
	circuit.PropertyOutput:  syntax.SectionOutputs,
	circuit.PropertyJustice: syntax.SectionJustice,
}

// propertyName returns the name of a property, else its kind and position.
func (s *fileSyntax) propertyName(id circuit.Property) string {
	return nameOrPosition(s.given(id), id)
}

func nameOrPosition(given string, id circuit.Property) string {
	if isBlank(given) {
		return fmt.Sprintf("%s %d", id.Kind, id.Index)
	}
	return given
}

// given returns the name that the text gives to a property, or "".
func (s *fileSyntax) given(id circuit.Property) string {
	if a, ok := s.aside(id); ok {
		return s.asideName(a)
	}
	sym, _ := s.file.Symbol(propertySection[id.Kind], id.Index)
	return s.overlay().symbol(propertySection[id.Kind], id.Index, sym.Name)
}

// asideName returns the label of a lemma or cover, else what names its literal, or "".
func (s *fileSyntax) asideName(a syntax.Aside) string {
	if isBlank(a.Label) && a.IsNamed {
		return s.file.TargetText(a)
	}
	return a.Label
}

// aside returns the line of the comment that makes a property; ok is false for a property
// with rows.
func (s *fileSyntax) aside(id circuit.Property) (a syntax.Aside, ok bool) {
	if kind, isAside := aiger.AsideKindOf(id.Kind); isAside {
		return s.file.AsideOf(kind, id.Index)
	}
	return a, false
}

// isBlank reports whether a name shows nothing; clients refuse an outline that
// holds one.
func isBlank(name string) bool { return strings.TrimSpace(name) == "" }

func (s *fileSyntax) propertyLits(id circuit.Property) []design.Lit {
	if a, ok := s.aside(id); ok {
		if a.Kind == syntax.AsideLemma { // it fails where the literal is 0
			return []design.Lit{design.Lit(a.Lit ^ 1)}
		}
		return []design.Lit{design.Lit(a.Lit)}
	}
	if id.Kind != circuit.PropertyJustice {
		if row, ok := s.file.Row(propertySection[id.Kind], id.Index); ok && row.Count > 0 {
			return []design.Lit{design.Lit(row.Numbers[0])}
		}
		return nil
	}
	first, size := 0, 0
	for i := 0; i <= id.Index; i++ {
		row, ok := s.file.Row(syntax.SectionJustice, i)
		if !ok {
			return nil
		}
		first, size = first+size, int(row.Numbers[0])
	}
	var lits []design.Lit
	for i := first; i < first+size; i++ {
		row, ok := s.file.Row(syntax.SectionJusticeLits, i)
		if !ok {
			break
		}
		lits = append(lits, design.Lit(row.Numbers[0]))
	}
	return lits
}

// row describes a line by the name of what it defines, else by its literal.
func (s *fileSyntax) row(row syntax.Row) design.Row {
	span := s.file.Text().LineSpan(row.Line)
	detail := strings.TrimSuffix(s.file.Text().Slice(span), "\r")
	span.Length = len(detail)
	r := design.Row{Span: span, Focus: span, Detail: detail}
	sym, _ := s.file.Symbol(row.Kind, row.Index)
	name := s.overlay().symbol(row.Kind, row.Index, sym.Name)
	switch {
	case !isBlank(name):
		r.Name = name
	case row.Count > 0:
		r.Name = fmt.Sprint(row.Numbers[0])
	default: // not even a number
		r.Name = fmt.Sprintf("%s %d", row.Kind.One(), row.Index)
	}
	switch row.Kind {
	case syntax.SectionInputs:
		r.Kind = design.Input
	case syntax.SectionLatches:
		r.Kind = design.Latch
	case syntax.SectionAnds:
		r.Kind = design.Gate
	}
	return r
}
