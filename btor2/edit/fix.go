package edit

import (
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
	return findings.PreferredFirst(fixes)
}

// FixAll returns edits that make every preferred fix, as far as they go together.
func FixAll(f *syntax.File) []source.Edit { return findings.FixAll(f, preferredEdits) }

func preferredEdits(f *syntax.File) []source.Edit {
	return findings.PreferredEdits(f.Diagnostics(), func(d source.Diagnostic) []source.Fix {
		return findings.PreferredFirst(slices.Clip(d.Fixes)) // the computed ones are never preferred
	})
}
