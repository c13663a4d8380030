package lsp

import (
	"context"
	"errors"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/settings"
)

// checkFile prepares a check of all properties that have no verdict yet. The
// preparation belongs to the text as it is now: later edits do not cancel it,
// but a later preparation and closing do.
func (c *checking) checkFile(f *file) { c.checkWhenSure(f, f.doc, f.checks.Text()) }

// checkWhenSure checks a text of a file, which may be an earlier one, as it is read once
// verdicts can be known.
func (c *checking) checkWhenSure(f *file, doc *design.Design, text checks.Text) {
	c.texts.whenSure(f, func() {
		if !c.settings.IsTrusted() {
			return
		}
		if f.doc.Version == doc.Version {
			doc, text = f.doc, f.checks.Text()
		} else { // typing has gone on
			doc = doc.WithOptions(c.settings.Document)
		}
		if design.HasClauses(doc) {
			c.clauses.check(f, doc, nil, nil)
			return
		}
		c.prepareFile(f, doc, func(jobs []checks.Job) []checks.Effect {
			return f.checks.Save(text, doc.Properties(), jobs, c.preferredIn(f))
		})
	})
}

// checkAfterTyping checks a file when its text has rested for a while, where
// the user wants that.
func (c *checking) checkAfterTyping(f *file) {
	f.stopTyping()
	if c.settings.Trigger != settings.WhileTyping {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(c.settings.Delay, func() {
		c.post(func() {
			if f.work.typed == timer && !f.outOfStep {
				f.work.typed = nil
				c.checkFile(f)
			}
		})
	})
	f.work.typed = timer
}

// checkSaved checks a text of a file that was saved, where the user wants that.
func (c *checking) checkSaved(f *file, doc *design.Design, text checks.Text) {
	if c.texts.files.holds(f) && !f.outOfStep && c.settings.Trigger != settings.Manual {
		c.checkWhenSure(f, doc, text)
	}
}

// maxRecalls bounds the properties that the cache is asked for when a file is
// opened: each costs the check of a certificate.
const maxRecalls = 1000

// recallFile asks the cache for the verdicts of a file that has just been opened, unless a check
// is being prepared, which asks by itself.
func (c *checking) recallFile(f *file) {
	if c.cluster.cache() == nil || c.settings.Trigger == settings.Manual || !c.settings.IsTrusted() {
		return
	}
	c.texts.whenSure(f, func() {
		if f.work.preparing != nil {
			return
		}
		doc, text := f.doc, f.checks.Text()
		c.prepareFile(f, doc, func(jobs []checks.Job) []checks.Effect {
			return f.checks.Open(text, doc.Properties(), jobs[:min(len(jobs), maxRecalls)])
		})
	})
}

// recallAll asks for the verdicts of all open files.
func (c *checking) recallAll() {
	for _, f := range c.texts.files {
		if !f.hidden {
			c.recallFile(f)
		}
	}
}

// prepareFile prepares checks of all properties of a text, and does what then makes of them.
func (c *checking) prepareFile(f *file, doc *design.Design, then func([]checks.Job) []checks.Effect) {
	f.cancelPreparation()
	ctx, cancel := thread.WithCancel(c.ctx)
	f.work.preparing = cancel
	c.background(func(context.Context) {
		var jobs []checks.Job
		defer func() {
			c.post(func() {
				if ctx.Err() == nil {
					f.work.preparing = nil
					c.perform(f, then(c.onTerms(jobs)))
					c.workspace.letGoWhenDone(f)
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

// checkProperties runs checks of the present text that the user asked for, whatever is
// known, for at most a timeout each; nil is what is set. The properties are queued at
// once, so that they can be stopped from then on.
func (c *checking) checkProperties(f *file, properties []circuit.Property, timeout *time.Duration) {
	if !c.settings.IsTrusted() {
		return
	}
	doc := f.doc
	ctx, cancel := thread.WithCancel(c.ctx)
	request, effects := f.checks.Ask(doc.Properties(), properties)
	f.work.requests[request] = cancel
	c.perform(f, effects)
	c.background(func(context.Context) {
		var jobs []checks.Job
		defer func() {
			c.post(func() {
				jobs = c.onTerms(jobs)
				if timeout != nil {
					for i := range jobs {
						jobs[i].LimitTime(*timeout)
					}
				}
				c.perform(f, f.checks.Answer(request, jobs, c.preferredIn(f)))
			})
		}()
		jobs = checks.Prepare(ctx, doc, properties)
	})
}

// onTerms gives jobs the limits of the settings, and the cache.
func (c *checking) onTerms(jobs []checks.Job) []checks.Job {
	for i := range jobs {
		jobs[i].Limits, jobs[i].Cache = c.settings.Run.Limits, c.cluster.cache()
	}
	return jobs
}

// preferredIn returns the property of a file where the user is.
func (c *checking) preferredIn(f *file) circuit.Property {
	if c.scheduling.preferred.Document != f.doc.URI {
		return checks.Nowhere
	}
	return c.scheduling.preferred.Property
}

// checkCommand checks properties, nil is all, each for at most a timeout, nil is
// what is set.
func (c *checking) checkCommand(f *file, ids []circuit.Property, timeout *time.Duration) {
	if ids == nil {
		for _, p := range f.doc.Properties() {
			ids = append(ids, p.ID)
		}
	}
	if design.HasClauses(f.doc) {
		c.clauses.check(f, f.doc, ids, timeout)
		return
	}
	c.checkProperties(f, ids, timeout)
}

// importResult shows a counterexample that no run has found.
func (c *checking) importResult(doc *design.Design, p circuit.Property, r verify.Result, k checks.Known) error {
	f := c.texts.files[uri.URI(doc.URI)]
	if f == nil || f.doc != doc || !f.checks.IsAnalysed() {
		return errors.New("the text has changed")
	}
	row, _ := doc.Property(p)
	c.performAtOnce(f, f.checks.Import(doc, row, r, k))
	c.publishing.showStep(f, &ide.Selection{Property: p, Step: k.Counterexample.Steps() - 1})
	return nil
}
