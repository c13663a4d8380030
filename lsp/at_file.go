package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/position"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// PlaceIn answers with what is known of a place in a file that no editor has open, as aiglens/at does with the default
// settings, and with the same as a text. It calls check once with the properties of which the answer tells; that
// returns what has come of their checks. The path is absolute. The error is that of ctx, or says why there is no circuit.
func PlaceIn(ctx context.Context, path string, d *design.Design, offset int, check func([]circuit.Property) map[circuit.Property]*verify.Result) (*wire.Place, string, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, "", err
	}
	if err := d.Lint(ctx); err != nil {
		return nil, "", err
	}
	name := uri.File(path)
	v, err := fileAlone(ctx, name, d, nil)
	if err != nil {
		return nil, "", err
	}
	before := newAlone(ctx, v, offset)
	if _, err := before.place(); err != nil {
		return nil, "", err
	}
	if v, err = fileAlone(ctx, name, d, check(before.asked)); err != nil {
		return nil, "", err
	}
	p := newAlone(ctx, v, offset)
	if _, err := p.place(); err != nil {
		return nil, "", err
	}
	if of := p.answer.Property; of != nil {
		of.Actions = []wire.PlaceAction{} // an editor has them
	}
	return p.answer, placeText(p.answer), nil
}

// newAlone is the place of an offset in a view of a file alone.
func newAlone(ctx context.Context, v *view, offset int) *placing {
	snap := &snapshot{views: map[uri.URI]*view{v.name: v}, settings: settings.Default()}
	return newPlacing(withSnapshot(ctx, snap), v, &wire.AtParams{URI: v.name, Position: v.mapper.OffsetPosition(offset)})
}

// fileAlone is the view of a file with what has come of checks.
func fileAlone(ctx context.Context, name uri.URI, d *design.Design, results map[circuit.Property]*verify.Result) (*view, error) {
	analysed := make(chan struct{})
	close(analysed)
	v := &view{name: name, doc: d, mapper: position.New(d.Text, ""), analysed: analysed}
	a := checks.AnalyseDocument(ctx, d, nil, nil)
	if a == nil {
		return nil, ctx.Err()
	}
	f := checks.New()
	f.Analysed(a)
	faulty := a.Faulty()
	for p, r := range results {
		row, ok := d.Property(p)
		if !ok || faulty[p] || r == nil {
			continue
		}
		if k, ok := checks.KnownFrom(ctx, d, p, *r); ok {
			f.Import(d, row, *r, k)
		}
	}
	known := map[circuit.Property]bool{}
	for p := range f.Properties() {
		known[p] = true
	}
	v.statuses = v.statuses.With(known, f.Status)
	return v, ctx.Err()
}

// ask notes properties of which the answer tells.
func (p *placing) ask(all ...design.Property) {
	for _, row := range all {
		if !slices.Contains(p.asked, row.ID) {
			p.asked = append(p.asked, row.ID)
		}
	}
}
