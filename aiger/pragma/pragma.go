// Package pragma reads and writes lines of the comment of an AIGER file that make properties:
//
//	prop: lemma LITERAL "label"
//	prop: cover LITERAL "label"
//
// Other programs take them for the comment that they are. The literal is a number, or the name
// of an element, in quotes where it holds white space or could be read otherwise. After "!" it
// is the negation. The label may be left out.
//
// It knows no file: what elements and literals there are it is told.
package pragma

import (
	"strconv"
	"strings"

	"aiglens/internal/source"
)

// Kind says what a line asks of a literal.
type Kind uint8

// The kinds of pragmas.
const (
	Lemma Kind = iota // 1 in every step of every run
	Cover             // 1 in some run
	NumKinds
)

var words = [NumKinds]string{Lemma: "lemma", Cover: "cover"}

func (k Kind) String() string { return words[k] }

// kindOf returns the kind that a word stands for.
func kindOf(word string) (k Kind, ok bool) {
	for k, known := range words {
		if word == known {
			return Kind(k), true
		}
	}
	return 0, false
}

// prefix starts a pragma.
const prefix = "prop:"

// form says what the line of a pragma looks like.
type form uint8

const (
	sound       form = iota
	nearly           // would be one if its first words were written otherwise
	noKind           // ends after the prefix
	unknownKind      // of another kind
	noTarget         // ends after the kind
	unclosed         // lacks a quote
	noName           // an empty name, or just "!"
	tooLarge         // no literal has that number
	surplus          // goes on after the literal, and not with a label
)

// Line is a line of a comment that looks like a pragma. Its parts are offsets in the
// line.
type Line struct {
	Kind      Kind
	text      string // without white space at the end
	form      form
	start     int  // of the first character that is no white space
	keyword   part // the kind
	target    part // the literal, with its sign and its quotes
	name      part // what is between these: a name, or a number
	label     part
	rest      part // what is wrong
	number    uint32
	isNumber  bool
	isNegated bool
}

// part is a run of bytes of a line.
type part struct{ from, to int }

func (p part) in(line string) string     { return line[p.from:p.to] }
func (p part) span(base int) source.Span { return source.SpanFromTo(base+p.from, base+p.to) }

// IsSound reports whether nothing is wrong with the line by itself.
func (a *Line) IsSound() bool { return a.form == sound }

// Named returns the name by which the line speaks of an element; ok is false for one that
// writes a number, and for one that is not sound.
func (a *Line) Named() (name string, ok bool) {
	return a.name.in(a.text), a.IsSound() && !a.isNumber
}

// Text returns what names the literal, without quotes.
func (a *Line) Text() string {
	if a.isNegated {
		return "!" + a.name.in(a.text)
	}
	return a.name.in(a.text)
}

// Label returns the label, or "".
func (a *Line) Label() string { return strings.TrimSpace(a.label.in(a.text)) }

// Span, Target and Name return, of a line that starts at an offset, its place without white
// space around, that of the literal with its sign and quotes, and what is between these.
func (a *Line) Span(at int) source.Span   { return source.SpanFromTo(at+a.start, at+len(a.text)) }
func (a *Line) Target(at int) source.Span { return a.target.span(at) }
func (a *Line) Name(at int) source.Span   { return a.name.span(at) }

// isSpace reports whether a byte is white space within a line.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

// MayBe reports whether a line of a comment is worth a closer look.
func MayBe(line string) bool {
	i := skipSpace(line, 0)
	if i < len(line) && line[i] == '#' {
		i = skipSpace(line, i+1)
	}
	return i+len("prop") <= len(line) && strings.EqualFold(line[i:i+len("prop")], "prop")
}

func skipSpace(line string, i int) int {
	for i < len(line) && isSpace(line[i]) {
		i++
	}
	return i
}

// wordEnd returns the end of the word that starts at i.
func wordEnd(line string, i int) int {
	for i < len(line) && !isSpace(line[i]) {
		i++
	}
	return i
}

