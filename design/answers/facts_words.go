package answers

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/ic3/proof"
	"aiglens/internal/lazy"
)

// wordFacts are what an invariant says about the words of a design.
type wordFacts struct {
	words  []*design.Word   // those of latches
	facts  []facts.WordFact // about them, certified
	missed []*design.Word   // of which not everything is known
}

// keptWordFacts are the facts about words of the invariants of a design, the newest of each property.
var keptWordFacts = design.NewDerived(func(context.Context, *design.Design) (*wordFactsOf, error) {
	return &wordFactsOf{of: map[circuit.Property]keptWords{}}, nil
})

type wordFactsOf struct {
	mu sync.Mutex
	of map[circuit.Property]keptWords // guarded by mu
}

type keptWords struct {
	inv   cert.Invariant
	found *lazy.Value[*wordFacts]
}

// wordFactsFrom returns what the invariant of a property, which f is, says about the words of the text.
// It is found once, within the effort. The error is that of ctx.
func wordFactsFrom(ctx context.Context, d *design.Design, p circuit.Property, inv cert.Invariant, f facts.Facts, effort int64) (*wordFacts, error) {
	kept, err := keptWordFacts.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	kept.mu.Lock()
	own, ok := kept.of[p]
	if !ok || !slices.EqualFunc(own.inv, inv, slices.Equal[[]circuit.Lit]) {
		own = keptWords{inv, lazy.New(func(ctx context.Context) (*wordFacts, error) { return findWordFacts(ctx, d, inv, f, effort) })}
		kept.of[p] = own
	}
	kept.mu.Unlock()
	return own.found.Get(ctx)
}

// latchWords are the words of a design whose bits are latches.
type latchWords struct {
	words    []*design.Word
	searched []proof.Word
	plain    []facts.Word
}

var derivedLatchWords = design.NewDerived(func(ctx context.Context, d *design.Design) (*latchWords, error) {
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	x := &latchWords{}
	for _, w := range all.All() {
		if own, ok := wordOfLatches(d.Circuit(), w); ok {
			x.words, x.searched, x.plain = append(x.words, w), append(x.searched, own), append(x.plain, own.Word)
		}
	}
	return x, nil
})

// findWordFacts finds what an invariant, which f is, says about words, and certifies it.
func findWordFacts(ctx context.Context, d *design.Design, inv cert.Invariant, f facts.Facts, effort int64) (*wordFacts, error) {
	of, err := derivedLatchWords.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	found, err := proof.FindWordFacts(ctx, f, of.searched, effort)
	if err != nil {
		return nil, err
	}
	x := &wordFacts{words: of.words}
	if x.facts, err = facts.Implied(ctx, inv, of.plain, found.Facts); err != nil {
		return nil, err
	}
	for _, i := range found.LeftOut {
		x.missed = append(x.missed, x.words[i])
	}
	return x, nil
}

// wordOfLatches returns a word whose bits are latches, or constants; a bit that is missing may be
// anything. ok is false for other words.
func wordOfLatches(c *circuit.Circuit, w *design.Word) (own proof.Word, ok bool) {
	own.Signed = w.Signed
	for _, b := range w.Bits {
		switch {
		case b.Missing:
			own.Bits = append(own.Bits, facts.Open)
		case b.Lit.Var() == 0 || c.Kind(b.Lit.Var()) == circuit.KindLatch:
			own.Bits = append(own.Bits, b.Lit)
		default:
			return own, false
		}
	}
	for _, v := range w.Values {
		own.Named = append(own.Named, v.Value)
	}
	return own, true
}

// about returns the facts about words of which a latch is a bit.
func (x *wordFacts) about(latch circuit.Var) *wordFacts {
	has := func(word int) bool {
		return slices.ContainsFunc(x.words[word].Bits, func(b design.Bit) bool { return !b.Missing && b.Lit.Var() == latch })
	}
	about := &wordFacts{words: x.words}
	for _, f := range x.facts {
		if has(f.Word) || f.Kind == facts.Sum && has(f.Other) {
			about.facts = append(about.facts, f)
		}
	}
	return about
}

// Missed returns the words of which not all is known that the proof says.
func (f *Facts) Missed() (names []string) {
	if f != nil && f.words != nil {
		for _, w := range f.words.missed {
			names = append(names, w.Name)
		}
	}
	return names
}

