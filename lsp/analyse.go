package lsp

import (
	"context"
	"maps"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// analysis is what the circuit of one text says about verdicts.
type analysis struct {
	faults   map[circuit.Property]int // lines (from 1) of errors in the cone
	verdicts map[circuit.Property]known
}

// known is a verdict that holds for the present text: its fingerprint is that
// of the property's cone.
type known struct {
	result         *verify.Result
	counterexample *ide.Counterexample
	embedding      document.Embedding // of the cone, where there is a counterexample
	leftOpen       bool               // see ide.Status
}

// largeText is the size in bytes from which building the circuit waits until
// typing rests, and diagnostics of the syntax do not wait for the circuit.
const largeText = 256 << 10

// analyse starts the analysis of a file's text and cancels the one before it, whose
// result may be on its way and does not count: it may not know a verdict that has been
// settled since, or come before a verdict that the new one does not know.
func (s *session) analyse(f *file) {
	if f.cancel != nil {
		f.cancel()
	}
	f.analyses++
	number := f.analyses
	ctx, cancel := context.WithCancel(s.ctx)
	f.cancel = cancel
	doc, results, wait := f.doc, maps.Clone(f.results), time.Duration(0)
	before := maps.Clone(f.before)
	if doc.Text.Len() >= largeText {
		wait = s.debounce()
		s.publisher.request(uri.URI(doc.URI))
	}
	s.background(func(context.Context) {
		defer cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		// One analysis of a file at a time: parsing cannot be interrupted.
		select {
		case <-ctx.Done():
			return
		case f.gate <- struct{}{}:
		}
		defer func() { <-f.gate }()
		s.lint(ctx, doc)
		if a := analyseDocument(ctx, doc, results, before); a != nil {
			s.post(func() {
				if f.analyses == number {
					s.analysisDone(f, doc, a)
				}
			})
		}
	})
}

// lint looks at the whole circuit. What it finds in a large text is published
// before the analysis is done, which takes longer.
func (s *session) lint(ctx context.Context, doc *document.Document) {
	if doc.Lint(ctx) != nil || doc.Text.Len() < largeText {
		return
	}
	s.post(func() {
		if f := s.files[uri.URI(doc.URI)]; f != nil && f.doc == doc {
			s.publisher.request(uri.URI(doc.URI))
		}
	})
}

func (s *session) debounce() time.Duration {
	if s.opts.Debounce > 0 {
		return s.opts.Debounce
	}
	return 200 * time.Millisecond
}

// analyseDocument returns nil when ctx ends first. Fingerprints are computed
// only when there are verdicts to compare with. before holds those of an earlier text,
// whose counterexamples may be ones of this text as they are.
func analyseDocument(ctx context.Context, doc *document.Document, results map[circuit.Fingerprint]verify.Result, before map[circuit.Property]known) *analysis {
	a := &analysis{map[circuit.Property]int{}, map[circuit.Property]known{}}
	for _, p := range doc.Properties() {
		if ctx.Err() != nil {
			return nil
		}
		if fault := doc.Fault(p.ID); fault != nil {
			a.faults[p.ID] = doc.Text.LineAt(fault.Span.Start) + 1
		} else if k, ok := verdictFor(ctx, doc, p.ID, results, before[p.ID]); ok {
			a.verdicts[p.ID] = k
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return a
}

// verdictFor looks for a verdict on a property's cone.
func verdictFor(ctx context.Context, doc *document.Document, p circuit.Property, results map[circuit.Fingerprint]verify.Result, before known) (known, bool) {
	if len(results) == 0 {
		return known{}, false
	}
	print, ok := doc.Fingerprint(p)
	if !ok {
		return known{}, false
	}
	r, ok := results[print]
	if !ok {
		return known{}, false
	}
	if x := before.counterexample; x != nil && x.Property == p && before.result.Fingerprint == print &&
		before.embedding == doc.Embedding(p) && r.Checked.Outcome() == cert.Refuted {
		before.leftOpen = len(doc.Cuts(p)) > 0
		return before, true
	}
	return knownFrom(ctx, doc, p, r)
}

// knownFrom relates a verdict to the document. The numbers of latches and
// inputs may be others than in the version that was checked, so a trace is
// carried over, which checks it again; the other verdicts carry nothing that is
// shown by place.
func knownFrom(ctx context.Context, doc *document.Document, p circuit.Property, r verify.Result) (known, bool) {
	if r.Checked.Outcome() != cert.Refuted {
		return known{result: &r}, true
	}
	r, ok := r.TransferTo(ctx, doc.Circuit(), p)
	if !ok {
		return known{}, false
	}
	x, ok := ide.NewCounterexample(ctx, doc.Circuit(), p, r)
	return known{&r, x, doc.Embedding(p), len(doc.Cuts(p)) > 0}, ok
}

// analysisDone takes over an analysis unless the text has changed since.
func (s *session) analysisDone(f *file, doc *document.Document, a *analysis) {
	if f.doc != doc || s.files[uri.URI(doc.URI)] != f {
		return
	}
	if f.analysis == nil {
		close(f.analysed)
	}
	s.carry(f, doc.Properties())
	f.analysis, f.before = a, a.verdicts
	for p, k := range a.verdicts {
		f.check(p).last = k.result
		f.keepTrace(p, k, doc)
	}
	f.touchAll()
	s.touch(f)
	s.watchFiles()
	s.publisher.request(uri.URI(doc.URI))
	if s.lensesChanged(f) {
		s.askForLenses()
	}
	s.surveyStep(f)
}

// keepTrace keeps a counterexample for the time when the text is another one.
func (f *file) keepTrace(p circuit.Property, k known, doc *document.Document) {
	f.check(p).trace = nil
	if k.counterexample != nil {
		f.check(p).trace = &ide.EarlierTrace{Counterexample: k.counterexample, Document: doc}
	}
}

// lensesChanged reports whether the client may show other lenses than those of
// the present text: they differ from those of the text analysed before, or were
// asked for while the analysis was under way and not waited for.
func (s *session) lensesChanged(f *file) bool {
	titles := map[circuit.Property]string{}
	for _, p := range f.doc.Properties() {
		titles[p.ID] = f.status(p.ID).String()
	}
	same := maps.Equal(titles, f.titles)
	f.titles = titles
	v := s.snapshot.Load().views[uri.URI(f.doc.URI)]
	return !same || v != nil && v.early.Load()
}

func (f *file) stopAnalysis() {
	if f.cancel != nil {
		f.cancel()
	}
	f.cancelSubmit()
}

// check returns the record of a property, which is made on first use.
func (f *file) check(p circuit.Property) *check {
	c := f.checks[p]
	if c == nil {
		c = &check{}
		f.checks[p] = c
	}
	return c
}

// touch marks a file's view as old.
func (s *session) touch(f *file) { s.changed[uri.URI(f.doc.URI)] = true }

// touchProperty marks what the view says of a property as old.
func (s *session) touchProperty(f *file, p circuit.Property) {
	f.dirty[p] = true
	s.touch(f)
}
