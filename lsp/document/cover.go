package document

import (
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// Cover is a function as a sum of products: the disjunction of cubes over the
// inputs, or its negation for an off-set. Each cube has a character 0, 1 or - for
// each input (Berkeley BLIF 1992, section on .names).
type Cover struct {
	Inputs []Lit
	Cubes  []string
	OffSet bool
}

// CoverCell returns, for an offset in a row of a cover, the character there and the
// name in the head of the cover that it is about; nothing elsewhere.
func (d *Document) CoverCell(offset int) []source.Span {
	if s, ok := d.parse().(blifSyntax); ok {
		return s.coverCell(offset)
	}
	return nil
}

func (s blifSyntax) coverCell(offset int) []source.Span {
	st := s.StatementAt(offset)
	if st.Kind != statement.KindNames || s.Text().LineAt(offset) == s.Text().LineAt(st.Directive.Start) {
		return nil
	}
	head := s.Arguments(st.ID)
	for row := range s.Rows(st.ID) {
		switch {
		case row.Span.End() < offset:
			continue
		case row.Output.Length == 0 || row.Cube.Length != len(head)-1:
		case row.Output.Contains(offset):
			return []source.Span{head[len(head)-1], row.Output}
		case row.Cube.Length > 0 && row.Cube.Contains(offset):
			at := min(offset, row.Cube.End()-1)
			return []source.Span{head[at-row.Cube.Start], {Start: at, Length: 1}}
		}
		return nil
	}
	return nil
}

// coverer is the syntax of a format whose gates are more than conjunctions.
type coverer interface {
	cover(Signal) (Cover, bool)
}

// Cover returns the function of a gate whose operands are not just conjoined; ok
// is false for a gate that is the conjunction of its operands, and for what is no
// gate.
func (d *Document) Cover(s Signal) (c Cover, ok bool) {
	if f, has := d.parse().(coverer); has {
		return f.cover(s)
	}
	return Cover{}, false
}

// HasNumbers reports whether literals are numbers in the text, which need to be
// told what they stand for; the alternative is names.
func (d *Document) HasNumbers() bool { return d.Kind == AIGER }
