package design

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/internal/findings"
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
	return harmOf(ctx, d, d.Successor(d.Version, text))
}

// harmOf is Harm of a change from one text to another.
func harmOf(ctx context.Context, d, after *Design) error {
	text := after.Text
	if prefix, _ := source.Common(text, d.Text); prefix == max(text.Len(), d.Text.Len()) {
		return errNoChange
	}
	had, err := errorsOf(ctx, d)
	if err != nil {
		return err
	}
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
	r := repair{tries: maxTries, refused: map[string]bool{}}
	fixed := d
	for range maxRounds {
		next, err := r.round(ctx, fixed)
		if err != nil {
			return nil, err
		}
		if next == fixed {
			break
		}
		fixed = next
	}
	return source.DiffContext(ctx, d.Text, fixed.Text.Content())
}

// Bounds of the repair of a text of which not all fixes are good.
const (
	maxRounds = 10  // a fix may uncover what the next round fixes
	maxTries  = 100 // texts of which the errors are looked for
)

// repair makes the preferred fixes to which Harm has nothing to say, many at a time: it halves those
// that do harm together.
type repair struct {
	tries   int             // that are left
	refused map[string]bool // by message: a fix of such a diagnostic has done harm alone
}

// attempt is what becomes of a text by fixes of its diagnostics.
type attempt struct {
	*repair
	base, now *Design
	made      []source.Edit // base with made is now
}

// candidate is a preferred fix.
type candidate struct {
	message string // of its diagnostic
	edits   []source.Edit
}

// round returns the design after as many fixes as go together, those of refused messages last; the
// design itself where there is none. The error is that of ctx.
func (r *repair) round(ctx context.Context, d *Design) (*Design, error) {
	var all, doubtful []candidate
	for _, f := range d.TextDiagnostics() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		fixes := d.parse().Fixes(f)
		switch {
		case len(fixes) == 0 || !fixes[0].Preferred:
		case r.refused[f.Message]:
			doubtful = append(doubtful, candidate{f.Message, fixes[0].AllEdits()})
		default:
			all = append(all, candidate{f.Message, fixes[0].AllEdits()})
		}
	}
	made := attempt{repair: r, base: d, now: d}
	made.add(ctx, all)
	made.add(ctx, doubtful)
	return made.now, ctx.Err()
}

// add makes the fixes that add no error to what there is by then. Of two that touch the same place
// the later one waits for the next round.
func (a *attempt) add(ctx context.Context, fixes []candidate) {
	if len(fixes) == 0 || a.tries == 0 || ctx.Err() != nil {
		return
	}
	a.tries--
	edits := slices.Clone(a.made)
	for _, f := range fixes {
		edits = findings.WithFix(edits, f.edits)
	}
	text, err := a.base.Text.Apply(edits)
	if err != nil {
		return
	}
	after := a.base.Successor(a.base.Version, text)
	switch err := harmOf(ctx, a.now, after); {
	case err == nil:
		a.made, a.now = edits, after
	case errors.Is(err, errNoChange):
	case len(fixes) == 1:
		a.refused[fixes[0].message] = true
	default:
		a.add(ctx, fixes[:len(fixes)/2])
		a.add(ctx, fixes[len(fixes)/2:])
	}
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
