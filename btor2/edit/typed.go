package edit

import (
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// LineTyped returns the edits that follow the typing of a line end, which starts the given line (from 0), or the end of the
// work on the line above: a row there that begins with its tag gets a number, if one is free.
func LineTyped(f *syntax.File, line int) []source.Edit {
	row, ok := f.RowAt(line - 1)
	if line < 1 || !ok || f.Model().Nodes[row].Op == syntax.NoOp {
		return nil
	}
	span := f.Text().LineSpan(line - 1)
	for _, d := range f.Diagnostics() {
		if d.Code == syntax.CodeIDMissing && span.Contains(d.Span.Start) && len(d.Fixes) > 0 {
			return d.Fixes[0].AllEdits()
		}
	}
	return nil
}
