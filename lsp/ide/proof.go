package ide

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// ErrNoProof says that a property has none, or none for the present text.
var ErrNoProof = answers.ErrNoProof

// maxProofClauses bounds the clauses that a proof lists.
const maxProofClauses = 5000

// ProofText is what there is to read about a proof.
type ProofText struct {
	Text   string
	Links  []answers.Link  // in the order of Text
	Topics []answers.Topic // of a proof by an invariant
	Later  bool            // topics hold from step 1 on, and need not in step 0
}

// Proof writes what there is to read about the proof of a property: how it was found,
// what has been checked of it, and its invariant, made small, in the names of the text. For
// that it is checked once more, against the present text. The error is ErrNoProof or that of
// ctx.
func Proof(ctx context.Context, d *design.Design, p design.Property, s Status) (ProofText, error) {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved {
		return ProofText{}, ErrNoProof
	}
	if err := d.Elaborate(ctx); err != nil {
		return ProofText{}, err
	}
	var w proofWriter
	if s.Result.Checked.Ranking() != nil {
		r, ok := s.Result.TransferTo(ctx, d.Circuit(), p.ID)
		if err := ctx.Err(); err != nil || !ok {
			return ProofText{}, cmp.Or(err, ErrNoProof)
		}
		w.title(ctx, d, p, s, r)
		ranking := r.Checked.Ranking()
		if len(ranking.Ranks) == 0 {
			w.WriteString(vacuousProof)
			return w.ProofText(), ctx.Err()
		}
		text, err := rankingText(ctx, d, p.ID, ranking)
		w.WriteString(text)
		return w.ProofText(), err
	}
	f, err := answers.FactsOf(ctx, d, p.ID, s.Result)
	if err != nil {
		return ProofText{}, err
	}
	w.title(ctx, d, p, s, f.Result)
	switch fromSecondStep := isFromSecondStep(d); {
	case f.Never:
		w.WriteString(vacuousProof)
	case f.Count() == 0 && fromSecondStep:
		w.WriteString("The property holds in the first step, and in every state after it, reachable or\n" +
			"not: there is no invariant to show.\n")
	case f.Count() == 0:
		w.WriteString("The property holds in every state, reachable or not: there is no invariant to show.\n")
	case fromSecondStep:
		w.WriteString("The property holds in the first step, in which latches start with reset functions.\n" +
			"After it each line below holds and, where all of them hold, after every further\n" +
			"step; where all of them hold, the property does.\n")
		w.facts(f)
	default:
		w.WriteString("Each line below holds in the initial states and, where all of them hold,\n" +
			"after every step; where all of them hold, the property does.\n")
		w.facts(f)
	}
	return w.ProofText(), ctx.Err()
}

// ProofOfLatch writes what the proof of a property says of a signal of the text, in all
// instances of its model. The error is as that of Proof, also where the proof does not speak of it.
func ProofOfLatch(ctx context.Context, d *design.Design, p design.Property, s Status, signal design.Signal) (ProofText, error) {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved {
		return ProofText{}, ErrNoProof
	}
	f, err := answers.FactsOf(ctx, d, p.ID, s.Result)
	if err != nil {
		return ProofText{}, err
	}
	var w proofWriter
	for _, c := range d.Copies(signal.Lit(), maxProofCopies) {
		w.topics = append(w.topics, f.About(c.Lit.Var()).Topics()...)
	}
	if len(w.topics) == 0 {
		return ProofText{}, cmp.Or(ctx.Err(), ErrNoProof)
	}
	w.later = f.Later
	fmt.Fprintf(&w, "What the proof of %s says of the latch %s%s:\n", p.Name, formula.SignalName(d, signal.Lit()), map[bool]string{true: " from step 1 on"}[f.Later])
	w.list()
	return w.ProofText(), ctx.Err()
}

// maxProofCopies bounds the instances in which a latch is looked for in a proof.
const maxProofCopies = 100

const vacuousProof = "No initial state meets the constraints, so the property holds vacuously.\n"

// proofWriter writes the text of a proof and keeps where its latches stand.
type proofWriter struct {
	strings.Builder
	links  []answers.Link
	topics []answers.Topic
	later  bool
}

// ProofText returns what was written.
func (w *proofWriter) ProofText() ProofText { return ProofText{w.String(), w.links, w.topics, w.later} }

