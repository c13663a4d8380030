package words

import (
	"aiglens/circuit"
	"aiglens/design"
)

// Bit returns the bit of a word that has a name of its own, such as q[3].
func (w *Words) Bit(name string) (Place, bool) {
	b, ok := parse(name)
	if !ok {
		return Place{}, false
	}
	word, ok := w.byName[b.base]
	if !ok {
		return Place{}, false
	}
	position, ok := word.Position(b.index)
	if !ok || word.Bits[position].Missing {
		return Place{}, false
	}
	return Place{Word: word, Position: position}, true
}

// AtName is At for a signal under one of its names: of a word that names make it is a bit only under
// the name of that bit.
func (w *Words) AtName(l circuit.Lit, name string) (Place, bool) {
	p, ok := w.At(l)
	if !ok || p.Word.Origin != design.FromNames {
		return p, ok
	}
	named, ok := w.Bit(name)
	if !ok || named.Word != p.Word {
		return Place{}, false
	}
	bit := named.Word.Bits[named.Position].Lit
	named.Negated = bit != l
	return named, bit.Var() == l.Var()
}
