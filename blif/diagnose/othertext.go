package diagnose

import (
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// otherText returns what is wrong with a text as a whole, of which all else that
// could be said is a consequence: its lines end in CR alone, or it is no BLIF.
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
	text := f.Text().Slice(source.SpanFromTo(from, min(f.Text().Len(), from+lookAhead)))
	at, word := firstWord(text)
	what := formatOf(word)
	if what == "" {
		return source.Diagnostic{}, false
	}
	span := source.Span{Start: from + at, Length: len(word)}
	return codes.Finding(codes.OtherFormat, span, "this looks like "+what+", not like BLIF"), true
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

// lookAhead bounds the comments that are passed over to find the first word.
const lookAhead = 16 << 10

// firstWord returns the first word of a text after comments as C, Verilog and VHDL
// have them, and its place.
func firstWord(text string) (at int, word string) {
	for {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		rest, end := text[at:], ""
		switch {
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "#"):
			end = "\n"
		case strings.HasPrefix(rest, "/*"):
			end = "*/"
		case strings.HasPrefix(rest, "(*"):
			end = "*)"
		default:
			n := 0
			for n < len(rest) && (n == 0 || isLetter(rest[n])) {
				n++
			}
			return at, rest[:n]
		}
		_, behind, ok := strings.Cut(rest, end)
		if !ok {
			return len(text), ""
		}
		at = len(text) - len(behind)
	}
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' }

// formatOf returns the format whose files start with a word, or "".
func formatOf(word string) string {
	switch word {
	case "module", "macromodule", "package", "interface", "primitive", "typedef",
		"`timescale", "`include", "`define", "`default_nettype", "`ifdef", "`ifndef", "`celldefine":
		return "Verilog"
	case "aag", "aig":
		return "AIGER"
	case "MODULE":
		return "SMV"
	case "INPUT", "OUTPUT":
		return "a .bench netlist"
	case "autoidx", "attribute":
		return "RTLIL of Yosys"
	case "{":
		return "JSON"
	}
	switch strings.ToLower(word) {
	case "library", "entity", "architecture":
		return "VHDL"
	}
	return ""
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
