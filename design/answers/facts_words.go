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
	words   []*design.Word        // those of latches
	plain   []facts.Word          // the same ones, as facts know them
	latches []map[circuit.Var]int // of each: positions of latches, by the variables of bits
	facts   []facts.WordFact      // about them, certified
	missed  []*design.Word        // of which not everything is known
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

// latchWords are the words of a design whose bits are latches, or the registers for which latches stand.
type latchWords struct {
	words    []*design.Word
	searched []proof.Word
	latches  []map[circuit.Var]int // of each word: positions of latches, by the variables of bits
	isGates  []bool                // a bit is no latch
}

var derivedLatchWords = design.NewDerived(func(ctx context.Context, d *design.Design) (*latchWords, error) {
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	x, c := &latchWords{}, d.Circuit()
	for _, w := range all.All() {
		own, latches, ok, err := wordOfLatches(ctx, d, w)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		isGates := slices.ContainsFunc(own.Bits, func(l circuit.Lit) bool { return l != facts.Open && c.Kind(l.Var()) == circuit.KindAnd })
		x.words, x.searched, x.latches, x.isGates = append(x.words, w), append(x.searched, own), append(x.latches, latches), append(x.isGates, isGates)
	}
	return x, nil
})

// Bounds of the gates of a step that facts about registers take into account.
const (
	mostWordGates       = 500 // of a word
	mostConstraintGates = 2000
	mostStepGates       = 20_000
)

// stepOf returns the words about which an invariant says something by their latches, as far as bits
// are gates, with all that are latches alone; and what is taken into account of a step. What latches hold for
// such a register is no word beside it.
func (x *latchWords) stepOf(c *circuit.Circuit, inv cert.Invariant) (chosen *latchWords, step facts.Step, clauses cert.Invariant) {
	inInvariant := map[int]bool{} // positions of latches
	for _, clause := range inv {
		for _, l := range clause {
			inInvariant[c.LatchIndex(l.Var())] = true
		}
	}
	s := proof.NewStepClauses(c)
	isShown, left := make([]bool, len(x.words)), mostStepGates
	held := map[int]bool{} // latches for which registers are shown
	for i := range x.words {
		if isShown[i] = !x.isGates[i]; isShown[i] {
			continue
		}
		for _, at := range x.latches[i] {
			isShown[i] = isShown[i] || inInvariant[at]
		}
		before := len(s.Clauses)
		if isShown[i] = isShown[i] && s.Add(min(mostWordGates, left), known(x.searched[i].Bits)...); !isShown[i] {
			continue
		}
		left -= (len(s.Clauses) - before) / 3
		for v, at := range x.latches[i] {
			if c.Kind(v) == circuit.KindAnd {
				held[at] = true
			}
		}
	}
	chosen = &latchWords{}
	for i, is := range isShown {
		isHeld := !x.isGates[i] && len(x.latches[i]) > 0
		for _, at := range x.latches[i] {
			isHeld = isHeld && held[at]
		}
		if is && !isHeld {
			chosen.words, chosen.searched, chosen.latches = append(chosen.words, x.words[i]), append(chosen.searched, x.searched[i]), append(chosen.latches, x.latches[i])
		}
	}
	if len(held) == 0 {
		return chosen, step, nil
	}
	step.Circuit, left = c, mostConstraintGates
	for _, constraint := range c.Constraints() {
		before := len(s.Clauses)
		if s.Add(left, constraint.Lit) {
			left -= (len(s.Clauses) - before) / 3
			step.Constraints = append(step.Constraints, constraint.Lit)
			s.Clauses = append(s.Clauses, []circuit.Lit{constraint.Lit})
		}
	}
	return chosen, step, s.Clauses
}

// known returns the bits that are not open.
func known(bits []circuit.Lit) []circuit.Lit {
	return slices.DeleteFunc(slices.Clone(bits), func(l circuit.Lit) bool { return l == facts.Open })
}

// findWordFacts finds what an invariant, which f is, says about words, and certifies it.
func findWordFacts(ctx context.Context, d *design.Design, inv cert.Invariant, f facts.Facts, effort int64) (*wordFacts, error) {
	all, err := derivedLatchWords.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	of, step, clauses := all.stepOf(d.Circuit(), inv)
	if len(clauses) > 0 {
		if f, err = facts.Of(ctx, slices.Concat(inv, clauses)); err != nil {
			return nil, err
		}
	}
	found, err := proof.FindWordFacts(ctx, f, of.searched, effort)
	if err != nil {
		return nil, err
	}
	x := &wordFacts{words: of.words, plain: make([]facts.Word, len(of.searched)), latches: of.latches}
	for i := range of.searched {
		x.plain[i] = of.searched[i].Word
	}
	if x.facts, err = facts.Implied(ctx, step, inv, x.plain, found.Facts); err != nil {
		return nil, err
	}
	for _, i := range found.LeftOut {
		x.missed = append(x.missed, x.words[i])
	}
	return x, nil
}

