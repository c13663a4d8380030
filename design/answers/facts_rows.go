package answers

import (
	"fmt"
	"strings"
	"unicode"

	"aiglens/design"
	"aiglens/internal/source"
)

// RowFact is what a proof says of the latch of a row, or of its word, beside clauses.
type RowFact struct {
	Span source.Span // of the latch in its row
	Text string      // "always 0", "equals not x", "at most one of a, b, c", "count is at most 9"
}

// mostInGroup bounds the latches that the text of a fact lists.
const mostInGroup = 8

// Rows says on the rows of latches which are constant, equal to others or in a group, and on that of
// the highest bit of a word what is known about the word; up to a number of facts. Latches of other
// files are left out.
func (f *Facts) Rows(limit int) []RowFact {
	var all []RowFact
	for _, t := range f.besideClauses() {
		for _, fact := range t.Facts {
			for _, row := range fact.rows(f.text) {
				if len(all) == limit {
					return all
				}
				if f.Later {
					row.Text += " from step 1 on"
				}
				all = append(all, row)
			}
		}
	}
	return all
}

// rows says a fact on its rows.
func (f Fact) rows(in source.Text) (all []RowFact) {
	if f.Kind == Word {
		for _, part := range f.Parts {
			if s := part.Source; s != nil && s.Other == nil && s.Span.Length > 0 {
				all = append(all, RowFact{s.Span, f.String()})
			}
		}
		return all
	}
	for i, l := range f.Latches {
		if l.Other != nil || l.Span.Length == 0 {
			continue
		}
		text := f.about(i)
		if isShared(l.Name, in.Slice(l.Span)) {
			text = l.Name + ": " + text
		}
		all = append(all, RowFact{l.Span, text})
	}
	return all
}

// isShared reports whether a row may be that of other latches, too: of those of another instance, or of
// all bits of a register that is declared in one place. The text at its span is then no number, and
// not the whole name.
func isShared(name, at string) bool {
	return strings.Contains(name, "/") || at != name && at != "" && !unicode.IsDigit(rune(at[0]))
}

// about says a fact on the row of its latch with that position.
func (f Fact) about(i int) string {
	switch f.Kind {
	case Constant:
		return strings.TrimPrefix(f.Parts[1].Text, " is ")
	case Equal:
		var names []string
		for j, l := range f.Latches {
			if j == i {
				continue
			}
			if name := "not " + l.Name; l.Negated != f.Latches[i].Negated {
				names = append(names, name)
			} else {
				names = append(names, l.Name)
			}
		}
		return "equals " + listed(names)
	}
	var names []string
	for _, l := range f.Latches {
		names = append(names, signed(l.SourceSignal))
	}
	return f.Parts[0].Text + listed(names)
}

func signed(l design.SourceSignal) string {
	if l.Negated {
		return "not " + l.Name
	}
	return l.Name
}

// listed lists the first few names.
func listed(names []string) string {
	if more := len(names) - mostInGroup; more > 1 {
		return strings.Join(names[:mostInGroup], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
