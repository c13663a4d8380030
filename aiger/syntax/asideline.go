package syntax

import (
	"math"

	"aiglens/internal/propline"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// AsideKind says what an aside asks of its literal.
type AsideKind uint8

// The kinds of asides.
const (
	AsideLemma    = AsideKind(propline.Lemma) // 1 in every step of every run
	AsideCover    = AsideKind(propline.Cover) // 1 in some run
	numAsideKinds = AsideKind(propline.NumKinds)
	// AsideBit makes the literal a bit of a word. It is no property.
	AsideBit = numAsideKinds
)

func (k AsideKind) String() string {
	if k == AsideBit {
		return "bit of a word"
	}
	return propline.Kind(k).String()
}

// asideGrammar is how lines name literals: by a number, or by the name of an element. After "!" it is the negation.
var asideGrammar = propline.Grammar{Sign: '!', Max: math.MaxUint32}

// asideLine is a line of the comment section that looks like an aside, which makes a property, or a bit of a word.
type asideLine struct {
	propline.Line
	kind AsideKind
}

// isSound reports whether nothing is wrong with the line by itself.
func (a *asideLine) isSound() bool { return a.Form == propline.Sound }

// named returns the name by which the line refers to an element; ok is false for one that
// writes a number, and for one that is not sound.
func (a *asideLine) named() (name string, ok bool) {
	return a.Name.In(a.Text), a.isSound() && !a.IsNumber
}

// targetText returns what names the literal, without quotes.
func (a *asideLine) targetText() string {
	if a.IsNegated {
		return "!" + a.Name.In(a.Text)
	}
	return a.Name.In(a.Text)
}

// targetSpan and nameSpan return, of a line that starts at an offset, the place of the literal with its sign and quotes,
// and what is between these.
func (a *asideLine) targetSpan(at int) source.Span { return a.Target.Span(at) }
func (a *asideLine) nameSpan(at int) source.Span   { return a.Name.Span(at) }

// mayBeAside reports whether a line of a comment is worth a closer look.
func mayBeAside(line string) bool { return wordline.Is(line) || propline.MayBe(line, 0) }

// readAside reads a line of a comment; ok is false for one that is not an aside, and does not look
// like one either.
func readAside(line string) (a asideLine, ok bool) {
	if wordline.Is(line) {
		return a, false
	}
	l, ok := asideGrammar.Read(line, 0)
	return asideLine{l, AsideKind(l.Kind)}, ok
}

// WriteAside returns the line of an aside with its line end. What a label cannot hold is left
// out of it.
func WriteAside(k AsideKind, target, label string) string {
	return propline.Write(propline.Kind(k), target, label)
}
