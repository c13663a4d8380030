package findings

import (
	"slices"

	"aiglens/internal/source"
)

// fixRounds bounds FixAll: a fix may uncover what the next round fixes.
const fixRounds = 10

// version is a version of a file; F is the type of the version itself.
type version[F any] interface {
	Text() source.Text
	Reparse(text source.Text) F
}

// FixAll returns edits of a file that make every preferred fix, as far as they
// go together. preferred returns those of one version, as PreferredEdits does.
// After FixAll there is nothing left that it would change, but for a file that
// needs more than ten rounds.
func FixAll[F version[F]](f F, preferred func(F) []source.Edit) []source.Edit {
	fixed := f
	var edits []source.Edit
	for round := range fixRounds {
		more := preferred(fixed)
		if len(more) == 0 {
			break
		}
		text, err := fixed.Text().Apply(more)
		if prefix, _ := source.Common(text, fixed.Text()); err != nil || prefix == max(text.Len(), fixed.Text().Len()) {
			break
		}
		fixed = fixed.Reparse(text)
		if edits = more; round > 0 {
			edits = source.Diff(f.Text(), text.Content())
		}
	}
	return edits
}

// PreferredEdits returns the edits of the preferred fixes of some diagnostics;
// of fixes that touch the same place only the first. fixes returns the ways out
// of a diagnostic, the preferred one first.
func PreferredEdits(diagnostics []source.Diagnostic, fixes func(source.Diagnostic) []source.Fix) []source.Edit {
	var edits []source.Edit // by place
	for _, d := range diagnostics {
		if ways := fixes(d); len(ways) > 0 && ways[0].Preferred {
			edits = WithFix(edits, ways[0].AllEdits())
		}
	}
	return edits
}

// WithFix puts the edits of a fix between others, which it keeps sorted by place;
// of a fix that touches the place of another one nothing. An edit that is there
// already is shared.
func WithFix(edits, fix []source.Edit) []source.Edit {
	fix = slices.Clone(fix)
	slices.SortStableFunc(fix, byPlace)
	var added []source.Edit
	for i, e := range fix {
		at, found := slices.BinarySearchFunc(edits, e, byPlace)
		switch {
		case found && edits[at] == e || i > 0 && fix[i-1] == e:
			continue
		case found, i > 0 && touch(fix[i-1], e), at > 0 && touch(edits[at-1], e), at < len(edits) && touch(e, edits[at]):
			return edits
		}
		added = append(added, e)
	}
	for _, e := range added {
		at, _ := slices.BinarySearchFunc(edits, e, byPlace)
		edits = slices.Insert(edits, at, e)
	}
	return edits
}

func byPlace(a, b source.Edit) int { return a.Span.Start - b.Span.Start }

// touch reports whether two edits in the order of the text touch the same place.
func touch(a, b source.Edit) bool { return b.Span.Start < a.Span.End() || b.Span.Start == a.Span.Start }

// PreferredFirst sorts fixes so that the preferred one comes first, and returns
// them.
func PreferredFirst(fixes []source.Fix) []source.Fix {
	slices.SortStableFunc(fixes, func(a, b source.Fix) int {
		switch {
		case a.Preferred == b.Preferred:
			return 0
		case a.Preferred:
			return -1
		}
		return 1
	})
	return fixes
}