// wordOfLatches returns a word whose bits are latches, gates for which latches stand, or constants; a
// bit that is missing may be anything. latches has their positions by the variables of the bits. ok is
// false for other words.
func wordOfLatches(ctx context.Context, d *design.Design, w *design.Word) (own proof.Word, latches map[circuit.Var]int, ok bool, err error) {
	own.Signed = w.Signed
	latches = map[circuit.Var]int{}
	for _, b := range w.Bits {
		if b.Missing {
			own.Bits = append(own.Bits, facts.Open)
			continue
		}
		if v := b.Lit.Var(); v != 0 {
			if latches[v], err = design.LatchOf(ctx, d, v); err != nil || latches[v] < 0 {
				return own, nil, false, err
			}
		}
		own.Bits = append(own.Bits, b.Lit)
	}
	for _, v := range w.Values {
		own.Named = append(own.Named, v.Value)
	}
	return own, latches, true, nil
}

// about returns the facts about words of which a latch is a bit.
func (x *wordFacts) about(latch int) *wordFacts {
	has := func(word int) bool {
		for _, at := range x.latches[word] {
			if at == latch {
				return true
			}
		}
		return false
	}
	about := &wordFacts{words: x.words, plain: x.plain, latches: x.latches}
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

// aboutWords says the facts about words, as few as say the same.
func (f *Facts) aboutWords() []Fact {
	if f.words == nil {
		return nil
	}
	var all []Fact
	for left := f.words.facts; len(left) > 0; {
		n := 1
		for n < len(left) && left[n].Kind != facts.Sum && left[n].Word == left[0].Word {
			n++
		}
		all = append(all, f.ofWord(left[:n])...)
		left = left[n:]
	}
	return all
}

// ofWord says the facts about one word: as the values that it has, where these are few. Otherwise both bounds are one
// fact, and so are the values that it never has.
func (f *Facts) ofWord(own []facts.WordFact) (all []Fact) {
	if values := valuesLeft(f.words.words[own[0].Word], own); values != nil {
		x := factWriter{Fact{Kind: Word}}
		f.name(&x, own[0].Word)
		x.word(" is " + alternatives(complete(f.words.words[own[0].Word]), values))
		return []Fact{x.Fact}
	}
	for len(own) > 0 {
		n := 1
		for n < len(own) && isOneFact(own[n-1].Kind, own[n].Kind) {
			n++
		}
		all = append(all, f.word(own[:n]))
		own = own[n:]
	}
	return all
}

// isOneFact reports whether a fact and the next one about the same word are said as one.
func isOneFact(kind, next facts.WordKind) bool {
	return kind == facts.AtLeast && next == facts.AtMost || kind == facts.Never && next == facts.Never
}

// Bounds of what is said as a list of values.
const (
	mostValues     = 3
	mostValueRange = 32
)

// valuesLeft returns the values that a word has by what is known of it alone, where these say it best: it has one
// value, or few within its bounds because it never has the others. It returns nil for anything else.
func valuesLeft(w *design.Word, own []facts.WordFact) (values [][]circuit.Value) {
	least, greatest := words.Range(w)
	isBounded, isOneHot, isCut := false, false, false
	for _, f := range own {
		switch f.Kind {
		case facts.AtLeast:
			isBounded, least = true, words.Integer(w, f.Value)
		case facts.AtMost:
			isBounded, greatest = true, words.Integer(w, f.Value)
		case facts.AtMostOne, facts.ExactlyOne:
			isOneHot = true
		case facts.Sum:
			return nil
		}
	}
	size := new(big.Int).Sub(greatest, least)
	if !size.IsInt64() || size.Int64() >= mostValueRange {
		return nil
	}
	for n := range size.Int64() + 1 {
		value := words.ValueOf(w, new(big.Int).Add(least, big.NewInt(n)))
		if slices.ContainsFunc(own, func(f facts.WordFact) bool { return f.Kind == facts.Never && facts.Matches(value, f.Value) }) {
			isCut = true
		} else {
			values = append(values, value)
		}
	}
	if len(values) == 1 || isBounded && isCut && !isOneHot && len(values) <= mostValues {
		return values
	}
	return nil
}

// clausesBesideWords returns the clauses that the facts about words do not imply.
func (f *Facts) clausesBesideWords() cert.Invariant {
	if f.words == nil {
		return f.Clauses
	}
	return f.Facts.ClausesBeside(f.words.plain, f.words.facts)
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

// word says a fact about a word, both bounds of it, or that it never has several values.
func (f *Facts) word(same []facts.WordFact) Fact {
	x := factWriter{Fact{Kind: Word}}
	w := complete(f.words.words[same[0].Word])
	switch kind := same[0].Kind; kind {
	case facts.AtLeast, facts.AtMost:
		f.name(&x, same[0].Word)
		switch number := words.Number(w, same[0].Value); {
		case len(same) > 1:
			x.word(" is from " + number + " to " + words.Number(w, same[1].Value))
		case kind == facts.AtLeast:
			x.word(" is at least " + number)
		default:
			x.word(" is at most " + number)
		}
	case facts.Never:
		f.name(&x, same[0].Word)
		values := make([][]circuit.Value, len(same))
		for i, never := range same {
			values[i] = never.Value
		}
		x.word(" is never " + alternatives(w, values))
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
			l.Index = f.words.latches[word][b.Lit.Var()]
			if part.Source == nil {
				part.Source = &l.SourceSignal
			}
			x.Latches = append(x.Latches, l)
		}
	}
	x.Parts = append(x.Parts, part)
}

// alternatives lists values of a word: "idle, wait or 7".
func alternatives(w *design.Word, values [][]circuit.Value) string {
	var texts []string
	for _, value := range values {
		text := words.Text(w, value)
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
