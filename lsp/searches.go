package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/wire"
)

// search is a requested search.
type search struct {
	*session
	answers.Question
	view   *view
	status ide.Status // of the property
}

// searchFor returns a search about the first of some properties for which it makes sense; without
// one the error is that of none.
func searchFor(ctx context.Context, s *session, command string, params wire.PropertyParams, makesSense func(ide.Status) bool, none func(*view, []circuit.Property) error) (*search, error) {
	if err := refuseUntrusted(ctx); err != nil {
		return nil, err
	}
	v, ids, err := propertiesFrom(ctx, command, params)
	if err != nil {
		return nil, err
	}
	if ids == nil {
		for _, p := range v.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	set := snapshotFrom(ctx).settings
	for _, id := range ids {
		if status := v.status(id); makesSense(status) {
			p, _ := v.doc.Property(id)
			return &search{s, answers.Question{
				Document: v.doc, Property: p, Limit: set.Advice, Run: verify.Limits{Wall: set.Advice, Memory: set.Run.Limits.Memory},
				Engine: s.opts.Engine(set.Run.Engine),
			}, v, status}, nil
		}
	}
	return nil, none(v, ids)
}

// errTextChanged says that what was found is about a text that no longer exists.
var errTextChanged = errors.New("the text has changed")

// do searches within the limit. The client sees how far it is, and how long it may take. It is
// no error when the limit ends what work does; the end of the text is. No other search begins
// before work has returned, which shows under ctx what it has found within the limit.
func (a *search) do(ctx context.Context, title string, work func(ctx, limited context.Context) error) error {
	most := ""
	if a.Limit > 0 {
		title += fmt.Sprintf(", at most %g s", a.Limit.Seconds())
		most = fmt.Sprintf(" of %g", a.Limit.Seconds())
	}
	return a.inquire(ctx, inquiries.Inquiry{Kind: inquiries.Search, Title: title}, func(ctx context.Context, show func(string)) error {
		ctx, end := thread.WithCancelCause(ctx)
		defer end(nil)
		defer context.AfterFunc(a.present(), func() { end(errTextChanged) })()
		limited, stop := verify.WithLimits(ctx, verify.Limits{Wall: a.Limit})
		defer stop()
		begin := time.Now()
		a.Show = func(doing string) { show(fmt.Sprintf("%s · %.0f%s s", doing, time.Since(begin).Seconds(), most)) }
		err := a.view.doc.Elaborate(limited)
		if err == nil {
			err = work(ctx, limited)
		}
		switch {
		case context.Cause(ctx) == errTextChanged:
			return errTextChanged
		case limited.Err() != nil && ctx.Err() == nil:
			return nil
		}
		return err
	})
}

// present returns a context that lives as long as the text of the search is the present one.
func (a *search) present() context.Context {
	ctx, end := thread.WithCancel(a.ctx)
	end()
	a.queue.Do(func() {
		if f := a.texts.files[uri.URI(a.view.doc.URI)]; f != nil && f.doc == a.view.doc {
			ctx = f.present
		}
	})
	return ctx
}

// whenAnalysed makes the queue do something about the text of the search, if it is
// the present one still.
func (a *search) whenAnalysed(ctx context.Context, do func(f *file)) error {
	select {
	case <-a.view.analysed: // or the text is another
	case <-ctx.Done():
		return ctx.Err()
	}
	err := errTextChanged
	a.queue.Do(func() {
		if f := a.texts.files[uri.URI(a.view.doc.URI)]; f != nil && f.doc == a.view.doc && f.checks.IsAnalysed() {
			do(f)
			err = nil
		}
	})
	return err
}

// tell shows the user a sentence about the property.
func (a *search) tell(words string) {
	a.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: "aiglens: " + a.Property.Name + ": " + words})
}

// hasAnswer says that there is nothing to isolate.
func hasAnswer(*view, []circuit.Property) error {
	return refused(errors.New("this needs a property of the present text whose check ended without an answer"))
}

