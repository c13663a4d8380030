package edit

import (
	"errors"
	"fmt"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// wordNamedAt returns the word whose name stands at an offset of its line.
func wordNamedAt(f *syntax.File, offset int) (w syntax.Word, name source.Span, ok bool) {
	for _, w := range f.Words().All {
		start := f.Text().LineStart(f.Text().LineAt(w.Span.Start))
		name := source.SpanFromTo(start+w.Name.From, start+w.Name.To)
		if name.Contains(offset) {
			return w, name, true
		}
	}
	return w, name, false
}

// renameWord returns the edit that gives a word another name.
func renameWord(f *syntax.File, w syntax.Word, span source.Span, name string) ([]source.Edit, error) {
	isTaken := ""
	if slices.ContainsFunc(f.Words().All, func(o syntax.Word) bool { return o.Name.Text == name && o.Span != w.Span }) {
		isTaken = "another word"
	}
	for s := range f.EachSymbol() {
		if s.Name == name {
			isTaken = fmt.Sprintf("%s %d", s.Kind.One(), s.Index)
			break
		}
	}
	spelled, err := wordline.Rename(name, isTaken, f.Text().Byte(span.Start-1) == '"')
	if err != nil {
		return nil, err
	}
	return []source.Edit{{Span: span, NewText: spelled}}, nil
}

// maxWordRows bounds the rows of which a word is offered.
const maxWordRows = 10_000

// word offers to make a word of the inputs and latches whose rows, or symbols, are selected. The
// first one is the least significant bit.
func (c *changes) word(span source.Span) {
	f := c.file
	first, end := f.Text().LineAt(span.Start), f.Text().LineAt(span.End())
	if end > first && span.End() == f.Text().LineStart(end) { // a selection of whole lines
		end--
	}
	if end == first || end-first >= maxWordRows {
		return
	}
	var lits []uint32
	for line := first; line <= end; line++ {
		row, ok := f.RowAt(line)
		if s, isSymbol := f.SymbolAt(f.Text().LineStart(line)); isSymbol {
			row, ok = f.Row(s.Kind, s.Index)
		}
		if ok && row.Count > 0 && (row.Kind == syntax.SectionInputs || row.Kind == syntax.SectionLatches) {
			lits = append(lits, row.Numbers[0])
		}
	}
	if len(lits) < 2 {
		return
	}
	c.add(source.ChangeAdd, "make-word", fmt.Sprintf("Make a word of these %d signals", len(lits)), func() ([]source.Edit, error) {
		highest := slices.Clone(lits)
		slices.Reverse(highest)
		return AddWord(f, wordline.Line{}, highest)
	})
}

// AddWord returns the edit that adds a line that makes a word of literals, from the most significant on. It gives
// the word a name.
func AddWord(f *syntax.File, line wordline.Line, lits []uint32) ([]source.Edit, error) {
	line.Name.Text = wordline.FreeName(func(yield func(string) bool) {
		for _, w := range f.Words().All {
			if !yield(w.Name.Text) {
				return
			}
		}
		for s := range f.EachSymbol() {
			if !yield(s.Name) {
				return
			}
		}
	})
	text, ok := line.Write(syntax.SpellBits(f, lits))
	if !ok {
		return nil, errors.New("a word needs bits")
	}
	return addLines(f, text+"\n"), nil
}
