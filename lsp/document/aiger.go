package document

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// aigerSyntax is an ASCII AIGER file; its signals are the variables.
type aigerSyntax struct {
	*aiger.File
	propertyNames func() map[Lit]string // by the literal of the named row
}

func newAIGERSyntax(f *aiger.File) aigerSyntax {
	return aigerSyntax{f, sync.OnceValue(func() map[Lit]string { return propertyNames(f) })}
}

// propertyNames collects the symbols of rows that hold one literal; of two for
// the same literal the first in the text counts. It looks at the rows of these
// sections, not at all symbols, most of which name inputs and latches.
func propertyNames(f *aiger.File) map[Lit]string {
	names, lines := map[Lit]string{}, map[Lit]int{}
	for _, kind := range []aiger.SectionKind{aiger.SectionOutputs, aiger.SectionBads, aiger.SectionConstraints, aiger.SectionFairness} {
		for sym := range f.SymbolsOf(kind) {
			row, ok := f.Row(kind, sym.Index)
			if !ok || row.Count == 0 || isBlank(sym.Name) {
				continue
			}
			lit := Lit(row.Numbers[0])
			if line, has := lines[lit]; !has || sym.Line < line {
				names[lit], lines[lit] = sym.Name, sym.Line
			}
		}
	}
	return names
}

func (s aigerSyntax) diagnostics() []source.Diagnostic { return s.Diagnostics() }

func (s aigerSyntax) name(v Signal) string {
	if v == 0 {
		return ""
	}
	if name := s.Name(uint32(v)); !isBlank(name) {
		return name
	}
	return s.propertyNames()[v.Lit()]
}

// occurrenceAt finds a literal, or the signal that a symbol line names.
func (s aigerSyntax) occurrenceAt(offset int) (Occurrence, bool) {
	if o, ok := s.OccurrenceAt(offset); ok {
		return occurrenceFromAIGER(o), true
	}
	if sym, ok := s.SymbolAt(offset); ok {
		if lit, ok := s.named(sym); ok {
			return Occurrence{Span: sym.Span, Lit: lit, Role: RoleName}, true
		}
	}
	return Occurrence{}, false
}

func occurrenceFromAIGER(o aiger.Occurrence) Occurrence {
	role := RoleUse
	if o.Role.IsDefinition() {
		role = RoleDefinition
	}
	return Occurrence{Span: o.Span, Lit: Lit(o.Lit), Role: role, Use: useFromAIGER(o.Role)}
}

// named returns the literal of the row that a symbol names. A justice property
// is not one literal.
func (s aigerSyntax) named(sym aiger.Symbol) (Lit, bool) {
	if sym.Kind == aiger.SectionJustice {
		return 0, false
	}
	row, ok := s.Row(sym.Kind, sym.Index)
	if !ok || row.Count == 0 {
		return 0, false
	}
	return Lit(row.Numbers[0]), true
}

func (s aigerSyntax) occurrences(v Signal) []Occurrence {
	var all []Occurrence
	for o := range s.Uses(uint32(v)) {
		all = append(all, occurrenceFromAIGER(o))
		section, ok := namedSection(o.Role)
		if sym, has := s.Symbol(section, o.Index); ok && has && v != 0 {
			all = append(all, Occurrence{Span: sym.Span, Lit: Lit(o.Lit), Role: RoleName})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Span.Start < all[j].Span.Start })
	return all
}

func (s aigerSyntax) definition(v Signal) (Definition, bool) {
	if v == 0 {
		return Definition{Kind: Constant}, false
	}
	d, ok := s.Definition(uint32(v))
	if !ok {
		return Definition{}, false
	}
	def := Definition{Index: d.Index, Span: d.Span, Row: s.Text().LineSpan(d.Line)}
	row, _ := s.RowAt(d.Line)
	number := func(i int, missing Lit) Lit {
		if i < min(row.Count, len(row.Numbers)) {
			return Lit(row.Numbers[i])
		}
		return missing
	}
	switch d.Role {
	case aiger.RoleInput:
		def.Kind = Input
	case aiger.RoleLatch:
		def.Kind, def.Next, def.Reset = Latch, number(1, v.Lit()), number(2, 0)
	case aiger.RoleAnd:
		def.Kind = Gate
		for i := 1; i < min(row.Count, len(row.Numbers)); i++ {
			def.Operands = append(def.Operands, Lit(row.Numbers[i]))
		}
	}
	return def, true
}

