package ide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/internal/source"
)

// HoverOptions bound what a hover shows.
type HoverOptions struct {
	MaxSteps int // values of a trace in one line; 0 is all
	Depth    int // levels of gates in an expression
	// Shown is the step whose values are shown in the text; nil for none.
	Shown *Selection
}

// Hover describes the signal, the property or the number of the header at
// offset, in markdown; markdown is "" where there is none of them. The error is that
// of ctx.
func Hover(ctx context.Context, d *design.Design, offset int, status Statuses, opts HoverOptions) (span source.Span, markdown string, err error) {
	if field, ok := headerFieldAt(d, offset); ok {
		return field.Span, headerText(d, field), ctx.Err()
	}
	var h hover
	symbol, onSymbol := d.SymbolAt(offset)
	rowOffset := offset
	if onSymbol && symbol.Row.Section != "" {
		rowOffset = symbol.Row.Span.Start
	}
	property, onProperty := d.PropertyAt(rowOffset)
	if onProperty {
		span = property.Row
		h.property(ctx, d, property, status(property.ID))
		if x := status(property.ID).Counterexample; x != nil {
			h.why(runs.WhyFails(ctx, d, x, hoverCauses))
		}
	}
	o, onSignal := d.OccurrenceAt(offset)
	if onSignal {
		span = o.Span
		h.signal(ctx, d, o.Lit.Signal(), opts.Depth)
		h.decides(ctx, d, o.Lit.Signal(), property.ID, onProperty)
		h.word(ctx, d, o.Lit.Signal(), status, opts)
		h.values(ctx, d, o.Lit.Signal(), status, opts)
		h.proofs(ctx, d, o.Lit.Signal(), status)
	}
	if w, ok := wordLineAt(ctx, d, offset); ok && !onSignal {
		span = w.Span
		h.wordLine(d, w)
	}
	if target, ok := d.TargetAt(offset); ok && !onSignal {
		span = target.Word
		h.elsewhere(target)
	}
	if onSymbol {
		span = symbol.Span
		h.names(d, symbol)
	} else if row, ok := d.RowAt(offset); ok && (onSignal || onProperty) {
		h.place(d, row, o, onSignal)
	}
	return span, strings.Join(h.paragraphs, "\n\n"), ctx.Err()
}

// hover is the text of a hover as it grows. What takes a context leaves paragraphs out
// once that has ended.
type hover struct{ paragraphs []string }

func (h *hover) add(format string, args ...any) {
	h.paragraphs = append(h.paragraphs, fmt.Sprintf(format, args...))
}

// maxCuts bounds the free inputs that a hover over a property lists.
const maxCuts = 5

func (h *hover) property(ctx context.Context, d *design.Design, p design.Property, s Status) {
	verdict := s.String()
	switch before := s.Verdict(); {
	case verdict == "check":
		verdict = "not checked yet"
	case s.Activity != Idle && before != "":
		verdict += "; before: " + before
	}
	h.add("**%s** %s: %s", p.ID.Kind, code(p.Name), verdict)
	if p.Rule != "" {
		h.add("%s", p.Rule)
	}
	if where := s.foundBy(); where != "" {
		h.add("The verdict was %s.", where)
	}
	if s.Result != nil && d.Elaborate(ctx) == nil {
		open := d.LeftOpen(p.ID)
		if s.Result.Checked.Outcome() == cert.Proved {
			open.Starts = 0 // whatever they start with
		}
		h.leftOpen(open.Diagnostics())
	}
	_, fresh := s.outcome()
	if fresh && s.Result.HasNoRun && s.Kind == circuit.PropertyCover {
		h.add("No initial state meets the constraints, so nothing is reached.")
	} else if fresh && s.Result.HasNoRun && s.Vacuity() == nil {
		h.add("No initial state meets the constraints, so the property holds vacuously.")
	}
	if fresh && s.Vacuity() != nil && d.Elaborate(ctx) == nil {
		condition, _ := conditionIn(d, p.ID)
		h.add("It holds vacuously: %s.", s.Vacuity().Words(condition...))
	}
	if fresh {
		if names := answers.GrantedNames(ctx, d, s.Result.Granted); names != "" {
			h.add("The proof uses that of %s.", code(names))
		}
	}
	if f := knownFacts(ctx, d, p.ID, s); f != nil && !f.Never {
		all := f.All()
		h.facts(fmt.Sprintf("It holds because of %s:", answers.Count(len(all), "fact", "facts")), all)
	}
}

// leftOpen says what the text leaves open in the cone of a property.
func (h *hover) leftOpen(all []source.Diagnostic) {
	for _, d := range all[:min(len(all), maxCuts)] {
		h.add("left open: %s", d.Message)
	}
	if more := len(all) - maxCuts; more > 0 {
		h.add("left open: %d more", more)
	}
}

// signal says what a signal is, how it is computed and how it is connected.
func (h *hover) signal(ctx context.Context, d *design.Design, s design.Signal, depth int) {
	if s == 0 {
		h.add("**constant** 0 (literal 0) and 1 (literal 1)")
		return
	}
	def, _ := d.Definition(s)
	title := fmt.Sprintf("**%s**", def.Kind)
	if def.Kind == design.Input || def.Kind == design.Latch {
		title += fmt.Sprintf(" %d", def.Index)
	}
	if name := d.Name(s); name != "" {
		title += " " + code(name)
	}
	if d.HasNumbers() {
		title += fmt.Sprintf(" · literal %d", s.Lit())
	}
	h.add("%s", title)
	switch def.Kind {
	case design.Model:
		h.model(d, s)
		return
	case design.Gate:
		if c, ok := d.Cover(s); ok && c.Faulty {
			h.add("its cover has errors")
		} else {
			h.add("= %s", code(formula.Expression(d, s.Lit(), depth)))
		}
	case design.Instance:
		if row, ok := d.RowOf(s); ok {
			h.add("%s", row.Label)
		}
	case design.Latch:
		h.add("%s · next %s", reset(d, def, s, depth), code(nextExpression(d, def.Next, depth)))
	}
	h.connections(ctx, d, s)
}

// decides says which properties refer to a signal directly; row is left out of
// these when the hover is about it anyway.
func (h *hover) decides(ctx context.Context, d *design.Design, s design.Signal, row circuit.Property, onRow bool) {
	var names []string
	if s == 0 {
		return
	}
	for _, p := range d.Properties() {
		if ctx.Err() != nil {
			return
		}
		if decides(s, p) && !(onRow && p.ID == row) {
			names = append(names, code(p.Name))
		}
	}
	if len(names) > 0 {
		h.add("decides %s", strings.Join(names, ", "))
	}
}

// reset says what a latch starts with.
func reset(d *design.Design, def design.Definition, s design.Signal, depth int) string {
	switch {
	case def.Reset == s.Lit():
		return "reset " + code("free")
	case def.Reset <= 1:
		return "reset " + code(fmt.Sprint(def.Reset))
	}
	return "starts with the value of " + code(nextExpression(d, def.Reset, depth))
}

// nextExpression unfolds the next state of a latch, which most often is a gate
// without a name; a named one goes by its name.
func nextExpression(d *design.Design, l design.Lit, depth int) string {
	if d.Name(l.Signal()) != "" {
		return formula.FromLit(d, l, 0, false).String()
	}
	return formula.Expression(d, l, depth)
}

// decides reports whether a property refers to s directly.
func decides(s design.Signal, p design.Property) bool {
	return slices.ContainsFunc(p.Lits, func(l design.Lit) bool { return l.Signal() == s })
}

// code quotes text as markdown code, whatever backticks it holds.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
