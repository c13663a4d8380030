package lsp

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
	"aiglens/lsp/settings"
)

// prepared is a property that may be checked.
type prepared struct {
	property    circuit.Property
	record      circuit.Property // where its record is
	name        string           // of the property
	fingerprint circuit.Fingerprint
	size        int // of the cone
	names       verify.Names
}

// learnt is what an earlier run leaves for the next one.
type learnt struct {
	earlier *verify.Earlier
	outcome cert.Outcome
}

// preparation is what goes before the runs that the user asked for. It ends when
// all its properties have been stopped.
type preparation struct {
	cancel  context.CancelFunc
	waiting int // properties whose record points here
}

// checkFile prepares a check of all properties that have no verdict yet. The
// preparation belongs to the text as it is now: later edits do not cancel it,
// but a later preparation and closing do.
func (s *session) checkFile(f *file) {
	s.prepareFile(f, func(doc *document.Document, jobs []prepared) { s.submitSaved(f, doc, jobs) })
}

// maxRecalls bounds the properties that the cache is asked for when a file is
// opened: each costs the check of a certificate.
const maxRecalls = 1000

// recallFile asks the cache for the verdicts of a file that has just been opened.
func (s *session) recallFile(f *file) {
	if s.cache() == nil || s.settings.Trigger == settings.Manual {
		return
	}
	s.prepareFile(f, func(doc *document.Document, jobs []prepared) {
		jobs, _ = s.place(f, doc, jobs[:min(len(jobs), maxRecalls)])
		for _, j := range jobs {
			if c := f.check(j.record); c.run == 0 && c.last == nil {
				s.begin(f, doc, j, true)
			}
		}
	})
}

func (s *session) prepareFile(f *file, then func(*document.Document, []prepared)) {
	f.cancelSubmit()
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
				f.submit = nil
				then(doc, jobs)
				s.surveyStep(f)
			}
			cancel()
		})
	})
}

// cancelSubmit ends the preparation of a file.
func (f *file) cancelSubmit() {
	if f.submit != nil {
		f.submit()
		f.submit = nil
	}
}

// cache returns the memory of results on disk, nil when there is none or the user
// wants none.
func (s *session) cache() verify.Cache {
	if !s.settings.Cache || s.opts.Cache == nil {
		return nil
	}
	return whileWanted{s.opts.Cache, &s.wantsCache}
}

// whileWanted is a cache that checks under way leave alone once the user wants none.
type whileWanted struct {
	verify.Cache
	wanted *atomic.Bool
}

func (c whileWanted) Lookup(print circuit.Fingerprint, problem *circuit.Circuit) (e verify.Entry, ok bool) {
	if !c.wanted.Load() {
		return e, false
	}
	return c.Cache.Lookup(print, problem)
}

func (c whileWanted) Store(print circuit.Fingerprint, problem *circuit.Circuit, e verify.Entry) {
	if c.wanted.Load() {
		c.Cache.Store(print, problem, e)
	}
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
		if c.run == 0 || c.job.Recall {
			c.activity, c.report = ide.Queued, verify.Progress{}
			s.stateChanged(f, p)
		}
	}
	doc := f.doc
	s.background(func(context.Context) {
		jobs := prepare(ctx, doc, ids)
		s.post(func() {
			s.submitAsked(f, doc, asked, jobs)
			cancel()
		})
	})
}

