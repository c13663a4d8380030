package blif

import (
	"slices"
	"strconv"

	"aiglens/internal/source"
)

// kissTable is a state table as read: the headers and the transitions of the
// KISS2 format.
type kissTable struct {
	inputs, outputs, products, states int // -1 when not given
	reset                             string
	headers                           map[string]source.Span // the argument
	rows                              []kissRow
}

// kissRow is a transition: input cube, present state, next state, output cube.
type kissRow struct {
	span  source.Span
	words []textWord
}

// readTable reads a state table of a model.
func (f *File) readTable(t table) *kissTable {
	k := &kissTable{inputs: -1, outputs: -1, products: -1, states: -1, headers: map[string]source.Span{}}
	for id := t.from; id < t.to; id++ {
		ch, i := f.at(id)
		c := f.chunks[ch]
		lo, hi := c.tokens(i)
		if c.stmts[i].kind == KindKissHeader && hi-lo > 1 {
			span := f.span(ch, c.toks[lo+1])
			k.header(f.word(ch, c.toks[lo]), f.text.Slice(span), span)
		}
		for _, r := range c.rowsOf(i) {
			span := f.rowAt(ch, r).Span
			k.rows = append(k.rows, kissRow{span, splitWords(f.text.Slice(span), span.Start)})
		}
	}
	return k
}

func (k *kissTable) header(word, value string, span source.Span) {
	k.headers[word] = span
	n, err := strconv.Atoi(value)
	if err != nil {
		n = -1
	}
	switch word {
	case ".i":
		k.inputs = n
	case ".o":
		k.outputs = n
	case ".p":
		k.products = n
	case ".s":
		k.states = n
	case ".r":
		k.reset = value
	}
}

// stateNames returns the present and next states in order of appearance.
func (k *kissTable) stateNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, r := range k.rows {
		if len(r.words) < 4 {
			continue
		}
		for _, w := range r.words[1:3] {
			if !seen[w.text] {
				seen[w.text] = true
				names = append(names, w.text)
			}
		}
	}
	return names
}

// tables checks the state tables of a model.
func (c *checker) tables(m *Model) {
	for _, t := range m.tables {
		if !t.closed {
			c.find(CodeKissNotClosed, c.f.directiveSpan(t.from), ".start_kiss without .end_kiss")
		}
		c.table(m, t, c.f.readTable(t))
	}
}

func (c *checker) table(m *Model, t table, k *kissTable) {
	directive := c.f.directiveSpan(t.from)
	for _, h := range []struct {
		word  string
		value int
		ports int
		what  string
	}{{".i", k.inputs, len(m.inputs), "inputs"}, {".o", k.outputs, len(m.outputs), "outputs"}} {
		span, ok := k.headers[h.word]
		switch {
		case !ok:
			c.find(CodeKissHeader, directive, "the state table has no %s line", h.word)
		case h.value < 0:
			c.find(CodeKissHeader, span, "%s needs a number", h.word)
		case h.value != h.ports && m.hasPortLines:
			c.find(CodeKissCount, span, "the model has %d %s, %s says %d", h.ports, h.what, h.word, h.value)
		}
	}
	for _, r := range k.rows {
		c.transition(k, r)
	}
	if span, ok := k.headers[".p"]; ok && k.products != len(k.rows) {
		c.find(CodeKissCount, span, "the table has %s", count(len(k.rows), "transition"))
	}
	states := k.stateNames()
	if span, ok := k.headers[".s"]; ok && k.states != len(states) {
		c.find(CodeKissCount, span, "the table has %s", count(len(states), "state"))
	}
	if span, ok := k.headers[".r"]; ok && !slices.Contains(states, k.reset) {
		c.find(CodeKissReset, span, "the reset state %s occurs in no transition", k.reset)
	}
}

func (c *checker) transition(k *kissTable, r kissRow) {
	if len(r.words) != 4 {
		c.find(CodeKissWidth, r.span, "a transition is input, present state, next state, output; found %s", count(len(r.words), "word"))
		return
	}
	for _, part := range []struct {
		word textWord
		n    int
		what string
		line string
	}{{r.words[0], k.inputs, "input", ".i"}, {r.words[3], k.outputs, "output", ".o"}} {
		span := source.Span{Start: part.word.at, Length: len(part.word.text)}
		if at := badLiteral(part.word.text); at >= 0 {
			c.find(CodeCubeCharacter, source.Span{Start: part.word.at + at, Length: 1}, "a literal is 0, 1 or -")
		} else if part.n >= 0 && len(part.word.text) != part.n {
			c.find(CodeKissWidth, span, "%s, %s says %d", count(len(part.word.text), part.what), part.line, part.n)
		}
	}
}