// Read reads a line of a comment; ok is false for one that is no pragma, and does not look
// like one either.
func Read(line string) (a Line, ok bool) {
	if !MayBe(line) {
		return a, false
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	a.text, a.start = line, skipSpace(line, 0)
	if !strings.HasPrefix(line[a.start:], prefix) {
		return lexNearly(line, a)
	}
	from := skipSpace(line, a.start+len(prefix))
	a.keyword = part{from, wordEnd(line, from)}
	switch a.Kind, ok = kindOf(a.keyword.in(line)); {
	case from == len(line):
		a.form = noKind
	case !ok:
		a.form = unknownKind
	default:
		a.lexTarget(line)
	}
	return a, true
}

// lexNearly reads a line that says what a pragma does in other words: "# prop: lemma 4",
// "Prop : lemma 4".
func lexNearly(line string, a Line) (Line, bool) {
	i := a.start
	if line[i] == '#' {
		i = skipSpace(line, i+1)
	}
	i = skipSpace(line, i+len("prop"))
	if i == len(line) || line[i] != ':' { // as in prose: "prop cover all of it"
		return a, false
	}
	i = skipSpace(line, i+1)
	a.form, a.keyword = nearly, part{i, wordEnd(line, i)}
	var ok bool
	a.Kind, ok = kindOf(strings.ToLower(a.keyword.in(line)))
	return a, ok && skipSpace(line, a.keyword.to) < len(line)
}

// lexTarget reads the literal and what follows it.
func (a *Line) lexTarget(line string) {
	i := skipSpace(line, a.keyword.to)
	a.target = part{i, i}
	if i == len(line) {
		a.form = noTarget
		return
	}
	if line[i] == '!' {
		a.isNegated = true
		i++
	}
	end := wordEnd(line, i)
	a.name = part{i, end}
	if i < len(line) && line[i] == '"' {
		n := strings.IndexByte(line[i+1:], '"')
		if n < 0 {
			a.form, a.rest = unclosed, part{i, len(line)}
			return
		}
		a.name = part{i + 1, i + 1 + n}
		end = a.name.to + 1
	} else if word := a.name.in(line); word != "" && strings.Trim(word, "0123456789") == "" {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			a.form, a.rest = tooLarge, a.name
			return
		}
		a.isNumber, a.number = true, uint32(n)
	}
	a.target.to = end
	if a.name.from == a.name.to {
		a.form, a.rest = noName, a.target
		return
	}
	a.lexLabel(line, end)
}

// lexLabel reads what follows the literal.
func (a *Line) lexLabel(line string, end int) {
	i := skipSpace(line, end)
	a.rest = part{i, len(line)}
	switch rest := line[i:]; {
	case rest == "":
	case i == end || rest[0] != '"':
		a.form = surplus
	case len(rest) == 1 || strings.IndexByte(rest[1:], '"') < 0:
		a.form = unclosed
	case strings.IndexByte(rest[1:], '"') != len(rest)-2:
		a.form = surplus
	default:
		a.label = part{i + 1, len(line) - 1}
	}
}

// spelled returns how a pragma writes the name of an element, or its negation; ok is
// false for a name that it cannot write.
func spelled(name string, negated bool) (target string, ok bool) {
	if name == "" || strings.ContainsAny(name, "\r\n\x00") {
		return "", false
	}
	isOdd := name[0] == '!' || strings.Trim(name, "0123456789") == "" || strings.IndexFunc(name, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) }) >= 0
	switch {
	case strings.Contains(name, `"`) && (isOdd || name[0] == '"'):
		return "", false
	case isOdd:
		name = `"` + name + `"`
	}
	if negated {
		name = "!" + name
	}
	return name, true
}

// Write returns the line of a pragma with its line end. What a label cannot hold is left
// out of it.
func Write(k Kind, target, label string) string {
	label = strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == 0x7F {
			return -1
		}
		return r
	}, label)
	if label != "" {
		target += ` "` + label + `"`
	}
	return prefix + " " + k.String() + " " + target + "\n"
}
