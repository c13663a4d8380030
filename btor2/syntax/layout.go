package syntax

import "aiglens/internal/source"

// Layout says where the words of a row stand.
type Layout struct {
	Words   []source.Span // all of the row, in their order
	Symbol  source.Span   // the one of them that is its symbol; empty where there is none
	Comment source.Span   // from the semicolon to the end of the line; empty where there is none
	// IsWhole says that the row has a number, a tag and all that this needs, and nothing after its symbol.
	IsWhole bool
}

// LayoutOf returns where the words of a row stand.
func (f *File) LayoutOf(row int) Layout {
	s, start := f.scan(row)
	l := Layout{
		Comment: source.SpanFromTo(start+s.comment, start+len(s.line)),
		IsWhole: s.number > 0 && s.op != NoOp && s.odd&(oddID|oddTag|oddWord|oddMissing|oddSurplus) == 0,
	}
	add := func(w word) {
		if w.to > w.from {
			l.Words = append(l.Words, w.at(start))
		}
	}
	add(s.id)
	add(s.tag)
	for _, w := range s.words {
		add(w)
	}
	if s.symbol.to > 0 {
		l.Symbol = s.symbol.at(start)
		add(s.symbol)
	}
	add(s.label)
	for _, w := range s.surplus {
		add(w)
	}
	return l
}
