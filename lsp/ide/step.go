package ide

import (
	"context"
	"slices"
	"strconv"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/horndesign"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// Selection is the step of a counterexample whose values are shown in the text.
type Selection struct {
	Property circuit.Property
	Step     int
	// Instance is the one whose values a model with several shows; "" for the first.
	Instance string
	// Derivation is the last that was known of the query; nil for a counterexample. Step then counts from 1.
	Derivation *horndesign.Derivation
	Own        horndesign.Fingerprint // of the query, in the text for which that is known
	// IsOld says that the present text has no derivation of the query, as far as is known. The step is not shown then,
	// and is again once there is one.
	IsOld bool
}

// StepHints returns the values of a step after the definitions in span, with the
// value before where that was another one, and after the property's row which step
// it is. A word is said once, at its definition or that of its highest bit; a constant, which its row says, is not. In a
// model with several instances they are those of one, which is named: see runs.Counterexample.InInstance. The error is
// that of ctx.
func StepHints(ctx context.Context, d *design.Design, span source.Span, x *runs.Counterexample, step int) ([]InlayHint, error) {
	var all []InlayHint
	inWords, err := x.WordsInText(ctx, d)
	if err != nil {
		return nil, err
	}
	for o := range d.OccurrencesIn(span) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(all) >= maxHints {
			return all, nil
		}
		if o.Role != design.RoleDefinition || isConstant(d, o.Lit.Signal()) {
			continue
		}
		if p, ok := inWords.At(o.Lit); ok {
			if !inWords.IsSaidAt(p, o.Span) {
				continue
			}
			if label := wordHint(ctx, d, o, x, p.Word, step); label != "" {
				all = append(all, InlayHint{Offset: o.Span.End(), Label: label})
			}
			continue
		}
		copied, only, ok := x.Copy(d, o.Lit)
		if !ok {
			continue
		}
		value, _ := x.Value(copied.Lit, step)
		old, _ := x.Value(copied.Lit, max(step-1, 0))
		label := change(old.String(), value.String())
		if !only {
			label += " in " + copied.Path
		}
		all = append(all, InlayHint{Offset: o.Span.End(), Label: label})
	}
	if p, ok := d.Property(x.Property); ok && touches(p.Row, span) {
		all = append(all, InlayHint{Offset: lineEnd(d, p.Row), Label: x.StepWords(step)})
	}
	return all, nil
}

// isConstant reports whether a signal is a constant of the text: a gate without operands is one, too, unless the text does
// not say what it is made of.
func isConstant(d *design.Design, s design.Signal) bool {
	kind, _, operands := d.Drivers(s, nil)
	if kind != design.Gate {
		return kind == design.Constant
	}
	if len(operands) > 0 {
		return false
	}
	if word, ok := design.WordOf(d, s); ok {
		return !slices.ContainsFunc(word.Bits, func(b design.Bit) bool { return b.Lit.Var() != circuit.False.Var() })
	}
	l, ok := d.LitOf(s.Lit())
	return ok && l.Var() == circuit.False.Var()
}

// change says a value, and what it was before where that differs.
func change(old, now string) string {
	if old == now {
		return "= " + now
	}
	return old + " → " + now
}

// wordHint says the value of a word after a place that defines it: without its name where that
// stands there. It is "" for a word with no part in the counterexample.
func wordHint(ctx context.Context, d *design.Design, at design.Occurrence, x *runs.Counterexample, w *design.Word, step int) string {
	radix := words.Chosen(ctx, d, w)
	now, ok := x.WordValue(w, step)
	if !ok || w.Name != d.Text.Slice(at.Span) && w.Name != d.Name(at.Lit.Signal()) {
		label, _ := wordChange(x, w, radix, step)
		return label
	}
	before, _ := x.WordValue(w, max(step-1, 0))
	return change(words.TextIn(radix, w, before), words.TextIn(radix, w, now))
}

// wordChange says the value of a word, and what it was before where that differs; "" for a
// word with no part in the counterexample.
func wordChange(x *runs.Counterexample, w *design.Word, radix design.Radix, step int) (text string, look Look) {
	now, ok := x.WordValue(w, step)
	if !ok {
		return "", LookBlank
	}
	before, _ := x.WordValue(w, max(step-1, 0))
	if !slices.Equal(before, now) {
		return w.Name + " " + words.TextIn(radix, w, before) + "→" + words.TextIn(radix, w, now), LookChanged
	}
	text = w.Name + " = " + words.TextIn(radix, w, now)
	if slices.Contains(now, circuit.X) {
		return text, LookUndetermined
	}
	return text, LookUnchanged
}

