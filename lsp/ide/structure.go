package ide

import (
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/internal/source"
)

// Fold is a range of lines that can be hidden.
type Fold struct {
	First, Last int // lines, from 0
	Comment     bool
}

// Folds returns the sections of more than one line.
func Folds(d *design.Design) []Fold {
	var all []Fold
	for _, s := range d.SectionSpans() {
		if first, last := d.Text.LineAt(s.Span.Start), d.Text.LineAt(s.Span.End()); first < last {
			all = append(all, Fold{first, last, s.Comment})
		}
	}
	return all
}

// Selections returns what a selection at offset grows into, the smallest
// first: number or name, line, section, file. Each contains the one before.
func Selections(d *design.Design, offset int) []source.Span {
	var all []source.Span
	add := func(s source.Span) {
		if last := len(all) - 1; last < 0 || s != all[last] && s.Start <= all[last].Start && s.End() >= all[last].End() {
			all = append(all, s)
		}
	}
	line := d.Text.LineSpan(d.Text.LineAt(offset))
	line.Length = lineEnd(d, line) - line.Start
	if symbol, ok := d.SymbolAt(offset); ok {
		if symbol.NameSpan.Contains(offset) {
			add(symbol.NameSpan)
		}
	} else if field, ok := answers.HeaderFieldAt(d, offset); ok {
		add(field.Span)
	} else if o, ok := d.OccurrenceAt(offset); ok {
		add(o.Span)
	}
	if lists := design.ListsAt(d, offset); lists != nil {
		for _, span := range lists {
			add(span)
		}
	} else if line.Contains(offset) {
		add(line)
	}
	for _, s := range d.SectionSpans() {
		if s.Span.Contains(offset) {
			add(s.Span)
		}
	}
	add(source.Span{Length: d.Text.Len()})
	return all
}
