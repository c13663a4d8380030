// Package wordline reads and writes the line of a comment that makes a word of signals:
//
//	word: NAME = BIT BIT … {VALUE = NUMBER, VALUE = NUMBER}
//	word: NAME (signed, hex) = BIT BIT …
//
// Bits stand from the most significant on: the name or number of a signal, in quotes where it
// could be read otherwise, with ! for its negation, or - for a bit that is missing. Numbers are
// decimal, 0x1f or 0b101. The package knows no signals: what a bit means is for formats to say.
package wordline

import (
	"errors"
	"fmt"
	"iter"
	"math/big"
	"strings"

	"aiglens/internal/nearest"
)

// Prefix starts a line.
const Prefix = "word:"

// Missing stands in the place of a bit that there is not.
const Missing = "-"

// Part is a run of bytes of a line.
type Part struct {
	From, To int
	Text     string // without quotes
}

// Line is a line taken apart. Places are offsets in it.
type Line struct {
	Name   Part
	Signed bool
	Radix  string // dec, hex, bin or ""
	Bits   []Bit  // from the most significant on
	Values []Value
	Braces Part // what values stand in; empty for a line without
	// Error is the first thing that is wrong with it; nil for a line that can be read.
	Error *Error
}

// Bit is a signal, or the place of one.
type Bit struct {
	Part      // with its sign and its quotes; its Text is that of Name
	Name      Part
	IsQuoted  bool
	IsNegated bool
	IsMissing bool
}

// Value is the name of a value.
type Value struct {
	Name, Number Part
	Value        *big.Int
}

// Error is what is wrong with a line.
type Error struct {
	Part
	Message string
}

// Is reports whether a line, without what starts a comment, makes a word or tries to.
func Is(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), Prefix) }

// The words in parentheses.
var attributes = []string{"signed", "hex", "bin", "dec"}

// Read reads a line that Is; from is where it starts, after what starts a comment.
func Read(line string, from int) Line {
	r := reader{text: strings.TrimRight(line, " \t\r\n"), at: from}
	r.skip()
	r.at += len(Prefix)
	r.line.Error = r.read()
	return r.line
}

// Spell returns how a line writes the name of a word, or of a value; ok is false for one that it
// cannot write.
func Spell(name string) (spelled string, ok bool) {
	switch {
	case name == "" || strings.ContainsAny(name, "\"\r\n\x00"):
		return "", false
	case strings.ContainsAny(name, " \t=(){},"):
		return `"` + name + `"`, true
	}
	return name, true
}

// FreeName returns a name for a word beside those that there are.
func FreeName(taken iter.Seq[string]) string {
	known := map[string]bool{}
	for name := range taken {
		known[name] = true
	}
	name := "word"
	for n := 2; known[name]; n++ {
		name = fmt.Sprintf("word%d", n)
	}
	return name
}

// SpellBit returns how a line writes a bit by the name of its signal; ok is false for one that it
// cannot write. Formats in which numbers mean literals take a number without quotes for one.
func SpellBit(name string, isNegated bool) (spelled string, ok bool) {
	sign := ""
	if isNegated {
		sign = "!"
	}
	isOdd := name == "" || name == Missing || name[0] == '!' || name[0] == '"' ||
		strings.ContainsAny(name, " \t\v\f{") || strings.Trim(name, "0123456789") == ""
	switch {
	case strings.ContainsAny(name, "\r\n\x00") || isOdd && (name == "" || strings.Contains(name, `"`)):
		return "", false
	case isOdd:
		return sign + `"` + name + `"`, true
	}
	return sign + name, true
}

// Fit returns a spelled bit with what must stand between it and what follows in its line, lest
// the two become one name.
func Fit(spelled, following string) string {
	isQuoted := strings.HasPrefix(strings.TrimPrefix(spelled, "!"), `"`)
	if isQuoted || following == "" || strings.ContainsRune(" \t\r\n{", rune(following[0])) {
		return spelled
	}
	return spelled + " "
}

