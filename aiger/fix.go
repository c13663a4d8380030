package aiger

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// FixesFor returns the ways out of a diagnostic of f, the preferred one first:
// those that the diagnostic carries and those that are worked out only when
// somebody asks, because they touch every use of a literal or every symbol of
// a section.
func (f *File) FixesFor(d source.Diagnostic) []source.Fix {
	return findings.PreferredFirst(append(slices.Clip(d.Fixes), f.lateFixes(d)...))
}

// lateFixes returns the fixes that a diagnostic does not carry.
func (f *File) lateFixes(d source.Diagnostic) []source.Fix {
	line := f.text.LineAt(d.Span.Start)
	switch d.Code {
	case CodeTab, CodeExtraSpace, CodeTrailingSpace, CodeCRLF, CodeBlankLine:
		if len(d.Fixes) == 0 {
			return []source.Fix{{Title: titleWhitespace, Edits: f.WhitespaceEdits(), Preferred: true}}
		}
	case CodeCommentMisplaced:
		return f.moveFixes(line, lineText, "Move to the comment section", f.commentPlace)
	case CodeSymbolMisplaced:
		return f.moveFixes(line, lineSymbol, "Move behind the rows", f.symbolPlace)
	case CodeOutputsAsBads:
		if edits, err := f.OutputsToBads(); err == nil {
			return []source.Fix{{Title: "Make the outputs bads (AIGER 1.9)", Edits: edits}}
		}
	}
	row, ok := f.RowAt(line)
	if !ok || f.header.fault != nil {
		return nil
	}
	switch d.Code {
	case CodeUndefinedLiteral:
		return f.inputFixes(d.Span)
	case CodeDefinitionOdd:
		return f.evenFixes(row, d.Span)
	case CodeDefinitionTwice:
		return f.twiceFixes(row, d.Span)
	case CodeAndTrivial:
		return f.replaceFixes(row, simplified(row.Numbers[1], row.Numbers[2]))
	case CodeAndConstant, CodeAndDuplicate:
		if same, ok := f.sameAs(row); ok {
			return f.replaceFixes(row, same)
		}
	case CodeConstantProperty, CodeConstantConstraint, CodeDuplicateProperty, CodeAndUnused, CodeInputUnused:
		if edits, ok := f.removal(row); ok {
			return []source.Fix{{Title: "Remove the " + row.Kind.One(), Edits: edits}}
		}
	}
	return nil
}

// removal returns the edits that take a row out: its line, its count, and its
// place among the symbols. ok is false for rows whose place others depend on.
func (f *File) removal(row Row) (edits []source.Edit, ok bool) {
	if row.Kind == SectionJustice || row.Kind == SectionJusticeLits || !f.isAligned() {
		return nil, false
	}
	c := f.counts
	c[row.Kind]--
	edits = f.header.edits(c, f.header.value(fieldM))
	edits = append(edits, source.Edit{Span: source.SpanFromTo(f.text.LineStart(row.Line), f.text.LineStart(row.Line+1))})
	for place := range f.symbols.lines {
		s := &f.symbols.lines[place]
		if !s.state.isSymbol() || s.kind != row.Kind || int(s.index) < row.Index {
			continue
		}
		line, at := f.symbols.lineText(place)
		if int(s.index) == row.Index {
			l := f.symbols.lineOf(place)
			edits = append(edits, source.Edit{Span: source.SpanFromTo(at, f.text.LineStart(l+1))})
			continue
		}
		digits := source.SpanFromTo(at+1, at+strings.IndexByte(line, ' '))
		edits = append(edits, source.Edit{Span: digits, NewText: fmt.Sprint(s.index - 1)})
	}
	return edits, true
}

// inputFixes offers to declare an undefined literal as an input.
func (f *File) inputFixes(span source.Span) []source.Fix {
	o, ok := f.OccurrenceAt(span.Start)
	if !ok || !f.isAligned() {
		return nil
	}
	c := f.counts
	c[SectionInputs]++
	edits := f.header.edits(c, max(f.header.value(fieldM), f.defs.n+1, int(o.Var())))
	at := f.text.LineStart(f.header.line + 1)
	if n := f.counts[SectionInputs]; n > 0 {
		at = f.text.LineStart(f.lineOf(n-1) + 1)
	}
	edits = append(edits, source.Edit{Span: source.Span{Start: at}, NewText: fmt.Sprintf("%d\n", o.Lit&^1)})
	return []source.Fix{{Title: fmt.Sprintf("Declare %d as an input", o.Lit&^1), Edits: edits}}
}

