package lsp

import (
	"context"
	"time"

	"go.lsp.dev/uri"

	"aiglens/lsp/checks"
	"aiglens/lsp/document"
)

// largeText is the size in bytes from which building the circuit waits until
// typing rests, and diagnostics of the syntax do not wait for the circuit at all.
// Those of a smaller text wait as long as lenses do.
const largeText = 256 << 10

// analyse starts the analysis of a file's text, when there is no doubt about others, and
// cancels the one before it, whose result may be on its way and does not count: it may not
// know a verdict that has been settled since, or come before a verdict that the new one
// does not know.
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
	impatient := time.AfterFunc(s.opts.LensWait, func() { // a small text can have a large circuit
		s.post(func() {
			if f.analyses == number && !f.checks.IsAnalysed() && s.files[uri.URI(doc.URI)] == f {
				s.publisher.request(uri.URI(doc.URI))
			}
		})
	})
	s.background(func(context.Context) {
		defer cancel()
		defer impatient.Stop()
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
		a, found := checks.NoAnalysis(doc, noAnalysis()), earlier{} // of one that fails: nobody waits for another
		s.guardText("analysis", doc, func() {
			s.lint(ctx, doc)
			if a = checks.AnalyseDocument(ctx, doc, results, before); a != nil {
				found = findingsOf(doc, a)
			}
		})
		if a != nil {
			s.post(func() {
				if f.analyses == number {
					s.analysisDone(f, doc, a, found)
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
			f.earlier.linted, _ = doc.Linted()
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

// analysisDone takes over an analysis, and what it has found for the texts to come, unless
// the text has changed since.
func (s *session) analysisDone(f *file, doc *document.Document, a *checks.Analysis, found earlier) {
	if f.doc != doc || s.files[uri.URI(doc.URI)] != f {
		return
	}
	fitting := doc.FittingHeader()
	if !f.checks.IsAnalysed() {
		close(f.analysed)
	}
	if f.opened != nil {
		f.fitting.IsGiven = f.opened.FittingHeader().Text != ""
		f.opened = nil
	}
	if fitting.Text != "" {
		f.fitting.Text, f.fitting.IsTight = fitting.Text, fitting.IsTight
	}
	s.perform(f, f.checks.Analysed(a))
	f.earlier = found
	f.touchAll()
	s.touch(f)
	s.watchFiles()
	s.publisher.request(uri.URI(doc.URI))
	if s.lensesChanged(f) {
		s.askForLenses(lensChanged)
	}
	s.letGoWhenDone(f)
}

func (f *file) stopAnalysis() {
	if f.cancel != nil {
		f.cancel()
	}
	f.cancelPreparation()
}
