package diagnose

import (
	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// cover reports the rows of a .names that are not as they should be.
func (c *checker) cover(k, i int) {
	ch := c.f.Chunks[k]
	lo, hi := ch.TokensOf(i)
	inputs := int(hi-lo) - 2
	rows := ch.RowsOf(i)
	reference := -1 // the first row with an output
	for j, r := range rows {
		row := c.f.RowAt(k, r)
		if r.IsOdd() {
			c.oddRow(row.Span, inputs)
			continue
		}
		if reference < 0 {
			reference = j
		}
		switch first := c.f.RowAt(k, rows[reference]); {
		case inputs == 0 && r.Width() > 0:
			c.find(codes.ConstantInputs, row.Cube, "a .names without inputs has rows of just 0 or 1")
		case r.Width() != inputs:
			c.find(codes.CubeWidth, row.Cube, "%s for %s", findings.Count(r.Width(), "literal", "literals"), findings.Count(inputs, "input", "inputs"))
		case r.Output() != rows[reference].Output():
			d := codes.Finding(codes.CubePhase, row.Output, "a cover describes either where the output is 1 or where it is 0")
			d.Related = []source.Related{{Span: first.Output, Message: "the first row"}}
			c.report(d)
		}
	}
}

// oddRow reports a row that is not a cube and output: the first thing wrong.
func (c *checker) oddRow(span source.Span, inputs int) {
	words := statement.SplitWords(c.f.Text().Slice(span), span.Start)
	last := words[len(words)-1]
	width := 0
	for _, w := range words[:len(words)-1] {
		if at := badLiteral(w.Text); at >= 0 {
			c.badLiteral(w.Text[at], w.At+at)
			return
		}
		width += len(w.Text)
	}
	switch {
	case len(words) == 1 && badLiteral(last.Text) >= 0:
		c.badLiteral(last.Text[badLiteral(last.Text)], last.At+badLiteral(last.Text))
	case len(words) == 1:
		c.find(codes.CubeOutput, source.Span{Start: span.End()}, "the row needs an output value, 0 or 1, after its %s", findings.Count(len(last.Text), "literal", "literals"))
	case last.Text != "0" && last.Text != "1":
		c.find(codes.CubeOutput, source.Span{Start: last.At, Length: len(last.Text)}, "the output value must be 0 or 1, found %s", last.Text)
	case width != inputs:
		c.find(codes.CubeWidth, source.SpanFromTo(span.Start, words[len(words)-2].End()), "%s for %s", findings.Count(width, "literal", "literals"), findings.Count(inputs, "input", "inputs"))
	default:
		c.find(codes.CubeSpaces, source.SpanFromTo(words[0].End(), words[1].At), "the literals of a cube stand without spaces between them")
	}
}

func (c *checker) badLiteral(found byte, at int) {
	if found == '2' || found == 'x' || found == 'X' {
		c.find(codes.CubeCharacter, source.Span{Start: at, Length: 1}, "a literal is 0, 1 or -; don't care is written -, not %c", found)
		return
	}
	span := c.f.Text().Character(at)
	c.find(codes.CubeCharacter, span, "a literal is 0, 1 or -, found %q", c.f.Text().Slice(span))
}

// badLiteral returns where a word holds something other than 0, 1 and -, or -1.
func badLiteral(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '0' && s[i] != '1' && s[i] != '-' {
			return i
		}
	}
	return -1
}

// gateInit checks the initial values of a .gateinit: nets that flip-flop cells
// drive, each with 0 or 1.
func (c *checker) gateInit(k, i int) {
	ch := c.f.Chunks[k]
	lo, hi := ch.TokensOf(i)
	m := c.f.ModelAt(int(c.f.Firsts[k]) + i)
	for t := lo + 1; t+1 < hi; t += 2 {
		net, value := c.f.TokenSpan(k, ch.Tokens[t]), c.f.TokenSpan(k, ch.Tokens[t+1])
		switch word := c.f.Text().Slice(value); {
		case value.Length == 0:
			c.find(codes.GateInit, net, "an initial value is written net=0 or net=1")
		case word != "0" && word != "1":
			c.find(codes.GateInit, value, "the initial value must be 0 or 1, found %s", word)
		case m != nil && !c.isCellState(c.r.Lookup(m.Index, ch.Names[t])):
			c.find(codes.GateInit, net, "%s is not the output of a flip-flop cell, whose initial value .gateinit says", c.f.Text().Slice(net))
		}
	}
}

// isCellState reports whether a flip-flop cell drives a signal, or something of
// which nothing is known.
func (c *checker) isCellState(s blif.Signal) bool {
	if s == 0 || c.r.Driver[s] == 0 {
		return s != 0 && c.r.MaybeDriven[s] != 0
	}
	k, i := c.f.Locate(int(c.r.Driver[s]) - 1)
	if !c.f.Chunks[k].Stmts[i].Kind.IsInstance() {
		return false
	}
	b := c.f.InstanceOf(k, i)
	return !b.IsKnown() || b.Cell != nil && b.Cell.IsLatch()
}
