package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/push"
	"aiglens/lsp/wire"
)

// executeStep shows the values of a step in the text.
func (s *server) executeStep(ctx context.Context, params *wire.StepParams) (wire.ShownStep, error) {
	v, ids, err := signalFrom(ctx, wire.CommandStep.Name, params.PropertyParams)
	if err != nil {
		return wire.ShownStep{}, err
	}
	return s.step(ctx, v, ids, params)
}

func (s *server) step(ctx context.Context, v *view, ids []circuit.Property, params *wire.StepParams) (wire.ShownStep, error) {
	var values []circuit.Value
	x := v.counterexample(ids)
	if params.Position != nil && x != nil && (params.To == wire.MoveNextChange || params.To == wire.MovePreviousChange) {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(*params.Position)); ok {
			if copied, _, ok := x.Copy(v.doc, o.Lit); ok {
				var err error
				if values, err = x.Values(ctx, copied.Lit, v.searched(x)); ctx.Err() != nil {
					return wire.ShownStep{}, err
				}
			}
		}
	}
	answer, refusal := wire.ShownStep{URI: v.name}, ""
	s.owner.Do(func() {
		f := s.files[uri.URI(v.doc.URI)]
		switch {
		case f == nil || f.doc != v.doc:
			refusal = "the text has changed"
			return
		case params.To == wire.MoveHide:
			s.showStep(f, nil)
			return
		case x == nil:
			refusal = "there is no counterexample here: only a refuted property has one"
			return
		}
		from := -1
		if f.selection != nil && f.selection.Property == x.Property {
			from = f.selection.Step
		}
		step, ok := ide.Move(string(params.To), from, x.Steps(), x.Limit(), values)
		if !ok {
			refusal = string(params.To) + " is no step"
			return
		}
		s.showStep(f, &ide.Selection{Property: x.Property, Step: step})
		answer = f.shownStep()
	})
	if refusal != "" {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", refusal)
	}
	return answer, nil
}

// searched returns the number of steps in which changes are looked for: behind the step that
// is shown all that can show anything new.
func (v *view) searched(x *ide.Counterexample) int {
	if v.selection == nil || v.selection.Property != x.Property {
		return x.Steps()
	}
	return min(max(v.selection.Step+1, x.Steps())+x.Recorded(), x.Limit())
}

// counterexample returns that of the first refuted one of some properties, those of
// the whole file when ids is nil: then of the one whose step is shown first.
func (v *view) counterexample(ids []circuit.Property) *ide.Counterexample {
	if ids == nil {
		if v.selection != nil {
			ids = append(ids, v.selection.Property)
		}
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	for _, id := range ids {
		if x := v.status(id).Counterexample; x != nil {
			return x
		}
	}
	return nil
}

// showStep shows a step in the text, or none.
func (s *session) showStep(f *file, selection *ide.Selection) {
	if selection == nil && f.selection == nil {
		return
	}
	f.selection = selection
	s.touch(f)
	s.askForHints()
	s.tellStep(f)
}

// carrySelection has the step that is shown follow its property. One whose place
// another property has taken is shown no more.
func (s *session) carrySelection(f *file, e checks.Carried) {
	shown := f.selection
	if shown == nil {
		return
	}
	switch to, known := e.To[shown.Property]; {
	case known && to != checks.Nowhere:
		f.selection = &ide.Selection{Property: to, Step: shown.Step}
	case known:
		s.showStep(f, nil)
	}
}

func (s *session) tellStep(f *file) {
	if s.client.status {
		s.steps.Mark(uri.URI(f.doc.URI), f.shownStep())
	}
}

// newStepSender returns what tells the client which step is shown in a file: of what
// comes while it does not read, the last.
func newStepSender(s *session) *push.Sender[uri.URI, wire.ShownStep] {
	return push.New(push.Config[uri.URI, wire.ShownStep]{
		Merge: func(_, new wire.ShownStep) wire.ShownStep { return new },
		Send: func(ctx context.Context, _ uri.URI, step wire.ShownStep) {
			s.deliver(ctx, wire.NotificationStepShown.Name, step)
		},
	})
}

// shownStep is the step that is shown in a file.
func (f *file) shownStep() wire.ShownStep {
	a := wire.ShownStep{URI: f.name}
	if f.selection == nil {
		return a
	}
	a.Property, a.Name, a.Step = propertyID(f.selection.Property), f.selection.Property.String(), f.selection.Step
	if row, ok := f.doc.Property(f.selection.Property); ok {
		a.Name = row.Name
	}
	if x := f.status(f.selection.Property).Counterexample; x != nil {
		a.Steps, a.Loop, a.Words = x.Steps(), x.LoopSteps(), x.StepWords(a.Step)
	}
	return a
}

// shown returns the counterexample whose values are shown, if it is one of the present
// text, and the step of it.
func (v *view) shown() (x *ide.Counterexample, step int) {
	if v.selection == nil {
		return nil, 0
	}
	if x = v.status(v.selection.Property).Counterexample; x == nil {
		return nil, 0
	}
	return x, x.Within(v.selection.Step)
}

// stepHints returns the values of the step that is shown.
func (v *view) stepHints(ctx context.Context, span source.Span) ([]ide.InlayHint, error) {
	x, step := v.shown()
	if x == nil {
		return nil, nil
	}
	return ide.StepHints(ctx, v.doc, span, x, step)
}