// title says how a proof was found, and that it was checked.
func (w *proofWriter) title(ctx context.Context, d *design.Design, p design.Property, s Status, r verify.Result) {
	isLive := r.Checked.Ranking() != nil
	if s.Kind == circuit.PropertyCover {
		fmt.Fprintf(w, "%s is never reached: no run makes it 1.\n\n", p.Name)
	} else if isLive {
		fmt.Fprintf(w, "%s is proved: no run without end violates it.\n\n", p.Name)
	} else {
		fmt.Fprintf(w, "%s is proved: it never fails.\n\n", p.Name)
	}
	engine := r.Engine
	if s.Result.Cached {
		engine += ", by an earlier run"
	}
	if r.Place != "" {
		engine += ", on " + r.Place
	}
	fmt.Fprintf(w, "found by   %s\ntime       %.1f s\n", engine, s.Result.Took().Seconds())
	if !isLive {
		fmt.Fprintf(w, "depth      %d\n", r.Checked.Depth())
	}
	if names := grantedNames(ctx, d, s.Result.Granted); names != "" {
		fmt.Fprintf(w, "uses       the proof of %s\n", names)
	}
	w.WriteString("checked    against this text, by a checker that shares nothing with the engine\n")
	w.WriteString("\n")
}

// facts writes the facts of an invariant, up to a number, topic by topic.
func (w *proofWriter) facts(f *answers.Facts) {
	w.topics, w.later = f.Topics(), f.Later
	w.list()
	if f.Stats.After < f.Stats.Before {
		fmt.Fprintf(w, "\nThe engine's own proof has %s of %s; this one is made of it and has %s of %s.\n",
			count(f.Stats.ClausesBefore, "clause", "clauses"), count(f.Stats.Before, "literal", "literals"),
			count(f.Stats.ClausesAfter, "clause", "clauses"), count(f.Stats.After, "literal", "literals"))
	}
}

