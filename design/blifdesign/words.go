package blifdesign

import (
	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
)

// maxWords bounds the words of a hierarchy: each instance has those of its model.
const maxWords = 200_000

// Words returns those of the comments of models, for each instance.
func (e elaboration) Words() (all []design.Word) {
	words := map[*blif.Model][]blif.Word{}
	for id := range e.NumInstances() {
		m := e.ModelAt(id)
		if m == nil || len(all) >= maxWords {
			continue
		}
		of, isKnown := words[m]
		if !isKnown {
			of, _ = blif.WordsOf(m.File, m)
			words[m] = of
		}
		for _, w := range of {
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
