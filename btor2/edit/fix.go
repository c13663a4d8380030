package edit

import (
	"fmt"
	"slices"

	"aiglens/btor2/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Fixes returns the ways out of a diagnostic of f, the preferred one first: those that the diagnostic carries, the order
// of rows that it asks for, and rows that give an operand its width.
func Fixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	fixes := slices.Clip(d.Fixes)
	if (d.Code == syntax.CodeForwardReference || d.Code == syntax.CodeInitOrder) && len(d.Related) > 0 {
		fixes = append(fixes, source.Fix{Title: "Move up what is used, and number the rows again", Later: func() []source.Edit {
			order, err := inOrder(f, asWritten)
			if err != nil {
				return nil // rows use each other
			}
			return source.Diff(f.Text(), reordered(f, order))
		}})
	}
	if d.Code == syntax.CodeOneBit || d.Code == syntax.CodeWidthMismatch {
		fixes = append(fixes, widthFixes(f, d)...)
	}
	if d.Code == syntax.CodeRowRepeated && len(d.Related) > 0 {
		fixes = append(fixes, repeatedFixes(f, d)...)
	}
	return findings.PreferredFirst(fixes)
}

// repeatedFixes uses the first row of a value in the place of one that repeats it. None has a name that would be lost.
func repeatedFixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	first, ok := f.OccurrenceAt(d.Related[0].Span.Start)
	row, isRow := f.RowAt(f.Text().LineAt(d.Span.Start))
	nodes := f.Model().Nodes
	if !ok || !isRow || first.Role != syntax.RoleDefinition || nodes[row].Symbol != "" && nodes[first.Node].Symbol != "" {
		return nil
	}
	if _, err := newRewriting(f); err != nil {
		return nil
	}
	return []source.Fix{{Title: fmt.Sprintf("Use row %d in the place of this one", nodes[first.Node].ID), Later: func() []source.Edit {
		edits, err := inline(f, row, syntax.Ref(2*first.Node))
		if err != nil {
			return nil
		}
		return edits
	}}}
}

// FixAll returns edits that make every preferred fix, as far as they go together.
func FixAll(f *syntax.File) []source.Edit { return findings.FixAll(f, preferredEdits) }

func preferredEdits(f *syntax.File) []source.Edit {
	return findings.PreferredEdits(f.Diagnostics(), func(d source.Diagnostic) []source.Fix {
		return findings.PreferredFirst(slices.Clip(d.Fixes)) // the computed ones are never preferred
	})
}
