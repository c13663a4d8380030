package ide_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

var commands = map[ide.Command]string{
	ide.Check: "check", ide.Stop: "stop", ide.GoToLatch: "latch", ide.CheckFile: "checkFile", ide.StopFile: "stopFile",
	ide.RecheckFailed: "recheckFailed", ide.CheckWorkspace: "checkWorkspace", ide.ShowStep: "step", ide.GoToCause: "goToCause",
	ide.ShowUnneeded: "unneeded", ide.ShowTrace: "showTrace", ide.ShowWhy: "why", ide.Debug: "debug", ide.ShowProof: "proof", ide.ExplainNone: "explain",
}

// TestLenses covers the lenses, and with them the words of a status.
func TestLenses(t *testing.T) {
	check(t, "lens", func(s *scene, _ int) string {
		var b strings.Builder
		lenses, err := ide.Lenses(s.t.Context(), s.doc, s.status, func(ide.Command) bool { return s.offers })
		for _, l := range must(s, lenses, err) {
			var names []string
			for _, p := range l.Properties {
				names = append(names, p.Name)
			}
			fmt.Fprintf(&b, "%s %s: %s [%s]", s.at(l.Span), strings.Join(names, ", "), l.Title, commands[l.Command])
			if s.offers {
				fmt.Fprintf(&b, " %s", l.Tooltip)
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}

// TestProof covers what there is to read about a proof.
func TestProof(t *testing.T) {
	check(t, "proof", func(s *scene, _ int) string {
		var b strings.Builder
		for _, p := range s.doc.Properties() {
			r, _ := s.status(p.ID).ResultFor(answers.OfProof)
			text, err := answers.Proof.Ask(s.t.Context(), answers.Asked{Design: s.doc, Property: p, Result: r})
			if err != nil {
				text.Text = fmt.Sprintf("%s: %v\n", p.Name, err)
			}
			b.WriteString(text.Text)
			for _, l := range text.Links {
				name := strings.TrimPrefix(text.Text[l.Span.Start:l.Span.End()], "¬")
				if name != l.Source.Name && !strings.HasPrefix(l.Source.Name, name+"[") { // a word leads to its highest bit
					t.Errorf("a link of %s stands at %q", l.Source.Name, name)
				}
			}
		}
		return b.String()
	})
}

// TestVerdicts covers the verdicts as diagnostics.
func TestVerdicts(t *testing.T) {
	check(t, "verdict", func(s *scene, _ int) string {
		var b strings.Builder
		for _, d := range ide.Verdicts(s.doc, s.status, ide.VerdictOptions{Proved: true}) {
			fmt.Fprintf(&b, "%s %s [%s] %s\n", s.at(d.Span), d.Severity, d.Code, d.Message)
			for _, r := range d.Related {
				fmt.Fprintf(&b, "  %s %s\n", s.at(r.Span), r.Message)
			}
		}
		return b.String()
	})
}

func TestActions(t *testing.T) {
	check(t, "action", func(s *scene, offset int) string {
		var b strings.Builder
		actions, err := ide.Actions(s.t.Context(), s.doc, source.Span{Start: offset}, s.status, s.shown())
		for _, a := range must(s, actions, err) {
			switch {
			case a.Fix != nil:
				preferred := ""
				if a.Fix.Preferred {
					preferred = ", preferred"
				}
				fmt.Fprintf(&b, "%s [fix of %s%s]\n", a.Title, a.Diagnostic.Code, preferred)
			default:
				fmt.Fprintf(&b, "%s [%s%s]\n", a.Title, commands[a.Command], argument(a))
			}
		}
		return b.String()
	})
}

// argument is what an action tells its command.
func argument(a ide.Action) string {
	text := ""
	if a.Command.IsAboutProperty() {
		text += " " + a.Property.ID.String()
	}
	if a.To != "" {
		text += " " + a.To
	}
	if a.Latch != nil {
		text += fmt.Sprintf(" %d", a.Latch.Index)
	}
	if a.Limit != nil {
		text += " " + a.Limit.String()
	}
	if a.Cause != nil {
		text += fmt.Sprintf(" %s", a.Cause)
	}
	return text
}

// TestLatches covers the latches of a counterexample and their places.
func TestLatches(t *testing.T) {
	check(t, "counterexample", func(s *scene, _ int) string {
		var b strings.Builder
		for _, p := range s.doc.Properties() {
			x := s.status(p.ID).Counterexample
			if x == nil {
				fmt.Fprintf(&b, "%s: none\n", p.Name)
				continue
			}
			fmt.Fprintf(&b, "%s: %d steps\n", p.Name, x.Steps())
			places, err := runs.Latches(s.t.Context(), s.doc, x)
			for _, l := range must(s, places, err) {
				fmt.Fprintf(&b, "  %s = %s, %s%s%s\n", l.Name, l.Values, s.at(l.Span), relevance(x, l.Index), elsewhere(l.Other))
			}
		}
		return b.String()
	})
}

func relevance(x *runs.Counterexample, latch int) string {
	for _, l := range x.Latches() {
		if l.Index == latch && l.Relevant {
			return fmt.Sprintf(", relevant from step %d", l.First)
		}
	}
	return ""
}

func elsewhere(t *design.Target) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf(", in %s at %s", path.Base(t.Path), at(t.Text, t.Span))
}

// TestTrace covers the signals of a counterexample, with the marked ones chosen.
func TestTrace(t *testing.T) {
	check(t, "trace", func(s *scene, offset int) string {
		x := s.counterexample()
		if x == nil {
			return ""
		}
		var chosen []design.Lit
		if o, ok := s.doc.OccurrenceAt(offset); ok && len(s.marks) > 0 {
			chosen = append(chosen, o.Lit)
		}
		var b strings.Builder
		signals, more, err := runs.TraceSignals(s.t.Context(), s.doc, x, x.StepsOf(s.rounds), chosen, nil)
		for _, signal := range must(s, signals, err) {
			if chosen != nil && signal.Group != runs.GroupGates {
				continue
			}
			fmt.Fprintf(&b, "%s %s %s", signal.Group, signal.Name(), trace.Digits(signal.Values))
			if signal.Formula != "" {
				fmt.Fprintf(&b, " = %s", signal.Formula)
			}
			if signal.Relevant {
				b.WriteString(" relevant")
			}
			if signal.HasSource {
				fmt.Fprintf(&b, ", %s%s", s.at(signal.Source.Span), elsewhere(signal.Source.Other))
			}
			b.WriteByte('\n')
		}
		if more > 0 {
			fmt.Fprintf(&b, "%d more\n", more)
		}
		return b.String()
	})
}

// TestWhy asks why the property fails, or why the marked signal has its value at the
// step that is shown, the last one by default.
func TestWhy(t *testing.T) {
	check(t, "why", func(s *scene, offset int) string {
		x := s.counterexample()
		if x == nil {
			return ""
		}
		lit, step := x.Evidence()[0].Lit, x.Steps()-1
		var word *design.Word
		if s.step != nil {
			step = *s.step
		}
		if len(s.marks) > 0 {
			o, ok := s.doc.OccurrenceAt(offset)
			if !ok {
				return ""
			}
			copied, _, ok := x.Copy(s.doc, o.Lit)
			if !ok {
				w, err := x.WholeWord(s.t.Context(), s.doc, o.Lit)
				word = must(s, w, err)
			}
			if !ok && word == nil {
				return "no part in the counterexample"
			}
			lit = copied.Lit
		}
		limit := trace.Limit{Depth: s.depth, Nodes: 30}
		root, err := runs.Why(s.t.Context(), s.doc, x, lit, step, limit)
		if len(s.marks) == 0 && s.step == nil {
			root, err = runs.WhyFails(s.t.Context(), s.doc, x, limit)
		}
		if word != nil {
			root, err = runs.WhyWord(s.t.Context(), s.doc, &x.Run, word, step, limit)
		}
		var b strings.Builder
		s.writeCause(&b, must(s, root, err), 0)
		return b.String()
	})
}

func (s *scene) writeCause(b *strings.Builder, c *runs.Cause, depth int) {
	fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), c)
	if c.Source.Span.Length > 0 {
		fmt.Fprintf(b, ", %s%s", s.at(c.Source.Span), elsewhere(c.Source.Other))
	}
	switch {
	case c.Repeated:
		b.WriteString(" · as above")
	case c.Cut:
		b.WriteString(" · …")
	case c.Because() != "":
		b.WriteString(" · " + c.Because())
	}
	b.WriteByte('\n')
	for _, cause := range c.Causes {
		s.writeCause(b, cause, depth+1)
	}
}

// TestMoves goes from step to step of a counterexample of five steps.
func TestMoves(t *testing.T) {
	changes := []int{2, 4}
	check := func(word string, from, want int, wantOK bool) {
		t.Helper()
		if got, ok := runs.Move(word, from, 5, 5, changes); got != want && ok || ok != wantOK {
			t.Errorf("%q from %d leads to %d, %v; want %d, %v", word, from, got, ok, want, wantOK)
		}
	}
	check(runs.MoveFirst, 3, 0, true)
	check(runs.MoveLast, -1, 4, true)
	check(runs.MoveNext, -1, 0, true)
	check(runs.MoveNext, 2, 3, true)
	check(runs.MoveNext, 4, 4, true)
	check(runs.MoveNext, 9, 4, true) // of a longer one, before
	check(runs.MovePrevious, -1, 4, true)
	check(runs.MovePrevious, 2, 1, true)
	check(runs.MovePrevious, 0, 0, true)
	check(runs.MoveNextChange, -1, 2, true)
	check(runs.MoveNextChange, 2, 4, true)
	check(runs.MoveNextChange, 4, 4, true)
	check(runs.MovePreviousChange, 4, 2, true)
	check(runs.MovePreviousChange, 2, 2, true)
	check(runs.MovePreviousChange, -1, 0, true)
	check("3", 0, 3, true)
	check("99", 0, 4, true)
	check("-3", 0, 0, true)
	check("03", 0, 0, false)
	check("3x", 0, 0, false)
	check("", 0, 0, false)
	check(runs.MoveHide, 0, 0, false)
}

// TestProofOfEarlierText: what a proof rests on is named as it is called now, after an edit
// in front of it, and not at all when it is gone.
func TestProofOfEarlierText(t *testing.T) {
	open := func(count, bads string) *design.Design {
		text := fmt.Sprintf("aag 4 0 2 0 2 %s 0 1\n2 3\n4 8\n%s1\n6\n6 2 4\n8 4 2\n", count, bads)
		return design.New("a.aag", formats.All().Recognise("", "a.aag", text), 1, source.NewText(text), design.Options{})
	}
	before := open("1", "4\n")
	common := verify.NewCommon(before.Circuit())
	run := func(p circuit.Property) verify.Result {
		return verify.Run(t.Context(), verify.Job{Circuit: before.Circuit(), Property: p, Engine: engines.NewAuto(), Common: common}, nil)
	}
	run(circuit.Property{Kind: circuit.PropertyBad})
	justice := circuit.Property{Kind: circuit.PropertyJustice}
	status := ide.Status{Result: new(verify.Result), Freshness: ide.Fresh}
	*status.Result = run(justice)
	for _, x := range []struct{ count, bads, want string }{{"1", "4\n", "bad 0"}, {"2", "2\n4\n", "bad 1"}, {"1", "2\n", ""}} {
		after := open(x.count, x.bads)
		p, _ := after.Property(justice)
		text, err := answers.Proof.Ask(t.Context(), answers.Asked{Design: after, Property: p, Result: status.Result})
		_, rest, uses := strings.Cut(text.Text, "uses       the proof of ")
		name, _, _ := strings.Cut(rest, "\n")
		if err != nil || uses != (x.want != "") || name != x.want {
			t.Errorf("%q: %v\n%s", x.bads, err, text.Text)
		}
	}
}

// TestProofLooksAtContext: what a proof says is not worked out any further after the end of its context,
// neither the properties that it uses nor its ranks.
func TestProofLooksAtContext(t *testing.T) {
	proofOf := func(more int, ctx *shared.Polls) (string, error) {
		var text strings.Builder
		fmt.Fprintf(&text, "aag 4 0 2 0 2 %d 0 1\n2 3\n4 8\n", 1+more)
		text.WriteString(strings.Repeat("4\n", 1+more) + "1\n6\n6 2 4\n8 4 2\n")
		d := design.New("a.aag", formats.All().Recognise("", "a.aag", text.String()), 1, source.NewText(text.String()), design.Options{})
		common := verify.NewCommon(d.Circuit())
		var status ide.Status
		for _, id := range []circuit.Property{{Kind: circuit.PropertyBad}, {Kind: circuit.PropertyJustice}} {
			r := verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: id, Engine: engines.NewAuto(), Common: common}, nil)
			status = ide.Status{Result: &r, Freshness: ide.Fresh}
		}
		p, _ := d.Property(circuit.Property{Kind: circuit.PropertyJustice})
		proof, err := answers.Proof.Ask(ctx, answers.Asked{Design: d, Property: p, Result: status.Result})
		return proof.Text, err
	}
	few, many := shared.NewPolls(0), shared.NewPolls(0)
	_, err := proofOf(10, few)
	if err != nil {
		t.Fatal(err)
	}
	text, err := proofOf(60, many)
	if err != nil || !strings.Contains(text, "bad 0, bad 1, ") || !strings.Contains(text, "rank 1 of ") {
		t.Fatalf("%v\n%s", err, text)
	}
	if more := many.Looks - few.Looks; more < 50 {
		t.Errorf("%d looks for 50 more properties", more)
	}
	for end := 1; end <= many.Looks; end += 7 {
		if _, err := proofOf(60, shared.NewPolls(end)); !errors.Is(err, context.Canceled) {
			t.Errorf("look %d of %d: %v", end, many.Looks, err)
		}
	}
}
