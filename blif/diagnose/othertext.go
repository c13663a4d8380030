package diagnose

import (
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// otherText returns what is wrong with a text as a whole, of which all else that
// could be said is a consequence: its lines end in CR alone, or it is not BLIF.
func otherText(f *blif.File) (source.Diagnostic, bool) {
	if at, ok := bareCR(f.Text()); ok {
		return codes.Finding(codes.CRLines, source.Span{Start: at, Length: 1},
			"the lines end in CR alone, so that the whole text is one line: expected LF"), true
	}
	if f.NumStatements() == 0 || f.Statement(0).Kind != statement.KindText {
		return source.Diagnostic{}, false
	}
	rows := f.Chunks[0].RowsOf(0)
	if len(rows) == 0 {
		return source.Diagnostic{}, false
	}
	from := f.RowAt(0, rows[0]).Span.Start
	is := findings.WhatIsIt(f.Text().Slice(source.SpanFromTo(from, min(f.Text().Len(), from+findings.LookAhead))))
	if is.Name == "" || is.Name == "BLIF" {
		return source.Diagnostic{}, false
	}
	return codes.Finding(codes.OtherFormat, source.Span{Start: from + is.Start, Length: is.Length}, is.Not("BLIF")), true
}

// bareCR returns the place of the first CR of a text in which no line but the last
// one ends in LF, and the first one goes on after a CR.
func bareCR(text source.Text) (at int, ok bool) {
	if text.NumLines() > 2 || text.NumLines() == 2 && text.LineStart(1) < text.Len() {
		return 0, false
	}
	line := text.Line(0)
	at = strings.IndexByte(line, '\r')
	return at, at >= 0 && strings.Trim(line[at:], " \t\r") != ""
}

// nulBytes reports the first NUL of the text.
func (c *checker) nulBytes() {
	for k, ch := range c.f.Chunks {
		if ch.HasNUL {
			at := int(c.f.Starts[k]) + strings.IndexByte(ch.Text, 0)
			c.find(codes.NULByte, source.Span{Start: at, Length: 1},
				"a NUL byte, at which programs written in C end the name or the text")
			return
		}
	}
}
