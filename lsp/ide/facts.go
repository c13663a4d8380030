package ide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/minimize"
	"aiglens/lsp/document"
)

// Facts are what the proof of a property says of the latches, in the words of a text.
type Facts struct {
	facts.Facts
	Stats minimize.Stats // of the invariant, before and after it was made small
	d     *document.Document
}

// FactsOf makes the invariant of a proved property small, checks it against the present
// text and takes it apart. The error is ErrNoProof, also for a justice property, or that of
// ctx.
func FactsOf(ctx context.Context, d *document.Document, p circuit.Property, s Status) (*Facts, error) {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved || p.Kind.Question() != circuit.Safety {
		return nil, ErrNoProof
	}
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	r, stats, ok := s.Result.WithSmallProof(ctx, d.Circuit(), p)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrNoProof
	}
	f, err := facts.Of(ctx, r.Checked.Invariant())
	return &Facts{f, stats, d}, err
}

// knownFacts is FactsOf for what has been made small before, nil for others: it does not
// take long then.
func knownFacts(ctx context.Context, d *document.Document, p circuit.Property, s Status) *Facts {
	if s.Result == nil || !s.Result.HasSmallProof() {
		return nil
	}
	f, err := FactsOf(ctx, d, p, s)
	if err != nil {
		return nil
	}
	return f
}

// FactKind says what kind of fact something is.
type FactKind string

// The kinds.
const (
	FactConstant FactKind = "constant"
	FactEqual    FactKind = "equal"
	FactGroup    FactKind = "group"
	FactClause   FactKind = "clause"
)

// Fact is one thing that a proof says of latches.
type Fact struct {
	Kind  FactKind
	Parts []FactPart
	// Latches are those that it speaks of, as the text calls them, in the order of Parts.
	Latches []document.SourceSignal
}

// FactPart is a piece of the words of a fact: a latch, which may be negated, or what stands
// between two.
type FactPart struct {
	Text   string
	Source *document.SourceSignal // nil for words
}

// String says the fact in words: "full → ¬empty".
func (f Fact) String() string {
	var b strings.Builder
	for _, p := range f.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// FactTopic is facts that belong together; Latch is what clauses have in common, "" for
// facts of other kinds.
type FactTopic struct {
	Latch string
	Facts []Fact
}

// Topics says the facts in words: first those about constants, equal latches and groups,
// each with its own kind, then the clauses by what they speak of.
func (f *Facts) Topics() []FactTopic {
	var topics []FactTopic
	add := func(latch string, list []Fact) {
		if len(list) > 0 {
			topics = append(topics, FactTopic{latch, list})
		}
	}
	var constants, equal, groups []Fact
	for _, l := range f.Constants {
		constants = append(constants, f.constant(l))
	}
	for _, class := range f.Equal {
		equal = append(equal, f.equal(class))
	}
	for _, g := range f.Groups {
		groups = append(groups, f.group(g))
	}
	add("", constants)
	add("", equal)
	add("", groups)
	var others []Fact
	for _, t := range f.Facts.Topics() {
		var list []Fact
		for _, clause := range t.Clauses {
			list = append(list, f.clause(clause))
		}
		if len(list) == 1 {
			others = append(others, list...)
			continue
		}
		add(f.signal(t.Latch.Lit()).Name, list)
	}
	add("", others)
	return topics
}

// All returns the facts of all topics, those that say most in the fewest words first.
func (f *Facts) All() []Fact {
	var all []Fact
	for _, t := range f.Topics() {
		all = append(all, t.Facts...)
	}
	slices.SortStableFunc(all, func(a, b Fact) int {
		if a.Kind != FactClause || b.Kind != FactClause {
			return cmp.Compare(kindRank[a.Kind], kindRank[b.Kind])
		}
		return cmp.Compare(len(a.Latches), len(b.Latches))
	})
	return all
}

var kindRank = map[FactKind]int{FactConstant: 0, FactEqual: 1, FactGroup: 2, FactClause: 3}

// signal returns what the text calls the signal of a literal, with the sign of the literal.
func (f *Facts) signal(l circuit.Lit) document.SourceSignal {
	s, ok := f.d.SourceOf(l)
	if !ok {
		s.Name = fmt.Sprint(l.Var().Lit())
		if latches, _ := f.d.ElementNames(); f.d.Circuit().LatchIndex(l.Var()) < len(latches) {
			s.Name = cmp.Or(latches[f.d.Circuit().LatchIndex(l.Var())], s.Name)
		}
	}
	s.Negated = s.Negated != l.IsNegated()
	return s
}

// factWriter makes a fact part by part.
type factWriter struct{ Fact }

func (w *factWriter) word(text string) { w.Parts = append(w.Parts, FactPart{Text: text}) }

// latch adds a latch with its sign.
func (w *factWriter) latch(s document.SourceSignal) {
	text := s.Name
	if s.Negated {
		text = "¬" + text
	}
	w.Parts = append(w.Parts, FactPart{text, &s})
	w.Latches = append(w.Latches, s)
}

// list adds latches with words between them.
func (w *factWriter) list(signals []document.SourceSignal, between string) {
	for i, s := range signals {
		if i > 0 {
			w.word(between)
		}
		w.latch(s)
	}
}

// signals returns what the text calls literals.
func (f *Facts) signals(lits []circuit.Lit) []document.SourceSignal {
	all := make([]document.SourceSignal, len(lits))
	for i, l := range lits {
		all[i] = f.signal(l)
	}
	return all
}

func (f *Facts) constant(l circuit.Lit) Fact {
	w := factWriter{Fact{Kind: FactConstant}}
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
	w := factWriter{Fact{Kind: FactEqual}}
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
	w := factWriter{Fact{Kind: FactGroup}}
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
	w := factWriter{Fact{Kind: FactClause}}
	var given, then []document.SourceSignal
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

// Bounds of what a hover lists.
const (
	hoverFacts   = 5
	hoverLatches = 12 // of one fact
)

// facts lists the first facts of a proof under a title.
func (h *hover) facts(title string, all []Fact) {
	if len(all) == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(title)
	for _, f := range all[:min(len(all), hoverFacts)] {
		text := f.String()
		if len(f.Latches) > hoverLatches {
			text = fmt.Sprintf("%s of %s", f.Kind, count(len(f.Latches), "latch", "latches"))
		}
		fmt.Fprintf(&b, "\n- %s", code(text))
	}
	if more := len(all) - hoverFacts; more > 0 {
		fmt.Fprintf(&b, "\n- %d more", more)
	}
	h.add("%s", b.String())
}

// proofs says what the proofs of properties that are known say of a latch.
func (h *hover) proofs(ctx context.Context, d *document.Document, s document.Signal, status Statuses) {
	if def, ok := d.Definition(s); !ok || def.Kind != document.Latch {
		return
	}
	told := 0
	for _, p := range d.Properties() {
		if ctx.Err() != nil || told == maxProofs {
			return
		}
		f := knownFacts(ctx, d, p.ID, status(p.ID))
		if f == nil {
			continue
		}
		for _, c := range d.Copies(s.Lit(), 1) {
			about := *f
			about.Facts = f.About(c.Lit.Var())
			if all := about.All(); len(all) > 0 {
				h.facts(fmt.Sprintf("the proof of %s says:", code(p.Name)), all)
				told++
			}
		}
	}
}

// maxProofs bounds the proofs that a hover over a latch tells of.
const maxProofs = 3
