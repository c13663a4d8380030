package ide

import (
	"slices"

	"aiglens/design"
	"aiglens/internal/source"
)

// Definition returns the place that defines the signal at offset.
func Definition(d *design.Design, offset int) (source.Span, bool) {
	o, ok := d.OccurrenceAt(offset)
	if !ok {
		return source.Span{}, false
	}
	def, ok := d.Definition(o.Lit.Signal())
	return def.Span, ok
}

// References returns every place of the signal at offset in either polarity,
// lines that name it included; its definition only when declaration holds.
func References(d *design.Design, offset int, declaration bool) []design.Occurrence {
	o, ok := d.OccurrenceAt(offset)
	if !ok {
		return nil
	}
	all := d.Occurrences(o.Lit.Signal())
	if declaration {
		return all
	}
	var uses []design.Occurrence
	for _, o := range all {
		if o.Role != design.RoleDefinition {
			uses = append(uses, o)
		}
	}
	return uses
}

// Highlights returns the places to mark with the cursor at offset: those of its
// signal, or in a row of a cover the character and the name that it is about.
func Highlights(d *design.Design, offset int) []design.Occurrence {
	all := References(d, offset, true)
	if len(all) == 0 {
		for _, span := range d.CoverCell(offset) {
			all = append(all, design.Occurrence{Span: span, Role: design.RoleName})
		}
	}
	return around(all, offset)
}

// maxHighlights bounds the places that are marked. An editor asks for them whenever the cursor moves, and a sort or a
// clock may stand in each row.
const maxHighlights = 2000

// around returns the places before and after an offset, in text order where there are too many.
func around(all []design.Occurrence, offset int) []design.Occurrence {
	if len(all) <= maxHighlights {
		return all
	}
	all = slices.SortedStableFunc(slices.Values(all), func(a, b design.Occurrence) int { return a.Span.Start - b.Span.Start })
	at, _ := slices.BinarySearchFunc(all, offset, func(o design.Occurrence, offset int) int { return o.Span.End() - offset })
	from := min(max(at-maxHighlights/2, 0), len(all)-maxHighlights)
	return all[from : from+maxHighlights]
}

// maxSymbols bounds the rows of an outline: more are slow to send and to draw, and no
// user reads them.
const maxSymbols = 1000

// Symbols returns the outline: sections and their rows.
func Symbols(d *design.Design) []design.Section { return d.Outline(maxSymbols) }
