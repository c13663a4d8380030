package edit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Fixes returns the ways out of a diagnostic of f, the preferred one first:
// those that the diagnostic carries and those that are computed only on
// request, because they touch every use of a literal or every symbol of
// a section.
func Fixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	fixes := slices.Clone(plainFixes(f, d))
	for i, fix := range fixes {
		fixes[i].Edits, fixes[i].Later = nil, func() []source.Edit {
			edits := fix.AllEdits()
			if kept, err := keepAsides(f, edits, fixMapping(f, d, fix)); err == nil {
				return kept
			}
			return edits
		}
	}
	return fixes
}

// plainFixes is Fixes without care for lemmas and covers.
func plainFixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	return findings.PreferredFirst(append(slices.Clip(d.Fixes), computedFixes(f, d)...))
}

// fixMapping returns what becomes of literals by a fix.
func fixMapping(f *syntax.File, d source.Diagnostic, fix source.Fix) func(uint32) uint32 {
	row, ok := f.RowAt(f.Text().LineAt(d.Span.Start))
	if !ok || row.Kind != syntax.SectionAnds {
		return same
	}
	var by uint32
	switch v := row.Numbers[0] / 2; {
	case d.Code == syntax.CodeDefinitionOdd && fix.Title == negatedTitle(row.Numbers[0]):
		by = 2*v | 1
	case d.Code == syntax.CodeAndTrivial:
		by = syntax.SimplifiedAnd(row.Numbers[1], row.Numbers[2])
	case d.Code == syntax.CodeAndConstant || d.Code == syntax.CodeAndDuplicate:
		if by, ok = diagnose.SameAs(d); !ok {
			return same
		}
	default:
		return same
	}
	if d.Code != syntax.CodeDefinitionOdd && fix.Title != replaceTitle(row, by) {
		return same
	}
	return func(lit uint32) uint32 {
		if lit/2 == row.Numbers[0]/2 {
			return by ^ lit&1
		}
		return lit
	}
}

func negatedTitle(lit uint32) string {
	return fmt.Sprintf("Replace by %d and negate its uses", lit&^1)
}

func replaceTitle(row syntax.Row, by uint32) string {
	return fmt.Sprintf("Use %d instead of %d", by, row.Numbers[0])
}

// computedFixes returns the fixes that a diagnostic does not carry.
func computedFixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	line := f.Text().LineAt(d.Span.Start)
	switch d.Code {
	case syntax.CodeTab, syntax.CodeExtraSpace, syntax.CodeTrailingSpace, syntax.CodeCRLF, syntax.CodeBlankLine:
		if len(d.Fixes) == 0 {
			return []source.Fix{f.WhitespaceFix()}
		}
	case syntax.CodeCommentMisplaced:
		return moveFixes(f, line, "Move to the comment section", commentPlace)
	case syntax.CodeSymbolMisplaced:
		return moveFixes(f, line, "Move after the rows", symbolPlace)
	case syntax.CodeOutputsAsBads:
		if structure(f) == nil {
			return []source.Fix{{Title: "Make the outputs bads (AIGER 1.9)", Later: func() []source.Edit {
				edits, _ := outputsToBads(f) // as above
				return edits
			}}}
		}
	case syntax.CodePropLiteral, syntax.CodePropIgnored, syntax.CodeWordSyntax, syntax.CodeWordSignal, syntax.CodeWordRepeats, syntax.CodeConstantProperty, syntax.CodeDuplicateProperty:
		if fixes := asideFixes(f, d); len(fixes) > 0 {
			return fixes
		}
	}
	row, ok := f.RowAt(line)
	if !ok || !f.HeaderIsSound() {
		return nil
	}
	fixes := rowFixes(f, row, d)
	if rowKindCodes[d.Code] {
		fixes = append(fixes, rowKinds(f, row)...)
	}
	return fixes
}

// rowFixes returns the fixes of a diagnostic that change what stands in its row.
func rowFixes(f *syntax.File, row syntax.Row, d source.Diagnostic) []source.Fix {
	switch d.Code {
	case syntax.CodeUndefinedLiteral:
		return inputFixes(f, d.Span)
	case syntax.CodeDefinitionOdd:
		return evenFixes(f, row, d.Span)
	case syntax.CodeDefinitionTwice:
		return append(twiceFixes(f, row, d.Span), propertyOfInput(f, row)...)
	case syntax.CodeAndTrivial:
		return replaceFixes(f, row, syntax.SimplifiedAnd(row.Numbers[1], row.Numbers[2]))
	case syntax.CodeAndConstant, syntax.CodeAndDuplicate:
		if same, ok := diagnose.SameAs(d); ok {
			return replaceFixes(f, row, same)
		}
	case syntax.CodeAndUnused, syntax.CodeInputUnused:
		return unusedFixes(f, row)
	case syntax.CodeConstantProperty, syntax.CodeConstantConstraint, syntax.CodeDuplicateProperty:
		if isRemovable(f, row) {
			return []source.Fix{{Title: "Remove the " + row.Kind.One(), Later: func() []source.Edit { return removal(f, row) }}}
		}
	}
	return nil
}

