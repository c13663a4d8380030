package lsp

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/settings"
)

// Package checks decides what becomes of a check. What it asks for is done here: texts are
// prepared, the scheduler and the user are told, and what came of it goes back as events.

// checkFile prepares a check of all properties that have no verdict yet. The
// preparation belongs to the text as it is now: later edits do not cancel it,
// but a later preparation and closing do.
func (s *session) checkFile(f *file) { s.checkWhenSure(f, f.doc, f.checks.Text()) }

// checkWhenSure checks a text of a file, which may be an earlier one, as it is read once
// verdicts can be known.
func (s *session) checkWhenSure(f *file, doc *design.Design, text checks.Text) {
	s.whenSure(f, func() {
		if f.doc.Version == doc.Version {
			s.checkText(f, f.doc, f.checks.Text())
		} else { // typing has gone on
			s.checkText(f, doc.WithOptions(s.settings.Document), text)
		}
	})
}

func (s *session) checkText(f *file, doc *design.Design, text checks.Text) {
	if !s.settings.IsTrusted() {
		return
	}
	s.prepareFile(f, doc, text, func(jobs []checks.Job) []checks.Effect {
		return f.checks.Save(text, doc.Properties(), jobs, s.preferredIn(f))
	})
}

// maxRecalls bounds the properties that the cache is asked for when a file is
// opened: each costs the check of a certificate.
const maxRecalls = 1000

// recallFile asks the cache for the verdicts of a file that has just been opened.
func (s *session) recallFile(f *file) {
	if s.cache() == nil || s.settings.Trigger == settings.Manual || !s.settings.IsTrusted() {
		return
	}
	s.whenSure(f, func() {
		doc, text := f.doc, f.checks.Text()
		s.prepareFile(f, doc, text, func(jobs []checks.Job) []checks.Effect {
			return f.checks.Open(text, doc.Properties(), jobs[:min(len(jobs), maxRecalls)])
		})
	})
}

func (s *session) prepareFile(f *file, doc *design.Design, text checks.Text, then func([]checks.Job) []checks.Effect) {
	f.cancelPreparation()
	ctx, cancel := context.WithCancel(s.ctx)
	f.preparing = cancel
	s.background(func(context.Context) {
		var jobs []checks.Job
		defer func() {
			s.post(func() {
				if ctx.Err() == nil {
					f.preparing = nil
					s.perform(f, then(s.onTerms(jobs)))
					s.letGoWhenDone(f)
				}
				cancel()
			})
		}()
		var all []circuit.Property
		for _, p := range doc.Properties() {
			all = append(all, p.ID)
		}
		jobs = checks.Prepare(ctx, doc, all)
	})
}

// cancelPreparation ends the preparation of a file.
func (f *file) cancelPreparation() {
	f.deferred = nil
	if f.preparing != nil {
		f.preparing()
		f.preparing = nil
	}
}

// checkProperties runs checks of the present text that the user asked for, whatever is
// known, for at most so many seconds each; nil is what is set. The properties are queued at
// once, so that they can be stopped from then on.
func (s *session) checkProperties(f *file, properties []circuit.Property, timeout *float64) {
	if !s.settings.IsTrusted() {
		return
	}
	doc := f.doc
	ctx, cancel := context.WithCancel(s.ctx)
	request, effects := f.checks.Ask(doc.Properties(), properties)
	f.requests[request] = cancel
	s.perform(f, effects)
	s.background(func(context.Context) {
		var jobs []checks.Job
		defer func() {
			s.post(func() {
				jobs = s.onTerms(jobs)
				if timeout != nil {
					for i := range jobs {
						jobs[i].LimitTime(time.Duration(*timeout * float64(time.Second)))
					}
				}
				s.perform(f, f.checks.Answer(request, jobs, s.preferredIn(f)))
			})
		}()
		jobs = checks.Prepare(ctx, doc, properties)
	})
}

// onTerms gives jobs the limits of the settings, and the cache.
func (s *session) onTerms(jobs []checks.Job) []checks.Job {
	for i := range jobs {
		jobs[i].Limits, jobs[i].Cache = s.settings.Run.Limits, s.cache()
	}
	return jobs
}

// preferredIn returns the property of a file where the user is.
func (s *session) preferredIn(f *file) circuit.Property {
	if s.preferred.Document != f.doc.URI {
		return checks.Nowhere
	}
	return s.preferred.Property
}

