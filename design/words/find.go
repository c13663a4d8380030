package words

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/design"
)

// Find returns the words that a name may stand for: the one that has it, else those whose
// names end as it does, scope by scope. Scopes may be separated by / or by a point, and the
// model that the circuit is that of may stand in front.
func (w *Words) Find(name string) []*design.Word {
	if word, ok := w.byName[name]; ok {
		return []*design.Word{word}
	}
	parts := segments(name)
	if len(parts) == 0 {
		return nil
	}
	if found := w.endingIn(parts); len(found) > 0 || len(parts) < 2 || parts[0] != w.top {
		return found
	}
	return w.endingIn(parts[1:])
}

// endingIn returns the words whose names end in some segments; those that have no others
// count more.
func (w *Words) endingIn(parts []string) (found []*design.Word) {
	for _, word := range w.byLast[parts[len(parts)-1]] {
		own := segments(word.Name)
		if slices.Equal(own, parts) {
			return []*design.Word{word}
		}
		if len(own) > len(parts) && slices.Equal(own[len(own)-len(parts):], parts) {
			found = append(found, word)
		}
	}
	return found
}

func segments(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '.' })
}

// Part returns the bits of a word from one index to another, most significant first, as a
// word without a sign and without names of values; ok is false where it does not have them all.
func Part(w *design.Word, high, low int) (part *design.Word, ok bool) {
	from, hasLow := w.Position(low)
	to, hasHigh := w.Position(high)
	if !hasLow || !hasHigh || to < from {
		return nil, false
	}
	indices := fmt.Sprintf("[%d:%d]", high, low)
	return &design.Word{
		Name: w.Name + indices, Path: w.Path, Local: w.Local + indices, Low: low, Falls: w.Falls, Bits: w.Bits[from : to+1], Radix: w.Radix, Origin: w.Origin, Span: w.Span,
	}, true
}
