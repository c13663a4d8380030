package edit

import (
	"fmt"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// rowKindCodes are the diagnostics on a row that may stand there because the header
// counts the row for something that it was not meant to be.
var rowKindCodes = map[source.Code]bool{
	syntax.CodeSurplus: true, syntax.CodeLatchNextMissing: true, syntax.CodeAndOperandMissing: true,
	syntax.CodeUndefinedLiteral: true, syntax.CodeLiteralOutOfRange: true, syntax.CodeResetCycle: true,
	syntax.CodeDefinitionTwice: true, syntax.CodeDefinitionOdd: true, syntax.CodeDefinitionConstant: true,
	syntax.CodeAndTrivial: true, syntax.CodeAndConstant: true, syntax.CodeAndCycle: true,
	syntax.CodeLatchConstant: true, syntax.CodeInputUnused: true,
}

// rowKinds offers to count a row for something else, which only the header says.
func rowKinds(f *syntax.File, row syntax.Row) []source.Fix {
	var fixes []source.Fix
	for _, kind := range f.OtherKinds(row) {
		if mayBe(f, row, kind) {
			fixes = append(fixes, source.Fix{Title: "This row is " + kind.WithArticle(), Later: func() []source.Edit { return countAs(f, row, kind) }})
		}
	}
	return fixes
}

// otherKinds offers to count a row that is right as it is for something else: one of the
// outputs, bads or constraints for another of these, and a latch with a reset function,
// which looks like an AND.
func (c *changes) otherKinds(row syntax.Row) {
	isFunction := row.Kind == syntax.SectionLatches && row.Count == 3 && row.Numbers[2] > 1 && row.Numbers[2] != row.Numbers[0]
	if (row.Count != 1 || row.Kind == syntax.SectionInputs) && !isFunction {
		return
	}
	for _, fix := range rowKinds(c.file, row) {
		if title := fix.Title; title != "This row is an input" {
			c.add(source.ChangeRewrite, "count-as-"+title, title, func() ([]source.Edit, error) { return fix.AllEdits(), nil })
		}
	}
}

// mayBe reports whether a row with as many numbers as those of a kind can be one.
func mayBe(f *syntax.File, row syntax.Row, kind syntax.SectionKind) bool {
	n := row.Numbers
	defines := n[0] > 1 && n[0]&1 == 0
	switch kind {
	case syntax.SectionLatches:
		return defines && (row.Count == 2 || n[2] <= 1 || n[2] == n[0])
	case syntax.SectionAnds:
		_, named := f.Symbol(row.Kind, row.Index) // an AND has no name
		return !named && defines && n[1]/2 != n[0]/2 && n[2]/2 != n[0]/2
	case syntax.SectionInputs:
		return defines && !definedElsewhere(f, row)
	case syntax.SectionFairness:
		return f.HeaderValues().Counts[syntax.SectionJustice] > 0
	}
	return true
}

// definedElsewhere reports whether another row defines the first literal of a row.
func definedElsewhere(f *syntax.File, row syntax.Row) bool {
	for o := range f.Uses(row.Numbers[0] / 2) {
		if o.Role.IsDefinition() && f.Text().LineAt(o.Span.Start) != row.Line {
			return true
		}
	}
	return false
}

// countAs returns the edits that have the header count a row for another kind. Its
// symbol, and those of the rows that move up or down by one, go along.
func countAs(f *syntax.File, row syntax.Row, kind syntax.SectionKind) []source.Edit {
	values, index := f.HeaderAs(row, kind)
	return symbolsMoved(f, values, func(n nameable) nameable {
		switch {
		case n == nameable{row.Kind, row.Index}:
			return nameable{kind, index}
		case n.kind == row.Kind && n.index > row.Index:
			n.index--
		case n.kind == kind && n.index >= index:
			n.index++
		}
		return n
	})
}

// propertyOfInput offers, where a row defines the literal of an input again, to
// count the input for a property: it may have been written before the row that
// defines it.
func propertyOfInput(f *syntax.File, row syntax.Row) []source.Fix {
	first, ok := f.DefiningRow(row.Numbers[0] / 2)
	if !ok || first.Kind != syntax.SectionInputs || first.Line == row.Line {
		return nil
	}
	var fixes []source.Fix
	for _, kind := range f.OtherKinds(first) {
		if kind == syntax.SectionOutputs || kind == syntax.SectionBads {
			fixes = append(fixes, source.Fix{
				Title: fmt.Sprintf("The row on line %d is %s", first.Line+1, kind.WithArticle()), Later: func() []source.Edit { return countAs(f, first, kind) },
			})
		}
	}
	return fixes
}
