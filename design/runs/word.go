package runs

import (
	"context"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
)

// WordValue returns the value of a word at a step, x for bits outside of the cone; ok is false
// when all bits are there.
func (x *Run) WordValue(w *design.Word, step int) (value []circuit.Value, ok bool) {
	value = words.Value(w, func(l circuit.Lit) circuit.Value {
		v, inside := x.Value(l, step)
		ok = ok || inside
		return v
	})
	return value, ok
}

// WordsInText finds the words that signals of a text are bits of, in a run that takes part.
type WordsInText struct {
	d     *design.Design
	x     *Run
	words *words.Words
}

// WordsInText returns what finds words. The error is that of ctx.
func (x *Run) WordsInText(ctx context.Context, d *design.Design) (WordsInText, error) {
	all, err := words.Of(ctx, d)
	return WordsInText{d, x, all}, err
}

// At returns the word that the text shows a defined signal as a bit of: in the first instance of
// its model with a part in the run, else in the first.
func (t WordsInText) At(l design.Lit) (p words.Place, ok bool) {
	copied, _, inside := t.x.Copy(t.d, l)
	if !inside {
		copies := t.d.Copies(l, 1)
		if len(copies) == 0 {
			return p, false
		}
		copied = copies[0]
	}
	p, ok = t.words.At(copied.Lit)
	if !ok || p.Word.Origin != design.FromNames {
		return p, ok
	}
	name := t.d.Name(l.Signal()) // another name of the signal is that of no bit
	if copied.Path != "" {
		name = copied.Path + "/" + name
	}
	return p, strings.HasPrefix(name, p.Word.Name)
}

// IsHighest reports whether a bit is the one at which the text says the value of its word.
func (t WordsInText) IsHighest(p words.Place) bool { return t.words.Highest(p.Word) == p.Position }