// Rename returns how the name of a word is written that takes the place of another, which stands in
// quotes or not. isTaken says whose name it is already, or "". The error is a sentence for the user.
func Rename(name, isTaken string, isQuoted bool) (spelled string, err error) {
	spelled, ok := Spell(name)
	switch {
	case isTaken != "":
		return "", fmt.Errorf("%s has the name %q already", isTaken, name)
	case !ok:
		return "", errors.New("the name of a word cannot be empty, and cannot hold a quote or a line end")
	case isQuoted:
		spelled = strings.Trim(spelled, `"`)
	}
	return spelled, nil
}

// Write returns the line, without what starts a comment and without a line end, by what it says: places
// need not be set. Bits are spelled as they are to stand in it, from the most significant on, Missing among them. A
// number without text is written in the radix of the line. A value whose name cannot be written is left out; ok is false
// where that of the word cannot be.
func (l *Line) Write(bits []string) (text string, ok bool) {
	name, ok := Spell(l.Name.Text)
	if !ok || len(bits) == 0 {
		return "", false
	}
	text = Prefix + " " + name
	var of []string
	if l.Signed {
		of = append(of, "signed")
	}
	if l.Radix != "" {
		of = append(of, l.Radix)
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	text += " = " + strings.Join(bits, " ")
	var values []string
	for _, v := range l.Values {
		if name, ok := Spell(v.Name.Text); ok {
			values = append(values, name+" = "+l.spellNumber(v, len(bits)))
		}
	}
	if len(values) > 0 {
		text += " {" + strings.Join(values, ", ") + "}"
	}
	return text, true
}

// spellNumber returns the number of a value of a word of so many bits.
func (l *Line) spellNumber(v Value, width int) string {
	switch {
	case v.Number.Text != "":
		return v.Number.Text
	case l.Radix == "hex":
		return fmt.Sprintf("%#x", v.Value)
	case l.Radix == "bin":
		return "0b" + v.Value.Text(2)
	case l.Signed && v.Value.Bit(width-1) == 1:
		return new(big.Int).Sub(v.Value, new(big.Int).Lsh(big.NewInt(1), uint(width))).String()
	}
	return v.Value.String()
}

type reader struct {
	text string
	at   int
	line Line
}

func (r *reader) skip() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\t') {
		r.at++
	}
}