// evenFixes offers to define the even literal. Where an AND defined the
// negation of a variable, the uses of that are negated.
func (f *File) evenFixes(row Row, span source.Span) []source.Fix {
	lit := row.Numbers[0]
	edit := source.Edit{Span: span, NewText: fmt.Sprint(lit &^ 1)}
	even := source.Fix{Title: fmt.Sprintf("Replace by %d", lit&^1), Edits: []source.Edit{edit}, Preferred: row.Kind == SectionInputs}
	if row.Kind != SectionAnds {
		return []source.Fix{even}
	}
	negated := source.Fix{Title: fmt.Sprintf("Replace by %d and negate its uses", lit&^1), Edits: []source.Edit{edit}}
	for o := range f.Uses(lit >> 1) {
		if o.Span != span && !o.Role.IsDefinition() {
			negated.Edits = append(negated.Edits, source.Edit{Span: o.Span, NewText: fmt.Sprint(o.Lit ^ 1)})
		}
	}
	return []source.Fix{negated, even}
}

// twiceFixes offers to remove a repeated definition or to give it a variable
// of its own.
func (f *File) twiceFixes(row Row, span source.Span) []source.Fix {
	var fixes []source.Fix
	first, _ := f.DefiningRow(row.Numbers[0] >> 1)
	if edits, ok := f.removal(row); ok {
		fixes = append(fixes, source.Fix{Title: "Remove this definition", Edits: edits,
			Preferred: first.Kind == row.Kind && first.Numbers == row.Numbers})
	}
	next := max(f.defs.largest(), f.largestUsed(), f.header.value(fieldM)) + 1
	if next > maxVar || !f.isAligned() {
		return fixes
	}
	edits := append(f.header.edits(f.counts, next), source.Edit{Span: span, NewText: fmt.Sprint(2 * next)})
	return append(fixes, source.Fix{Title: fmt.Sprintf("Renumber this definition to %d", 2*next), Edits: edits})
}

// replaceFixes offers to use a literal in the place of that of an AND row.
func (f *File) replaceFixes(row Row, by uint32) []source.Fix {
	var edits []source.Edit
	for o := range f.Uses(row.Numbers[0] >> 1) {
		if !o.Role.IsDefinition() {
			edits = append(edits, source.Edit{Span: o.Span, NewText: fmt.Sprint(by ^ o.Lit&1)})
		}
	}
	if len(edits) == 0 {
		return nil
	}
	return []source.Fix{{Title: fmt.Sprintf("Use %d instead of %d", by, row.Numbers[0]), Edits: edits}}
}

// moveFixes offers to move the run of stray lines of a class that starts on
// line to a place behind the rows.
func (f *File) moveFixes(line int, class lineClass, title string, place func() (at int, before string)) []source.Fix {
	last := line
	for k := f.straysBefore(line + 1); k < len(f.stray) && int(f.stray[k]) == last+1 && classify(f.text.Line(last+1)) == class; k++ {
		last++
	}
	span := source.SpanFromTo(f.text.LineStart(line), f.text.LineStart(last+1))
	moved := f.text.Slice(span)
	if !strings.HasSuffix(moved, "\n") {
		return nil // it is the last line already
	}
	at, before := place()
	return []source.Fix{{Title: title, Preferred: true, Edits: []source.Edit{
		{Span: span}, {Span: source.Span{Start: at}, NewText: before + moved},
	}}}
}

// commentPlace returns where a comment can be put, and what has to stand
// before it.
func (f *File) commentPlace() (at int, before string) {
	if span, ok := f.Comment(); ok {
		return span.Start, ""
	}
	if f.lacksNewline() {
		before = "\n"
	}
	return f.text.Len(), before + "c\n"
}

// symbolPlace returns where a symbol can be put.
func (f *File) symbolPlace() (at int, before string) {
	at = f.text.LineStart(f.end)
	if at == f.text.Len() && f.lacksNewline() {
		before = "\n"
	}
	return at, before
}

// FixAll returns edits that make every preferred fix, as far as they go
// together. After them there is nothing left that FixAll would change.
func (f *File) FixAll() []source.Edit { return findings.FixAll(f, (*File).preferredEdits) }

func (f *File) preferredEdits() []source.Edit {
	return findings.PreferredEdits(f.Diagnostics(), f.FixesFor)
}
