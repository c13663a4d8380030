package blif

import (
	"strings"

	"aiglens/internal/source"
)

// pragmaKind is the word behind "# prop:".
type pragmaKind uint8

const (
	pragmaNone pragmaKind = iota
	pragmaBad
	pragmaAssert
	pragmaAssume
	pragmaJustice
	pragmaFair
	pragmaLemma
)

var pragmaKinds = map[string]pragmaKind{
	"bad": pragmaBad, "assert": pragmaAssert, "assume": pragmaAssume,
	"justice": pragmaJustice, "fair": pragmaFair, "lemma": pragmaLemma,
}

// propertyPrefix returns the length of what a comment has in place of "# prop:",
// written exactly so or nearly; 0 for a comment that means something else.
func propertyPrefix(comment string) int {
	at := skipBlank(comment, 1)
	end := at + len("prop")
	if end > len(comment) || !strings.EqualFold(comment[at:end], "prop") {
		return 0
	}
	next := skipBlank(comment, end)
	if next < len(comment) && comment[next] == ':' {
		return next + 1
	}
	if next > end && next < len(comment) && pragmaKinds[comment[next:wordEnd(comment, next)]] != pragmaNone {
		return end
	}
	return 0
}

// behind notes a comment behind a directive or row that looks like a property.
func (l *lexer) behind(i int) {
	comment := strings.TrimRight(l.s[i:lineEnd(l.s, i)], " \t\r\n")
	if propertyPrefix(comment) > 0 {
		l.oddComment(i, len(comment), CodePragmaIgnored)
	}
}

func (l *lexer) oddComment(i, length int, code source.Code) {
	l.c.odd = append(l.c.odd, oddComment{uint32(i - l.base), uint32(length), code})
}

// oddComments reports the comments of a chunk that are not what they seem.
func (c *checker) oddComments(k int) {
	for _, o := range c.f.chunks[k].odd {
		span := c.f.span(k, tok{o.start, o.length})
		switch {
		case o.code == CodeCommentJoin:
			c.find(o.code, span, "ABC and Yosys take the next line for a part of the comment")
		case c.f.isOwnLine(span.Start):
			c.find(o.code, span, "no property: one is written \"# prop:\"")
		default:
			c.find(o.code, span, "no property: one stands on a line of its own")
		}
	}
}

// isOwnLine reports whether nothing stands before an offset on its line.
func (f *File) isOwnLine(at int) bool {
	start := f.text.LineStart(f.text.LineAt(at))
	return strings.TrimLeft(f.text.Slice(source.SpanFromTo(start, at)), " \t\r") == ""
}
