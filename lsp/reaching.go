package lsp

import (
	"context"
	"errors"
	"fmt"
	"path"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/play"
	"aiglens/ic3/inquiry"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/wire"
)

// executeReach looks for a run in which the signal at a place is 1, or an expression holds.
func executeReach(ctx context.Context, s *session, params *wire.ReachParams) (answer wire.Reached, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	v, err := openView(ctx, wire.CommandReach.Name, params.URI)
	if err != nil {
		return answer, err
	}
	run := snapshotFrom(ctx).settings.Run
	if run.Limits, err = withTimeout(run.Limits, params.Timeout); err != nil {
		return answer, err
	}
	i := inquiries.Inquiry{Kind: inquiries.Reach, Title: "Looking for a run in " + path.Base(v.name.Path())}
	err = s.inquire(ctx, i, func(ctx context.Context, show func(string)) error {
		if v, err = asOnDisk(ctx, s, v); err != nil {
			return err
		}
		goal, err := goalOf(ctx, v, params)
		if err != nil {
			return err
		}
		found := inquiry.ReachLiterals(ctx, goal.Circuit, []circuit.Lit{goal.Lit}, inquiry.Terms{
			Engine: s.opts.Engine(run.Engine), Limits: run.Limits,
			Progress: func(p inquiry.Progress) {
				show(fmt.Sprintf("%s · depth %d · %s", goal.Name, p.Run.Depth, answers.Count(p.Run.Lemmas, "lemma", "lemmas")))
			},
		})[0]
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if found.Internal != nil {
			s.log.Error("cover: " + found.Internal.Error())
		}
		run, err := play.ReachedFrom(ctx, v.doc, &goal, found)
		answer = reached(run)
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

// goalOf returns what a run is looked for: an expression, or the signal at a place.
func goalOf(ctx context.Context, v *view, params *wire.ReachParams) (g play.Goal, err error) {
	if params.Expression != "" {
		if err := v.doc.Elaborate(ctx); err != nil {
			return g, err
		}
		if g, err = play.GoalFrom(v.doc, v.doc.Circuit(), params.Expression, 1); err != nil {
			return g, play.NotFound(ctx, v.doc, err)
		}
		return g, design.SoundAt(v.doc, g.Signals()...)
	}
	l, name, err := play.LitAt(ctx, v.doc, v.mapper.PositionOffset(params.Position))
	if err != nil {
		return g, err
	}
	return play.SignalGoal(v.doc, l, name, 1), nil
}

// asOnDisk returns the view of the same text with the files that it depends on as they are now.
func asOnDisk(ctx context.Context, s *session, v *view) (*view, error) {
	s.texts.rereadNow(ctx)
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

// reached is what was found of a signal.
func reached(found play.Reached) wire.Reached {
	answer := wire.Reached{Verdict: wire.ReachVerdict(found.Verdict.String()), Name: found.Name, Message: found.Message}
	if found.Run != nil {
		run := playedRun(*found.Run)
		answer.Run = &run
	}
	return answer
}