// stepActions are the ways from the step that is shown to others, and on the row of a
// refuted property the way to its first one. Some are left out once ctx has ended.
func stepActions(ctx context.Context, d *design.Design, span source.Span, status Statuses, shown *Selection) []Action {
	if shown != nil && status(shown.Property).Counterexample != nil {
		p, ok := d.Property(shown.Property)
		if !ok {
			return nil
		}
		all := []Action{
			{Title: "Values: next step", Command: ShowStep, Property: p, To: runs.MoveNext},
			{Title: "Values: previous step", Command: ShowStep, Property: p, To: runs.MovePrevious},
		}
		if o, ok := d.OccurrenceAt(span.Start); ok && o.Lit.Signal() != 0 {
			x := status(p.ID).Counterexample.InInstance(shown.Instance)
			name := formula.SignalName(d, o.Lit)
			if inWords, err := x.WordsInText(ctx, d); err == nil {
				if place, isBit := inWords.At(o.Lit); isBit {
					name = place.Word.Name
				}
			}
			all = append(all,
				Action{Title: "Values: next change of " + name, Command: ShowStep, Property: p, To: runs.MoveNextChange},
				Action{Title: "Values: previous change of " + name, Command: ShowStep, Property: p, To: runs.MovePreviousChange})
			all = append(all, instanceActions(d, p, o.Lit, x, shown.Step)...)
			if status(p.ID).Explainable() != nil {
				all = append(all, causeActions(ctx, d, p, o.Lit, x, shown.Step)...)
			}
		}
		return append(all, Action{Title: "Values: hide", Command: ShowStep, Property: p, To: runs.MoveHide})
	}
	var all []Action
	for _, p := range d.Properties() {
		if ctx.Err() != nil {
			return nil
		}
		if !touches(p.Row, span) {
			continue
		}
		if x := status(p.ID).Counterexample; x != nil && len(all) < mostProperties {
			all = append(all, Action{Title: "Show the values of the counterexample of " + p.Name, Command: ShowStep, Property: p, To: runs.MoveLast})
			if status(p.ID).Explainable() != nil {
				all = append(all, goToCauses(ctx, d, p, x)...)
			}
		}
	}
	return all
}

// StepMoves are the ways from the step that is shown to others, of a signal also to its changes; that of a constant is
// none.
func StepMoves(d *design.Design, p design.Property, l design.Lit) []Action {
	all := []Action{
		{Title: "Values: next step", Command: ShowStep, Property: p, To: runs.MoveNext},
		{Title: "Values: previous step", Command: ShowStep, Property: p, To: runs.MovePrevious},
	}
	if l.Signal() == 0 {
		return all
	}
	return append(all,
		Action{Title: "Values: next change of " + formula.SignalName(d, l), Command: ShowStep, Property: p, To: runs.MoveNextChange},
		Action{Title: "Values: previous change of " + formula.SignalName(d, l), Command: ShowStep, Property: p, To: runs.MovePreviousChange})
}

// maxInstanceActions bounds the instances that are offered at one place.
const maxInstanceActions = 12

// instanceActions show the values of other instances of the model of a signal.
func instanceActions(d *design.Design, p design.Property, l design.Lit, x *runs.Counterexample, step int) (all []Action) {
	shown, _, _ := x.Copy(d, l)
	for _, c := range x.Copies(d, l) {
		if c.Path != shown.Path && len(all) < maxInstanceActions {
			all = append(all, Action{Title: "Values: in " + c.Path, Command: ShowStep, Property: p, To: strconv.Itoa(step), Instance: c.Path})
		}
	}
	return all
}

// causeActions lead to what forces the value of a signal at a step.
func causeActions(ctx context.Context, d *design.Design, p design.Property, l design.Lit, x *runs.Counterexample, step int) []Action {
	copied, _, ok := x.Copy(d, l)
	if !ok || step >= x.Limit() {
		return nil
	}
	root, err := runs.Why(ctx, d, x, copied.Lit, step, nextCauses)
	if err != nil {
		return nil
	}
	return actionsTo(p, root)
}

// maxCauseActions bounds the causes that are offered at one place.
const maxCauseActions = 4

// nextCauses is the limit of a tree of a value's own causes.
var nextCauses = trace.Limit{Depth: 1, Nodes: 100}

// goToCauses lead to what makes a property fail.
func goToCauses(ctx context.Context, d *design.Design, p design.Property, x *runs.Counterexample) []Action {
	root, err := runs.WhyFails(ctx, d, x, nextCauses)
	if err != nil {
		return nil
	}
	return actionsTo(p, root)
}

func actionsTo(p design.Property, root *runs.Cause) []Action {
	var all []Action
	for _, c := range root.Causes[:min(len(root.Causes), maxCauseActions)] {
		all = append(all, Action{Title: "Go to cause: " + c.String(), Command: GoToCause, Property: p, Cause: c})
	}
	return all
}
