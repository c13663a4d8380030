package lsp

import (
	"context"
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
	s.scheduler = verify.NewScheduler(s.settings.workers, func(e verify.Event) {
		s.post(func() {
			if epoch == s.epoch {
				s.onEvent(e)
			}
		})
	})
}

// restartScheduler changes the number of workers. What runs starts over once the
// old runs have ended, so that no property is checked twice at once.
func (s *session) restartScheduler() {
	old := s.scheduler
	s.startScheduler()
	for _, f := range s.files {
		for p, c := range f.checks {
			if c.run != 0 {
				c.activity, c.report = ide.Queued, verify.Progress{}
				s.stateChanged(f, p)
			}
		}
	}
	s.background(func(context.Context) {
		old.Close()
		s.post(s.resubmit)
	})
}

// resubmit queues the runs of earlier schedulers in the present one.
func (s *session) resubmit() {
	for _, f := range s.files {
		for p, c := range f.checks {
			if c.run != 0 && c.epoch < s.epoch {
				c.run, c.epoch = s.scheduler.Submit(f.id(p), c.job), s.epoch
			}
		}
	}
}

func (f *file) id(p circuit.Property) verify.ID { return verify.ID{Document: f.doc.URI, Property: p} }

// checkFile prepares a check of all properties that have no verdict yet. The
// preparation belongs to the text as it is now: later edits do not cancel it,
// but a later preparation and closing do.
func (s *session) checkFile(f *file) {
	if f.submit != nil {
		f.submit()
	}
	ctx, cancel := context.WithCancel(s.ctx)
	f.submit = cancel
	doc := f.doc
	s.background(func(context.Context) {
		var ids []circuit.Property
		for _, p := range doc.Properties() {
			ids = append(ids, p.ID)
		}
		jobs := prepare(ctx, doc, ids)
		s.post(func() {
			if ctx.Err() == nil {
				s.submitSaved(f, doc, jobs)
			}
			cancel()
		})
	})
}

// preparation is what goes before the runs that the user asked for. It ends when
// all its properties have been stopped.
type preparation struct {
	cancel  context.CancelFunc
	waiting int // properties whose record points here
}

// checkProperties runs checks that the user asked for, whatever is known. The
// properties are queued at once, so that they can be stopped from then on.
func (s *session) checkProperties(f *file, ids []circuit.Property) {
	ctx, cancel := context.WithCancel(s.ctx)
	asked := &preparation{cancel: cancel}
	for _, p := range ids {
		c := f.check(p)
		c.release()
		c.asked = asked
		asked.waiting++
		if c.run == 0 {
			c.activity, c.report = ide.Queued, verify.Progress{}
			s.stateChanged(f, p)
		}
	}
	doc := f.doc
	s.background(func(context.Context) {
		jobs := prepare(ctx, doc, ids)
		s.post(func() {
			s.submitAsked(f, doc, asked, ids, jobs)
			cancel()
		})
	})
}

// submitAsked starts the jobs of a preparation that have not been stopped.
func (s *session) submitAsked(f *file, doc *document.Document, asked *preparation, ids []circuit.Property, jobs []prepared) {
	if s.files[uri.URI(doc.URI)] != f {
		return
	}
	if f.analysis == nil {
		s.carry(f, doc.Properties())
	}
	for _, j := range jobs {
		if c := f.check(j.property); c.asked == asked {
			c.release()
			s.submitJob(f, doc, j)
		}
	}
	for _, p := range ids {
		if c := f.check(p); c.asked == asked { // it has a fault
			c.release()
			s.unqueue(f, p, c)
		}
	}
}

// release takes a property out of the preparation that it waits for.
func (c *check) release() {
	if c.asked == nil {
		return
	}
	if c.asked.waiting--; c.asked.waiting == 0 {
		c.asked.cancel()
	}
	c.asked = nil
}

// unqueue shows a property without a run as idle.
func (s *session) unqueue(f *file, p circuit.Property, c *check) {
	if c.run == 0 && c.activity != ide.Idle {
		c.activity = ide.Idle
		s.stateChanged(f, p)
	}
}