// cache returns the memory of results on disk, and of the cluster; nil when there is none or the
// user wants none.
func (s *session) cache() verify.Cache {
	switch {
	case !s.settings.Cache:
		return nil
	case s.address.URL != "":
		return whileWanted{s.offers.Cache(s.opts.Cache), &s.wantsCache}
	case s.opts.Cache == nil:
		return nil
	}
	return whileWanted{s.opts.Cache, &s.wantsCache}
}

// whileWanted is a cache that checks under way leave alone once the user wants none.
type whileWanted struct {
	verify.Cache
	wanted *atomic.Bool
}

func (c whileWanted) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (e verify.Entry, ok bool) {
	if !c.wanted.Load() {
		return e, false
	}
	return c.Cache.Lookup(fingerprint, problem)
}

func (c whileWanted) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if c.wanted.Load() {
		c.Cache.Store(fingerprint, problem, e)
	}
}

// stop ends the checks of some properties. They are idle at once.
func (s *session) stop(f *file, properties ...circuit.Property) {
	defer s.scheduler.Pause()()
	for _, p := range properties {
		s.performAtOnce(f, f.checks.On(p, checks.Stopped{}))
	}
}

func (s *session) stopFile(f *file) {
	defer s.scheduler.Pause()()
	f.stops++
	f.cancelPreparation()
	s.performAtOnce(f, f.checks.All(checks.Stopped{}))
	s.letGoWhenDone(f)
}

func (s *session) stopAll() {
	defer s.scheduler.Pause()()
	s.endWorkspaceCheck()
	for _, f := range s.files {
		s.stopFile(f)
	}
}

// performAtOnce does what follows from what the user has just wanted.
func (s *session) performAtOnce(f *file, effects []checks.Effect) {
	if len(effects) > 0 {
		s.urgent[uri.URI(f.doc.URI)] = true
	}
	s.perform(f, effects)
}

// perform does what the checks of a file ask for.
func (s *session) perform(f *file, effects []checks.Effect) {
	if slices.ContainsFunc(effects, func(e checks.Effect) bool { _, is := e.(checks.Submit); return is }) {
		defer s.scheduler.Pause()() // or a property begins before the lemmas that it is to wait for
	}
	changed := false
	for _, effect := range effects {
		switch e := effect.(type) {
		case checks.Submit:
			s.submit(f, e.Property)
		case checks.Cancel:
			s.scheduler.Cancel(f.id(e.Property))
		case checks.Begun:
			s.startProgress(f)
		case checks.Relate:
			s.relate(f, e)
		case checks.Record:
			s.record(f, e)
			s.explainProofs(f)
		case checks.Show:
			s.showState(f, e)
			changed = true
		case checks.Report:
			s.reportRun(f, e.Property)
		case checks.Touch:
			f.dirty[e.Property] = true
		case checks.Analyse:
			s.analyse(f)
		case checks.Learn:
			s.learn(e)
		case checks.Abandon:
			f.requests[e.Request]()
			delete(f.requests, e.Request)
			changed = true
		case checks.Settled:
			s.urgent[uri.URI(f.doc.URI)] = true // there is nothing more to wait for
			s.askForLenses(allSettled)
			s.explainProofs(f)
		case checks.Carried:
			s.carrySelection(f, e)
		}
	}
	if changed {
		s.letGoWhenDone(f)
	}
}

func (f *file) id(p circuit.Property) verify.ID { return verify.ID{Document: f.doc.URI, Property: p} }

// submit gives the job of a property to the scheduler, with an engine of its own. While
// an earlier scheduler is about to end it waits.
func (s *session) submit(f *file, p circuit.Property) {
	if s.closing > 0 || !f.checks.IsDue(p) {
		return
	}
	job := f.checks.Job(p).Job
	spec := s.settings.Run.Engine
	job.Engine = s.opts.Engine(spec)
	if !job.Recall && s.opts.Cluster != nil {
		job.Engine = s.offers.Engine(job.Engine, spec, job.Limits)
	}
	run := checks.Run{Scheduler: s.schedulers, Number: s.scheduler.Submit(f.id(p), job)}
	f.checks.On(p, checks.Accepted{Run: run})
}

// relate holds a verdict against the present text.
func (s *session) relate(f *file, e checks.Relate) {
	doc, text, ctx := f.doc, f.checks.Text(), f.present
	s.background(func(context.Context) {
		relation := checks.Relation{Run: e.Run}
		defer func() {
			s.post(func() {
				if s.files[uri.URI(doc.URI)] == f {
					s.perform(f, f.checks.Relate(text, e.Property, relation))
				}
			})
		}()
		relation = checks.RelationOf(ctx, doc, e)
	})
}

