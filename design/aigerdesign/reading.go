package aigerdesign

import (
	"fmt"
	"iter"

	"aiglens/aiger/syntax"
	"aiglens/design"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

func useFromAIGER(r syntax.Role) design.Use {
	switch r {
	case syntax.RoleOperand:
		return design.AsOperand
	case syntax.RoleNext:
		return design.AsNext
	case syntax.RoleReset:
		return design.AsReset
	case syntax.RoleInput, syntax.RoleLatch, syntax.RoleAnd:
		return design.NoUse
	case syntax.RoleBit:
		return design.AsBit
	}
	return design.AsProperty
}

// namedSection returns the section whose symbols name the row of a literal; ok
// is false for a literal that is not its row's first, and for those of justice
// properties, which have no names of their own.
func namedSection(r syntax.Role) (k syntax.SectionKind, ok bool) {
	switch r {
	case syntax.RoleInput:
		return syntax.SectionInputs, true
	case syntax.RoleLatch:
		return syntax.SectionLatches, true
	case syntax.RoleOutput:
		return syntax.SectionOutputs, true
	case syntax.RoleBad:
		return syntax.SectionBads, true
	case syntax.RoleConstraint:
		return syntax.SectionConstraints, true
	case syntax.RoleFairness:
		return syntax.SectionFairness, true
	}
	return 0, false
}

func (s *fileSyntax) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	return func(yield func(design.Occurrence) bool) {
		for o := range s.file.OccurrencesIn(span) {
			if !yield(occurrenceFromAIGER(o)) {
				return
			}
		}
	}
}

func (s *fileSyntax) Drivers(v design.Signal, buf []design.Lit) (kind design.SignalKind, index int, lits []design.Lit) {
	if v == 0 {
		return design.Constant, 0, buf
	}
	row, ok := s.file.DefiningRow(uint32(v))
	if !ok {
		return design.Undefined, 0, buf
	}
	kind = definedKind(row.Kind)
	most := 0
	switch kind {
	case design.Gate:
		most = 3
	case design.Latch:
		most = 2
		if row.Count > 2 && row.Numbers[2] > 1 && row.Numbers[2] != uint32(v.Lit()) {
			most = 3 // a reset function
		}
	}
	for i := 1; i < min(row.Count, most); i++ {
		buf = append(buf, design.Lit(row.Numbers[i]))
	}
	return kind, row.Index, buf
}

// definedKind returns what the rows of a section define.
func definedKind(k syntax.SectionKind) design.SignalKind {
	switch k {
	case syntax.SectionInputs:
		return design.Input
	case syntax.SectionLatches:
		return design.Latch
	case syntax.SectionAnds:
		return design.Gate
	}
	return design.Undefined
}

func (s *fileSyntax) CountUses(v design.Signal) (positive, negated int) {
	return s.file.CountUses(uint32(v))
}

// Uses reads the text of no more rows than it returns uses of: a signal may have many more.
func (s *fileSyntax) Uses(v design.Signal, most int) (first []design.Occurrence, all int) {
	positive, negated := s.CountUses(v)
	first = design.FirstOf(func(yield func(design.Occurrence) bool) {
		for o := range s.file.Uses(uint32(v)) {
			if !yield(occurrenceFromAIGER(o)) {
				return
			}
		}
	}, most)
	return first, max(positive+negated, len(first))
}

func (s *fileSyntax) RowAt(offset int) (design.RowRef, bool) {
	row, ok := s.file.RowAt(s.file.Text().LineAt(offset))
	if !ok {
		return design.RowRef{}, false
	}
	return s.rowRef(row), true
}

func (s *fileSyntax) RowOf(v design.Signal) (design.RowRef, bool) {
	defining, ok := s.file.DefiningRow(uint32(v))
	if !ok || v == 0 {
		return design.RowRef{}, false
	}
	row, ok := s.file.Row(defining.Kind, defining.Index)
	return s.rowRef(row), ok
}

