package words

import (
	"context"
	"maps"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
)

// radixNames are the radices by what messages call them.
var radixNames = map[string]design.Radix{
	"binary": design.Binary, "decimal": design.Decimal, "hex": design.Hexadecimal, "signed": design.SignedDecimal,
}

// RadixNamed returns the radix with a name of messages.
func RadixNamed(name string) (r design.Radix, ok bool) {
	r, ok = radixNames[name]
	return r, ok
}

// Radices are how the reader wants the values of single words written, by the file and the name of the word. They
// never change; nil has none.
type Radices struct {
	of map[string]map[string]design.Radix
}

// maxRadixFiles bounds the files whose words have radices: one more takes the place of any other.
const maxRadixFiles = 1000

// With returns radices with others for the words of a file.
func (r *Radices) With(file string, chosen map[string]design.Radix) *Radices {
	with := &Radices{of: map[string]map[string]design.Radix{}}
	if r != nil {
		with.of = maps.Clone(r.of)
	}
	delete(with.of, file)
	if len(chosen) > 0 {
		for other := range with.of {
			if len(with.of) < maxRadixFiles {
				break
			}
			delete(with.of, other)
		}
		with.of[file] = maps.Clone(chosen)
	}
	return with
}

// Of returns the radix for a word of a file; DefaultRadix leaves it to the word.
func (r *Radices) Of(file, word string) design.Radix {
	if r == nil {
		return design.DefaultRadix
	}
	return r.of[file][word]
}

type radicesKey struct{}

// WithRadices returns the context of a question whose answer writes values in these radices. What is kept for other
// readers is worked out without them: lazy values have a context of their own.
func WithRadices(ctx context.Context, r *Radices) context.Context {
	if r == nil {
		return ctx
	}
	return context.WithValue(ctx, radicesKey{}, r)
}

// Chosen returns the radix in which the reader wants the values of a word of a design; DefaultRadix leaves it to the
// word.
func Chosen(ctx context.Context, d *design.Design, w *design.Word) design.Radix {
	r, _ := ctx.Value(radicesKey{}).(*Radices)
	return r.Of(d.URI, w.Name)
}

// TextIn is Text in a radix that the reader has chosen, which counts more than names of values.
func TextIn(radix design.Radix, w *design.Word, value []circuit.Value) string {
	if radix == design.DefaultRadix {
		return Text(w, value)
	}
	return NumberIn(radix, w, value)
}

// NumberIn is Number in a radix that the reader has chosen. A value some of whose bits are x is binary, also where the
// reader wants hexadecimal digits: one of these would hide the bits that are known. One of many bits has no room for
// that.
func NumberIn(radix design.Radix, w *design.Word, value []circuit.Value) string {
	if radix == design.DefaultRadix {
		return Number(w, value)
	}
	as := *w
	_, isKnown := numberOf(value)
	switch {
	case !isKnown && len(value) <= maxDecimal:
		as.Radix = design.Binary
	case radix == design.SignedDecimal:
		as.Radix, as.Signed = design.Decimal, true
	default:
		as.Radix = radix
	}
	return Number(&as, value)
}

// InEach writes a value in each radix, the one that the reader has chosen first, and each text once. With a sign it differs
// only where it is negative. A value of many bits, or some of whose bits are x, is written once.
func InEach(radix design.Radix, w *design.Word, value []circuit.Value) []string {
	all := []string{NumberIn(radix, w, value)}
	if _, isKnown := numberOf(value); !isKnown || len(value) > maxDecimal {
		return all
	}
	for _, r := range []design.Radix{design.Decimal, design.Hexadecimal, design.Binary, design.SignedDecimal} {
		if text := NumberIn(r, w, value); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