// unusedFixes offers to remove a row on which no property depends, and with it the rows that
// read it, on which none depends either.
func unusedFixes(f *syntax.File, row syntax.Row) []source.Fix {
	title := "Remove the " + row.Kind.One()
	readers, ok := readersOf(f, row, countedReaders)
	if !ok || !f.IsAligned() {
		return nil
	}
	switch n := len(readers); {
	case n == 0:
		return []source.Fix{{Title: title, Later: func() []source.Edit { return removal(f, row) }}}
	case n == 1:
		title += " and the " + readers[0].Kind.One() + " that reads it"
	case n <= countedReaders:
		title += fmt.Sprintf(" and the %d rows that depend on it", n)
	default:
		title += fmt.Sprintf(" and the more than %d rows that depend on it", countedReaders)
	}
	return []source.Fix{{Title: title, Later: func() []source.Edit {
		readers, ok := readersOf(f, row, math.MaxInt)
		if !ok {
			return nil
		}
		s := stripper{file: f}
		for _, section := range f.Sections() {
			if section.Kind < syntax.SectionSymbols {
				s.used[section.Kind] = slices.Repeat([]bool{true}, section.Rows)
			}
		}
		for _, r := range append(readers, row) {
			s.used[r.Kind][r.Index] = false
		}
		return s.edits(f.HeaderValues().Max)
	}}}
}

// countedReaders is up to which number the rows are counted that a fix removes.
const countedReaders = 20

// readersOf returns the latches and ANDs that read what a row defines, and those that read these,
// and so on; ok is false when another row does. What is defined by a second row too keeps its
// readers. Of more than most it returns the first.
func readersOf(f *syntax.File, row syntax.Row, most int) (readers []syntax.Row, ok bool) {
	known := map[int]bool{row.Line: true}
	for open := []syntax.Row{row}; len(open) > 0 && len(readers) <= most; open = open[1:] {
		if definedElsewhere(f, open[0]) {
			continue
		}
		for o := range f.Uses(open[0].Numbers[0] / 2) {
			line := f.Text().LineAt(o.Span.Start)
			if len(readers) > most {
				break
			}
			if o.IsNamed || known[line] {
				continue
			}
			known[line] = true
			reader, isRow := f.RowAt(line)
			if !isRow || reader.Kind != syntax.SectionLatches && reader.Kind != syntax.SectionAnds {
				return nil, false
			}
			readers, open = append(readers, reader), append(open, reader)
		}
	}
	return readers, true
}

// isRemovable reports whether no other row depends on the place of one.
func isRemovable(f *syntax.File, row syntax.Row) bool {
	return row.Kind != syntax.SectionJustice && row.Kind != syntax.SectionJusticeLits && f.IsAligned()
}

// removal returns the edits that take a row out that is removable: its line, its count, and its
// place among the symbols.
func removal(f *syntax.File, row syntax.Row) (edits []source.Edit) {
	values := f.HeaderValues()
	values.Counts[row.Kind]--
	edits = f.HeaderEdits(values)
	edits = append(edits, source.Edit{Span: source.SpanFromTo(f.Text().LineStart(row.Line), f.Text().LineStart(row.Line+1))})
	for _, sym := range f.Symbols() {
		switch {
		case sym.Kind != row.Kind || sym.Index < row.Index:
		case sym.Index == row.Index:
			edits = append(edits, source.Edit{Span: source.SpanFromTo(sym.Span.Start, f.Text().LineStart(sym.Line+1))})
		default:
			edits = append(edits, source.Edit{Span: positionSpan(sym), NewText: fmt.Sprint(sym.Index - 1)})
		}
	}
	return edits
}

// inputFixes offers to declare an undefined literal as an input.
func inputFixes(f *syntax.File, span source.Span) []source.Fix {
	o, ok := f.OccurrenceAt(span.Start)
	if !ok || !f.IsAligned() {
		return nil
	}
	values := f.HeaderValues()
	values.Counts[syntax.SectionInputs]++
	values.Max = max(values.Max, f.NumDefined()+1, int(o.Var()))
	edits := f.HeaderEdits(values)
	at := f.Text().LineStart(lineBehind(f, syntax.SectionInputs))
	edits = append(edits, source.Edit{Span: source.Span{Start: at}, NewText: fmt.Sprintf("%d\n", o.Lit&^1)})
	return []source.Fix{{Title: fmt.Sprintf("Declare %d as an input", o.Lit&^1), Edits: edits}}
}

