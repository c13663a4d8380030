package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/lsp/wire"
)

// executePlay simulates a run, with a change to it.
func executePlay(ctx context.Context, s *session, params *wire.PlayParams) (answer wire.Played, err error) {
	v, err := openView(ctx, wire.CommandPlay.Name, params.URI)
	if err != nil {
		return answer, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	request, err := v.playRequest(params)
	if err != nil {
		return answer, err
	}
	p, words, err := play.From(ctx, v.doc, request)
	switch {
	case errors.Is(err, play.ErrEarlier):
		answer.Run, answer.Outcome = *params.Run, wire.RunOpen
		return answer, nil
	case ctx.Err() != nil:
		return answer, ctx.Err()
	case err != nil:
		return answer, refused(err)
	}
	report, err := play.ReportOf(ctx, v.doc, p)
	if err != nil {
		return answer, err
	}
	answer.Words, answer.Outcome = strings.TrimSpace(words+" "+report.Words), wire.RunOutcome(report.Outcome)
	answer.Run = playedRun(play.Keep(v.doc, p))
	if answer.Trace, err = playedTrace(ctx, v, p, params); err != nil {
		return answer, err
	}
	return answer, leaveOutListed(ctx, v.doc, &answer, params)
}

// numbers tell designs apart.
var numbers = design.NewDerived(func(context.Context, *design.Design) (uint64, error) { return rand.Uint64(), nil })

// leaveOutListed names the signals of an answer, and leaves out what the client has of them: of
// many signals that is nine tenths. What they are called, and where they stand, is the same in all
// answers about one design that show as many signals at the same positions.
func leaveOutListed(ctx context.Context, d *design.Design, answer *wire.Played, params *wire.PlayParams) error {
	number, err := numbers.Of(ctx, d)
	if err != nil {
		return err
	}
	signals, run := answer.Trace.Signals, &answer.Run
	listed := len(signals)
	for listed > 0 && signals[listed-1].Group == wire.GroupExpressions {
		listed--
	}
	name := sha256.Sum256(fmt.Append(nil, number, listed, params.Positions))
	if answer.List = hex.EncodeToString(name[:8]); answer.List != params.Listed {
		return nil
	}
	values := &wire.PlayedValues{Signals: make([]string, listed), Inputs: valuesOf(run.Inputs), Latches: valuesOf(run.Latches)}
	for i := range values.Signals {
		values.Signals[i] = signals[i].Values
	}
	answer.Values, answer.Trace.Signals, answer.Trace.Words = values, signals[listed:], nil
	run.Inputs, run.Latches = []wire.PlayedSignal{}, []wire.PlayedSignal{}
	return nil
}

func valuesOf(signals []wire.PlayedSignal) []string {
	values := make([]string, len(signals))
	for i, s := range signals {
		values[i] = s.Values
	}
	return values
}

// maxPlayed bounds the signals of a run that are shown, because all of them are sent at each change.
const maxPlayed = 5000

// playedTrace returns the signals of a run with their places.
func playedTrace(ctx context.Context, v *view, p *play.Run, params *wire.PlayParams) (*wire.Trace, error) {
	var chosen []design.Lit
	for _, at := range params.Positions {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(at)); ok {
			chosen = append(chosen, o.Lit)
		}
	}
	signals, more, err := runs.RunSignals(ctx, v.doc, p.Values, maxPlayed, chosen, params.Expressions)
	if err != nil {
		return nil, err
	}
	t := &wire.Trace{URI: v.name, Name: "Run", Steps: p.Values.Steps(), Version: v.doc.Version, Signals: []wire.TraceSignal{}, More: more}
	for i := range signals {
		out := traceSignal(v.doc, &signals[i])
		out.Settable = settableAt(v.doc, &signals[i])
		if signals[i].HasSource && signals[i].Group != runs.GroupExpressions {
			out.Location = snapshotFrom(ctx).sourceLocation(v, signals[i].Source)
		}
		t.Signals = append(t.Signals, out)
	}
	t.Words, err = traceWords(ctx, v.doc, signals)
	return t, err
}

// settableAt says of an input or latch of a run where it could have another value.
func settableAt(d *design.Design, t *runs.TraceSignal) wire.Settable {
	if t.Group != runs.GroupInputs && t.Group != runs.GroupLatches {
		return ""
	}
	return wire.Settable(play.SettableAt(d, t.Lit))
}

// runFrom returns the run that a command is about.
func runFrom(ctx context.Context, s *session, command string, params wire.PlayParams) (*view, *play.Run, error) {
	v, err := openView(ctx, command, params.URI)
	if err != nil {
		return nil, nil, err
	}
	if err := v.doc.Elaborate(ctx); err != nil {
		return nil, nil, err
	}
	request, err := v.playRequest(&params)
	if err != nil {
		return v, nil, err
	}
	p, _, err := play.From(ctx, v.doc, request)
	if err != nil && ctx.Err() == nil {
		err = refused(err)
	}
	return v, p, err
}