func (s aigerSyntax) properties() []Property {
	var all []Property
	for _, id := range s.Properties() {
		row, ok := s.PropertySpan(id)
		if !ok {
			continue
		}
		all = append(all, Property{ID: id, Name: s.propertyName(id), Row: row, Lits: s.propertyLits(id)})
	}
	return all
}

// propertySection is the section whose rows are the properties of a kind.
var propertySection = [...]aiger.SectionKind{
	circuit.PropertyBad:     aiger.SectionBads,
	circuit.PropertyOutput:  aiger.SectionOutputs,
	circuit.PropertyJustice: aiger.SectionJustice,
}

func (s aigerSyntax) propertyName(id circuit.Property) string {
	if sym, ok := s.Symbol(propertySection[id.Kind], id.Index); ok && !isBlank(sym.Name) {
		return sym.Name
	}
	return fmt.Sprintf("%s %d", id.Kind, id.Index)
}

// isBlank reports whether a name shows nothing; clients refuse an outline that
// holds one.
func isBlank(name string) bool { return strings.TrimSpace(name) == "" }

func (s aigerSyntax) propertyLits(id circuit.Property) []Lit {
	if id.Kind != circuit.PropertyJustice {
		if row, ok := s.Row(propertySection[id.Kind], id.Index); ok && row.Count > 0 {
			return []Lit{Lit(row.Numbers[0])}
		}
		return nil
	}
	first, size := 0, 0
	for i := 0; i <= id.Index; i++ {
		row, ok := s.Row(aiger.SectionJustice, i)
		if !ok {
			return nil
		}
		first, size = first+size, int(row.Numbers[0])
	}
	var lits []Lit
	for i := first; i < first+size; i++ {
		row, ok := s.Row(aiger.SectionJusticeLits, i)
		if !ok {
			break
		}
		lits = append(lits, Lit(row.Numbers[0]))
	}
	return lits
}

func (s aigerSyntax) sections(many int) []Section {
	var all []Section
	for _, sec := range s.Sections() {
		section := Section{Name: sec.Kind.String(), Span: sec.Span}
		if sec.Kind < aiger.SectionSymbols {
			for i := range sec.Rows {
				if _, named := s.Symbol(sec.Kind, i); !named && sec.Rows > many {
					continue
				}
				if row, ok := s.Row(sec.Kind, i); ok {
					section.Rows = append(section.Rows, s.row(row))
				}
			}
		}
		all = append(all, section)
	}
	return all
}

// row describes a line by the name of what it defines, else by its literal.
func (s aigerSyntax) row(row aiger.Row) Row {
	span := s.Text().LineSpan(row.Line)
	r := Row{Span: span, Focus: span, Detail: s.Text().Slice(span)}
	sym, ok := s.Symbol(row.Kind, row.Index)
	switch {
	case ok && !isBlank(sym.Name):
		r.Name = sym.Name
	case row.Count > 0:
		r.Name = fmt.Sprint(row.Numbers[0])
	default: // not even a number
		r.Name = fmt.Sprintf("%s %d", row.Kind.One(), row.Index)
	}
	switch row.Kind {
	case aiger.SectionInputs:
		r.Kind = Input
	case aiger.SectionLatches:
		r.Kind = Latch
	case aiger.SectionAnds:
		r.Kind = Gate
	}
	return r
}

func (s aigerSyntax) elaborate() elaboration { return aigerElaboration{s.Elaborate(), s} }

type aigerElaboration struct {
	*aiger.Elaboration
	syntax aigerSyntax
}

func (e aigerElaboration) circuit() *circuit.Circuit                   { return e.Circuit }
func (e aigerElaboration) litOf(l Lit) (circuit.Lit, bool)             { return e.LitOf(uint32(l)) }
func (e aigerElaboration) fault(p circuit.Property) *source.Diagnostic { return e.Fault(p) }
func (e aigerElaboration) originLine(o circuit.Origin) int             { return aiger.LineFromOrigin(o) }
