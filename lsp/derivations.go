package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design/horndesign"
	"aiglens/design/runs"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// derivation returns that of the first query that is reached of some, those of the whole file when ids is nil: then of
// the one whose step is shown first; nil for none.
func (v *view) derivation(ids []circuit.Property) *horndesign.Derivation {
	var found *horndesign.Derivation
	for _, q := range horndesign.Queries(v.doc) {
		isShown := v.selection != nil && v.selection.Property == q.Property
		if ids != nil && !slices.Contains(ids, q.Property) || found != nil && !isShown {
			continue
		}
		if x := v.queries.status(q).DerivationOf(q); x != nil {
			found = x
		}
	}
	return found
}

// shownDerivation returns the derivation of which a step is shown in the present text, and the step; nil for none.
func (v *view) shownDerivation() (x *horndesign.Derivation, step int) {
	if v.selection == nil {
		return nil, 0
	}
	if x = v.derivation([]circuit.Property{v.selection.Property}); x == nil {
		return nil, 0
	}
	return x, x.Step(v.selection.Step).Number
}

var errNoDerivation = errors.New("there is no derivation: only a query that is reached has one")

// moveInDerivation shows a step of a derivation in the text. Changes are the steps that are about the position.
func moveInDerivation(s *session, v *view, ids []circuit.Property, params *wire.StepParams) (wire.ShownStep, error) {
	x := v.derivation(ids)
	var changes []int
	if params.Position != nil && x != nil {
		changes = x.At(v.mapper.PositionOffset(*params.Position))
	}
	answer := wire.ShownStep{URI: v.name}
	var refusal error
	s.queue.Do(func() {
		f := s.texts.files[uri.URI(v.doc.URI)]
		switch {
		case f == nil || f.doc != v.doc:
			refusal = errTextChanged
			return
		case params.To == wire.MoveHide:
			s.publishing.showStep(f, nil)
			return
		case x == nil:
			refusal = refused(errNoDerivation)
			return
		}
		from := -1
		if shown := f.shown.selection; shown != nil && shown.Property == x.Query.Property {
			from = shown.Step
		}
		// Steps count from 1; there is no step 0.
		step, ok := runs.Move(string(params.To), from, len(x.Steps)+1, len(x.Steps)+1, changes)
		if !ok {
			refusal = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is not a step", params.To)
			return
		}
		step = x.Step(step).Number
		s.publishing.showStep(f, &ide.Selection{Property: x.Query.Property, Step: step, Derivation: x, Own: x.Query.Own})
		answer = f.shownStep()
		row := v.mapper.SpanRange(x.Step(step).Row)
		answer.Range = &row
	})
	return answer, refusal
}

// whyInDerivation answers what a step uses, without one the last.
func whyInDerivation(v *view, ids []circuit.Property, params *wire.WhyParams) (answer wire.Cause, err error) {
	x := v.derivation(ids)
	if x == nil {
		return answer, refused(errNoDerivation)
	}
	limit := trace.Limit{Depth: usualCauseDepth, Nodes: usualCauses}
	if params.Depth > 0 {
		limit = trace.Limit{Depth: min(params.Depth, maxCauseDepth), Nodes: maxCauses}
	}
	step := len(x.Steps)
	if params.Step != nil {
		step = *params.Step
	}
	if step < 1 || step > len(x.Steps) {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no step %d", step)
	}
	return v.derivationCause(x, x.Why(step, limit.Depth, limit.Nodes)), nil
}

// goToDerivation shows a step of a derivation in the text, and goes to its clause.
func goToDerivation(ctx context.Context, s *session, v *view, ids []circuit.Property, step int) (answer protocol.Location, err error) {
	shown, err := moveInDerivation(s, v, ids, &wire.StepParams{To: wire.Move(fmt.Sprint(step))})
	if err != nil {
		return answer, err
	}
	return showPlace(ctx, s, protocol.Location{URI: v.name, Range: *shown.Range})
}

// derivationCause is a step of a derivation, with what it uses, in the message.
func (v *view) derivationCause(x *horndesign.Derivation, c *horndesign.Cause) wire.Cause {
	n := wire.Cause{
		Name: c.Step.Atom, Step: c.Step.Number, At: fmt.Sprintf("step %d", c.Step.Number), Repeated: c.Repeated, Cut: c.Cut,
		Location: &protocol.Location{URI: v.name, Range: v.mapper.SpanRange(c.Step.Row)}, Causes: []wire.Cause{},
	}
	if c.Step.Number == len(x.Steps) {
		n.Name = x.Query.Name
	}
	if len(c.Step.From) == 0 {
		n.Reason = "uses no other step"
	}
	for _, cause := range c.Causes {
		n.Causes = append(n.Causes, v.derivationCause(x, cause))
	}
	return n
}
