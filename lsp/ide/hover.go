package ide

import (
	"context"
	"fmt"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
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
	p, err := answers.At(ctx, d, offset, opts.Depth)
	if err != nil {
		return span, "", err
	}
	var h hover
	if p.Property != nil && !design.HasClauses(d) {
		h.property(ctx, d, *p.Property, status(p.Property.ID))
		if x := status(p.Property.ID).Explainable(); x != nil {
			h.why(runs.WhyFails(ctx, d, x, hoverCauses))
		}
	}
	if p.Signal != nil {
		s := p.Signal.Lit.Signal()
		h.sentences(p.Signal.Sentences()...)
		h.sentences(p.DecidesText()...)
		h.word(ctx, d, s, status, opts)
		h.values(ctx, d, s, status, opts)
		h.proofs(ctx, d, s, status)
	}
	h.sentences(p.Sentences()...)
	return p.Span, strings.Join(h.paragraphs, "\n\n"), ctx.Err()
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
	known := KnownOf(ctx, d, p, s)
	h.sentences(known.Title + ": " + known.Verdict)
	h.sentences(known.Says...)
	if known.Facts != nil {
		h.facts(fmt.Sprintf("It holds because of %s:", answers.Count(len(known.Facts), "fact", "facts")), known.Facts)
	}
}

// Known is what is known of a property, in sentences.
type Known struct {
	Title   string // which one it is
	Verdict string
	Says    []string
	// Vacuous is why a proof means little, Granted the properties whose proofs it uses; both
	// are said in Says. "" for none.
	Vacuous, Granted string
	// Facts are what the proof of the present text says of latches, if it has been made small
	// before; nil for none.
	Facts []answers.Fact
}

func (k *Known) say(format string, args ...any) {
	k.Says = append(k.Says, fmt.Sprintf(format, args...))
}

// KnownOf returns what is known of a property. Some is left out once ctx has ended.
func KnownOf(ctx context.Context, d *design.Design, p design.Property, s Status) *Known {
	verdict := s.String()
	switch before := s.Verdict(); {
	case verdict == "check":
		verdict = "not checked yet"
	case s.Activity != Idle && before != "":
		verdict += "; before: " + before
	}
	k := &Known{Title: fmt.Sprintf("**%s** %s", p.ID.Kind, answers.Code(p.Name)), Verdict: verdict}
	if p.Rule != "" {
		k.say("%s", p.Rule)
	}
	if where := s.foundBy(); where != "" {
		k.say("The verdict was %s.", where)
	}
	if s.Result != nil && d.Elaborate(ctx) == nil {
		open := d.LeftOpen(p.ID)
		if s.Result.Checked.Outcome() == cert.Proved {
			open.Starts = 0 // whatever they start with
		}
		k.leftOpen(open.Diagnostics())
	}
	_, fresh := s.outcome()
	if fresh && s.Result.HasNoRun && s.Kind == circuit.PropertyCover {
		k.say("No initial state meets the constraints, so nothing is reached.")
	} else if fresh && s.Result.HasNoRun && s.Vacuity() == nil {
		k.Vacuous = "no initial state meets the constraints"
		k.say("No initial state meets the constraints, so the property holds vacuously.")
	}
	if fresh && s.Vacuity() != nil && d.Elaborate(ctx) == nil {
		condition, _ := conditionIn(d, p.ID)
		k.Vacuous = s.Vacuity().Words(condition...)
		k.say("It holds vacuously: %s.", k.Vacuous)
	}
	if fresh && s.LacksVacuity() {
		k.say("It is not worked out whether it holds vacuously, because of arrays that are too large to be bits.")
	}
	if fresh {
		if k.Granted = answers.GrantedNames(ctx, d, s.Result.Granted); k.Granted != "" {
			k.say("The proof uses that of %s.", answers.Code(k.Granted))
		}
	}
	if f := knownFacts(ctx, d, p.ID, s); f != nil && !f.Never {
		k.Facts = f.All()
	}
	return k
}

// leftOpen says what the text leaves open in the cone of a property.
func (k *Known) leftOpen(all []source.Diagnostic) {
	for _, d := range all[:min(len(all), maxCuts)] {
		k.say("left open: %s", d.Message)
	}
	if more := len(all) - maxCuts; more > 0 {
		k.say("left open: %d more", more)
	}
}

// sentences adds what is said elsewhere.
func (h *hover) sentences(all ...string) {
	for _, text := range all {
		h.add("%s", text)
	}
}