func (s *fileSyntax) rowRef(row syntax.Row) design.RowRef {
	r := design.RowRef{
		Section: row.Kind.String(), One: row.Kind.One(), Label: s.label(row), Index: row.Index,
		Span: s.file.Text().LineSpan(row.Line), IsFirst: row.Index == 0, Kind: definedKind(row.Kind),
	}
	if r.Kind != design.Undefined && row.Count > 0 {
		r.Signal = design.Lit(row.Numbers[0]).Signal()
	}
	sym, _ := s.file.Symbol(row.Kind, row.Index)
	if name := s.overlay().symbol(row.Kind, row.Index, sym.Name); !isBlank(name) {
		r.Name = name
	}
	return r
}

func (s *fileSyntax) label(row syntax.Row) string {
	switch row.Kind {
	case syntax.SectionJustice:
		return fmt.Sprintf("justice %d: %s", row.Index, findings.Count(int(row.Numbers[0]), "literal", "literals"))
	case syntax.SectionJusticeLits:
		property := s.file.JusticeOf(row.Index)
		from, _ := s.file.JusticeLiterals(property)
		return fmt.Sprintf("justice %d, literal %d", property, row.Index-from)
	case syntax.SectionFairness:
		return fmt.Sprintf("fairness %d", row.Index)
	}
	return fmt.Sprintf("%s %d", row.Kind.One(), row.Index)
}

func (s *fileSyntax) SymbolAt(offset int) (design.SymbolLine, bool) {
	sym, ok := s.file.SymbolAt(offset)
	if !ok {
		return design.SymbolLine{}, false
	}
	return s.symbolLine(sym), true
}

func (s *fileSyntax) symbolLine(sym syntax.Symbol) design.SymbolLine {
	tag := source.SpanFromTo(sym.Span.Start, max(sym.Span.Start, sym.NameSpan.Start-1))
	l := design.SymbolLine{Span: sym.Span, Tag: tag, NameSpan: sym.NameSpan, Name: sym.Name}
	if row, ok := s.file.Row(sym.Kind, sym.Index); ok {
		l.Row = s.rowRef(row)
	}
	l.Lit, l.HasLit = s.named(sym)
	return l
}

func (s *fileSyntax) SymbolLines() iter.Seq[design.SymbolLine] {
	return func(yield func(design.SymbolLine) bool) {
		for _, sym := range s.file.Symbols() {
			if !yield(s.symbolLine(sym)) {
				return
			}
		}
	}
}

func (s *fileSyntax) SectionSpans() []design.SectionSpan {
	var all []design.SectionSpan
	for _, sec := range s.file.Sections() {
		all = append(all, design.SectionSpan{
			Name: sec.Kind.String(), Rows: sec.Rows, Span: sec.Span,
			Symbols: sec.Kind == syntax.SectionSymbols, Comment: sec.Kind == syntax.SectionComment,
		})
	}
	return all
}

// headerMeanings say what the fields of a header announce, and in which section.
var headerMeanings = map[string]struct {
	meaning string
	section syntax.SectionKind
}{
	"M": {"largest variable that may be used", syntax.SectionComment},
	"I": {"inputs", syntax.SectionInputs},
	"L": {"latches", syntax.SectionLatches},
	"O": {"outputs", syntax.SectionOutputs},
	"A": {"AND gates", syntax.SectionAnds},
	"B": {"bad-state properties", syntax.SectionBads},
	"C": {"invariant constraints", syntax.SectionConstraints},
	"J": {"justice properties", syntax.SectionJustice},
	"F": {"fairness constraints", syntax.SectionFairness},
}

func (s *fileSyntax) Header() []design.HeaderField {
	var all []design.HeaderField
	for _, f := range s.file.Header() {
		all = append(all, design.HeaderField{
			Name: f.Name, Meaning: headerMeanings[f.Name].meaning, Span: f.Span,
			Announced: int(f.Value), IsLimit: f.Name == "M",
		})
	}
	return all
}

func (s *fileSyntax) Found(f design.HeaderField) int {
	if f.IsLimit {
		return int(s.file.LargestVar())
	}
	for _, sec := range s.file.Sections() {
		if sec.Kind == headerMeanings[f.Name].section {
			return sec.Rows
		}
	}
	return 0
}
