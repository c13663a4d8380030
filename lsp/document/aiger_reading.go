package document

import (
	"context"
	"fmt"
	"iter"

	"aiglens/aiger"
	"aiglens/internal/source"
)

func useFromAIGER(r aiger.Role) Use {
	switch r {
	case aiger.RoleOperand:
		return AsOperand
	case aiger.RoleNext:
		return AsNext
	case aiger.RoleReset:
		return AsReset
	case aiger.RoleInput, aiger.RoleLatch, aiger.RoleAnd:
		return NoUse
	}
	return AsProperty
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

func (s aigerSyntax) occurrencesIn(span source.Span) iter.Seq[Occurrence] {
	return func(yield func(Occurrence) bool) {
		for o := range s.OccurrencesIn(span) {
			if !yield(occurrenceFromAIGER(o)) {
				return
			}
		}
	}
}

func (s aigerSyntax) drivers(v Signal, buf []Lit) (kind SignalKind, index int, lits []Lit) {
	if v == 0 {
		return Constant, 0, buf
	}
	row, ok := s.DefiningRow(uint32(v))
	if !ok {
		return Undefined, 0, buf
	}
	kind = definedKind(row.Kind)
	most := 0
	switch kind {
	case Gate:
		most = 3
	case Latch:
		most = 2
		if row.Count > 2 && row.Numbers[2] > 1 && row.Numbers[2] != uint32(v.Lit()) {
			most = 3 // a reset function
		}
	}
	for i := 1; i < min(row.Count, most); i++ {
		buf = append(buf, Lit(row.Numbers[i]))
	}
	return kind, row.Index, buf
}

// definedKind returns what the rows of a section define.
func definedKind(k aiger.SectionKind) SignalKind {
	switch k {
	case aiger.SectionInputs:
		return Input
	case aiger.SectionLatches:
		return Latch
	case aiger.SectionAnds:
		return Gate
	}
	return Undefined
}

func (s aigerSyntax) countUses(v Signal) (positive, negated int) { return s.CountUses(uint32(v)) }

func (s aigerSyntax) rowAt(offset int) (RowRef, bool) {
	row, ok := s.RowAt(s.Text().LineAt(offset))
	if !ok {
		return RowRef{}, false
	}
	return s.rowRef(row), true
}

func (s aigerSyntax) rowOf(v Signal) (RowRef, bool) {
	defining, ok := s.DefiningRow(uint32(v))
	if !ok || v == 0 {
		return RowRef{}, false
	}
	row, ok := s.Row(defining.Kind, defining.Index)
	return s.rowRef(row), ok
}

func (s aigerSyntax) rowRef(row aiger.Row) RowRef {
	r := RowRef{
		Section: row.Kind.String(), One: row.Kind.One(), Label: s.label(row), Index: row.Index,
		Span: s.Text().LineSpan(row.Line), IsFirst: row.Index == 0, Kind: definedKind(row.Kind),
	}
	if r.Kind != Undefined && row.Count > 0 {
		r.Signal = Lit(row.Numbers[0]).Signal()
	}
	return r
}

func (s aigerSyntax) label(row aiger.Row) string {
	switch row.Kind {
	case aiger.SectionJustice:
		literals := "literals"
		if row.Numbers[0] == 1 {
			literals = "literal"
		}
		return fmt.Sprintf("justice %d: %d %s", row.Index, row.Numbers[0], literals)
	case aiger.SectionJusticeLits:
		property := s.JusticeOf(row.Index)
		from, _ := s.JusticeLiterals(property)
		return fmt.Sprintf("justice %d, literal %d", property, row.Index-from)
	case aiger.SectionFairness:
		return fmt.Sprintf("fairness %d", row.Index)
	}
	return fmt.Sprintf("%s %d", row.Kind.One(), row.Index)
}

func (s aigerSyntax) symbolAt(offset int) (SymbolLine, bool) {
	sym, ok := s.SymbolAt(offset)
	if !ok {
		return SymbolLine{}, false
	}
	return s.symbolLine(sym), true
}

func (s aigerSyntax) symbolLine(sym aiger.Symbol) SymbolLine {
	tag := source.SpanFromTo(sym.Span.Start, max(sym.Span.Start, sym.NameSpan.Start-1))
	l := SymbolLine{Span: sym.Span, Tag: tag, NameSpan: sym.NameSpan, Name: sym.Name}
	if row, ok := s.Row(sym.Kind, sym.Index); ok {
		l.Row = s.rowRef(row)
	}
	l.Lit, l.HasLit = s.named(sym)
	return l
}

func (s aigerSyntax) symbolLines() iter.Seq[SymbolLine] {
	return func(yield func(SymbolLine) bool) {
		for _, sym := range s.Symbols() {
			if !yield(s.symbolLine(sym)) {
				return
			}
		}
	}
}

func (s aigerSyntax) sectionSpans() []SectionSpan {
	var all []SectionSpan
	for _, sec := range s.Sections() {
		all = append(all, SectionSpan{
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

func (s aigerSyntax) header() []HeaderField {
	var all []HeaderField
	for _, f := range s.Header() {
		all = append(all, HeaderField{
			Name: f.Name, Meaning: headerMeanings[f.Name].meaning, Span: f.Span,
			Announced: int(f.Value), IsLimit: f.Name == "M",
		})
	}
	return all
}

func (s aigerSyntax) found(f HeaderField) int {
	if f.IsLimit {
		return int(s.LargestVar())
	}
	for _, sec := range s.Sections() {
		if sec.Kind == headerMeanings[f.Name].section {
			return sec.Rows
		}
	}
	return 0
}

func (s aigerSyntax) lint(ctx context.Context) ([]source.Diagnostic, error) { return s.Lint(ctx) }
func (s aigerSyntax) fixes(d source.Diagnostic) []source.Fix                { return s.FixesFor(d) }
func (s aigerSyntax) fixAll() []source.Edit                                 { return s.FixAll() }