// prepared is a property that may be checked.
type prepared struct {
	property    circuit.Property
	fingerprint circuit.Fingerprint // zero for justice
}

// prepare computes fingerprints and leaves out properties with a fault.
func prepare(ctx context.Context, doc *document.Document, ids []circuit.Property) []prepared {
	var jobs []prepared
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil
		}
		if doc.Fault(id) == nil {
			print, _ := doc.Fingerprint(id)
			jobs = append(jobs, prepared{id, print})
		}
	}
	return jobs
}

// submitSaved starts the jobs of a save whose verdict is not known. A run about
// another cone than the saved one is cancelled, also when its property is gone.
func (s *session) submitSaved(f *file, doc *document.Document, jobs []prepared) {
	if f.analysis == nil {
		s.carry(f, doc.Properties()) // the jobs speak of these rows
	}
	wanted := map[circuit.Property]bool{}
	for _, j := range jobs {
		wanted[j.property] = true
		c := f.check(j.property)
		_, done := f.results[j.fingerprint]
		if j.fingerprint == (circuit.Fingerprint{}) {
			done = c.last != nil
		}
		if !done {
			s.submitJob(f, doc, j)
		} else if c.run != 0 && c.print != j.fingerprint {
			s.stop(f, j.property)
		}
	}
	for p, c := range f.checks {
		if _, exists := doc.Property(p); !exists && !wanted[p] && c.run != 0 {
			s.stop(f, p)
		}
	}
}

// submitJob queues one check unless the same one is queued or running.
func (s *session) submitJob(f *file, doc *document.Document, j prepared) {
	c := f.check(j.property)
	if c.run != 0 && c.print == j.fingerprint {
		return
	}
	c.job = verify.Job{
		Circuit: doc.Circuit(), Property: j.property, Engine: s.opts.Engine(),
		Limits: verify.Limits{Wall: s.settings.timeout, Memory: s.settings.memory},
	}
	if c.run == 0 {
		f.active++
	}
	c.run, c.epoch = s.scheduler.Submit(f.id(j.property), c.job), s.epoch
	c.print = j.fingerprint
	c.activity, c.report = ide.Queued, verify.Progress{}
	s.startProgress(f)
	s.stateChanged(f, j.property)
}

// stop cancels the run of a property. It is idle at once; what the run still
// reports is no longer its own.
func (s *session) stop(f *file, p circuit.Property) {
	c := f.checks[p]
	if c == nil {
		return
	}
	c.release()
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
	c.run, c.job, c.activity = 0, verify.Job{}, ide.Idle
	f.active--
	s.updateProgress(f)
	s.stateChanged(f, p)
}

func (s *session) stopFile(f *file) {
	if f.submit != nil {
		f.submit()
	}
	for p := range f.checks {
		s.stop(f, p)
	}
}

func (s *session) stopAll() {
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
	switch e.State {
	case verify.Running:
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
	case verify.Done:
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
	if r.Fingerprint != (circuit.Fingerprint{}) && !r.Lost {
		f.remember(r)
	}
	if f.analysis == nil {
		s.settle(f, p, c, &r)
		s.analyse(f) // the one under way does not know this verdict
		return
	}
	doc, run, epoch := f.doc, c.run, c.epoch
	s.background(func(ctx context.Context) {
		k, current := known{result: &r}, doc.Fault(p) == nil
		if current && r.Fingerprint != (circuit.Fingerprint{}) {
			print, ok := doc.Fingerprint(p)
			if current = ok && print == r.Fingerprint; current {
				k, current = knownFrom(ctx, doc, p, r)
			}
		}
		s.post(func() {
			if c.run != run || c.epoch != epoch || s.files[uri.URI(f.doc.URI)] != f {
				return
			}
			if current && f.doc == doc && f.analysis != nil {
				f.analysis.verdicts[p] = k
			}
			s.settle(f, p, c, &r)
		})
	})
}

// settle ends a run with a verdict.
func (s *session) settle(f *file, p circuit.Property, c *check, r *verify.Result) {
	c.last = r
	s.idle(f, p, c)
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
