// Package words knows which signals of a design make a word: a vector that people read as
// one value. It is the only place that works this out, and that reads and writes values.
// It knows no runs, no expressions and nothing of what is shown where.
package words

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Words are the words of a design. They never change.
type Words struct {
	all    []*design.Word
	byName map[string]*design.Word
	byVar  map[circuit.Var]Place
	byLast map[string][]*design.Word // by the last segments of their names
	// declared are those of the language with several bits, by the places of their declarations: one for each
	// instance.
	declared map[source.Span][]*design.Word
	doc      *design.Design
	top      string // the model that the circuit is that of, or ""
}

// Place is a signal as a bit of a word.
type Place struct {
	Word     *design.Word
	Position int // in its bits
	// Negated says that the signal is the negation of the bit.
	Negated bool
}

var derived = design.NewDerived(find)

// Of returns the words of a design, which are looked for once. The error is that of ctx, or
// why the design has no circuit.
func Of(ctx context.Context, d *design.Design) (*Words, error) { return derived.Of(ctx, d) }

// All returns the words, those first of which it is better known that they are words. The
// slice is shared.
func (w *Words) All() []*design.Word { return w.all }

// Named returns the word with a name.
func (w *Words) Named(name string) (*design.Word, bool) {
	word, ok := w.byName[name]
	return word, ok
}

// At returns the first word that a signal is a bit of.
func (w *Words) At(l circuit.Lit) (Place, bool) {
	p, ok := w.byVar[l.Var()]
	p.Negated = p.Negated != l.IsNegated()
	return p, ok
}

// IsApart reports whether a signal of the text is one of a bit, which a word of its language only uses.
func (w *Words) IsApart(s design.Signal, from Place) bool {
	return from.Word.Origin == design.FromLanguage && len(w.OfSignal(s)) == 0
}

// OfSignal returns the words of several bits that a signal of the text stands for, as its language says: one for each
// instance of its model. The slice may be shared.
func (w *Words) OfSignal(s design.Signal) []*design.Word {
	if def, ok := w.doc.Definition(s); ok && def.Span.Length > 0 {
		if declared := w.declared[def.Span]; len(declared) > 0 {
			return declared
		}
	}
	if word, ok := design.WordOf(w.doc, s); ok && len(word.Bits) > 1 {
		return []*design.Word{&word}
	}
	return nil
}

// Highest returns the position of the highest bit of a word that is no bit of a word before it;
// -1 where there is none.
func (w *Words) Highest(word *design.Word) int {
	for i := len(word.Bits) - 1; i >= 0; i-- {
		if p, ok := w.byVar[word.Bits[i].Lit.Var()]; ok && p.Word == word && p.Position == i {
			return i
		}
	}
	return -1
}

// find takes the words that are given, and those of names. Of two with the same name the
// first counts.
func find(ctx context.Context, d *design.Design) (*Words, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	found := &Words{byName: map[string]*design.Word{}, byVar: map[circuit.Var]Place{}, byLast: map[string][]*design.Word{},
		declared: map[source.Span][]*design.Word{}, doc: d, top: d.Names().Top()}
	for _, word := range d.Names().Words() {
		if word.Local == "" {
			word.Path, word.Local = Scopes(d, word.Name)
		}
		found.add(&word)
	}
	named, pairs, err := ofNames(ctx, d)
	if err != nil {
		return nil, err
	}
	for _, word := range named {
		if !found.hasAll(word.Bits) {
			found.add(word)
		}
	}
	for _, word := range pairs {
		if _, has := found.byName[word.Name]; !has {
			found.bySegment(word)
		}
	}
	return found, nil
}

// hasAll reports whether all bits are those of words that are given: then their names say nothing
// more.
func (w *Words) hasAll(bits []design.Bit) bool {
	return !slices.ContainsFunc(bits, func(b design.Bit) bool {
		p, has := w.byVar[b.Lit.Var()]
		return !b.Missing && (!has || p.Word.Origin == design.FromNames)
	})
}

// bySegment lets Find find a word.
func (w *Words) bySegment(word *design.Word) {
	if parts := segments(word.Name); len(parts) > 0 {
		last := parts[len(parts)-1]
		w.byLast[last] = append(w.byLast[last], word)
	}
}

func (w *Words) add(word *design.Word) {
	if _, has := w.byName[word.Name]; has || len(word.Bits) == 0 {
		return
	}
	w.byName[word.Name] = word
	w.all = append(w.all, word)
	w.bySegment(word)
	if word.Origin == design.FromLanguage && word.Span.Length > 0 && len(word.Bits) > 1 {
		w.declared[word.Span] = append(w.declared[word.Span], word)
	}
	for i, b := range word.Bits {
		if b.Missing || b.Lit.Var() == 0 {
			continue
		}
		if _, has := w.byVar[b.Lit.Var()]; !has {
			w.byVar[b.Lit.Var()] = Place{word, i, b.Lit.IsNegated()}
		}
	}
}
