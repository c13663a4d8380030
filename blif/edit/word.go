package edit

import (
	"errors"
	"fmt"

	"aiglens/blif"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

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
