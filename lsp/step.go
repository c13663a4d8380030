package lsp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/ic3/inquiry"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/wire"
)

// executeStep shows the values of a step in the text.
func executeStep(ctx context.Context, s *session, params *wire.StepParams) (wire.ShownStep, error) {
	v, ids, err := signalFrom(ctx, wire.CommandStep.Name, params.PropertyParams)
	if err != nil {
		return wire.ShownStep{}, err
	}
	return moveStep(ctx, s, v, ids, params)
}

func moveStep(ctx context.Context, s *session, v *view, ids []circuit.Property, params *wire.StepParams) (wire.ShownStep, error) {
	var values []circuit.Value
	x := v.counterexample(ids)
	if params.Position != nil && x != nil && (params.To == wire.MoveNextChange || params.To == wire.MovePreviousChange) {
		if o, ok := v.doc.OccurrenceAt(v.mapper.PositionOffset(*params.Position)); ok {
			if copied, _, ok := x.Copy(v.doc, o.Lit); ok {
				var err error
				if values, err = x.Values(ctx, copied.Lit, searchedSteps(v, x)); ctx.Err() != nil {
					return wire.ShownStep{}, err
				}
			}
		}
	}
	answer, refusal := wire.ShownStep{URI: v.name}, ""
	s.queue.Do(func() {
		f := s.texts.files[uri.URI(v.doc.URI)]
		switch {
		case f == nil || f.doc != v.doc:
			refusal = "the text has changed"
			return
		case params.To == wire.MoveHide:
			s.publishing.showStep(f, nil)
			return
		case x == nil:
			refusal = "there is no counterexample here: only a refuted property has one"
			return
		}
		from := -1
		if f.shown.selection != nil && f.shown.selection.Property == x.Property {
			from = f.shown.selection.Step
		}
		step, ok := runs.Move(string(params.To), from, x.Steps(), x.Limit(), values)
		if !ok {
			refusal = string(params.To) + " is no step"
			return
		}
		s.publishing.showStep(f, &ide.Selection{Property: x.Property, Step: step})
		answer = f.shownStep()
	})
	if refusal != "" {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s", refusal)
	}
	return answer, nil
}

// searched returns the number of steps in which changes are looked for: behind the step that
// is shown all that can show anything new.
func searchedSteps(v *view, x *runs.Counterexample) int {
	if v.selection == nil || v.selection.Property != x.Property {
		return x.Steps()
	}
	return min(max(v.selection.Step+1, x.Steps())+x.Recorded(), x.Limit())
}

// counterexample returns that of the first refuted one of some properties, those of
// the whole file when ids is nil: then of the one whose step is shown first.
func (v *view) counterexample(ids []circuit.Property) *runs.Counterexample {
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

// shown returns the counterexample whose values are shown, if it is one of the present
// text, and the step of it.
func (v *view) shown() (x *runs.Counterexample, step int) {
	if v.selection == nil {
		return nil, 0
	}
	if x = v.status(v.selection.Property).Counterexample; x == nil {
		return nil, 0
	}
	return x, x.Within(v.selection.Step)
}

// stepHints returns the values of the step that is shown.
func stepHintsIn(ctx context.Context, v *view, span source.Span) ([]ide.InlayHint, error) {
	x, step := v.shown()
	if x == nil {
		return nil, nil
	}
	return ide.StepHints(ctx, v.doc, span, x, step)
}

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
		return answer, refused(err)
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
	answer.Trace, err = playedTrace(ctx, v, p, params)
	return answer, err
}

// maxPlayed bounds the signals of a run that are shown, for all of them are sent at each change.
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
		out := traceSignal(&signals[i])
		out.Settable = settableAt(v.doc, &signals[i])
		if signals[i].HasSource && signals[i].Group != runs.GroupExpressions {
			out.Location = snapshotFrom(ctx).sourceLocation(v, signals[i].Source)
		}
		t.Signals = append(t.Signals, out)
	}
	return t, nil
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
		return v, nil, refused(err)
	}
	p, _, err := play.From(ctx, v.doc, request)
	if err != nil && ctx.Err() == nil {
		err = refused(err)
	}
	return v, p, err
}