// executeIsolate leaves groups of latches free, one after another.
func executeIsolate(ctx context.Context, s *session, params *wire.PropertyParams) (answer wire.Answer, err error) {
	a, err := searchFor(ctx, s, wire.CommandIsolate.Name, *params, ide.Status.LacksAnswer, hasAnswer)
	if err != nil {
		return answer, err
	}
	a.Run.Wall = answers.IsolateEach
	var found answers.Isolation
	err = a.do(ctx, "Finding what makes "+a.Property.Name+" hard", func(ctx, limited context.Context) (err error) {
		isTaken := false
		found, err = answers.Isolate(limited, a.Question, func(f answers.Freed) error {
			if f.Whole == nil || isTaken {
				return nil
			}
			isTaken = true
			return a.importProof(ctx, *f.Whole)
		})
		return err
	})
	if err != nil {
		return answer, err
	}
	if !snapshotFrom(ctx).client.commands.has(ide.Isolate) {
		a.tell(found.Summary())
	}
	if err := a.view.doc.Elaborate(ctx); err != nil {
		return answer, err
	}
	text := found.Text(a.view.doc, a.Property)
	return answerMessage(a.view, snapshotFrom(ctx), a.Property, answers.Answer{Text: text.Text, Links: text.Links}), nil
}

// importProof makes a checked proof the verdict of the property.
func (a *search) importProof(ctx context.Context, r verify.Result) error {
	k, ok := checks.KnownFrom(ctx, a.view.doc, a.Property.ID, r)
	if !ok {
		return cmp.Or(ctx.Err(), errors.New("the proof was refused"))
	}
	return a.whenAnalysed(ctx, func(f *file) { a.checking.performAtOnce(f, f.checks.Import(a.view.doc, a.Property, r, k)) })
}

// foundRuns are the counterexamples that were found of a property of a text. Of another text
// they mean nothing.
type foundRuns struct {
	doc   *design.Design
	runs  []answers.KnownRun   // the first is that of the check
	shown *runs.Counterexample // one of them, as the user sees it; when another one is shown, all starts again
}

// anotherParams are the argument of a command about the counterexamples of a property.
func anotherParams(c ide.Command, about wire.PropertyParams) wire.AnotherParams {
	switch c {
	case ide.FindAnother:
		return wire.AnotherParams{PropertyParams: about, Find: wire.SoughtAnother}
	case ide.FindShortest:
		return wire.AnotherParams{PropertyParams: about, Find: wire.SoughtShortest}
	}
	return wire.AnotherParams{PropertyParams: about, Find: wire.SoughtKnown, Number: 1}
}

// executeAnother finds another counterexample, or the shortest, or shows one that is known.
func executeAnother(ctx context.Context, s *session, params *wire.AnotherParams) (answer wire.FoundRun, err error) {
	if !slices.Contains([]wire.Sought{wire.SoughtAnother, wire.SoughtShortest, wire.SoughtKnown}, params.Find) {
		return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q cannot be searched for: expected another, shortest or known", params.Find)
	}
	a, err := searchFor(ctx, s, wire.CommandAnother.Name, params.PropertyParams, ide.Status.HasOthers, noCounterexample)
	if err != nil {
		return answer, err
	}
	noun := "counterexample of "
	if a.Property.ID.Kind == circuit.PropertyCover {
		noun = "run that reaches "
	}
	switch params.Find {
	case wire.SoughtKnown:
		known := a.knownRuns()
		if params.Number < 1 || params.Number > len(known) {
			return answer, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no counterexample %d of %s: the present text has %d known ones", params.Number, a.Property.Name, len(known))
		}
		return a.showRun(ctx, known, params.Number-1)
	case wire.SoughtAnother:
		return a.findAnother(ctx, "Looking for another "+noun+a.Property.Name)
	}
	return a.findShortest(ctx, "Looking for the shortest "+noun+a.Property.Name)
}