// list writes the topics.
func (w *proofWriter) list() {
	left := maxProofClauses
	for _, t := range w.topics {
		if left == 0 {
			break
		}
		w.WriteString("\n")
		if t.Latch != "" {
			fmt.Fprintf(w, "about %s\n", t.Latch)
		}
		for _, fact := range t.Facts[:min(left, len(t.Facts))] {
			w.WriteString("  ")
			for _, part := range fact.Parts {
				if part.Source != nil {
					w.links = append(w.links, answers.Link{Span: source.Span{Start: w.Len(), Length: len(part.Text)}, Source: *part.Source})
				}
				w.WriteString(part.Text)
			}
			w.WriteString("\n")
			left--
		}
	}
	shown := maxProofClauses - left
	total := 0
	for _, t := range w.topics {
		total += len(t.Facts)
	}
	if more := total - shown; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// isFromSecondStep reports whether invariants speak of the steps after the first one
// alone; see cert.Invariant.
func isFromSecondStep(d *design.Design) bool { return d.Circuit().HasResetFunctions() }

// grantedNames lists the properties of a text on whose proofs another one rests, given
// their cones; "" for none. The proof may be about an earlier text, with other numbers.
// Some are missing once ctx has ended.
func grantedNames(ctx context.Context, d *design.Design, granted []circuit.Fingerprint) string {
	if len(granted) == 0 {
		return ""
	}
	var names []string
	for _, p := range d.Properties() {
		if ctx.Err() != nil {
			break
		}
		if f, err := d.FingerprintContext(ctx, p.ID); err == nil && slices.Contains(granted, f) {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}

// rankingText writes a ranking that has ranks, in the names of the text. The error is that
// of ctx.
func rankingText(ctx context.Context, d *design.Design, p circuit.Property, r *cert.Ranking) (string, error) {
	rep, err := d.Circuit().RepetitionContext(ctx, p)
	if err != nil {
		return "", err
	}
	w := rankingWriter{d: d, rep: rep, goals: d.Circuit().Goals(p.Index), left: maxProofClauses}
	w.b.WriteString("A round lasts until each literal of the property, and each fairness condition, was 1.\n" +
		"A state has the last rank below of which it satisfies all lines. Each initial state has\n" +
		"a rank, and no step leads to an earlier one. ")
	if len(r.Monotone) == 0 {
		w.b.WriteString("The end of a round always leads to a later\none: there are no more rounds than ranks.\n")
	} else {
		w.b.WriteString("The end of a round always leads to a later\none, unless a signal below changes in that step. A signal that is 1 stays 1, unless one\n" +
			"above it changes: so that happens a limited number of times, and so there is a last round.\n")
		for i, states := range r.Monotone {
			w.list(fmt.Sprintf("signal %d", i+1), states)
		}
	}
	common, err := commonClauses(ctx, r.Ranks)
	if err != nil {
		return "", err
	}
	w.list("each rank", common)
	for i, rank := range r.Ranks {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if w.left == 0 {
			fmt.Fprintf(&w.b, "\nand %d more ranks\n", len(r.Ranks)-i)
			break
		}
		w.list(fmt.Sprintf("rank %d of %d", i+1, len(r.Ranks)), without(rank, common))
	}
	return w.b.String(), nil
}

// rankingWriter writes sets of states of a Repetition, up to a number of clauses.
type rankingWriter struct {
	b     strings.Builder
	d     *design.Design
	rep   *circuit.Repetition
	goals []circuit.Lit // that a round waits for
	left  int
}

// list writes a set of states under a title, short clauses first.
func (w *rankingWriter) list(title string, states cert.Invariant) {
	if len(states) == 0 && title == "each rank" {
		return
	}
	fmt.Fprintf(&w.b, "\n%s\n", title)
	if len(states) == 0 {
		w.b.WriteString("  every state\n")
	}
	shown := min(len(states), w.left)
	w.left -= shown
	inOrder := slices.SortedStableFunc(slices.Values(states), func(a, b []circuit.Lit) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
	})
	for _, clause := range inOrder[:shown] {
		words := make([]string, len(clause))
		for i, l := range clause {
			words[i] = w.word(l)
		}
		fmt.Fprintf(&w.b, "  %s\n", strings.Join(words, " ∨ "))
	}
	if shown < len(states) {
		fmt.Fprintf(&w.b, "  and %d more\n", len(states)-shown)
	}
}

// word writes a literal over the latches of the Repetition: those of the text, the first
// step, and what was 1 in the present round.
func (w *rankingWriter) word(l circuit.Lit) string {
	sign := ""
	if l.IsNegated() {
		sign = "¬"
	}
	c := w.d.Circuit()
	at := w.rep.Circuit.LatchIndex(l.Var())
	if at < w.rep.Latches {
		return sign + w.name(c.Latches()[at].Lit)
	}
	at -= w.rep.Latches
	if w.rep.First {
		if at == 0 {
			return sign + "(first step)"
		}
		at--
	}
	return fmt.Sprintf("%s(%s was 1 in this round)", sign, w.name(w.goals[at]))
}

func (w *rankingWriter) name(l circuit.Lit) string {
	sign, name, negated := "", fmt.Sprint(l.Var().Lit()), l.IsNegated()
	if m, ok := w.d.SourceOf(l); ok {
		name, negated = m.Name, negated != m.Negated
	} else if at := w.d.Circuit().LatchIndex(l.Var()); at >= 0 {
		latches, _ := w.d.ElementNames()
		name = latches[at]
	}
	if negated {
		sign = "¬"
	}
	return sign + name
}

// commonClauses returns the clauses that stand in all of two or more sets. The error is
// that of ctx.
func commonClauses(ctx context.Context, sets []cert.Invariant) (cert.Invariant, error) {
	if len(sets) < 2 {
		return nil, nil
	}
	var common cert.Invariant
	in := map[string]int{}
	for i, set := range sets {
		for _, clause := range set {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if key := fmt.Sprint(clause); in[key] == i {
				in[key]++
				if i == len(sets)-1 {
					common = append(common, clause)
				}
			}
		}
	}
	return common, nil
}

// without returns the clauses of a set that do not stand in another.
func without(set, other cert.Invariant) cert.Invariant {
	drop := map[string]bool{}
	for _, clause := range other {
		drop[fmt.Sprint(clause)] = true
	}
	return slices.DeleteFunc(slices.Clone(set), func(clause []circuit.Lit) bool { return drop[fmt.Sprint(clause)] })
}

// knownFacts is what the proof of a property says, if it has been made small before: it does
// not take long then.
func knownFacts(ctx context.Context, d *design.Design, p circuit.Property, s Status) *answers.Facts {
	if outcome, fresh := s.outcome(); !fresh || outcome != cert.Proved || !s.Result.HasSmallProof() {
		return nil
	}
	f, err := answers.FactsOf(ctx, d, p, s.Result)
	if err != nil {
		return nil
	}
	return f
}

// Bounds of what a hover lists.
const (
	hoverFacts   = 5
	hoverLatches = 12 // of one fact
)

// facts lists the first facts of a proof under a title.
func (h *hover) facts(title string, all []answers.Fact) {
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
func (h *hover) proofs(ctx context.Context, d *design.Design, s design.Signal, status Statuses) {
	if def, ok := d.Definition(s); !ok || def.Kind != design.Latch {
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
			if all := f.About(c.Lit.Var()).All(); len(all) > 0 {
				h.facts(fmt.Sprintf("the proof of %s says:", code(p.Name)), all)
				told++
			}
		}
	}
}

// maxProofs bounds the proofs that a hover over a latch tells of.
const maxProofs = 3
