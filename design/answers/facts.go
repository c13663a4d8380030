// Package answers answers questions about a design, a file for each: what a proof says and what it
// does without, what stands in the way of one and which latches make it hard, guesses of lemmas,
// further counterexamples, its size, a schematic and the states that its runs reach. The command
// line, the language server and the debug adapter carry these answers.
//
// An answer is plain data with its words, in byte offsets of the text. The package knows no
// protocol, no session and no engine by name.
package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/design"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// ErrNoProof says that a property has none, or none for the present text.
var ErrNoProof = errors.New("there is no proof here: only a proved property has one")

// Facts are what the proof of a property says of the latches, in the words of a text.
type Facts struct {
	facts.Facts
	Result verify.Result       // with the invariant that they are
	Stats  proof.MinimizeStats // of the invariant, before and after it was made small
	// Later says that the facts hold from step 1 on and need not in step 0, as the clauses of
	// a cert.Invariant of a circuit with reset functions.
	Later bool
	// source returns what a latch is called, and whether the circuit's is its negation.
	source  func(circuit.Lit) design.SourceSignal
	circuit *circuit.Circuit
	text    source.Text
	// words are what follows for the words of the text; nil where the facts are of no proof.
	words *wordFacts
}

// FactsOf makes the invariant of a proved property small, checks it against a text whose cone of
// the property is that of the result, takes it apart, and finds what follows for words. The error is ErrNoProof, also for a
// justice property and for one of an abstraction, or that of ctx.
func FactsOf(ctx context.Context, d *design.Design, p circuit.Property, r *verify.Result) (*Facts, error) {
	if r == nil || r.Checked.Outcome() != cert.Proved || p.Kind.Question() != circuit.Safety {
		return nil, ErrNoProof
	}
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	if circuit.OriginalOf(d.Circuit(), p) != nil { // its latches are none of the text
		return nil, ErrNoProof
	}
	small, stats, ok := r.WithSmallProof(ctx, d.Circuit(), p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrNoProof
	}
	f, err := facts.Of(ctx, small.Checked.Invariant())
	found := factsIn(d, f)
	found.Result, found.Stats, found.Later = small, stats, d.Circuit().HasResetFunctions()
	if err == nil {
		found.words, err = wordFactsFrom(ctx, d, p, small.Checked.Invariant(), f, max(stats.Effort, proof.WordEffort))
	}
	return found, err
}

// factsIn says facts about the latches of a document's circuit in its words.
func factsIn(d *design.Design, f facts.Facts) *Facts {
	return &Facts{Facts: f, source: sourceIn(d), circuit: d.Circuit(), text: d.Text}
}

// About returns the facts that refer to the latch at a position; none for −1.
func (f *Facts) About(latch int) *Facts {
	about := *f
	about.Facts, about.words = facts.Facts{}, nil
	if latch < 0 {
		return &about
	}
	about.Facts = f.Facts.About(f.circuit.Latches()[latch].Lit.Var())
	if f.words != nil {
		about.words = f.words.about(latch)
	}
	return &about
}

// FactKind says what kind of fact something is.
type FactKind string

// The kinds.
const (
	Word     FactKind = "word" // what follows for words of latches
	Constant FactKind = "constant"
	Equal    FactKind = "equal"
	Group    FactKind = "group"
	Clause   FactKind = "clause"
)

// Fact is one thing that a proof says of latches.
type Fact struct {
	Kind  FactKind
	Parts []FactPart
	// Latches are those that it refers to, as the text calls them, in the order of Parts. Of a
	// word these are its bits, the highest one first.
	Latches []FactLatch
	Words   []string // the words that it refers to, by name
}

// FactLatch is a latch of which a fact speaks. Names need not tell latches apart.
type FactLatch struct {
	design.SourceSignal
	Index int // among the latches of the circuit
}

// FactPart is a piece of the text of a fact: a latch, which may be negated, a word, or what stands
// between two.
type FactPart struct {
	Text   string
	Source *design.SourceSignal // of a word its highest latch; nil for other text
}