// findAnother looks for a counterexample that is none of those that are known once it begins.
func (a *search) findAnother(ctx context.Context, title string) (answer wire.FoundRun, err error) {
	words := "it is unknown whether there is another one: timeout"
	var failed error
	answer = wire.FoundRun{Number: a.shownRun(), Known: len(a.knownRuns())}
	err = a.do(ctx, title, func(ctx, limited context.Context) error {
		known := a.knownRuns() // an earlier search may have found some
		answer = wire.FoundRun{Number: a.shownRun(), Known: len(known)}
		found, err := answers.FindAnother(limited, a.Question, known)
		if err != nil {
			return err
		}
		if words = found.Words; found.IsRun() {
			answer, failed = a.showRun(ctx, append(slices.Clone(known), found), len(known))
		}
		return nil
	})
	if err = cmp.Or(err, failed); err != nil {
		return answer, err
	}
	answer.Message = words
	a.tell(words)
	return answer, nil
}

// findShortest looks for the shortest counterexample, and shows the shortest that is known then.
func (a *search) findShortest(ctx context.Context, title string) (answer wire.FoundRun, err error) {
	const none = "no shorter one was found within the limit"
	words := none
	var failed error
	answer = wire.FoundRun{Number: a.shownRun(), Known: len(a.knownRuns())}
	err = a.do(ctx, title, func(ctx, limited context.Context) error {
		all, at, err := answers.FindShortest(limited, a.Question, a.knownRuns())
		if err != nil && limited.Err() == nil {
			return err
		}
		words = cmp.Or(all[at].Words, none)
		answer, failed = a.showRun(ctx, all, at)
		return err
	})
	if err = cmp.Or(err, failed); err != nil {
		return answer, err
	}
	a.tell(words)
	return answer, nil
}

// knownRuns returns the counterexamples that are known of the property now, of the text as the
// search knows it. The search takes note of the one that the user sees now.
func (a *search) knownRuns() (known []answers.KnownRun) {
	a.queue.Do(func() {
		f := a.texts.files[uri.URI(a.view.doc.URI)]
		if f == nil || f.doc != a.view.doc {
			return
		}
		if status := f.checks.Status(a.Property.ID); status.HasOthers() {
			a.status = status
		}
		if r := f.found.runs[a.Property.ID]; r != nil && r.doc == a.view.doc && r.shown == a.status.Counterexample {
			known = slices.Clone(r.runs)
		}
	})
	if known == nil {
		known = []answers.KnownRun{{Result: *a.status.Result}}
	}
	return known
}

// shownRun returns the number of the counterexample that the user sees.
func (a *search) shownRun() int {
	if among := a.status.Counterexample.AmongOf(a.view.doc); among != nil {
		return among.Number
	}
	return 1
}

// showRun makes one of some counterexamples that of the property, unless the text has changed.
// It is checked once more against the text.
func (a *search) showRun(ctx context.Context, known []answers.KnownRun, at int) (answer wire.FoundRun, err error) {
	r, p := known[at], a.Property.ID
	k, ok := checks.KnownFrom(ctx, a.view.doc, p, r.Result)
	if !ok {
		return answer, refused(errors.New("the counterexample was refused"))
	}
	answer = wire.FoundRun{Number: at + 1, Known: len(known), Message: r.Words}
	k.Counterexample = k.Counterexample.WithAmong(runs.Among{Document: a.view.doc, Number: answer.Number, Known: answer.Known, Words: answer.Message})
	err = a.whenAnalysed(ctx, func(f *file) {
		// What was seen before is in the history.
		effects := slices.DeleteFunc(f.checks.Import(a.view.doc, a.Property, r.Result, k), func(e checks.Effect) bool {
			_, is := e.(checks.Record)
			return is && r.Words == ""
		})
		if f.found.runs == nil {
			f.found.runs = map[circuit.Property]*foundRuns{}
		}
		f.found.runs[p] = &foundRuns{doc: a.view.doc, runs: known, shown: k.Counterexample}
		a.checking.performAtOnce(f, effects)
		a.publishing.showStep(f, &ide.Selection{Property: p, Step: k.Counterexample.Steps() - 1})
	})
	if errors.Is(err, errTextChanged) {
		return answer, refused(err)
	}
	return answer, err
}
