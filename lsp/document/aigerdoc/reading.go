package aigerdoc

import (
	"fmt"
	"iter"

	"aiglens/aiger"
	"aiglens/internal/source"
	"aiglens/lsp/document"
)

func useFromAIGER(r aiger.Role) document.Use {
	switch r {
	case aiger.RoleOperand:
		return document.AsOperand
	case aiger.RoleNext:
		return document.AsNext
	case aiger.RoleReset:
		return document.AsReset
	case aiger.RoleInput, aiger.RoleLatch, aiger.RoleAnd:
		return document.NoUse
	}
	return document.AsProperty
}

// namedSection returns the section whose symbols name the row of a literal; ok
// is false for a literal that is not its row's first, and for those of justice
// properties, which have no names of their own.
func namedSection(r aiger.Role) (k aiger.SectionKind, ok bool) {
	switch r {
	case aiger.RoleInput:
		return aiger.SectionInputs, true
	case aiger.RoleLatch:
		return aiger.SectionLatches, true
	case aiger.RoleOutput:
		return aiger.SectionOutputs, true
	case aiger.RoleBad:
		return aiger.SectionBads, true
	case aiger.RoleConstraint:
		return aiger.SectionConstraints, true
	case aiger.RoleFairness:
		return aiger.SectionFairness, true
	}
	return 0, false
}

func (s *syntax) OccurrencesIn(span source.Span) iter.Seq[document.Occurrence] {
	return func(yield func(document.Occurrence) bool) {
		for o := range s.file.OccurrencesIn(span) {
			if !yield(occurrenceFromAIGER(o)) {
				return
			}
		}
	}
}

func (s *syntax) Drivers(v document.Signal, buf []document.Lit) (kind document.SignalKind, index int, lits []document.Lit) {
	if v == 0 {
		return document.Constant, 0, buf
	}
	row, ok := s.file.DefiningRow(uint32(v))
	if !ok {
		return document.Undefined, 0, buf
	}
	kind = definedKind(row.Kind)
	most := 0
	switch kind {
	case document.Gate:
		most = 3
	case document.Latch:
		most = 2
		if row.Count > 2 && row.Numbers[2] > 1 && row.Numbers[2] != uint32(v.Lit()) {
			most = 3 // a reset function
		}
	}
	for i := 1; i < min(row.Count, most); i++ {
		buf = append(buf, document.Lit(row.Numbers[i]))
	}
	return kind, row.Index, buf
}

// definedKind returns what the rows of a section define.
func definedKind(k aiger.SectionKind) document.SignalKind {
	switch k {
	case aiger.SectionInputs:
		return document.Input
	case aiger.SectionLatches:
		return document.Latch
	case aiger.SectionAnds:
		return document.Gate
	}
	return document.Undefined
}

func (s *syntax) CountUses(v document.Signal) (positive, negated int) {
	return s.file.CountUses(uint32(v))
}

func (s *syntax) RowAt(offset int) (document.RowRef, bool) {
	row, ok := s.file.RowAt(s.file.Text().LineAt(offset))
	if !ok {
		return document.RowRef{}, false
	}
	return s.rowRef(row), true
}

func (s *syntax) RowOf(v document.Signal) (document.RowRef, bool) {
	defining, ok := s.file.DefiningRow(uint32(v))
	if !ok || v == 0 {
		return document.RowRef{}, false
	}
	row, ok := s.file.Row(defining.Kind, defining.Index)
	return s.rowRef(row), ok
}

func (s *syntax) rowRef(row aiger.Row) document.RowRef {
	r := document.RowRef{
		Section: row.Kind.String(), One: row.Kind.One(), Label: s.label(row), Index: row.Index,
		Span: s.file.Text().LineSpan(row.Line), IsFirst: row.Index == 0, Kind: definedKind(row.Kind),
	}
	if r.Kind != document.Undefined && row.Count > 0 {
		r.Signal = document.Lit(row.Numbers[0]).Signal()
	}
	return r
}

func (s *syntax) label(row aiger.Row) string {
	switch row.Kind {
	case aiger.SectionJustice:
		literals := "literals"
		if row.Numbers[0] == 1 {
			literals = "literal"
		}
		return fmt.Sprintf("justice %d: %d %s", row.Index, row.Numbers[0], literals)
	case aiger.SectionJusticeLits:
		property := s.file.JusticeOf(row.Index)
		from, _ := s.file.JusticeLiterals(property)
		return fmt.Sprintf("justice %d, literal %d", property, row.Index-from)
	case aiger.SectionFairness:
		return fmt.Sprintf("fairness %d", row.Index)
	}
	return fmt.Sprintf("%s %d", row.Kind.One(), row.Index)
}

func (s *syntax) SymbolAt(offset int) (document.SymbolLine, bool) {
	sym, ok := s.file.SymbolAt(offset)
	if !ok {
		return document.SymbolLine{}, false
	}
	return s.symbolLine(sym), true
}

func (s *syntax) symbolLine(sym aiger.Symbol) document.SymbolLine {
	tag := source.SpanFromTo(sym.Span.Start, max(sym.Span.Start, sym.NameSpan.Start-1))
	l := document.SymbolLine{Span: sym.Span, Tag: tag, NameSpan: sym.NameSpan, Name: sym.Name}
	if row, ok := s.file.Row(sym.Kind, sym.Index); ok {
		l.Row = s.rowRef(row)
	}
	l.Lit, l.HasLit = s.named(sym)
	return l
}

func (s *syntax) SymbolLines() iter.Seq[document.SymbolLine] {
	return func(yield func(document.SymbolLine) bool) {
		for _, sym := range s.file.Symbols() {
			if !yield(s.symbolLine(sym)) {
				return
			}
		}
	}
}

func (s *syntax) SectionSpans() []document.SectionSpan {
	var all []document.SectionSpan
	for _, sec := range s.file.Sections() {
		all = append(all, document.SectionSpan{
			Name: sec.Kind.String(), Rows: sec.Rows, Span: sec.Span,
			Symbols: sec.Kind == aiger.SectionSymbols, Comment: sec.Kind == aiger.SectionComment,
		})
	}
	return all
}

// headerMeanings say what the fields of a header announce, and in which section.
var headerMeanings = map[string]struct {
	meaning string
	section aiger.SectionKind
}{
	"M": {"largest variable that may be used", aiger.SectionComment},
	"I": {"inputs", aiger.SectionInputs},
	"L": {"latches", aiger.SectionLatches},
	"O": {"outputs", aiger.SectionOutputs},
	"A": {"AND gates", aiger.SectionAnds},
	"B": {"bad-state properties", aiger.SectionBads},
	"C": {"invariant constraints", aiger.SectionConstraints},
	"J": {"justice properties", aiger.SectionJustice},
	"F": {"fairness constraints", aiger.SectionFairness},
}

func (s *syntax) Header() []document.HeaderField {
	var all []document.HeaderField
	for _, f := range s.file.Header() {
		all = append(all, document.HeaderField{
			Name: f.Name, Meaning: headerMeanings[f.Name].meaning, Span: f.Span,
			Announced: int(f.Value), IsLimit: f.Name == "M",
		})
	}
	return all
}

func (s *syntax) Found(f document.HeaderField) int {
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
