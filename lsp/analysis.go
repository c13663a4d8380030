package lsp

import (
	"context"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/findings"
	"aiglens/internal/source"
	"aiglens/internal/thread"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
)

// largeText is the size in bytes from which building the circuit waits until
// typing rests, and diagnostics of the syntax do not wait for the circuit at all.
// Those of a smaller text wait as long as lenses do.
const largeText = 256 << 10

// analyse starts the analysis of a file's text, when there is no doubt about others, and
// cancels the one before it, whose result may be on its way and does not count: it may not
// know a verdict that has been settled since, or come before a verdict that the new one
// does not know.
func (c *checking) analyse(f *file) {
	if f.analysis.cancel != nil {
		f.analysis.cancel()
	}
	c.clauses.followText(f)
	c.analyses++
	f.analysis.number = c.analyses
	f.analysis.postponed = c.texts.isInDoubt(f)
	if f.analysis.postponed {
		if f.shown.titles != nil { // else nothing has been said of the file yet
			c.publishing.diagnostics.request(uri.URI(f.doc.URI))
		}
		return
	}
	number, key := f.analysis.number, uri.URI(f.doc.URI)
	ctx, cancel := thread.WithCancel(c.ctx)
	f.analysis.cancel = cancel
	doc, results, before, wait := f.doc, f.checks.Results(), f.checks.Known(), time.Duration(0)
	if doc.Text.Len() >= largeText {
		wait = c.debounce()
		c.publishing.diagnostics.request(uri.URI(doc.URI))
	}
	// The runtime may keep a stopped timer, with what its function holds, until its time has
	// come: that must not be a text.
	impatient := time.AfterFunc(c.opts.LensWait, func() { // a small text can have a large circuit
		c.post(func() {
			if f := c.texts.files[key]; f != nil && f.analysis.number == number && !f.checks.IsAnalysed() {
				c.publishing.diagnostics.request(key)
			}
		})
	})
	c.background(func(context.Context) {
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
		case f.analysis.gate <- struct{}{}:
		}
		defer func() { <-f.analysis.gate }()
		a, found := checks.NoAnalysis(doc, noAnalysis()), earlier{} // of one that fails: callers wait for no other
		c.guardText("analysis", doc, func() {
			c.lint(ctx, doc)
			if a = checks.AnalyseDocument(ctx, doc, results, before); a != nil {
				found = findingsOf(doc, a)
			}
		})
		if a != nil {
			c.post(func() {
				if f.analysis.number == number {
					c.analysisDone(f, doc, a, found)
				}
			})
		}
	})
}

// lint looks at the whole circuit. What it finds in a large text is published
// before the analysis is done, which takes longer.
func (c *checking) lint(ctx context.Context, doc *design.Design) {
	if doc.Lint(ctx) != nil || doc.Text.Len() < largeText {
		return
	}
	c.post(func() {
		if f := c.texts.files[uri.URI(doc.URI)]; f != nil && f.doc == doc {
			f.analysis.earlier.linted, _ = doc.Linted()
			c.publishing.diagnostics.request(uri.URI(doc.URI))
		}
	})
}

func (c *checking) debounce() time.Duration {
	if c.opts.Debounce > 0 {
		return c.opts.Debounce
	}
	return 200 * time.Millisecond
}

// analysisDone takes over an analysis, and what it has found for the texts to come, unless
// the text has changed since.
func (c *checking) analysisDone(f *file, doc *design.Design, a *checks.Analysis, found earlier) {
	if f.doc != doc || !c.texts.files.holds(f) {
		return
	}
	fitting := doc.FittingHeader()
	if !f.checks.IsAnalysed() {
		close(f.analysis.analysed)
	}
	if f.opened != nil {
		f.fitting.IsGiven = f.opened.FittingHeader().Text != ""
		f.opened = nil
	}
	if fitting.Text != "" {
		f.fitting.Text, f.fitting.IsTight = fitting.Text, fitting.IsTight
	}
	c.perform(f, f.checks.Analysed(a))
	f.analysis.earlier = found
	f.touchAll()
	c.publishing.touch(f)
	c.texts.watcher.watch()
	c.publishing.diagnostics.request(uri.URI(doc.URI))
	if c.publishing.lensesChanged(f) {
		c.publishing.askForLenses(lensChanged)
	}
	c.explainProofs(f)
	c.workspace.letGoWhenDone(f)
}

// earlier is what the circuit of the last text that was analysed has shown, at its places
// in the present text. It is shown with what is wrong with the present text until the
// circuit of that is known, so that nothing flickers during typing. What the
// edits since have touched is no longer there.
type earlier struct {
	linted []source.Diagnostic
	faults []source.Diagnostic // that no diagnostic of the text repeats
	// faulty holds the properties without verdict for an error. Its verdicts on earlier
	// texts are not shown beside that.
	faulty map[circuit.Property]bool
}

// after returns what is left of it after an edit of a text.
func (e earlier) after(text source.Text, edit source.Edit) earlier {
	e.linted, e.faults = findings.Moved(e.linted, text, edit), findings.Moved(e.faults, text, edit)
	return e
}

// status is that of the view, without verdicts on properties that had an error.
func (e *earlier) status(known ide.Statuses) ide.Statuses {
	return func(p circuit.Property) ide.Status {
		if e.faulty[p] {
			return ide.Status{}
		}
		return known(p)
	}
}

// findingsOf returns what the circuit of a text that was analysed has shown.
func findingsOf(doc *design.Design, a *checks.Analysis) earlier {
	linted, _ := doc.Linted()
	found := earlier{linted: linted, faulty: a.Faulty()}
	if faults := a.Faults(); len(faults) > 0 {
		text := doc.TextDiagnostics()
		found.faults = findings.Union(text, faults)[len(text):]
	}
	return found
}
