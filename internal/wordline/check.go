package wordline

import (
	"fmt"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Problem is what is wrong with a line that is to make a word.
type Problem struct {
	Kind    ProblemKind
	Span    source.Span
	Message string
	First   source.Span // of the name of a word that has it already; empty for others
}

// ProblemKind says what is wrong.
type ProblemKind uint8

// The kinds.
const (
	Syntax   ProblemKind = iota // the line cannot be read
	Signal                      // a bit is no signal, or one that stands in the word already
	Repeated                    // the name is taken
)

// Check finds what is wrong with lines that are read one after another, of one list of signals. S is
// what a format knows a signal by, whichever sign it has; its zero may stand in a word more than once.
type Check[S comparable] struct {
	Report func(Problem)
	known  map[string]source.Span // words by their names
}

// Bits looks at the bits of a line, which starts at an offset. signal finds out what one is that is not
// missing, and reports what is wrong with it; ok is false for one that is no signal.
func (c *Check[S]) Bits(l *Line, at int, signal func(i int, b Bit) (s S, ok bool)) (isSound bool) {
	if l.Error != nil {
		c.report(Syntax, l.Error.Part, at, "no word: %s", l.Error.Message)
		return false
	}
	isSound = true
	var none S
	seen := map[S]bool{}
	for i, b := range l.Bits {
		if b.IsMissing {
			continue
		}
		s, ok := signal(i, b)
		if ok && s != none && seen[s] {
			c.report(Signal, b.Part, at, "no word: %s stands in it twice", findings.Quote(b.Text))
			ok = false
		}
		isSound, seen[s] = isSound && ok, true
	}
	return isSound
}

// IsWord reports whether a bit, which is no signal, is called as a word is, and says so.
func (c *Check[S]) IsWord(b Bit, at int) bool {
	_, is := c.known[b.Name.Text]
	if is {
		c.report(Signal, b.Part, at, "no word: %s is a word itself, not a signal; list its bits", findings.Quote(b.Name.Text))
	}
	return is
}

// Name looks at the name of a line. element is what has it, "latch 3", or "". What is sound is known
// from then on.
func (c *Check[S]) Name(l *Line, at int, element string) (isSound bool) {
	first, isWord := c.known[l.Name.Text]
	if isWord && element == "" {
		element = "another one"
	}
	if element != "" {
		c.Report(Problem{Repeated, span(l.Name, at), fmt.Sprintf("no word: %s has the name %s", element, findings.Quote(l.Name.Text)), first})
		return false
	}
	if c.known == nil {
		c.known = map[string]source.Span{}
	}
	c.known[l.Name.Text] = span(l.Name, at)
	return true
}

func (c *Check[S]) report(kind ProblemKind, p Part, at int, format string, args ...any) {
	c.Report(Problem{Kind: kind, Span: span(p, at), Message: fmt.Sprintf(format, args...)})
}

func span(p Part, at int) source.Span { return source.SpanFromTo(at+p.From, at+p.To) }
