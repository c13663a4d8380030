package lsp

import (
	"context"
	"maps"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// maxSmallProofs bounds the proofs of a file that are made small in one go without being asked
// for.
const maxSmallProofs = 64

// freshProofs returns the proofs of the present text.
func (f *file) freshProofs() map[circuit.Property]*verify.Result {
	results := map[circuit.Property]*verify.Result{}
	for p := range f.checks.Properties() {
		if known := f.checks.Status(p); known.Outcome() == string(wire.OutcomeProved) && known.Freshness == ide.Fresh {
			results[p] = known.Result
		}
	}
	return results
}

// explainProofs finds out what the proofs of a file say, one after another, once nobody waits
// for a check of it any more: verdicts come first. That is whether the properties hold for a
// reason that means little, and what hovers and hints tell.
func (c *checking) explainProofs(f *file) {
	if !c.opts.ExplainProofs || !c.settings.IsTrusted() || f.hidden || f.checks.Active() > 0 || f.work.explaining {
		return
	}
	var unasked, large []circuit.Property
	results := f.freshProofs()
	for p, r := range results {
		if !r.AskedVacuity() {
			unasked = append(unasked, p)
		}
		if p.Kind.Question() == circuit.Safety && !r.HasSmallProof() && len(large) < maxSmallProofs {
			large = append(large, p)
		}
	}
	isTold := !c.settings.Facts || maps.Equal(f.found.remarks.of(f.doc).explained, results)
	if len(unasked)+len(large) == 0 && isTold {
		return
	}
	f.work.explaining = true
	doc, ctx, set := f.doc, f.present, c.settings.Run
	key := uri.URI(doc.URI)
	engine := c.opts.Engine(set.Engine)
	c.background(func(context.Context) {
		defer c.post(func() {
			f.work.explaining = false
			if c.texts.files[key] != f {
				return
			}
			if f.doc == doc {
				c.publishing.diagnostics.request(key)
			}
			// Of proofs that were found meanwhile nothing is known yet. Those that were looked
			// at are not looked at once more, whatever became of that.
			if f.doc != doc || !maps.Equal(f.freshProofs(), results) {
				c.explainProofs(f)
			}
		})
		if doc.Elaborate(ctx) != nil {
			return
		}
		for _, p := range unasked {
			if results[p].FindVacuity(ctx, doc.Circuit(), p, engine, set.Limits.Memory) {
				c.post(func() {
					if c.texts.files[key] == f && f.doc == doc {
						c.publishing.showState(f, checks.Show{Property: p})
					}
				})
			}
			if ctx.Err() != nil {
				return // typing has gone on
			}
		}
		for _, p := range large {
			if _, err := answers.FactsOf(ctx, doc, p, results[p]); err != nil && ctx.Err() != nil {
				return // who asks has it made
			}
		}
		if isTold {
			return
		}
		if facts := ide.FactsOnRows(ctx, doc, results); ctx.Err() == nil {
			c.post(func() {
				if c.texts.files[key] == f && f.doc == doc {
					t := f.found.remarks.of(doc)
					t.facts, t.explained = facts, results
					c.publishing.touch(f)
				}
			})
		}
	})
}
