package ide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
	"aiglens/design/words"
)

// Bounds of the tree in a hover.
var hoverCauses = trace.Limit{Depth: 4, Nodes: 14}

// maxCopies bounds the instances whose values a hover shows.
const maxCopies = 4

// values adds the signal's value at each step of every fresh counterexample
// that it takes part in.
func (h *hover) values(ctx context.Context, d *design.Design, s design.Signal, status Statuses, opts HoverOptions) {
	for _, p := range d.Properties() {
		x := status(p.ID).Counterexample
		if x == nil || s == 0 {
			continue
		}
		declared := declaredWords(ctx, d, s)
		for _, w := range declared[:min(len(declared), maxCopies)] {
			if values, ok, err := x.WordValues(ctx, d, w); err == nil && ok {
				h.add("in the counterexample of %s, %s: %s%s", answers.Code(p.Name), answers.Code(w.Name), answers.Code(x.WaveformOfWord(values, opts.MaxSteps)), x.ChangesOfWord(values))
			}
		}
		if shown := opts.Shown; shown != nil && shown.Property == p.ID && shown.Step < x.Limit() {
			for _, w := range declared[:min(len(declared), maxCopies)] {
				if value, inside := x.WordValue(w, shown.Step); inside {
					h.add("%s", inEachRadix(ctx, d, w, value, shown.Step))
				}
			}
			if w, err := x.WholeWord(ctx, d, s.Lit()); err == nil && w != nil && status(p.ID).Explainable() != nil {
				h.why(runs.WhyWord(ctx, d, &x.Run, w, shown.Step, hoverCauses))
			}
		}
		// The circuit is there already: x is about it.
		for _, c := range d.Copies(s.Lit(), maxCopies) {
			values, err := x.Values(ctx, c.Lit, x.Recorded())
			switch {
			case err != nil || len(declared) > 0: // one bit would say less than the name
			case c.Path == "":
				h.add("in the counterexample of %s: %s%s", answers.Code(p.Name), answers.Code(x.Waveform(values, opts.MaxSteps)), x.ChangesOf(values))
			default:
				h.add("in the counterexample of %s, %s: %s%s", answers.Code(p.Name), answers.Code(c.Path), answers.Code(x.Waveform(values, opts.MaxSteps)), x.ChangesOf(values))
			}
			if shown := opts.Shown; err == nil && shown != nil && shown.Property == p.ID && shown.Step < x.Limit() && status(p.ID).Explainable() != nil {
				h.why(runs.Why(ctx, d, x, c.Lit, shown.Step, hoverCauses))
			}
		}
	}
}

// declaredWords returns the words of several bits that a signal stands for: one for each instance.
func declaredWords(ctx context.Context, d *design.Design, s design.Signal) []*design.Word {
	all, err := words.Of(ctx, d)
	if err != nil {
		return nil
	}
	return all.OfSignal(s)
}

// word says which word the signal is a bit of, and the value that has at the step shown. It
// asks only where a check has built the circuit.
func (h *hover) word(ctx context.Context, d *design.Design, s design.Signal, status Statuses, opts HoverOptions) {
	var shown *runs.Counterexample
	if opts.Shown != nil {
		shown = status(opts.Shown.Property).Counterexample
	}
	isChecked := func(p design.Property) bool { return status(p.ID).Result != nil }
	if s == 0 || shown == nil && !slices.ContainsFunc(d.Properties(), isChecked) {
		return
	}
	all, err := words.Of(ctx, d)
	if err != nil {
		return
	}
	for _, c := range d.Copies(s.Lit(), maxCopies) {
		p, ok := all.At(c.Lit)
		if !ok {
			continue
		}
		text := fmt.Sprintf("bit %d of %s", p.Word.Index(p.Position), answers.Code(p.Word.Name))
		if p.Negated {
			text = "the negation of " + text
		}
		if shown != nil && opts.Shown.Step < shown.Limit() {
			if value, inside := shown.WordValue(p.Word, opts.Shown.Step); inside {
				text += " = " + ValueOfWord(words.Chosen(ctx, d, p.Word), p.Word, value)
			}
		}
		h.add("%s", text)
	}
}

// widestBinary is the number of bits up to which a hover shows each of them.
const widestBinary = 64

// ValueOfWord says a value as a number in the radix that the reader has chosen, in binary and by its name.
func ValueOfWord(radix design.Radix, w *design.Word, value []circuit.Value) string {
	text := words.NumberIn(radix, w, value)
	if digits := words.NumberIn(design.Binary, w, value); digits != text && len(value) <= widestBinary {
		text += " (" + digits + ")"
	}
	if name := words.NameOf(w, value); name != "" {
		text += ", " + answers.Code(name)
	}
	return text
}

// inEachRadix says the value of a word at a step, in the radix that the reader has chosen first, and by its name.
func inEachRadix(ctx context.Context, d *design.Design, w *design.Word, value []circuit.Value, step int) string {
	text := fmt.Sprintf("%s at step %d: %s", answers.Code(w.Name), step, answers.InCode(words.InEach(words.Chosen(ctx, d, w), w, value)))
	if name := words.NameOf(w, value); name != "" {
		text += ", " + answers.Code(name)
	}
	return text
}

// why adds the reasons for the value of a signal at the step that is shown, or for the
// failure of a property.
func (h *hover) why(root *runs.Cause, err error) {
	if err != nil || len(root.Causes) == 0 {
		return
	}
	var b strings.Builder
	if root.IsLasso() {
		fmt.Fprintf(&b, "why %s fails in the loop:\n", answers.Code(root.Source.Name))
	} else {
		fmt.Fprintf(&b, "why %s:\n", answers.Code(root.String()))
	}
	writeCauses(&b, root, 0)
	h.add("%s", strings.TrimRight(b.String(), "\n"))
}

func writeCauses(b *strings.Builder, c *runs.Cause, depth int) {
	for _, cause := range c.Causes {
		fmt.Fprintf(b, "%s- %s%s\n", strings.Repeat("  ", depth), answers.Code(cause.String()), cause.Note())
		writeCauses(b, cause, depth+1)
	}
}
