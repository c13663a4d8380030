// Package propline reads and writes lines of comments that make properties, which other programs take for the comments
// that they are:
//
//	prop: lemma TARGET "label"
//	prop: cover TARGET "label"
//
// It knows the line, what is wrong with it and how that is mended. What a target may be, and whether it is there, the
// formats know. BLIF, whose comments say more, reads them itself.
package propline

import (
	"strconv"
	"strings"

	"aiglens/internal/source"
)

// Kind says what a line asks of its target.
type Kind uint8

// The kinds.
const (
	Lemma Kind = iota // 1 in every step of every run
	Cover             // 1 in some run
	NumKinds
)

var kindWords = [NumKinds]string{Lemma: "lemma", Cover: "cover"}

func (k Kind) String() string { return kindWords[k] }

// kindOf returns the kind that a word stands for.
func kindOf(word string) (k Kind, ok bool) {
	for k, known := range kindWords {
		if word == known {
			return Kind(k), true
		}
	}
	return 0, false
}

// Prefix starts a line.
const Prefix = "prop:"

// Form says what a line looks like.
type Form uint8

// The forms. All but the first are faults.
const (
	Sound       Form = iota
	nearly           // would be sound if its first words were written otherwise
	noKind           // ends after the prefix
	unknownKind      // of another kind
	noTarget         // ends after the kind
	unclosed         // lacks a quote
	noName           // an empty name, or just a sign
	tooLarge         // no target has that number
	surplus          // goes on after the target, and not with a label
)

// Grammar says how a format writes targets.
type Grammar struct {
	Sign byte   // before a target: its negation
	Max  uint64 // the largest number of a target
}

// Line is a line that makes a property, or looks like that. A target is a number or a name, in quotes where it holds white
// space or could be read otherwise. The label may be left out.
type Line struct {
	Kind      Kind
	Form      Form
	Text      string // without white space at the end
	Start     int    // of the first character of the comment that is not white space
	Keyword   Part   // the kind
	Target    Part   // with its sign and its quotes
	Name      Part   // what is between these: a name, or a number
	Label     Part
	rest      Part // what is wrong
	Number    uint64
	IsNumber  bool
	IsNegated bool
}

// Part is a run of bytes of a line.
type Part struct{ From, To int }

// In returns the bytes.
func (p Part) In(line string) string { return line[p.From:p.To] }

// Span returns the place in a text in which the line starts at an offset.
func (p Part) Span(base int) source.Span { return source.SpanFromTo(base+p.From, base+p.To) }

// Span is the place of a line that starts at an offset, without white space around.
func (l *Line) Span(at int) source.Span { return source.SpanFromTo(at+l.Start, at+len(l.Text)) }

// LabelText returns the label, or "".
func (l *Line) LabelText() string { return strings.TrimSpace(l.Label.In(l.Text)) }

// MayBe reports whether a line whose comment starts at an offset is worth a closer look.
func MayBe(line string, from int) bool {
	i := skipSpace(line, from)
	if i < len(line) && line[i] == '#' {
		i = skipSpace(line, i+1)
	}
	return i+len("prop") <= len(line) && strings.EqualFold(line[i:i+len("prop")], "prop")
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

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

// Read reads a line whose comment starts at an offset; ok is false for one that makes no property, and does not look like
// that either.
func (g Grammar) Read(line string, from int) (l Line, ok bool) {
	if !MayBe(line, from) {
		return l, false
	}
	for len(line) > from && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	l.Text, l.Start = line, skipSpace(line, from)
	if !strings.HasPrefix(line[l.Start:], Prefix) {
		return l, l.isNearly()
	}
	start := skipSpace(line, l.Start+len(Prefix))
	l.Keyword = Part{start, wordEnd(line, start)}
	switch l.Kind, ok = kindOf(l.Keyword.In(line)); {
	case start == len(line):
		l.Form = noKind
	case !ok:
		l.Form = unknownKind
	default:
		l.readTarget(g)
	}
	return l, true
}

// isNearly reads a line that says what one with a property does in other words: "# prop: lemma 4", "Prop : lemma 4".
func (l *Line) isNearly() (ok bool) {
	line, i := l.Text, l.Start
	if line[i] == '#' {
		i = skipSpace(line, i+1)
	}
	i = skipSpace(line, i+len("prop"))
	if i == len(line) || line[i] != ':' { // as in prose: "prop cover all of it"
		return false
	}
	i = skipSpace(line, i+1)
	l.Form, l.Keyword = nearly, Part{i, wordEnd(line, i)}
	l.Kind, ok = kindOf(strings.ToLower(l.Keyword.In(line)))
	return ok && skipSpace(line, l.Keyword.To) < len(line)
}

// readTarget reads the target and what follows it.
func (l *Line) readTarget(g Grammar) {
	line := l.Text
	i := skipSpace(line, l.Keyword.To)
	l.Target = Part{i, i}
	if i == len(line) {
		l.Form = noTarget
		return
	}
	if line[i] == g.Sign {
		l.IsNegated = true
		i++
	}
	end := wordEnd(line, i)
	l.Name = Part{i, end}
	if i < len(line) && line[i] == '"' {
		n := strings.IndexByte(line[i+1:], '"')
		if n < 0 {
			l.Form, l.rest = unclosed, Part{i, len(line)}
			return
		}
		l.Name = Part{i + 1, i + 1 + n}
		end = l.Name.To + 1
	} else if word := l.Name.In(line); word != "" && strings.Trim(word, "0123456789") == "" {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil || n > g.Max {
			l.Form, l.rest = tooLarge, l.Name
			return
		}
		l.IsNumber, l.Number = true, n
	}
	l.Target.To = end
	if l.Name.From == l.Name.To {
		l.Form, l.rest = noName, l.Target
		return
	}
	l.readLabel(end)
}

// readLabel reads what follows the target.
func (l *Line) readLabel(end int) {
	line := l.Text
	i := skipSpace(line, end)
	l.rest = Part{i, len(line)}
	switch rest := line[i:]; {
	case rest == "":
	case i == end || rest[0] != '"':
		l.Form = surplus
	case len(rest) == 1 || strings.IndexByte(rest[1:], '"') < 0:
		l.Form = unclosed
	case strings.IndexByte(rest[1:], '"') != len(rest)-2:
		l.Form = surplus
	default:
		l.Label = Part{i + 1, len(line) - 1}
	}
}

// Write returns a line with its line end. What a label cannot hold is left out of it.
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
	return Prefix + " " + k.String() + " " + target + "\n"
}
