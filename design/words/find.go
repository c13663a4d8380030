package words

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
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
	if found := w.endingIn(parts); len(found) > 0 {
		return found
	}
	if len(parts) > 1 && parts[0] == w.top {
		return w.endingIn(parts[1:])
	}
	if word, ok := design.WordNamed(w.doc, name); ok {
		return []*design.Word{&word}
	}
	return nil
}

// SignalsNamed returns the literals of the signal that a name stands for, with what each is called: of a word those of
// its bits. The error is a sentence for the user, or that of ctx.
func SignalsNamed(ctx context.Context, d *design.Design, name string) (lits []circuit.Lit, names []string, err error) {
	l, unknown := d.SignalNamed(name)
	if unknown == nil {
		return []circuit.Lit{l}, []string{name}, nil
	}
	known, err := Of(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	found := known.Find(name)
	if len(found) != 1 {
		return nil, nil, unknown
	}
	for i, b := range found[0].Bits {
		if !b.Missing {
			lits, names = append(lits, b.Lit), append(names, fmt.Sprintf("%s[%d]", found[0].Name, found[0].Index(i)))
		}
	}
	return lits, names, nil
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