// String says the fact in words: "full → ¬empty".
func (f Fact) String() string {
	var b strings.Builder
	for _, p := range f.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Topic is facts that belong together; Latch is what clauses have in common, "" for
// facts of other kinds.
type Topic struct {
	Latch string
	Facts []Fact
}

// Title says what the facts have in common.
func (t Topic) Title() string {
	switch {
	case t.Latch != "":
		return "about " + t.Latch
	case t.Facts[0].Kind == Clause:
		return "implications"
	}
	return map[FactKind]string{Word: "words", Constant: "constant latches", Equal: "equal latches", Group: "groups of latches"}[t.Facts[0].Kind]
}

// Topics says the facts in words: first those about words, constants, equal latches and
// groups, each with its own kind, then the clauses by what they refer to. Clauses that the facts
// about words imply are left out.
func (f *Facts) Topics() []Topic {
	topics := f.besideClauses()
	var others []Fact
	for _, t := range (facts.Facts{Clauses: f.clausesBesideWords()}).Topics() {
		var list []Fact
		for _, clause := range t.Clauses {
			list = append(list, f.clause(clause))
		}
		if len(list) == 1 {
			others = append(others, list...)
			continue
		}
		topics = append(topics, Topic{f.signal(t.Latch.Lit()).Name, list})
	}
	if len(others) > 0 {
		topics = append(topics, Topic{"", others})
	}
	return topics
}

// besideClauses says the facts that are no clauses.
func (f *Facts) besideClauses() (topics []Topic) {
	var constants, equal, groups []Fact
	for _, l := range f.Constants {
		constants = append(constants, f.constant(l))
	}
	for _, class := range f.Equal {
		equal = append(equal, f.equal(class))
	}
	for _, g := range f.Groups {
		if !f.isWord(g) {
			groups = append(groups, f.group(g))
		}
	}
	for _, list := range [][]Fact{f.aboutWords(), constants, equal, groups} {
		if len(list) > 0 {
			topics = append(topics, Topic{"", list})
		}
	}
	return topics
}

// All returns the facts of all topics, those that say most in the fewest words first. Each
// says by itself when it need not hold in step 0.
func (f *Facts) All() []Fact {
	var all []Fact
	for _, t := range f.Topics() {
		all = append(all, t.Facts...)
	}
	if f.Later {
		for i := range all {
			all[i].Parts = append(all[i].Parts, FactPart{Text: " from step 1 on"})
		}
	}
	slices.SortStableFunc(all, CompareFacts)
	return all
}

// CompareFacts orders facts: those that say most in the fewest words come first.
func CompareFacts(a, b Fact) int {
	if a.Kind != Clause || b.Kind != Clause {
		return cmp.Compare(kindRank[a.Kind], kindRank[b.Kind])
	}
	return cmp.Compare(len(a.Latches), len(b.Latches))
}

var kindRank = map[FactKind]int{Word: 0, Constant: 1, Equal: 2, Group: 3, Clause: 4}

// signal returns what the text calls the signal of a literal, with the sign of the literal.
func (f *Facts) signal(l circuit.Lit) FactLatch {
	s := FactLatch{f.source(l), f.circuit.LatchIndex(l.Var())}
	s.Negated = s.Negated != l.IsNegated()
	return s
}

// sourceIn returns what a document calls its latches: by their names, else by their rows.
func sourceIn(d *design.Design) func(circuit.Lit) design.SourceSignal {
	return func(l circuit.Lit) design.SourceSignal {
		s, ok := d.SourceOf(l)
		if ok {
			return s
		}
		s.Name = fmt.Sprint(l.Var().Lit())
		latches, _ := d.ElementNames()
		if i := d.Circuit().LatchIndex(l.Var()); i >= 0 && i < len(latches) {
			s.Name = cmp.Or(latches[i], s.Name)
		}
		return s
	}
}

// factWriter makes a fact part by part.
type factWriter struct{ Fact }

func (w *factWriter) word(text string) { w.Parts = append(w.Parts, FactPart{Text: text}) }

// latch adds a latch with its sign.
func (w *factWriter) latch(s FactLatch) {
	text := s.Name
	if s.Negated {
		text = "¬" + text
	}
	w.Parts = append(w.Parts, FactPart{text, &s.SourceSignal})
	w.Latches = append(w.Latches, s)
}

// list adds latches with words between them.
func (w *factWriter) list(signals []FactLatch, between string) {
	for i, s := range signals {
		if i > 0 {
			w.word(between)
		}
		w.latch(s)
	}
}

// signals returns what the text calls literals.
func (f *Facts) signals(lits []circuit.Lit) []FactLatch {
	all := make([]FactLatch, len(lits))
	for i, l := range lits {
		all[i] = f.signal(l)
	}
	return all
}

func (f *Facts) constant(l circuit.Lit) Fact {
	w := factWriter{Fact{Kind: Constant}}
	s := f.signal(l)
	value := "1"
	if s.Negated {
		value, s.Negated = "0", false
	}
	w.latch(s)
	w.word(" is always " + value)
	return w.Fact
}

func (f *Facts) equal(class []circuit.Lit) Fact {
	w := factWriter{Fact{Kind: Equal}}
	signals := f.signals(class)
	if signals[0].Negated {
		for i := range signals {
			signals[i].Negated = !signals[i].Negated
		}
	}
	w.list(signals, " = ")
	return w.Fact
}

func (f *Facts) group(g facts.Group) Fact {
	w := factWriter{Fact{Kind: Group}}
	words := "at most one of "
	if g.Exactly {
		words = "exactly one of "
	}
	w.word(words)
	w.list(f.signals(g.Lits), ", ")
	return w.Fact
}

// clause says a clause as it reads best: what is negated implies the rest.
func (f *Facts) clause(lits []circuit.Lit) Fact {
	w := factWriter{Fact{Kind: Clause}}
	var given, then []FactLatch
	for _, s := range f.signals(lits) {
		if s.Negated {
			s.Negated = false
			given = append(given, s)
		} else {
			then = append(then, s)
		}
	}
	switch {
	case len(then) > 0 && len(given) > 0:
		w.list(given, " ∧ ")
		w.word(" → ")
		w.list(then, " ∨ ")
	case len(given) == 2:
		w.word("not both ")
		w.list(given, " and ")
	case len(given) > 2:
		w.word("not all of ")
		w.list(given, ", ")
	default:
		w.list(then, " ∨ ")
	}
	return w.Fact
}
