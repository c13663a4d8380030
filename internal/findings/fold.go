package findings

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/internal/source"
)

// handful is up to how many diagnostics that say the same stand beside each other, and
// maxPlaces bounds the places that one of more refers to.
const (
	handful   = 5
	maxPlaces = 50
)

// Folded returns diagnostics with one in place of many that say the same: it says how many
// there are and refers to the lines of the text in which the others stand, to each once. Hints, and what an editor
// fades, are no lists to be read and stay. found is not changed.
func Folded(text source.Text, found []source.Diagnostic) []source.Diagnostic {
	type key struct {
		code     source.Code
		severity source.Severity
		says     string
	}
	keyOf := func(d *source.Diagnostic) key {
		says := d.Several
		if says == "" {
			says = d.Message
		}
		return key{d.Code, d.Severity, says}
	}
	count := map[key]int{}
	for i := range found {
		if d := &found[i]; d.Severity != source.Hint && !d.Unnecessary {
			count[keyOf(d)]++
		}
	}
	first := map[key]*fold{}
	all := make([]source.Diagnostic, 0, len(found))
	for i := range found {
		d := found[i]
		k := keyOf(&d)
		n := count[k]
		if n <= handful || d.Unnecessary {
			all = append(all, d)
			continue
		}
		line := text.LineAt(d.Span.Start)
		if f := first[k]; f != nil {
			f.add(&all[f.at], line, d)
			continue
		}
		one, of := together(d, n), &folded{-1, nil}
		if d.Several != "" {
			of = &folded{len(one.Related) - 1, []string{d.Message}}
		}
		first[k] = &fold{len(all), map[int]*folded{line: of}}
		all = append(all, one)
	}
	return all
}

// fold is a diagnostic in place of many.
type fold struct {
	at    int             // in the list
	lines map[int]*folded // that it names
}

// folded is what a fold says of a line.
type folded struct {
	at   int // what refers to the line; -1 for the place of the diagnostic itself
	said []string
}

// add has the diagnostic refer to the line of another one. Of each line it says a handful of things, each once.
func (f *fold) add(one *source.Diagnostic, line int, d source.Diagnostic) {
	of, known := f.lines[line]
	switch {
	case !known && len(one.Related) < maxPlaces:
		f.lines[line] = &folded{len(one.Related), []string{d.Message}}
		one.Related = append(one.Related, source.Related{Span: d.Span, Message: d.Message})
	case known && of.at >= 0 && len(of.said) < handful && !slices.Contains(of.said, d.Message):
		of.said = append(of.said, d.Message)
		one.Related[of.at].Message = strings.Join(of.said, "; ")
	}
}

// together is the first of n diagnostics that say the same.
func together(d source.Diagnostic, n int) source.Diagnostic {
	d.Related = slices.Clone(d.Related)
	if d.Several == "" {
		d.Message += fmt.Sprintf("; the same at %d more places", n-1)
	} else {
		d.Related = append(d.Related, source.Related{Span: d.Span, Message: d.Message})
		d.Message = fmt.Sprintf("%d %s", n, d.Several)
	}
	return d
}