// executePlayWhy answers why a signal of a run has its value at a step.
func executePlayWhy(ctx context.Context, s *session, params *wire.PlayWhyParams) (answer wire.Cause, err error) {
	v, run, err := runToExplain(ctx, s, params)
	if err != nil {
		return answer, err
	}
	lit := circuit.Lit(params.Signal)
	if int(lit.Var()) >= v.doc.Circuit().NumVars() {
		return answer, noSignal(params.Signal)
	}
	limit := trace.Limit{Depth: usualCauseDepth, Nodes: usualCauses}
	if params.Depth > 0 {
		limit = trace.Limit{Depth: min(params.Depth, maxCauseDepth), Nodes: maxCauses}
	}
	root, err := runs.WhyInRun(ctx, v.doc, run, lit, params.Step, limit)
	switch {
	case errors.Is(err, runs.ErrOutside):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the run has no step %d", params.Step)
	case errors.Is(err, runs.ErrAbstract):
		return answer, refused(err)
	case err != nil:
		return answer, err
	}
	return snapshotFrom(ctx).cause(v, root), nil
}

// runToExplain returns the run that is played, or that of a difference.
func runToExplain(ctx context.Context, s *session, params *wire.PlayWhyParams) (*view, *runs.Run, error) {
	if params.Compared != "" {
		return differenceOf(ctx, s, wire.CommandPlayWhy.Name, params.URI, params.Compared)
	}
	v, p, err := runFrom(ctx, s, wire.CommandPlayWhy.Name, wire.PlayParams{URI: params.URI, Run: &params.Run})
	if err != nil {
		return v, nil, err
	}
	return v, p.Values, nil
}

// How runs of no property travel: package play knows no message.

// playRequest returns what parameters ask for. The error says that there is no counterexample
// to begin with.
func (v *view) playRequest(params *wire.PlayParams) (play.Request, error) {
	var request play.Request
	if params.Run != nil {
		request.Run = v.keptRun(params.Run)
	} else if params.Property != "" {
		if request.Origin = v.origin(params.Property); request.Origin == nil {
			id, err := propertyFromID(params.Property)
			if err != nil {
				return request, err
			}
			if err := v.onlyChecked(id); err != nil {
				return request, err
			}
			return request, noCounterexample(v, []circuit.Property{id})
		}
	}
	if x := params.Change; x != nil {
		request.Change = &play.Change{Kind: play.ChangeKind(x.Kind), Signal: circuit.Lit(x.Signal), Step: x.Step, Steps: x.Steps, Seed: x.Seed, Word: x.Word, Value: x.Value, Expression: x.Expression}
	}
	return request, nil
}

// origin returns the counterexample of a property for the present text that can be changed; nil for none.
func (v *view) origin(property wire.PropertyID) *play.Origin {
	id, err := propertyFromID(property)
	row, known := v.doc.Property(id)
	x := v.status(id).Explainable()
	if err != nil || !known || x == nil {
		return nil
	}
	return &play.Origin{Property: row, Trace: x.Whole(v.doc.Circuit())}
}

func (v *view) keptRun(r *wire.PlayedRun) *play.Kept {
	kept := &play.Kept{
		Circuit: r.Circuit, Steps: r.Steps, Inputs: keptSignals(r.Inputs), Latches: keptSignals(r.Latches), OriginSignal: circuit.Lit(r.PropertySignal),
		Expression: r.Expression,
	}
	if r.Property != "" {
		kept.Origin = v.origin(r.Property)
	}
	if r.Goal != nil {
		goal := circuit.Lit(*r.Goal)
		kept.Goal = &goal
	}
	return kept
}

func keptSignals(signals []wire.PlayedSignal) []play.Signal {
	all := make([]play.Signal, len(signals))
	for i, s := range signals {
		all[i] = play.Signal(s)
	}
	return all
}

// playedRun is what the client keeps of a run.
func playedRun(kept play.Kept) wire.PlayedRun {
	r := wire.PlayedRun{
		Circuit: kept.Circuit, Steps: kept.Steps, Inputs: playedSignals(kept.Inputs), Latches: playedSignals(kept.Latches), PropertySignal: uint32(kept.OriginSignal),
		Expression: kept.Expression,
	}
	if kept.Origin != nil {
		r.Property = propertyID(kept.Origin.Property.ID)
	}
	if kept.Goal != nil {
		goal := uint32(*kept.Goal)
		r.Goal = &goal
	}
	return r
}

func playedSignals(signals []play.Signal) []wire.PlayedSignal {
	all := make([]wire.PlayedSignal, len(signals))
	for i, s := range signals {
		all[i] = wire.PlayedSignal(s)
	}
	return all
}