// next returns the sign that comes next, or 0 at the end.
func (r *reader) next() byte {
	r.skip()
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// fail makes an error of what stands from a place up to the end of the word there.
func (r *reader) fail(from int, format string, args ...any) *Error {
	to := from
	for to < len(r.text) && r.text[to] != ' ' && r.text[to] != '\t' {
		to++
	}
	return failAt(Part{from, to, r.text[from:to]}, format, args...)
}

func failAt(p Part, format string, args ...any) *Error {
	return &Error{p, fmt.Sprintf(format, args...)}
}

// found says what stands at the place of the reader.
func (r *reader) found() string {
	if r.next() == 0 {
		return "the end of the line"
	}
	return r.fail(r.at, "").Text
}

func (r *reader) read() (err *Error) {
	if c := r.next(); c == 0 || c == '=' {
		return r.fail(r.at, `expected the name of the word, found %s; one is written "word: state = s1 s0"`, r.found())
	}
	if r.line.Name, _, err = r.name("=", "the name of the word"); err != nil {
		return err
	}
	if r.next() == '(' {
		if err := r.attributes(); err != nil {
			return err
		}
	}
	if r.next() != '=' {
		return r.fail(r.at, "expected = and the bits of %s, found %s", r.line.Name.Text, r.found())
	}
	r.at++
	for c := r.next(); c != 0 && c != '{'; c = r.next() {
		b, err := r.bit()
		if err != nil {
			return err
		}
		r.line.Bits = append(r.line.Bits, b)
	}
	if len(r.line.Bits) == 0 {
		return r.fail(r.at, "expected the bits of %s, the most significant first, found %s", r.line.Name.Text, r.found())
	}
	if r.next() == '{' {
		return r.values()
	}
	return nil
}

// name reads a name, which ends at white space and at some signs, or stands in quotes.
func (r *reader) name(signs, what string) (p Part, isQuoted bool, err *Error) {
	r.skip()
	from := r.at
	if from < len(r.text) && r.text[from] == '"' {
		n := strings.IndexByte(r.text[from+1:], '"')
		if n < 0 {
			return p, true, failAt(Part{from, len(r.text), r.text[from:]}, "expected a closing quote, found the end of the line")
		}
		r.at = from + n + 2
		if n == 0 {
			return p, true, r.fail(from, "expected %s, found an empty name", what)
		}
		return Part{from + 1, from + 1 + n, r.text[from+1 : from+1+n]}, true, nil
	}
	for r.at < len(r.text) && !strings.ContainsRune(" \t"+signs, rune(r.text[r.at])) {
		r.at++
	}
	if r.at == from {
		return p, false, r.fail(from, "expected %s, found %s", what, r.found())
	}
	return Part{from, r.at, r.text[from:r.at]}, false, nil
}

// attributes reads what stands in parentheses.
func (r *reader) attributes() *Error {
	r.at++
	for {
		p, _, err := r.name(",)=", "signed, hex, bin or dec")
		switch {
		case err != nil:
			return err
		case p.Text == "signed":
			r.line.Signed = true
		case p.Text == "hex" || p.Text == "bin" || p.Text == "dec":
			r.line.Radix = p.Text
		default:
			return failAt(p, "expected signed, hex, bin or dec, found %s%s", p.Text, nearest.Hint(p.Text, attributes))
		}
		switch r.next() {
		case ',':
			r.at++
		case ')':
			r.at++
			return nil
		default:
			return r.fail(r.at, "expected , or ) after %s, found %s", p.Text, r.found())
		}
	}
}

// bit reads a signal.
func (r *reader) bit() (b Bit, err *Error) {
	b.From = r.at
	if r.text[r.at] == '!' {
		b.IsNegated = true
		r.at++
		if r.at == len(r.text) || r.text[r.at] == ' ' || r.text[r.at] == '\t' {
			return b, r.fail(b.From, "expected a signal after !")
		}
	}
	if b.Name, b.IsQuoted, err = r.name("{", "a signal"); err != nil {
		return b, err
	}
	b.To, b.Text = r.at, b.Name.Text
	b.IsMissing = b.Text == Missing && !b.IsQuoted && !b.IsNegated
	return b, nil
}

// values reads what stands in braces, up to the end of the line.
func (r *reader) values() *Error {
	r.line.Braces = Part{r.at, len(r.text), r.text[r.at:]}
	r.at++
	names, numbers := map[string]bool{}, map[string]string{}
	for r.next() != '}' {
		var v Value
		var err *Error
		if v.Name, _, err = r.name("=,}", "the name of a value"); err != nil {
			return err
		}
		if r.next() != '=' {
			return r.fail(r.at, "expected = and the value of %s, found %s", v.Name.Text, r.found())
		}
		r.at++
		if v.Number, _, err = r.name(",}", Numbers); err != nil {
			return err
		}
		if v.Value, err = r.number(v.Number); err != nil {
			return err
		}
		switch key := v.Value.String(); {
		case names[v.Name.Text]:
			return failAt(v.Name, "two values have the name %s", v.Name.Text)
		case numbers[key] != "":
			return failAt(v.Number, "%s has the name %s already", v.Number.Text, numbers[key])
		default:
			names[v.Name.Text], numbers[key] = true, v.Name.Text
		}
		r.line.Values = append(r.line.Values, v)
		switch r.next() {
		case ',':
			r.at++
		case '}':
		default:
			return r.fail(r.at, "expected , or } after a value, found %s", r.found())
		}
	}
	r.at++
	if r.next() != 0 {
		return failAt(Part{r.at, len(r.text), r.text[r.at:]}, "expected the end of the line after }, found %s", r.found())
	}
	return nil
}

// number reads a number that has a place in the word. One that is signed may be negative.
func (r *reader) number(p Part) (*big.Int, *Error) {
	n, base, ok := Number(p.Text)
	if !ok {
		return nil, failAt(p, "expected %s, found %s", Numbers, p.Text)
	}
	n, err := FitNumber(r.line.Name.Text, len(r.line.Bits), r.line.Signed, p.Text, n, base)
	if err != nil {
		return nil, failAt(p, "%v", err)
	}
	return n, nil
}