// evenFixes offers to define the even literal. Where an AND defined the
// negation of a variable, the uses of that are negated.
func evenFixes(f *syntax.File, row syntax.Row, span source.Span) []source.Fix {
	lit := row.Numbers[0]
	edit := source.Edit{Span: span, NewText: fmt.Sprint(lit &^ 1)}
	even := source.Fix{Title: fmt.Sprintf("Replace by %d", lit&^1), Edits: []source.Edit{edit}, Preferred: row.Kind == syntax.SectionInputs}
	if row.Kind != syntax.SectionAnds {
		return []source.Fix{even}
	}
	negated := source.Fix{Title: negatedTitle(lit), Later: func() []source.Edit {
		edits := []source.Edit{edit}
		for o := range f.Uses(lit >> 1) {
			if o.Span != span && !o.Role.IsDefinition() && !o.IsNamed {
				edits = append(edits, source.Edit{Span: o.Span, NewText: fmt.Sprint(o.Lit ^ 1)})
			}
		}
		return edits
	}}
	return []source.Fix{negated, even}
}

// twiceFixes offers to remove a repeated definition or to give it a variable
// of its own.
func twiceFixes(f *syntax.File, row syntax.Row, span source.Span) []source.Fix {
	var fixes []source.Fix
	first, _ := f.DefiningRow(row.Numbers[0] >> 1)
	if isRemovable(f, row) {
		fixes = append(fixes, source.Fix{Title: "Remove this definition", Later: func() []source.Edit { return removal(f, row) },
			Preferred: first.Kind == row.Kind && first.Numbers == row.Numbers})
	}
	values := f.HeaderValues()
	next := max(int(f.LargestDefined()), int(f.LargestVar()), values.Max) + 1
	if next > syntax.MaxVar || !f.IsAligned() {
		return fixes
	}
	values.Max = next
	edits := append(f.HeaderEdits(values), source.Edit{Span: span, NewText: fmt.Sprint(2 * next)})
	return append(fixes, source.Fix{Title: fmt.Sprintf("Renumber this definition to %d", 2*next), Edits: edits})
}

// replaceFixes offers to use a literal in the place of that of an AND row.
func replaceFixes(f *syntax.File, row syntax.Row, by uint32) []source.Fix {
	replaced := func(o syntax.Occurrence) bool { return !o.Role.IsDefinition() && !o.IsNamed }
	later := func() (edits []source.Edit) {
		for o := range f.Uses(row.Numbers[0] >> 1) {
			if replaced(o) {
				edits = append(edits, source.Edit{Span: o.Span, NewText: fmt.Sprint(by ^ o.Lit&1)})
			}
		}
		return edits
	}
	for o := range f.Uses(row.Numbers[0] >> 1) {
		if replaced(o) {
			return []source.Fix{{Title: replaceTitle(row, by), Later: later}}
		}
	}
	return nil
}

// moveFixes offers to move the run of stray lines that starts on line to a
// place after the rows.
func moveFixes(f *syntax.File, line int, title string, place func(*syntax.File) (at int, before string)) []source.Fix {
	last := f.StrayRun(line)
	span := source.SpanFromTo(f.Text().LineStart(line), f.Text().LineStart(last+1))
	moved := f.Text().Slice(span)
	if !strings.HasSuffix(moved, "\n") {
		return nil // it is the last line already
	}
	at, before := place(f)
	return []source.Fix{{Title: title, Preferred: true, Edits: []source.Edit{
		{Span: span}, {Span: source.Span{Start: at}, NewText: before + moved},
	}}}
}

// commentPlace returns where a comment can be put, and what has to stand
// before it.
func commentPlace(f *syntax.File) (at int, before string) {
	if span, ok := f.Comment(); ok {
		return span.Start, ""
	}
	if f.LacksNewline() {
		before = "\n"
	}
	return f.Text().Len(), before + "c\n"
}

// symbolPlace returns where a symbol can be put.
func symbolPlace(f *syntax.File) (at int, before string) {
	at = f.Text().LineStart(f.RowsEnd())
	if at == f.Text().Len() && f.LacksNewline() {
		before = "\n"
	}
	return at, before
}

// FixAll returns edits that make every preferred fix, as far as they go
// together. After them there is nothing left that FixAll would change.
func FixAll(f *syntax.File) []source.Edit {
	edits := findings.FixAll(f, preferredEdits)
	if kept, err := keepAsides(f, edits, same); err == nil {
		return kept
	}
	return edits
}

func preferredEdits(f *syntax.File) []source.Edit {
	return findings.PreferredEdits(f.Diagnostics(), func(d source.Diagnostic) []source.Fix { return plainFixes(f, d) })
}