// executePlayWhy answers why a signal of a run has its value at a step.
func executePlayWhy(ctx context.Context, s *session, params *wire.PlayWhyParams) (answer wire.Cause, err error) {
	v, p, err := runFrom(ctx, s, wire.CommandPlayWhy.Name, wire.PlayParams{URI: params.URI, Run: &params.Run})
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
	root, err := runs.WhyInRun(ctx, v.doc, p.Values, lit, params.Step, limit)
	switch {
	case errors.Is(err, runs.ErrOutside):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the run has no step %d", params.Step)
	case err != nil:
		return answer, err
	}
	return snapshotFrom(ctx).cause(v, root), nil
}

// Runs that make a signal 1 are looked for beside the checks, one signal at a time, by the
// engine and under the limits of the checks, and never by the queue of the session.

// executeReach looks for a run in which the signal at a place is 1.
func executeReach(ctx context.Context, s *session, params *wire.ReachParams) (answer wire.Reached, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	v, err := openView(ctx, wire.CommandReach.Name, params.URI)
	if err != nil {
		return answer, err
	}
	run := snapshotFrom(ctx).settings.Run
	switch t := params.Timeout; {
	case t == nil:
	case !(*t >= 0 && *t <= maxTimeout):
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the timeout of %g seconds is not from 0 to %g", *t, float64(maxTimeout))
	default:
		run.Limits.Wall, run.Limits.CPU = time.Duration(*t*float64(time.Second)), 0
	}
	i := inquiries.Inquiry{Kind: inquiries.Reach, Title: "Looking for a run in " + path.Base(v.name.Path())}
	err = s.inquire(ctx, i, func(ctx context.Context, show func(string)) error {
		if v, err = asOnDisk(ctx, s, v); err != nil {
			return err
		}
		l, name, err := play.LitAt(ctx, v.doc, v.mapper.PositionOffset(params.Position))
		if err != nil {
			return err
		}
		found := inquiry.ReachLiterals(ctx, v.doc.Circuit(), []circuit.Lit{l}, inquiry.Terms{
			Engine: s.opts.Engine(run.Engine), Limits: run.Limits,
			Progress: func(p inquiry.Progress) {
				show(fmt.Sprintf("%s · depth %d · %d lemmas", name, p.Run.Depth, p.Run.Lemmas))
			},
		})[0]
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if found.Internal != nil {
			s.log.Error("cover: " + found.Internal.Error())
		}
		said, err := play.ReachedFrom(v.doc, l, name, found)
		answer = reached(said)
		return err
	})
	if err != nil {
		return answer, err
	}
	if now, ok := s.snapshot.Load().views[uri.URI(v.doc.URI)]; !ok || now.doc != v.doc {
		answer.Message = "The text has changed since. In the text that was asked about: " + answer.Message
	}
	return answer, nil
}

// asOnDisk returns the view of the same text with the files that it depends on as they are now.
func asOnDisk(ctx context.Context, s *session, v *view) (*view, error) {
	s.texts.lookNow(ctx)
	now := v
	s.queue.Do(func() { now = s.snapshot.Load().views[uri.URI(v.doc.URI)] })
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case now == nil || now.outOfStep || now.doc.Version != v.doc.Version:
		return nil, errors.New("the text has changed")
	}
	return now, nil
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
			return request, play.ErrNoOrigin
		}
	}
	if x := params.Change; x != nil {
		request.Change = &play.Change{Kind: play.ChangeKind(x.Kind), Signal: circuit.Lit(x.Signal), Step: x.Step, Steps: x.Steps, Seed: x.Seed}
	}
	return request, nil
}

// origin returns the counterexample of a property for the present text; nil for none.
func (v *view) origin(property wire.PropertyID) *play.Origin {
	id, err := propertyFromID(property)
	row, known := v.doc.Property(id)
	x := v.status(id).Counterexample
	if err != nil || !known || x == nil {
		return nil
	}
	return &play.Origin{Property: row, Trace: x.Whole(v.doc.Circuit())}
}

func (v *view) keptRun(r *wire.PlayedRun) *play.Kept {
	kept := &play.Kept{
		Circuit: r.Circuit, Steps: r.Steps, Inputs: keptSignals(r.Inputs), Latches: keptSignals(r.Latches), OriginSignal: circuit.Lit(r.PropertySignal),
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

// reached is what was found of a signal.
func reached(found play.Reached) wire.Reached {
	answer := wire.Reached{Verdict: wire.ReachVerdict(found.Verdict.String()), Name: found.Name, Message: found.Message}
	if found.Run != nil {
		run := playedRun(*found.Run)
		answer.Run = &run
	}
	return answer
}