// learn finds out what a result leaves for later runs.
func (s *session) learn(e checks.Learn) {
	s.background(func(ctx context.Context) {
		if earlier := e.Result.Earlier(ctx, e.Circuit, e.Names); earlier != nil {
			s.post(func() { e.Slot.Learn(earlier, e.Result.Checked.Outcome()) })
		}
	})
}

// showState has a new state of a property shown everywhere.
func (s *session) showState(f *file, e checks.Show) {
	s.touchProperty(f, e.Property)
	if key := uri.URI(f.doc.URI); e.Soon || f.checks.Active() > 0 {
		s.publisher.requestSoon(key)
	} else {
		s.publisher.request(key)
	}
	s.askForLenses(lensChanged)
	s.updateProgress(f)
}

// reportRun has it shown how far a run has come. Of all runs of a file the snapshot is
// told so often and not more.
func (s *session) reportRun(f *file, p circuit.Property) {
	f.dirty[p] = true
	if now := time.Now(); now.Sub(f.reported) >= reportInterval {
		f.reported = now
		s.touch(f)
	}
	s.updateProgress(f)
	if f.catchUp != nil {
		f.catchUp.Reset(reportRest)
		return
	}
	f.catchUp = time.AfterFunc(reportRest, func() {
		s.post(func() {
			if s.files[uri.URI(f.doc.URI)] == f && f.checks.Active() > 0 {
				s.touch(f)
				s.askForLenses(lensChanged)
			}
		})
	})
}

// reportRest is how long the runs of a file have reported nothing when all that they have said
// is shown, in lenses, too: the last report may have come too early after another.
const reportRest = 3 * reportInterval

// onEvent takes in what a scheduler reports of a run.
func (s *session) onEvent(run checks.Run, e verify.Event) {
	f := s.files[uri.URI(e.ID.Document)]
	if f == nil {
		return
	}
	switch p := e.ID.Property; e.State {
	case verify.Running:
		s.perform(f, f.checks.On(p, checks.Progressed{Run: run, Progress: e.Progress}))
	case verify.Done:
		if e.Result.Internal != nil && f.checks.IsAwaited(p, run) {
			s.log.Error("check failed", zap.String("uri", string(f.name)), zap.Stringer("property", p), zap.Error(e.Result.Internal))
		}
		if e.Result.Aside != nil {
			s.log.Error("a part of the engine failed", zap.String("uri", string(f.name)), zap.Stringer("property", p), zap.Error(e.Result.Aside))
		}
		s.perform(f, f.checks.On(p, checks.Finished{Run: run, Result: e.Result}))
	}
}

func (s *session) startScheduler() {
	s.schedulers++
	number := s.schedulers
	s.scheduler = verify.NewScheduler(s.settings.Workers, func(e verify.Event) {
		s.post(func() { s.onEvent(checks.Run{Scheduler: number, Number: e.Run}, e) })
	})
	s.scheduler.Prefer(s.preferred)
	if s.opts.Workers != nil {
		s.opts.Workers(s.settings.Workers)
	}
}

// typingRest is how long nobody has typed when checks may use all processors again.
const typingRest = time.Second

// leaveProcessor keeps one processor free of checks, for whoever types, until typing
// rests.
func (s *session) leaveProcessor() {
	if s.opts.Processors == nil {
		return
	}
	if s.resting == nil {
		s.opts.Processors(max(1, runtime.NumCPU()-1))
	} else {
		s.resting.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(typingRest, func() {
		s.post(func() {
			if s.resting == timer {
				s.resting = nil
				s.opts.Processors(runtime.NumCPU())
			}
		})
	})
	s.resting = timer
}

// restartScheduler changes the number of workers. What runs starts over once the
// old runs have ended, those of schedulers before as well, so that no property is
// checked twice at once.
func (s *session) restartScheduler() {
	old := s.scheduler
	s.startScheduler()
	s.tellChecks(checks.SchedulerReplaced{})
	s.closing++
	s.background(func(context.Context) {
		old.Close()
		s.post(func() {
			if s.closing--; s.closing == 0 {
				s.tellChecks(checks.SchedulerReady{})
			}
		})
	})
}

// tellChecks gives an event to the checks of all files.
func (s *session) tellChecks(e checks.Event) {
	for _, f := range s.files {
		s.perform(f, f.checks.All(e))
	}
}