// MissedWords says of which words facts may be missing, or "".
func (f *Facts) MissedWords() string {
	switch names := f.Missed(); len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("facts may be missing about %s: it has many bits, or the search for facts ended early", names[0])
	default:
		return fmt.Sprintf("facts may be missing about %s: they have many bits, or the search for facts ended early", listed(names))
	}
}

// aboutWords says the facts about words. The values that a word never has are one fact.
func (f *Facts) aboutWords() []Fact {
	if f.words == nil {
		return nil
	}
	var all []Fact
	for left := f.words.facts; len(left) > 0; {
		n := 1
		for n < len(left) && left[0].Kind == facts.Never && left[n].Kind == facts.Never && left[n].Word == left[0].Word {
			n++
		}
		all = append(all, f.word(left[:n]))
		left = left[n:]
	}
	return all
}

// isWord reports whether a fact about a word says of all its bits what a group says.
func (f *Facts) isWord(g facts.Group) bool {
	if f.words == nil {
		return false
	}
	kind := facts.AtMostOne
	if g.Exactly {
		kind = facts.ExactlyOne
	}
	return slices.ContainsFunc(f.words.facts, func(x facts.WordFact) bool {
		bits := f.words.words[x.Word].Bits
		return x.Kind == kind && len(bits) == len(g.Lits) && !slices.ContainsFunc(bits, func(b design.Bit) bool { return b.Missing || !slices.Contains(g.Lits, b.Lit) })
	})
}

// word says a fact about a word, or that it never has several values.
func (f *Facts) word(same []facts.WordFact) Fact {
	x := factWriter{Fact{Kind: Word}}
	w := complete(f.words.words[same[0].Word])
	number := func() string { return words.Number(w, same[0].Value) }
	switch same[0].Kind {
	case facts.AtLeast:
		f.name(&x, same[0].Word)
		x.word(" is at least " + number())
	case facts.AtMost:
		f.name(&x, same[0].Word)
		x.word(" is at most " + number())
	case facts.Never:
		f.name(&x, same[0].Word)
		x.word(" is never " + alternatives(w, same))
	case facts.AtMostOne:
		x.word("at most one bit of ")
		f.name(&x, same[0].Word)
		x.word(" is 1")
	case facts.ExactlyOne:
		x.word("exactly one bit of ")
		f.name(&x, same[0].Word)
		x.word(" is 1")
	case facts.Sum:
		f.name(&x, same[0].Word)
		x.word(" = ")
		f.name(&x, same[0].Other)
		x.word(added(w, same[0]))
	}
	return x.Fact
}

// complete returns a word that has all bits: of one that is missing, values of facts say what they
// say.
func complete(w *design.Word) *design.Word {
	if !slices.ContainsFunc(w.Bits, func(b design.Bit) bool { return b.Missing }) {
		return w
	}
	whole := *w
	whole.Bits = make([]design.Bit, len(w.Bits))
	for i, b := range w.Bits {
		whole.Bits[i].Lit = b.Lit
	}
	return &whole
}

// name adds a word by its name, which leads to its highest latch.
func (f *Facts) name(x *factWriter, word int) {
	w := f.words.words[word]
	x.Words = append(x.Words, w.Name)
	part := FactPart{Text: w.Name}
	for i := len(w.Bits) - 1; i >= 0; i-- {
		if b := w.Bits[i]; !b.Missing && b.Lit.Var() != 0 {
			l := f.signal(b.Lit)
			if part.Source == nil {
				part.Source = &l.SourceSignal
			}
			x.Latches = append(x.Latches, l)
		}
	}
	x.Parts = append(x.Parts, part)
}

// alternatives lists values of a word: "idle, wait or 7".
func alternatives(w *design.Word, all []facts.WordFact) string {
	var texts []string
	for _, f := range all {
		text := words.Text(w, f.Value)
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// added says what is added in a sum, or "": " + 3 modulo 16".
func added(w *design.Word, f facts.WordFact) string {
	if !slices.Contains(f.Value, circuit.One) {
		return ""
	}
	unsigned := *w
	unsigned.Signed = false
	text := " + " + words.Number(&unsigned, f.Value)
	if !f.Exact {
		text += fmt.Sprintf(" modulo %v", new(big.Int).Lsh(big.NewInt(1), uint(len(w.Bits))))
	}
	return text
}
