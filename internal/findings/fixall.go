package findings

import (
	"slices"

	"aiglens/internal/source"
)

// fixRounds bounds FixAll: a fix may uncover what the next round fixes.
const fixRounds = 10

// Version is a version of a file; F is the type of the version itself.
type Version[F any] interface {
	Text() source.Text
	Reparse(text source.Text) F
}

// FixAll returns edits of a file that make every preferred fix, as far as they
// go together. preferred returns those of one version, as PreferredEdits does.
// After FixAll there is nothing left that it would change, but for a file that
// needs more than ten rounds.
func FixAll[F Version[F]](f F, preferred func(F) []source.Edit) []source.Edit {
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
	var edits []source.Edit
	for _, d := range diagnostics {
		ways := fixes(d)
		if len(ways) == 0 || !ways[0].Preferred {
			continue
		}
		all := slices.Clone(edits)
		for _, e := range ways[0].Edits {
			if !slices.Contains(edits, e) {
				all = append(all, e)
			}
		}
		if sortDisjoint(all) {
			edits = all
		}
	}
	return edits
}

// sortDisjoint sorts edits and reports whether no two touch the same place.
func sortDisjoint(edits []source.Edit) bool {
	slices.SortStableFunc(edits, func(a, b source.Edit) int { return a.Span.Start - b.Span.Start })
	for i := 1; i < len(edits); i++ {
		a, b := edits[i-1].Span, edits[i].Span
		if b.Start < a.End() || b.Start == a.Start {
			return false
		}
	}
	return true
}

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
