package syntax

import (
	"strconv"
	"strings"

	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// AsideKind says what an aside asks of its literal.
type AsideKind uint8

// The kinds of asides.
const (
	AsideLemma AsideKind = iota // 1 in every step of every run
	AsideCover                  // 1 in some run
	numAsideKinds
	// AsideBit makes the literal a bit of a word. It is no property.
	AsideBit = numAsideKinds
)

var asideWords = [numAsideKinds]string{AsideLemma: "lemma", AsideCover: "cover"}

func (k AsideKind) String() string {
	if k == AsideBit {
		return "bit of a word"
	}
	return asideWords[k]
}

// asideKindOf returns the kind that a word stands for.
func asideKindOf(word string) (k AsideKind, ok bool) {
	for k, known := range asideWords {
		if word == known {
			return AsideKind(k), true
		}
	}
	return 0, false
}

// asidePrefix starts an aside.
const asidePrefix = "prop:"

// asideForm says what the line of an aside looks like.
type asideForm uint8

const (
	sound       asideForm = iota
	nearly                // would be one if its first words were written otherwise
	noKind                // ends after the prefix
	unknownKind           // of another kind
	noTarget              // ends after the kind
	unclosed              // lacks a quote
	noName                // an empty name, or just "!"
	tooLarge              // no literal has that number
	surplus               // goes on after the literal, and not with a label
)

// asideLine is a line of the comment section that looks like an aside, which makes a property:
//
//	prop: lemma LITERAL "label"
//	prop: cover LITERAL "label"
//
// Other programs take it for the comment that it is. The literal is a number, or the name of an
// element, in quotes where it holds white space or could be read otherwise. After "!" it is the
// negation. The label may be left out. The parts are offsets in the line.
type asideLine struct {
	kind      AsideKind
	text      string // without white space at the end
	form      asideForm
	start     int      // of the first character that is not white space
	keyword   linePart // the kind
	target    linePart // the literal, with its sign and its quotes
	name      linePart // what is between these: a name, or a number
	label     linePart
	rest      linePart // what is wrong
	number    uint32
	isNumber  bool
	isNegated bool
}

// linePart is a run of bytes of a line.
type linePart struct{ from, to int }

func (p linePart) in(line string) string     { return line[p.from:p.to] }
func (p linePart) span(base int) source.Span { return source.SpanFromTo(base+p.from, base+p.to) }

// isSound reports whether nothing is wrong with the line by itself.
func (a *asideLine) isSound() bool { return a.form == sound }

// named returns the name by which the line refers to an element; ok is false for one that
// writes a number, and for one that is not sound.
func (a *asideLine) named() (name string, ok bool) {
	return a.name.in(a.text), a.isSound() && !a.isNumber
}

// targetText returns what names the literal, without quotes.
func (a *asideLine) targetText() string {
	if a.isNegated {
		return "!" + a.name.in(a.text)
	}
	return a.name.in(a.text)
}

// labelText returns the label, or "".
func (a *asideLine) labelText() string { return strings.TrimSpace(a.label.in(a.text)) }

// span, targetSpan and nameSpan return, of a line that starts at an offset, its place without white
// space around, that of the literal with its sign and quotes, and what is between these.
func (a *asideLine) span(at int) source.Span       { return source.SpanFromTo(at+a.start, at+len(a.text)) }
func (a *asideLine) targetSpan(at int) source.Span { return a.target.span(at) }
func (a *asideLine) nameSpan(at int) source.Span   { return a.name.span(at) }

// mayBeAside reports whether a line of a comment is worth a closer look.
func mayBeAside(line string) bool {
	if wordline.Is(line) {
		return true
	}
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

// readAside reads a line of a comment; ok is false for one that is not an aside, and does not look
// like one either.
func readAside(line string) (a asideLine, ok bool) {
	if !mayBeAside(line) || wordline.Is(line) {
		return a, false
	}
	for len(line) > 0 && isSpace(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	a.text, a.start = line, skipSpace(line, 0)
	if !strings.HasPrefix(line[a.start:], asidePrefix) {
		return lexNearly(line, a)
	}
	from := skipSpace(line, a.start+len(asidePrefix))
	a.keyword = linePart{from, wordEnd(line, from)}
	switch a.kind, ok = asideKindOf(a.keyword.in(line)); {
	case from == len(line):
		a.form = noKind
	case !ok:
		a.form = unknownKind
	default:
		a.lexTarget(line)
	}
	return a, true
}

// lexNearly reads a line that says what an aside does in other words: "# prop: lemma 4",
// "Prop : lemma 4".
func lexNearly(line string, a asideLine) (asideLine, bool) {
	i := a.start
	if line[i] == '#' {
		i = skipSpace(line, i+1)
	}
	i = skipSpace(line, i+len("prop"))
	if i == len(line) || line[i] != ':' { // as in prose: "prop cover all of it"
		return a, false
	}
	i = skipSpace(line, i+1)
	a.form, a.keyword = nearly, linePart{i, wordEnd(line, i)}
	var ok bool
	a.kind, ok = asideKindOf(strings.ToLower(a.keyword.in(line)))
	return a, ok && skipSpace(line, a.keyword.to) < len(line)
}

// lexTarget reads the literal and what follows it.
func (a *asideLine) lexTarget(line string) {
	i := skipSpace(line, a.keyword.to)
	a.target = linePart{i, i}
	if i == len(line) {
		a.form = noTarget
		return
	}
	if line[i] == '!' {
		a.isNegated = true
		i++
	}
	end := wordEnd(line, i)
	a.name = linePart{i, end}
	if i < len(line) && line[i] == '"' {
		n := strings.IndexByte(line[i+1:], '"')
		if n < 0 {
			a.form, a.rest = unclosed, linePart{i, len(line)}
			return
		}
		a.name = linePart{i + 1, i + 1 + n}
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
func (a *asideLine) lexLabel(line string, end int) {
	i := skipSpace(line, end)
	a.rest = linePart{i, len(line)}
	switch rest := line[i:]; {
	case rest == "":
	case i == end || rest[0] != '"':
		a.form = surplus
	case len(rest) == 1 || strings.IndexByte(rest[1:], '"') < 0:
		a.form = unclosed
	case strings.IndexByte(rest[1:], '"') != len(rest)-2:
		a.form = surplus
	default:
		a.label = linePart{i + 1, len(line) - 1}
	}
}

// WriteAside returns the line of an aside with its line end. What a label cannot hold is left
// out of it.
func WriteAside(k AsideKind, target, label string) string {
	label = strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == 0x7F {
			return -1
		}
		return r
	}, label)
	if label != "" {
		target += ` "` + label + `"`
	}
	return asidePrefix + " " + k.String() + " " + target + "\n"
}
