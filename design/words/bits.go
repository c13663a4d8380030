package words

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
