package lsp

import (
	"context"

	"go.lsp.dev/uri"

	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/queue"
	"aiglens/lsp/wire"
)

// selectionChanged tells the client where its selected step belongs to another
// counterexample than before, whose last step it does not exceed.
func (pub *publishing) selectionChanged(f *file, old, v *view) {
	if f.shown.selection == nil {
		return
	}
	if f.shown.selection.Derivation != nil { // see clauseChecks.followText
		return
	}
	x := v.status(f.shown.selection.Property).Counterexample
	if old != nil && old.status(f.shown.selection.Property).Counterexample == x {
		return
	}
	if x != nil && f.shown.selection.Step >= x.Limit() {
		f.shown.selection = &ide.Selection{Property: f.shown.selection.Property, Step: x.Steps() - 1, Instance: f.shown.selection.Instance}
		v.selection = f.shown.selection
	}
	pub.askForHints()
	if x != nil {
		pub.tellStep(f)
	}
}

// showStep shows a step in the text, or none.
func (pub *publishing) showStep(f *file, selection *ide.Selection) {
	if selection == nil && f.shown.selection == nil {
		return
	}
	f.shown.selection = selection
	pub.touch(f)
	pub.askForHints()
	pub.tellStep(f)
}

// carrySelection moves the step that is shown with its property. One whose place
// another property has taken is no longer shown.
func (pub *publishing) carrySelection(f *file, e checks.Carried) {
	shown := f.shown.selection
	if shown == nil {
		return
	}
	switch to, known := e.To[shown.Property]; {
	case known && to != checks.Nowhere:
		moved := *shown
		moved.Property = to
		f.shown.selection = &moved
	case known:
		pub.showStep(f, nil)
	}
}

func (pub *publishing) tellStep(f *file) {
	if pub.client.status {
		pub.steps.Mark(uri.URI(f.doc.URI), f.shownStep())
	}
}

// newStepSender returns what tells the client which step is shown in a file: of what
// comes while it does not read, the last.
func newStepSender(c *core) *queue.Sender[uri.URI, wire.ShownStep] {
	return queue.NewSender(queue.SenderConfig[uri.URI, wire.ShownStep]{
		Merge: func(_, new wire.ShownStep) wire.ShownStep { return new },
		Send: func(ctx context.Context, _ uri.URI, step wire.ShownStep) {
			c.deliver(ctx, wire.NotificationStepShown.Name, step)
		},
	})
}

// shownStep is the step that is shown in a file.
func (f *file) shownStep() wire.ShownStep {
	a := wire.ShownStep{URI: f.name}
	if f.shown.selection == nil || f.shown.selection.IsOld {
		return a
	}
	a.Instance = f.shown.selection.Instance
	a.Property, a.Name, a.Step = propertyID(f.shown.selection.Property), f.shown.selection.Property.String(), f.shown.selection.Step
	if row, ok := f.doc.Property(f.shown.selection.Property); ok {
		a.Name = row.Name
	}
	if x := f.shown.selection.Derivation; x != nil {
		a.First, a.Steps, a.Words = 1, len(x.Steps), x.Words(a.Step)
	} else if x := f.status(f.shown.selection.Property).Counterexample; x != nil {
		a.Steps, a.Loop, a.Words = x.Steps(), x.LoopSteps(), x.StepWords(a.Step)
	}
	return a
}
