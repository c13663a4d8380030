package findings

import (
	"fmt"
	"slices"

	"aiglens/internal/source"
)

// handful is up to how many diagnostics that say the same stand beside each other, and
// maxPlaces bounds the places that one of more refers to.
const (
	handful   = 5
	maxPlaces = 50
)

// Folded returns diagnostics with one in place of many that say the same: it says how many
// there are and refers to the places of the others. Hints, and what an editor fades, are no lists to be
// read and stay. found is not changed.
func Folded(found []source.Diagnostic) []source.Diagnostic {
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
	first := map[key]int{} // in folded
	folded := make([]source.Diagnostic, 0, len(found))
	for i := range found {
		d := found[i]
		k := keyOf(&d)
		n := count[k]
		if n <= handful || d.Unnecessary {
			folded = append(folded, d)
			continue
		}
		at, known := first[k]
		if !known {
			first[k] = len(folded)
			folded = append(folded, together(d, n))
			continue
		}
		if one := &folded[at]; len(one.Related) < maxPlaces {
			one.Related = append(one.Related, source.Related{Span: d.Span, Message: d.Message})
		}
	}
	return folded
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
