package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// namedWord is a word of a model, and the place of its name.
type namedWord struct {
	model *blif.Model
	word  blif.Word
	name  source.Span
}

// wordNamedAt returns the word whose name stands at an offset of its comment.
func wordNamedAt(f *blif.File, offset int) (n namedWord, ok bool) {
	m := f.ModelAt(f.StatementAt(offset).ID)
	if models := f.Structure().Models; m == nil && len(models) > 0 {
		m = models[0] // a comment before it is one of it
	}
	if m == nil {
		return n, false
	}
	words, _ := blif.WordsOf(f, m)
	for _, w := range words {
		if name := (source.Span{Start: w.Span.Start + w.Name.From, Length: w.Name.To - w.Name.From}); name.Contains(offset) {
			return namedWord{m, w, name}, true
		}
	}
	return n, false
}

// rename returns the edit that gives a word another name.
func (n namedWord) rename(f *blif.File, name string) ([]source.Edit, error) {
	isTaken := ""
	words, _ := blif.WordsOf(f, n.model)
	switch {
	case n.model.Signal(name) != 0:
		isTaken = "a net of the model"
	case slices.ContainsFunc(words, func(o blif.Word) bool { return o.Name.Text == name && o.Span != n.word.Span }):
		isTaken = "another word"
	}
	spelled, err := wordline.Rename(name, isTaken, f.Text().Byte(n.name.Start-1) == '"')
	if err != nil {
		return nil, err
	}
	return []source.Edit{replace(n.name, spelled)}, nil
}

// bitEdit returns the edit that names another signal in a bit of a word; ok is false for a name that no line
// can hold. The place is that of a name, which may stand in quotes.
func bitEdit(f *blif.File, span source.Span, name string) (e source.Edit, ok bool) {
	spelled, ok := wordline.SpellBit(name, false)
	following := f.Text().Slice(source.SpanFromTo(span.End(), f.Text().LineSpan(f.Text().LineAt(span.Start)).End()))
	if strings.HasPrefix(following, `"`) { // only after a name in quotes
		span, following = source.SpanFromTo(span.Start-1, span.End()+1), following[1:]
	}
	return replace(span, wordline.Fit(spelled, following)), ok
}

// AddWord returns the edit that adds a comment to the first model that makes a word of nets, from the most
// significant on. It gives the word a name.
func AddWord(f *blif.File, line wordline.Line, lits []Literal) ([]source.Edit, error) {
	top := f.Top()
	if top == nil {
		return nil, errors.New("there is no model")
	}
	words, _ := blif.WordsOf(f, top)
	line.Name.Text = wordline.FreeName(func(yield func(string) bool) {
		for _, w := range words {
			if !yield(w.Name.Text) {
				return
			}
		}
		for s, end := top.Signals(); s < end; s++ {
			if !yield(f.Name(s)) {
				return
			}
		}
	})
	bits := make([]string, len(lits))
	for i, l := range lits {
		if f.SignalModel(l.Net) != top {
			return nil, errors.New("the word has a net within an instance, which has no name in the first model")
		}
		var ok bool
		if bits[i], ok = wordline.SpellBit(f.Name(l.Net), l.IsNegated); !ok {
			return nil, fmt.Errorf("no line of a word can hold the name %s", f.Name(l.Net))
		}
	}
	text, ok := line.Write(bits)
	if !ok {
		return nil, errors.New("a word needs bits")
	}
	return []source.Edit{insertLines(f, bodyEndAt(f, top), "# "+text+"\n")}, nil
}
