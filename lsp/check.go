package lsp

import (
	"context"
	"math"
	"slices"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// maxResults bounds the verdicts that are remembered for one file, with their
// certificates.
const maxResults = 256

func (s *session) startScheduler() {
	s.epoch++
	epoch := s.epoch
	s.scheduler = verify.NewScheduler(s.settings.Workers, func(e verify.Event) {
		s.post(func() {
			if epoch == s.epoch {
				s.onEvent(e)
			}
		})
	})
	s.scheduler.Prefer(s.preferred)
	if s.opts.Workers != nil {
		s.opts.Workers(s.settings.Workers)
	}
}

// restartScheduler changes the number of workers. What runs starts over once the
// old runs have ended, those of schedulers before as well, so that no property is
// checked twice at once.
func (s *session) restartScheduler() {
	old := s.scheduler
	s.startScheduler()
	s.eachRun(func(f *file, p circuit.Property, c *check) { s.showQueued(f, p, c) })
	s.closing++
	s.background(func(context.Context) {
		old.Close()
		s.post(func() {
			if s.closing--; s.closing == 0 {
				s.resubmit()
			}
		})
	})
}

// resubmit queues the runs of earlier schedulers in the present one.
func (s *session) resubmit() {
	s.eachRun(func(f *file, p circuit.Property, c *check) {
		if c.epoch < s.epoch {
			s.submit(f, p, c)
		}
	})
}

// renewRuns has what runs start over with the present limits and engine. Runs of an
// earlier scheduler are about to start over by themselves.
func (s *session) renewRuns() {
	s.eachRun(func(f *file, p circuit.Property, c *check) {
		c.job.Limits = s.settings.Run.Limits
		if c.epoch == s.epoch {
			s.submit(f, p, c)
			s.showQueued(f, p, c)
		}
	})
}

// eachRun calls f for every property with a run.
func (s *session) eachRun(visit func(*file, circuit.Property, *check)) {
	for _, f := range s.files {
		for p, c := range f.checks {
			if c.run != 0 {
				visit(f, p, c)
			}
		}
	}
}

// waitingRun is the number of a run that no scheduler has been given yet.
const waitingRun = math.MaxUint64

// submit gives the job of a property to the scheduler, in place of what runs there,
// with an engine of its own. While an earlier scheduler is about to end it waits as a
// run of that one.
func (s *session) submit(f *file, p circuit.Property, c *check) {
	if s.closing > 0 {
		c.run, c.epoch = waitingRun, s.epoch-1
		return
	}
	c.job.Engine = s.opts.Engine(s.settings.Run.Engine)
	c.run, c.epoch = s.scheduler.Submit(f.id(p), c.job), s.epoch
}

func (s *session) showQueued(f *file, p circuit.Property, c *check) {
	if !c.job.Recall {
		c.activity, c.report = ide.Queued, verify.Progress{}
		s.stateChanged(f, p)
	}
}

func (f *file) id(p circuit.Property) verify.ID { return verify.ID{Document: f.doc.URI, Property: p} }

// stop cancels the run of a property. It is idle at once; what the run still
// reports is no longer its own.
func (s *session) stop(f *file, p circuit.Property) {
	c := f.checks[p]
	if c == nil {
		return
	}
	c.release()
	s.urgent[uri.URI(f.doc.URI)] = true
	if c.run == 0 {
		s.unqueue(f, p, c)
		return
	}
	s.scheduler.Cancel(f.id(p))
	s.idle(f, p, c)
}

// idle ends a run. The job goes with it: it holds the circuit of a version that
// may be long gone.
func (s *session) idle(f *file, p circuit.Property, c *check) {
	recall := c.job.Recall
	c.run, c.job = 0, verify.Job{}
	if recall {
		s.touchProperty(f, p)
		if c.asked == nil {
			s.unqueue(f, p, c)
		}
		return
	}
	c.activity = ide.Idle
	f.active--
	if f.active == 0 && f.analysis != nil {
		s.urgent[uri.URI(f.doc.URI)] = true // there is nothing more to wait for
		s.settled = allSettled
	}
	s.updateProgress(f)
	s.stateChanged(f, p)
	s.surveyStep(f)
}

func (s *session) stopFile(f *file) {
	f.cancelSubmit()
	for p := range f.checks {
		s.stop(f, p)
	}
	s.surveyStep(f)
}

func (s *session) stopAll() {
	s.endSurvey()
	for _, f := range s.files {
		s.stopFile(f)
	}
}

// onEvent takes in what the scheduler reports of a run.
func (s *session) onEvent(e verify.Event) {
	f := s.files[uri.URI(e.ID.Document)]
	if f == nil {
		return
	}
	c := f.checks[e.ID.Property]
	if c == nil || c.run != e.Run || c.epoch != s.epoch {
		return
	}
	switch {
	case c.job.Recall && e.State == verify.Done && !e.Result.Checked.Certified():
		s.idle(f, e.ID.Property, c) // nothing is known, and nobody asked
	case e.State == verify.Running && !c.job.Recall:
		c.report = e.Progress
		if c.activity != ide.Checking {
			c.activity = ide.Checking
			s.stateChanged(f, e.ID.Property)
		} else {
			f.dirty[e.ID.Property] = true
			if now := time.Now(); now.Sub(f.reported) >= reportInterval {
				f.reported = now
				s.touch(f)
			}
		}
		s.updateProgress(f)
	case e.State == verify.Done:
		s.runDone(f, e.ID.Property, c, e.Result)
	}
}

// runDone records a verdict and relates it to the present text, which may be
// another than the one that was checked. Until that is known the run counts as
// not finished, so that a good verdict is never shown as stale for a moment.
func (s *session) runDone(f *file, p circuit.Property, c *check, r verify.Result) {
	if r.Internal != nil {
		s.log.Error("check failed", zap.String("uri", string(f.name)), zap.Stringer("property", p), zap.Error(r.Internal))
	}
	if old, ok := f.results[c.print]; ok && old.Checked.Certified() && !r.Checked.Certified() && (r.Internal == nil || r.Lost) {
		r = old // running out of time, or of a worker, does not take back a proof
	}
	r.Fingerprint = c.print // an engine that refuses the circuit does not get as far
	// What went wrong with a worker says nothing of the property: the next save
	// tries again.
	if !r.Unsupported && !r.Lost {
		f.remember(r)
	}
	s.learn(c, r)
	if f.analysis == nil {
		s.settle(f, p, c, &r)
		s.analyse(f) // the one under way does not know this verdict
		return
	}
	doc, run, epoch := f.doc, c.run, c.epoch
	s.background(func(ctx context.Context) {
		k, current := relate(ctx, doc, p, r)
		s.post(func() {
			if c.run != run || c.epoch != epoch || s.files[uri.URI(f.doc.URI)] != f {
				return
			}
			if current && f.doc == doc && f.analysis != nil {
				f.analysis.verdicts[p] = k
				f.keepTrace(p, k, doc)
			}
			s.settle(f, p, c, &r)
		})
	})
}

// relate holds a verdict against a text; current says that it is about that.
func relate(ctx context.Context, doc *document.Document, p circuit.Property, r verify.Result) (k known, current bool) {
	if doc.Fault(p) != nil {
		return known{}, false
	}
	if r.Unsupported {
		return known{result: &r}, true
	}
	if print, ok := doc.Fingerprint(p); !ok || print != r.Fingerprint {
		return known{}, false
	}
	return knownFrom(ctx, doc, p, r)
}

// showKnown shows a verdict that was found for another property with the same cone, or
// when the text was another, and that the analysis of the present one did not know.
func (s *session) showKnown(f *file, p circuit.Property, r verify.Result) {
	if f.analysis == nil {
		return // the analysis under way knows it
	}
	if _, shown := f.analysis.verdicts[p]; shown {
		return
	}
	doc := f.doc
	s.background(func(ctx context.Context) {
		k, current := relate(ctx, doc, p, r)
		if !current {
			return
		}
		s.post(func() {
			if s.files[uri.URI(doc.URI)] != f || f.doc != doc || f.analysis == nil {
				return
			}
			f.analysis.verdicts[p] = k
			f.check(p).last = k.result
			f.keepTrace(p, k, doc)
			s.stateChanged(f, p)
		})
	})
}

// settle ends a run with a verdict.
func (s *session) settle(f *file, p circuit.Property, c *check, r *verify.Result) {
	recalled := c.job.Recall
	c.last = r
	s.record(f, p, c, r)
	s.idle(f, p, c)
	if recalled { // which nobody has seen running, and which others follow
		s.publisher.requestSoon(uri.URI(f.doc.URI))
		s.askForLenses()
	}
}

// learn keeps what a result leaves for the next run: at most one proof and one
// counterexample, the newer one first.
func (s *session) learn(c *check, r verify.Result) {
	about, names := c.job.Circuit, c.job.Names
	s.background(func(context.Context) {
		e := r.Earlier(about, names)
		if e == nil {
			return
		}
		s.post(func() {
			kept := []learnt{{e, r.Checked.Outcome()}}
			for _, old := range c.earlier {
				if old.outcome != r.Checked.Outcome() {
					kept = append(kept, old)
				}
			}
			c.earlier = kept
		})
	})
}

// remember keeps a verdict for texts to come.
func (f *file) remember(r verify.Result) {
	if _, known := f.results[r.Fingerprint]; !known {
		f.order = append(f.order, r.Fingerprint)
	}
	f.results[r.Fingerprint] = r
	limit := max(maxResults, 2*len(f.checks))
	for len(f.order) > limit {
		delete(f.results, f.order[0])
		f.order = f.order[1:]
	}
}

// forgetUnknown drops the verdicts that say nothing.
func (f *file) forgetUnknown() {
	f.order = slices.DeleteFunc(f.order, func(print circuit.Fingerprint) bool {
		unknown := f.results[print].Checked.Outcome() == cert.Unknown
		if unknown {
			delete(f.results, print)
		}
		return unknown
	})
}

// stateChanged has a new state of a property shown everywhere.
func (s *session) stateChanged(f *file, p circuit.Property) {
	s.touchProperty(f, p)
	if key := uri.URI(f.doc.URI); f.active == 0 {
		s.publisher.request(key)
	} else {
		s.publisher.requestSoon(key)
	}
	s.askForLenses()
}
