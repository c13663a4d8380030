package statement

import (
	"strings"

	"aiglens/internal/source"
)

// pragmaKind is the word after "# prop:".
type pragmaKind uint8

// The kinds of pragmas.
const (
	PragmaNone    pragmaKind = iota // a word that is none
	PragmaBad                       // never 1
	PragmaAssert                    // always 1
	PragmaAssume                    // 1 in every step: a constraint
	PragmaJustice                   // not all 1 infinitely often
	PragmaFair                      // 1 infinitely often
	PragmaLemma                     // to be 1 always, and used to prove others; leaves the other properties as they are
	PragmaCover                     // to be 1 in some run; leaves the other properties as they are
	PragmaLive                      // 1 infinitely often in each run
	PragmaShown                     // an output only so that tools without properties see one
)

var pragmaKinds = map[string]pragmaKind{
	"bad": PragmaBad, "assert": PragmaAssert, "assume": PragmaAssume,
	"justice": PragmaJustice, "fair": PragmaFair, "lemma": PragmaLemma, "cover": PragmaCover, "live": PragmaLive, "shown": PragmaShown,
}

// PragmaKindOf returns the kind that the word after "# prop:" stands for.
func PragmaKindOf(word string) pragmaKind { return pragmaKinds[word] }

// PropertyPrefix returns the length of what a comment has in place of "# prop:",
// written exactly so or nearly; 0 for a comment that means something else.
func PropertyPrefix(comment string) int {
	at := SkipBlank(comment, 1)
	end := at + len("prop")
	if end > len(comment) || !strings.EqualFold(comment[at:end], "prop") {
		return 0
	}
	next := SkipBlank(comment, end)
	if next < len(comment) && comment[next] == ':' {
		return next + 1
	}
	if next > end && next < len(comment) && PragmaKindOf(comment[next:wordEnd(comment, next)]) != PragmaNone {
		return end
	}
	return 0
}

// trailing notes a comment after a directive or row that looks like a property.
func (l *lexer) trailing(i int) {
	comment := strings.TrimRight(l.s[i:LineEnd(l.s, i)], " \t\r\n")
	if PropertyPrefix(comment) > 0 {
		l.oddComment(i, len(comment), false)
	}
}

// oddComment notes a comment; see the type.
func (l *lexer) oddComment(i, length int, joins bool) {
	l.c.Odd = append(l.c.Odd, oddComment{uint32(i - l.base), uint32(length), joins})
}

// IsOwnLine reports whether nothing stands before an offset on its line.
func (f *Tree) IsOwnLine(at int) bool {
	start := f.text.LineStart(f.text.LineAt(at))
	return strings.TrimLeft(f.text.Slice(source.SpanFromTo(start, at)), " \t\r") == ""
}
