package blif

import (
	"fmt"

	"aiglens/internal/source"
)

// cover reports the rows of a .names that are not as they should be.
func (c *checker) cover(k, i int) {
	ch := c.f.chunks[k]
	lo, hi := ch.tokens(i)
	inputs := int(hi-lo) - 2
	rows := ch.rowsOf(i)
	reference := -1 // the first row with an output
	for j, r := range rows {
		row := c.f.rowAt(k, r)
		if r.isOdd() {
			c.oddRow(row.Span, inputs)
			continue
		}
		if reference < 0 {
			reference = j
		}
		switch first := c.f.rowAt(k, rows[reference]); {
		case inputs == 0 && r.width() > 0:
			c.find(CodeConstantInputs, row.Cube, "a .names without inputs has rows of just 0 or 1")
		case r.width() != inputs:
			c.find(CodeCubeWidth, row.Cube, "%s for %s", count(r.width(), "literal"), count(inputs, "input"))
		case r.output() != rows[reference].output():
			d := c.f.finding(CodeCubePhase, row.Output, "a cover describes either where the output is 1 or where it is 0")
			d.Related = []source.Related{{Span: first.Output, Message: "the first row"}}
			c.report(d)
		}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// oddRow reports a row that is no cube and output: the first thing wrong.
func (c *checker) oddRow(span source.Span, inputs int) {
	words := splitWords(c.f.text.Slice(span), span.Start)
	last := words[len(words)-1]
	width := 0
	for _, w := range words[:len(words)-1] {
		if at := badLiteral(w.text); at >= 0 {
			c.badLiteral(w.text[at], w.at+at)
			return
		}
		width += len(w.text)
	}
	switch {
	case len(words) == 1 && badLiteral(last.text) >= 0:
		c.badLiteral(last.text[badLiteral(last.text)], last.at+badLiteral(last.text))
	case len(words) == 1:
		c.find(CodeCubeOutput, source.Span{Start: span.End()}, "the row needs an output value, 0 or 1, behind its %s", count(len(last.text), "literal"))
	case last.text != "0" && last.text != "1":
		c.find(CodeCubeOutput, source.Span{Start: last.at, Length: len(last.text)}, "the output value must be 0 or 1, found %s", last.text)
	case width != inputs:
		c.find(CodeCubeWidth, source.SpanFromTo(span.Start, words[len(words)-2].end()), "%s for %s", count(width, "literal"), count(inputs, "input"))
	default:
		c.find(CodeCubeSpaces, source.SpanFromTo(words[0].end(), words[1].at), "the literals of a cube stand without spaces between them")
	}
}

func (c *checker) badLiteral(found byte, at int) {
	if found == '2' || found == 'x' || found == 'X' {
		c.find(CodeCubeCharacter, source.Span{Start: at, Length: 1}, "a literal is 0, 1 or -; don't care is written -, not %c", found)
		return
	}
	length := 1
	for at+length < c.f.text.Len() && c.f.text.Byte(at+length)&0xC0 == 0x80 {
		length++ // the rest of a character
	}
	span := source.Span{Start: at, Length: length}
	c.find(CodeCubeCharacter, span, "a literal is 0, 1 or -, found %q", c.f.text.Slice(span))
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

// textWord is a word at its place.
type textWord struct {
	text string
	at   int
}

func (w textWord) end() int { return w.at + len(w.text) }

// splitWords returns the words of a row that starts at an offset; joined lines
// count as one, comments are left out.
func splitWords(s string, at int) []textWord {
	var words []textWord
	for i := 0; i < len(s); {
		switch {
		case isBlank(s[i]) || s[i] == '\n' || continues(s, i):
			i++
		case s[i] == '#':
			i = lineEnd(s, i)
		default:
			end := wordEnd(s, i)
			words = append(words, textWord{s[i:end], at + i})
			i = end
		}
	}
	if len(words) == 0 {
		words = append(words, textWord{s, at})
	}
	return words
}

// continues reports whether a '\' at i joins lines: nothing visible follows, or
// a comment after white space, as in lexer.gap.
func continues(s string, i int) bool {
	if s[i] != '\\' {
		return false
	}
	after := skipBlank(s, i+1)
	return after >= len(s) || s[after] == '\n' || s[after] == '#' && after > i+1
}

// joins returns the places of the '\' of a directive that white space or a
// comment follows.
func (f *File) joins(k, i int) []source.Span {
	var places []source.Span
	c := f.chunks[k]
	from, to := int(c.stmts[i].start), int(c.end(i))
	for at := from; at < to; {
		end := lineEnd(c.text, at)
		line := c.text[at:end]
		for j := 0; j < len(line) && line[j] != '#'; j++ {
			if line[j] != '\\' {
				continue
			}
			after := skipBlank(line, j+1)
			if after > j+1 && after < len(line) && (line[after] == '\n' && line[j+1:after] != "\r" || line[after] == '#') {
				places = append(places, source.Span{Start: int(f.starts[k]) + at + j, Length: 1})
			}
		}
		at = end
	}
	return places
}

// lastBackslash returns the place of the last '\' of the text.
func (f *File) lastBackslash() (source.Span, bool) {
	k := len(f.chunks) - 1
	s := f.chunks[k].text
	for at := len(s) - 1; at >= 0; at-- {
		if s[at] == '\\' {
			return source.Span{Start: int(f.starts[k]) + at, Length: 1}, true
		}
		if s[at] > ' ' {
			break
		}
	}
	return source.Span{}, false
}

// gateInit checks the initial values of a .gateinit: nets that flip-flop cells
// drive, each with 0 or 1.
func (c *checker) gateInit(k, i int) {
	ch := c.f.chunks[k]
	lo, hi := ch.tokens(i)
	m := c.f.ModelAt(int(c.f.stmts[k]) + i)
	for t := lo + 1; t+1 < hi; t += 2 {
		net, value := c.f.span(k, ch.toks[t]), c.f.span(k, ch.toks[t+1])
		switch word := c.f.text.Slice(value); {
		case value.Length == 0:
			c.find(CodeGateInit, net, "an initial value is written net=0 or net=1")
		case word != "0" && word != "1":
			c.find(CodeGateInit, value, "the initial value must be 0 or 1, found %s", word)
		case m != nil && !c.isCellState(c.r.lookup(m.Index, ch.ids[t])):
			c.find(CodeGateInit, net, "%s is not the output of a flip-flop cell, whose initial value .gateinit says", c.f.text.Slice(net))
		}
	}
}

// isCellState reports whether a flip-flop cell drives a signal, or something of
// which nothing is known.
func (c *checker) isCellState(s Signal) bool {
	if s == 0 || c.r.driver[s] == 0 {
		return s != 0 && c.r.maybe[s] != 0
	}
	k, i := c.f.at(int(c.r.driver[s]) - 1)
	if !c.f.chunks[k].stmts[i].kind.isInstance() {
		return false
	}
	b := c.f.instanceOf(k, i)
	return !b.isKnown() || b.cell != nil && b.cell.isLatch()
}
