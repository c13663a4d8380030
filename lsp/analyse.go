package lsp

import (
	"context"
	"maps"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/lsp/checks"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// largeText is the size in bytes from which building the circuit waits until
// typing rests, and diagnostics of the syntax do not wait for the circuit.
const largeText = 256 << 10

// analyse starts the analysis of a file's text, when there is no doubt about others, and cancels the one before it, whose
// result may be on its way and does not count: it may not know a verdict that has been
// settled since, or come before a verdict that the new one does not know.
func (s *session) analyse(f *file) {
	if f.cancel != nil {
		f.cancel()
	}
	f.analyses++
	f.unanalysed = s.isInDoubt(f)
	if f.unanalysed {
		if f.titles != nil { // else nothing has been said of the file yet
			s.publisher.request(uri.URI(f.doc.URI))
		}
		return
	}
	number := f.analyses
	ctx, cancel := context.WithCancel(s.ctx)
	f.cancel = cancel
	doc, results, before, wait := f.doc, f.checks.Results(), f.checks.Known(), time.Duration(0)
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
		if a := checks.AnalyseDocument(ctx, doc, results, before); a != nil {
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

// analysisDone takes over an analysis unless the text has changed since.
func (s *session) analysisDone(f *file, doc *document.Document, a *checks.Analysis) {
	if f.doc != doc || s.files[uri.URI(doc.URI)] != f {
		return
	}
	if !f.checks.IsAnalysed() {
		close(f.analysed)
	}
	s.perform(f, f.checks.Analysed(a))
	f.touchAll()
	s.touch(f)
	s.watchFiles()
	s.publisher.request(uri.URI(doc.URI))
	if s.lensesChanged(f) {
		s.askForLenses()
	}
	s.letGoWhenDone(f)
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
	f.cancelPreparation()
}

// status returns what is known of a property.
func (f *file) status(p circuit.Property) ide.Status { return f.checks.Status(p) }

// showState has a new state of a property shown everywhere.
func (s *session) showState(f *file, e checks.Show) {
	s.touchProperty(f, e.Property)
	if key := uri.URI(f.doc.URI); e.Soon || f.checks.Active() > 0 {
		s.publisher.requestSoon(key)
	} else {
		s.publisher.request(key)
	}
	s.askForLenses()
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
}

// touch marks a file's view as old.
func (s *session) touch(f *file) { s.changed[uri.URI(f.doc.URI)] = true }

// touchProperty marks what the view says of a property as old.
func (s *session) touchProperty(f *file, p circuit.Property) {
	f.dirty[p] = true
	s.touch(f)
}

// touchAll marks all properties of which something is known.
func (f *file) touchAll() {
	for _, p := range f.checks.Properties() {
		f.dirty[p] = true
	}
}
