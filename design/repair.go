package design

import (
	"context"
	"errors"
	"fmt"

	"aiglens/internal/source"
)

// deepText is up to how many bytes of a text the errors of the whole circuit count, not only those
// of the text.
const deepText = 256 << 10

var errNoChange = errors.New("it would change nothing")

// Harm returns why edits are not to be made: they change nothing, or the text would have more
// errors than it has; nil where there is nothing against them. It may be the end of the context.
// A fix that uncovers errors which stood in the shadow of its own does harm too: a text with more
// marks than before looks broken.
func Harm(ctx context.Context, d *Design, edits []source.Edit) error {
	text, err := d.Text.Apply(edits)
	if err != nil {
		return err
	}
	if prefix, _ := source.Common(text, d.Text); prefix == max(text.Len(), d.Text.Len()) {
		return errNoChange
	}
	had, err := errorsOf(ctx, d)
	if err != nil {
		return err
	}
	after := d.Successor(d.Version, text)
	has, err := errorsOf(ctx, after)
	if err != nil || len(has) <= len(had) {
		return err
	}
	known := map[string]bool{}
	for _, e := range had {
		known[e.Message] = true
	}
	for _, e := range has {
		if line, _ := text.LineColumn(e.Span.Start); !known[e.Message] {
			return fmt.Errorf("it would add an error on line %d: %s", line, e.Message)
		}
	}
	return errors.New("it would add an error")
}

// errorsOf returns the errors of the text; of one that is not large also those that only the whole
// circuit shows.
func errorsOf(ctx context.Context, d *Design) (all []source.Diagnostic, err error) {
	if known := d.kept.errors.Load(); known != nil {
		return *known, nil
	}
	found := d.TextDiagnostics()
	if d.Text.Len() < deepText {
		if found, err = d.Diagnose(ctx, true); err != nil {
			return nil, err
		}
	}
	for _, f := range found {
		if f.Severity == source.Error {
			all = append(all, f)
		}
	}
	d.kept.errors.Store(&all)
	return all, nil
}

// Fixes returns the ways out of one of the diagnostics, the preferred one first. Harm has not been
// asked about them.
func (d *Design) Fixes(diagnostic source.Diagnostic) []source.Fix {
	return d.parse().Fixes(diagnostic)
}

// FixAll returns edits that make every preferred fix, but for those to which Harm has something
// to say. The error is that of ctx.
func (d *Design) FixAll(ctx context.Context) ([]source.Edit, error) {
	edits := d.parse().FixAll()
	if len(edits) == 0 || Harm(ctx, d, edits) == nil {
		return edits, ctx.Err()
	}
	fixed := d
	for range maxSteps {
		next, err := fixOne(ctx, fixed)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		fixed = next
	}
	return source.DiffContext(ctx, d.Text, fixed.Text.Content())
}

// maxSteps bounds the fixes that are made one after the other.
const maxSteps = 100

// fixOne returns the design after the first preferred fix to which Harm has nothing to say, or nil.
func fixOne(ctx context.Context, d *Design) (*Design, error) {
	for _, f := range d.TextDiagnostics() {
		fixes := d.parse().Fixes(f)
		if len(fixes) == 0 || !fixes[0].Preferred || Harm(ctx, d, fixes[0].AllEdits()) != nil {
			continue
		}
		text, err := d.Text.Apply(fixes[0].AllEdits())
		if err != nil {
			return nil, err
		}
		return d.Successor(d.Version, text), ctx.Err()
	}
	return nil, ctx.Err()
}

// Changes returns the changes that are offered for the places in span; those of
// the whole file, which are made to see whether they change anything, only when
// file holds and the context lasts. Harm is asked when one is chosen.
func (d *Design) Changes(ctx context.Context, span source.Span, file bool) []source.Change {
	all := d.parse().Changes(ctx, span, file)
	for i, c := range all {
		all[i].Edits = func() ([]source.Edit, error) {
			edits, err := c.Edits()
			if err != nil || len(edits) == 0 {
				return nil, err
			}
			if err := Harm(ctx, d, edits); err != nil {
				return nil, err
			}
			return edits, nil
		}
	}
	return all
}
