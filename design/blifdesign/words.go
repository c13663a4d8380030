package blifdesign

import (
	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// Bounds of the words of a hierarchy, in which each instance has those of its model, and of their bits, those of
// named values among them.
const (
	maxWords = 200_000
	maxBits  = 4_000_000
)

// Words returns those of the comments of models, for each instance.
func (e elaboration) Words() []design.Word { return e.wordsWithin(maxWords, maxBits) }

// wordsWithin returns so many of the words as have so many bits.
func (e elaboration) wordsWithin(most, bits int) (all []design.Word) {
	words := map[*blif.Model][]blif.Word{}
	for id := range e.NumInstances() {
		m := e.ModelAt(id)
		if m == nil {
			continue
		}
		of, isKnown := words[m]
		if !isKnown {
			of, _ = blif.WordsOf(m.File, m)
			words[m] = of
		}
		for _, w := range of {
			if bits -= len(w.Bits) * (1 + len(w.Values)); bits < 0 || len(all) == most {
				return all
			}
			all = append(all, e.wordIn(id, m, w))
		}
	}
	return all
}

// wordIn returns a word of a model in one of its instances.
func (e elaboration) wordIn(id int, m *blif.Model, w blif.Word) design.Word {
	span := source.Span{}
	if m.File == e.syntax.file {
		span = w.Span
	}
	word := design.WordOfLine(w.Line, span, func(position int) (circuit.Lit, bool) {
		l, ok := e.LitIn(id, w.Signals[position])
		return l.NotIf(w.Bits[position].IsNegated), ok
	})
	if path := e.InstanceAt(id).Path; path != "" {
		word.Name = path + "/" + word.Name
	}
	return word
}
