package design

import "aiglens/internal/source"

// Cover is a function as a sum of products: the disjunction of cubes over the
// inputs, or its negation for an off-set. Each cube has a character 0, 1 or - for
// each input (Berkeley BLIF 1992, section on .names).
type Cover struct {
	Inputs []Lit
	Cubes  []string
	OffSet bool
	// Faulty says that some row cannot be read, as its diagnostic says. There are no
	// cubes then.
	Faulty bool
}

// CoverCell returns, for an offset in a row of a cover, the character there and the
// name in the head of the cover that it is about; nothing elsewhere.
func (d *Design) CoverCell(offset int) []source.Span { return d.parse().CoverCell(offset) }

// Cover returns the function of a gate whose operands are not just conjoined; ok
// is false for a gate that is the conjunction of its operands, and for what is no
// gate.
func (d *Design) Cover(s Signal) (c Cover, ok bool) { return d.parse().Cover(s) }

// HasNumbers reports whether literals are numbers in the text, which need to be
// told what they stand for; the alternative is names.
func (d *Design) HasNumbers() bool { return d.parse().HasNumbers() }
