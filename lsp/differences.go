package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/comparison"
	"aiglens/design/play"
	"aiglens/design/runs"
)

// Runs of differences of which clients ask more: package comparison keeps them, and what they hold for.

// keepRun keeps the run of a difference, and returns how the client names it; "" where there is none, or where it is too
// large. The error is that of ctx.
func (c *comparing) keepRun(ctx context.Context, found *comparison.Answer) (id string, err error) {
	if found.Run == nil || found.Difference == nil {
		return "", nil
	}
	t := comparison.KeptRun{Observed: found.Run.Observed.Name, Trace: found.Difference.Traces[0], Path: c.params.Path, WasOpen: c.isOpen}
	for i, d := range []*design.Design{c.view.doc, c.other} {
		if t.Sides[i].Text, err = comparison.TextSum(ctx, d); err != nil {
			return "", err
		}
		t.Sides[i].Circuit = play.Key(d)
	}
	if c.other.DependsOnOthers() {
		t.Models = c.library
	}
	return c.compared.KeepRun(t), nil
}

// keptRun returns the run of a difference that is kept; nil where it is not kept, and where either side is
// another one now. The error is that of ctx.
func keptRun(ctx context.Context, s *session, v *view, id string) (*comparison.KeptRun, error) {
	t := s.compared.KeptRun(id)
	if t == nil || t.Models != nil && t.Models != s.texts.models.library.Load() {
		return nil, nil
	}
	if is, err := isStill(ctx, v, t); !is || err != nil {
		return nil, err
	}
	return t, nil
}

// isStill reports whether both sides are those that were compared, as far as that is known without the disk. The error
// is that of ctx.
func isStill(ctx context.Context, v *view, t *comparison.KeptRun) (bool, error) {
	if is, err := hasStamp(ctx, v.doc, t.Sides[0]); !is || err != nil || t.Path == "" {
		return is, err
	}
	open := openAt(ctx, t.Path)
	if open == nil || open == v { // else it is the file on the disk
		return !t.WasOpen, nil
	}
	return hasStamp(ctx, open.doc, t.Sides[1])
}

// hasStamp reports whether a design is the one that was compared. The error is that of ctx.
func hasStamp(ctx context.Context, d *design.Design, stamp comparison.Stamp) (bool, error) {
	if text, err := comparison.TextSum(ctx, d); err != nil || text != stamp.Text {
		return false, err
	}
	if err := d.Elaborate(ctx); err != nil {
		return false, err
	}
	return play.Key(d) == stamp.Circuit, nil
}

// differenceOf returns the run of a difference that a command is about, with the file of this side.
func differenceOf(ctx context.Context, s *session, command string, name uri.URI, id string) (*view, *runs.Run, error) {
	v, err := openView(ctx, command, name)
	if err != nil {
		return nil, nil, err
	}
	t, err := keptRun(ctx, s, v, id)
	if err != nil {
		return v, nil, err
	}
	if t == nil {
		return v, nil, refused(errors.New("the texts are no longer those that were compared"))
	}
	run, err := t.Run(ctx, v.doc)
	return v, run, err
}
