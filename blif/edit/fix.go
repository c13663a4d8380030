package edit

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// FixesFor returns the ways out of a diagnostic of f, the preferred one first.
// They are worked out from the place of the diagnostic.
func FixesFor(f *blif.File, d source.Diagnostic) []source.Fix {
	fixes := append(slices.Clip(d.Fixes), structureFixes(f, d)...)
	fixes = append(fixes, signalFixes(f, d)...)
	fixes = append(fixes, coverFixes(f, d)...)
	fixes = append(fixes, latchFixes(f, d)...)
	fixes = append(fixes, instanceFixes(f, d)...)
	fixes = append(fixes, textFixes(f, d)...)
	return findings.PreferredFirst(fixes)
}

func insert(at int, text string) source.Edit {
	return source.Edit{Span: source.Span{Start: at}, NewText: text}
}

func replace(span source.Span, text string) source.Edit {
	return source.Edit{Span: span, NewText: text}
}

// fix makes a fix of one or more edits; safe marks the preferred one.
func fix(safe bool, title string, edits ...source.Edit) []source.Fix {
	return []source.Fix{{Title: title, Edits: edits, Preferred: safe}}
}

// appendLines adds lines at the end of the text.
func appendLines(f *blif.File, lines string) source.Edit {
	if n := f.Text().Len(); n > 0 && f.Text().Byte(n-1) != '\n' {
		lines = "\n" + lines
	}
	if _, ok := f.LastBackslash(); ok {
		lines = "\n" + lines // what it joins is blank
	}
	return insert(f.Text().Len(), lines)
}

// FixAll returns edits that make every preferred fix, as far as they go
// together. After them there is nothing left that FixAll would change.
func FixAll(f *blif.File) []source.Edit { return findings.FixAll(f, preferredEdits) }

func preferredEdits(f *blif.File) []source.Edit {
	return findings.PreferredEdits(diagnose.Diagnostics(f), func(d source.Diagnostic) []source.Fix { return FixesFor(f, d) })
}
