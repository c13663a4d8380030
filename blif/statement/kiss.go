package statement

import (
	"strconv"

	"aiglens/internal/source"
)

// MachineTable is a state table: the statements from .start_kiss to .end_kiss.
type MachineTable struct {
	From, To int // to is the .end_kiss, or where the table breaks off
	Closed   bool
}

// Machine is a state table as read: the headers and the transitions of the
// KISS2 format.
type Machine struct {
	// The numbers after .i, .o, .p and .s; -1 where there is none.
	Inputs, Outputs, Products, States int
	Reset                             string                 // after .r; "" for none
	Headers                           map[string]source.Span // by directive: its argument
	Rows                              []Transition           // in text order
}

// Transition is a row. A sound one has four words: input cube, present state, next
// state, output cube.
type Transition struct {
	Span  source.Span
	Words []Word
}

// ReadMachine reads a state table of a model.
func ReadMachine(f *Tree, t MachineTable) *Machine {
	k := &Machine{Inputs: -1, Outputs: -1, Products: -1, States: -1, Headers: map[string]source.Span{}}
	for id := t.From; id < t.To; id++ {
		ch, i := f.Locate(id)
		c := f.Chunks[ch]
		lo, hi := c.TokensOf(i)
		if c.Stmts[i].Kind == KindKissHeader && hi-lo > 1 {
			span := f.TokenSpan(ch, c.Tokens[lo+1])
			k.header(f.WordOf(ch, c.Tokens[lo]), f.Text().Slice(span), span)
		}
		for _, r := range c.RowsOf(i) {
			span := f.RowAt(ch, r).Span
			k.Rows = append(k.Rows, Transition{span, SplitWords(f.Text().Slice(span), span.Start)})
		}
	}
	return k
}

func (k *Machine) header(word, value string, span source.Span) {
	k.Headers[word] = span
	n, err := strconv.Atoi(value)
	if err != nil {
		n = -1
	}
	switch word {
	case ".i":
		k.Inputs = n
	case ".o":
		k.Outputs = n
	case ".p":
		k.Products = n
	case ".s":
		k.States = n
	case ".r":
		k.Reset = value
	}
}

// StateNames returns the present and next states in order of appearance.
func (k *Machine) StateNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range k.Rows {
		if len(r.Words) < 4 {
			continue
		}
		for _, w := range r.Words[1:3] {
			if !seen[w.Text] {
				seen[w.Text] = true
				names = append(names, w.Text)
			}
		}
	}
	return names
}
