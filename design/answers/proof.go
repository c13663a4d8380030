package answers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// maxProofClauses bounds the clauses that a proof lists.
const maxProofClauses = 5000

// proofOf writes what there is to read about the proof of a property: how it was found,
// what has been checked of it, and its invariant, made small, in the names of the text. For
// that it is checked once more, against the present text. The error is ErrNoProof or that of
// ctx.
func proofOf(ctx context.Context, a Asked) (Answer, error) {
	d, p, proof := a.Design, a.Property, a.Result
	if proof == nil {
		return Answer{}, ErrNoProof
	}
	if err := d.Elaborate(ctx); err != nil {
		return Answer{}, err
	}
	var w proofWriter
	if proof.Checked.Ranking() != nil {
		r, ok := proof.TransferTo(ctx, d.Circuit(), p.ID)
		if err := ctx.Err(); err != nil || !ok {
			return Answer{}, cmp.Or(err, ErrNoProof)
		}
		w.title(ctx, d, p, proof, r)
		ranking := r.Checked.Ranking()
		if len(ranking.Ranks) == 0 {
			w.WriteString(vacuousProof)
			return w.answer(), ctx.Err()
		}
		text, err := rankingText(ctx, d, p.ID, ranking)
		w.WriteString(text)
		return w.answer(), err
	}
	f, err := FactsOf(ctx, d, p.ID, proof)
	if err != nil {
		return Answer{}, err
	}
	w.title(ctx, d, p, proof, f.Result)
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
			"The lines below are an inductive invariant from the second step on: all of them\n" +
			"hold in it, every step keeps them, and they imply the property.\n")
		w.facts(f)
	default:
		w.WriteString("The lines below are an inductive invariant: all of them hold in the initial states,\n" +
			"every step keeps them, and they imply the property.\n")
		w.facts(f)
	}
	return w.answer(), ctx.Err()
}

// ProofOfLatch writes what the proof of a property says of a signal of the text, in all
// instances of its model. The error is as that of proofOf, also where the proof does not refer to it.
func ProofOfLatch(ctx context.Context, d *design.Design, p design.Property, proof *verify.Result, signal design.Signal) (Answer, error) {
	f, err := FactsOf(ctx, d, p.ID, proof)
	if err != nil {
		return Answer{}, err
	}
	var w proofWriter
	for _, c := range d.Copies(signal.Lit(), maxProofCopies) {
		at, err := design.LatchOf(ctx, d, c.Lit.Var())
		if err != nil {
			return Answer{}, err
		}
		w.topics = append(w.topics, f.About(at).Topics()...)
	}
	if len(w.topics) == 0 {
		return Answer{}, cmp.Or(ctx.Err(), ErrNoProof)
	}
	w.later = f.Later
	fmt.Fprintf(&w, "What the proof of %s says of the latch %s%s:\n", p.Name, formula.SignalName(d, signal.Lit()), map[bool]string{true: " from step 1 on"}[f.Later])
	w.list()
	return w.answer(), ctx.Err()
}

// maxProofCopies bounds the instances in which a latch is looked for in a proof.
const maxProofCopies = 100

const vacuousProof = "No initial state meets the constraints, so the property holds vacuously.\n"

// proofWriter writes the text of a proof and keeps where its latches stand.
type proofWriter struct {
	strings.Builder
	links  []Link
	topics []Topic
	later  bool
}

// answer returns what was written.
func (w *proofWriter) answer() Answer {
	return Answer{Text: w.String(), Links: w.links, Topics: w.topics, Later: w.later}
}

// title says how a proof was found, and that it was checked.
func (w *proofWriter) title(ctx context.Context, d *design.Design, p design.Property, proof *verify.Result, r verify.Result) {
	isLive := r.Checked.Ranking() != nil
	if p.ID.Kind == circuit.PropertyCover {
		fmt.Fprintf(w, "%s is never reached: no run makes it 1.\n\n", p.Name)
	} else if isLive {
		fmt.Fprintf(w, "%s is proved: no run without end violates it.\n\n", p.Name)
	} else {
		fmt.Fprintf(w, "%s is proved: it never fails.\n\n", p.Name)
	}
	engine := r.Engine
	if proof.Cached {
		engine += ", by an earlier run"
	}
	if r.Place != "" {
		engine += ", on " + r.Place
	}
	fmt.Fprintf(w, "found by   %s\ntime       %.1f s\n", engine, proof.Took().Seconds())
	if !isLive {
		fmt.Fprintf(w, "depth      %d\n", r.Checked.Depth())
	}
	if names := GrantedNames(ctx, d, proof.Granted); names != "" {
		fmt.Fprintf(w, "uses       the proof of %s\n", names)
	}
	w.WriteString("checked    against this text, by a checker that shares nothing with the engine\n")
	w.WriteString("\n")
}

// facts writes the facts of an invariant, up to a number, topic by topic.
func (w *proofWriter) facts(f *Facts) {
	w.topics, w.later = f.Topics(), f.Later
	w.list()
	if text := f.MissedWords(); text != "" {
		fmt.Fprintf(w, "\nF%s.\n", text[1:])
	}
	if f.Stats.After < f.Stats.Before {
		fmt.Fprintf(w, "\nThe engine's own proof has %s of %s; this one is derived from it and has %s of %s.\n",
			Count(f.Stats.ClausesBefore, "clause", "clauses"), Count(f.Stats.Before, "literal", "literals"),
			Count(f.Stats.ClausesAfter, "clause", "clauses"), Count(f.Stats.After, "literal", "literals"))
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
					w.links = append(w.links, Link{Span: source.Span{Start: w.Len(), Length: len(part.Text)}, Source: *part.Source})
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

// isFromSecondStep reports whether invariants refer to the steps after the first one
// alone; see cert.Invariant.
func isFromSecondStep(d *design.Design) bool { return d.Circuit().HasResetFunctions() }

// GrantedNames lists the properties of a text on whose proofs another one rests, given
// their cones; "" for none. The proof may be about an earlier text, with other numbers.
// Some are missing once ctx has ended.
func GrantedNames(ctx context.Context, d *design.Design, granted []circuit.Fingerprint) string {
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