// submitAsked starts the jobs of a preparation that have not been stopped.
func (s *session) submitAsked(f *file, doc *document.Document, asked *preparation, jobs []prepared) {
	if s.files[uri.URI(doc.URI)] != f {
		return
	}
	jobs, _ = s.place(f, doc, jobs)
	s.inOrder(f, jobs)
	for _, j := range jobs {
		if c := f.check(j.record); c.asked == asked {
			c.release()
			s.submitJob(f, doc, j)
		}
	}
	for p, c := range f.checks {
		if c.asked == asked { // it has a fault, or its row has gone
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
	if (c.run == 0 || c.job.Recall) && c.activity != ide.Idle {
		c.activity = ide.Idle
		s.stateChanged(f, p)
		s.surveyStep(f)
	}
}

// place finds the records of jobs about a text, and of all its rows. The records may
// have followed their rows into a later text since the jobs were prepared; those of
// rows whose place another one has taken are no more.
func (s *session) place(f *file, doc *document.Document, jobs []prepared) (placed []prepared, rows map[circuit.Property]bool) {
	moved := map[circuit.Property]circuit.Property{}
	switch {
	case f.analysis == nil:
		s.carry(f, doc.Properties())
	case !sameRows(doc.Properties(), f.rows):
		moved = movedRows(doc.Properties(), f.rows)
	}
	rows = map[circuit.Property]bool{}
	for _, p := range doc.Properties() {
		to, known := moved[p.ID]
		if !known {
			to = p.ID
		}
		rows[to] = to != gone
	}
	for _, j := range jobs {
		if to, known := moved[j.property]; known {
			j.record = to
		}
		if j.record != gone {
			placed = append(placed, j)
		}
	}
	return placed, rows
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
			row, _ := doc.Property(id)
			jobs = append(jobs, prepared{property: id, record: id, name: row.Name, fingerprint: print, size: doc.ConeSize(id)})
		}
	}
	if len(jobs) > 0 {
		latches, inputs := doc.ElementNames()
		for i := range jobs {
			jobs[i].names = verify.Names{Latches: latches, Inputs: inputs}
		}
	}
	return jobs
}

// inOrder sorts jobs as the scheduler takes them: it may take the first before it
// has been given the others.
func (s *session) inOrder(f *file, jobs []prepared) {
	slices.SortStableFunc(jobs, func(a, b prepared) int {
		switch s.preferred {
		case f.id(a.record):
			return -1
		case f.id(b.record):
			return 1
		}
		return cmp.Compare(a.size, b.size)
	})
}

// submitSaved starts the jobs of a save whose verdict is not known. A run about
// another cone than the saved one is cancelled, also when its property is gone.
func (s *session) submitSaved(f *file, doc *document.Document, jobs []prepared) {
	jobs, rows := s.place(f, doc, jobs)
	s.inOrder(f, jobs)
	for _, j := range jobs {
		c := f.check(j.record)
		r, done := f.results[j.fingerprint]
		switch {
		case c.last != nil && c.last.Unsupported:
			done = true
		case done:
			s.showKnown(f, j.record, r)
		}
		if !done {
			s.submitJob(f, doc, j)
		} else if c.run != 0 && c.print != j.fingerprint {
			s.stop(f, j.record)
		}
	}
	for p, c := range f.checks {
		if !rows[p] && c.run != 0 {
			s.stop(f, p)
		}
	}
}

// submitJob queues one check unless the same one is queued or running.
func (s *session) submitJob(f *file, doc *document.Document, j prepared) {
	if c := f.check(j.record); c.run == 0 || c.job.Recall || c.print != j.fingerprint {
		s.begin(f, doc, j, false)
	}
}

// begin gives a check to the scheduler. One of the cache alone is shown nowhere
// until it has a verdict.
func (s *session) begin(f *file, doc *document.Document, j prepared, recall bool) {
	c := f.check(j.record)
	if !recall && (c.run == 0 || c.job.Recall) {
		f.active++
	}
	c.job = verify.Job{
		Circuit: doc.Circuit(), Property: j.property, Size: j.size, Limits: s.settings.Run.Limits,
		Cache: s.cache(), Recall: recall, Names: j.names,
	}
	if r := f.results[j.fingerprint]; r.Checked.Certified() {
		c.job.Cache = nil // the user wants it checked once more
	} else {
		for _, l := range c.earlier {
			c.job.Earlier = append(c.job.Earlier, l.earlier)
		}
	}
	c.print, c.version, c.name = j.fingerprint, doc.Version, j.name
	s.submit(f, j.record, c)
	if !recall {
		s.startProgress(f)
		s.showQueued(f, j.record, c)
	}
}
