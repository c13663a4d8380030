package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/lsp/wire"
)

// Bounds of the tree in an answer.
const (
	maxCauseDepth   = 50
	maxCauses       = 2000
	usualCauseDepth = 6
	usualCauses     = 200
)

// executeWhy answers why a signal has its value at a step, without a signal why the
// property fails.
func executeWhy(ctx context.Context, s *session, params *wire.WhyParams) (answer wire.Cause, err error) {
	v, ids, err := signalFrom(ctx, wire.CommandWhy.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if design.HasClauses(v.doc) {
		return whyInDerivation(v, ids, params)
	}
	x := v.counterexample(ids)
	if x == nil {
		return answer, noCounterexample(v, ids)
	}
	limit := trace.Limit{Depth: usualCauseDepth, Nodes: usualCauses}
	if params.Depth > 0 {
		limit = trace.Limit{Depth: min(params.Depth, maxCauseDepth), Nodes: maxCauses}
	}
	var lit circuit.Lit
	var word *design.Word // that is asked about in place of lit
	fails, step := false, x.Steps()-1
	if params.Step != nil {
		step = *params.Step
	} else if v.selection != nil && v.selection.Property == x.Property && params.Position != nil {
		step = x.Within(v.selection.Step)
	}
	switch {
	case params.Signal != nil:
		lit = circuit.Lit(*params.Signal)
		if int(lit.Var()) >= v.doc.Circuit().NumVars() {
			return answer, noSignal(*params.Signal)
		}
	case params.Position != nil:
		offset := v.mapper.PositionOffset(*params.Position)
		o, ok := v.doc.OccurrenceAt(offset)
		if p, onRow := v.doc.PropertyAt(offset); !ok || onRow && p.ID == x.Property {
			fails = true
			break
		}
		inRun := v.inShown(x)
		copied, _, ok := inRun.Copy(v.doc, o.Lit)
		if lit = copied.Lit; ok {
			break
		}
		if word, err = inRun.WholeWord(ctx, v.doc, o.Lit); err != nil {
			return answer, err
		}
		if word == nil {
			return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the signal has no part in the counterexample")
		}
	default:
		fails = true
	}
	var root *runs.Cause
	if e := x.Evidence(); word != nil {
		root, err = runs.WhyWord(ctx, v.doc, &x.Run, word, step, limit)
	} else if !fails {
		root, err = runs.Why(ctx, v.doc, x, lit, step, limit)
	} else if x.LoopSteps() > 0 {
		root, err = runs.WhyFails(ctx, v.doc, x, limit)
	} else { // the step may be another
		root, err = runs.Why(ctx, v.doc, x, e[0].Lit, step, limit)
	}
	switch {
	case errors.Is(err, runs.ErrOutside):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the signal has no part in the counterexample, or there is no step %d", step)
	case err != nil:
		return answer, err
	}
	return snapshotFrom(ctx).cause(v, root), nil
}

func (snap *snapshot) cause(v *view, c *runs.Cause) wire.Cause {
	n := wire.Cause{
		Name: c.Source.Name, Value: c.ValueText(), Step: c.Step, At: c.At, Signal: uint32(c.Lit),
		Word: c.Word != nil, Reason: c.Because(), Repeated: c.Repeated, Cut: c.Cut, Location: snap.sourceLocation(v, c.Source), Causes: []wire.Cause{},
	}
	if !n.Word {
		n.Formula = formula.Of(v.doc, c.Source)
	}
	if c.IsLasso() {
		n.Value = ""
	}
	for _, cause := range c.Causes {
		n.Causes = append(n.Causes, snap.cause(v, cause))
	}
	return n
}

// executeGoToCause shows where a signal is defined, and the step in the text.
func executeGoToCause(ctx context.Context, s *session, params *wire.GoToCauseParams) (answer protocol.Location, err error) {
	v, ids, err := propertiesFrom(ctx, wire.CommandGoToCause.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if design.HasClauses(v.doc) {
		return goToDerivation(ctx, s, v, ids, params.Step)
	}
	x := v.counterexample(ids)
	if x == nil {
		return answer, noCounterexample(v, ids)
	}
	if int(circuit.Lit(params.Signal).Var()) >= v.doc.Circuit().NumVars() {
		return answer, noSignal(params.Signal)
	}
	to := wire.StepParams{To: wire.Move(fmt.Sprint(params.Step))}
	if _, err := moveStep(ctx, s, v, []circuit.Property{x.Property}, &to); err != nil {
		return answer, err
	}
	m, ok := v.doc.SourceOf(circuit.Lit(params.Signal))
	location := snapshotFrom(ctx).sourceLocation(v, m)
	if !ok || location == nil {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "no text defines this signal")
	}
	return showPlace(ctx, s, *location)
}

func noSignal(signal uint32) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no signal %d", signal)
}
