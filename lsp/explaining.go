package lsp

import (
	"context"
	"maps"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// maxSmallProofs bounds the proofs of a file that are made small in one go without being asked
// for.
const maxSmallProofs = 64

// freshProofs returns the proofs of the present text that can be explained.
func (f *file) freshProofs() map[circuit.Property]*verify.Result {
	results := map[circuit.Property]*verify.Result{}
	for p := range f.checks.Properties() {
		if known := f.checks.Status(p); known.Outcome() == string(wire.OutcomeProved) && known.Freshness == ide.Fresh && known.OnlyChecked == nil {
			results[p] = known.Result
		}
	}
	return results
}

// explanation is what is to be found out about the proofs of one text.
type explanation struct {
	*checking
	file    *file
	doc     *design.Design
	proofs  map[circuit.Property]*verify.Result
	unasked []circuit.Property // of which it is not known whether they hold for a reason that means little
	large   []circuit.Property // whose proofs are to be made small
	isTold  bool               // hints tell what the proofs say, or need not
}

// explainProofs finds out what the proofs of a file say, one after another, once no
// check of it is waited for: verdicts come first. That is whether the properties hold for a
// reason that means little, and what hovers and hints tell: of a file that is not open only the
// former, which its diagnostics say.
func (c *checking) explainProofs(f *file) {
	if !c.opts.ExplainProofs || !c.settings.IsTrusted() || f.checks.Active() > 0 || f.work.explaining {
		return
	}
	x := c.explanationOf(f)
	if len(x.unasked)+len(x.large) == 0 && x.isTold {
		return
	}
	f.work.explaining = true
	ctx, run := f.present, c.settings.Run
	engine := c.opts.Engine(run.Engine)
	c.background(func(context.Context) {
		defer c.post(x.end)
		x.find(ctx, engine, run.Limits.Memory)
	})
}

func (c *checking) explanationOf(f *file) *explanation {
	x := &explanation{checking: c, file: f, doc: f.doc, proofs: f.freshProofs()}
	for p, r := range x.proofs {
		if !r.AskedVacuity() {
			x.unasked = append(x.unasked, p)
		}
		if !f.hidden && p.Kind.Question() == circuit.Safety && !r.HasSmallProof() && len(x.large) < maxSmallProofs {
			x.large = append(x.large, p)
		}
	}
	x.isTold = f.hidden || !c.settings.Facts || maps.Equal(f.found.remarks.of(f.doc).explained, x.proofs)
	return x
}

// find finds it out, until ctx ends: typing has gone on then.
func (x *explanation) find(ctx context.Context, engine verify.Engine, memory int64) {
	if x.doc.Elaborate(ctx) != nil {
		return
	}
	for _, p := range x.unasked {
		if x.proofs[p].FindVacuity(ctx, x.doc.Circuit(), p, engine, memory) {
			x.whilePresent(func() { x.publishing.showState(x.file, checks.Show{Property: p}) })
		}
		if ctx.Err() != nil {
			return
		}
	}
	for _, p := range x.large {
		if _, err := answers.FactsOf(ctx, x.doc, p, x.proofs[p]); err != nil && ctx.Err() != nil {
			return // a request that needs the proof makes it
		}
	}
	if x.isTold {
		return
	}
	if facts := ide.FactsOnRows(ctx, x.doc, x.proofs); ctx.Err() == nil {
		x.whilePresent(func() {
			t := x.file.found.remarks.of(x.doc)
			t.facts, t.explained = facts, x.proofs
			x.publishing.touch(x.file)
		})
	}
}

// whilePresent puts f into the queue, for as long as the text is the present one.
func (x *explanation) whilePresent(f func()) {
	x.post(func() {
		if x.texts.files.holds(x.file) && x.file.doc == x.doc {
			f()
		}
	})
}

// end takes note that nothing more is found out. Of proofs that were found meanwhile nothing is
// known yet. Those that were looked at are not looked at once more, whatever became of that.
func (x *explanation) end() {
	f := x.file
	f.work.explaining = false
	if !x.texts.files.holds(f) {
		return
	}
	if f.doc == x.doc {
		x.publishing.diagnostics.request(uri.URI(f.doc.URI))
	}
	if f.doc != x.doc || !maps.Equal(f.freshProofs(), x.proofs) {
		x.explainProofs(f)
	}
	x.workspace.letGoWhenDone(f)
}
