package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/horndesign"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/address"
	"aiglens/lsp/checks"
	"aiglens/lsp/position"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// PlaceChecks have checked what a place tells of: Circuit is called once, for the properties of a circuit, Clauses for
// each query.
type PlaceChecks struct {
	Circuit func([]circuit.Property) map[circuit.Property]*verify.Result
	Clauses func(horndesign.Query) hornverify.Result
}

// PlaceIn answers with what is known of a place in a file that no editor has open, as aiglens/at does with the default
// settings, and with the same as a text. It has the properties checked of which the answer tells. The path is absolute.
// The error is that of ctx, or says why there is no circuit.
func PlaceIn(ctx context.Context, path string, d *design.Design, offset int, check PlaceChecks) (*wire.Place, string, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, "", err
	}
	if err := d.Lint(ctx); err != nil {
		return nil, "", err
	}
	name := address.URI(path)
	v, err := fileAlone(ctx, name, d, nil)
	if err != nil {
		return nil, "", err
	}
	before := newAlone(ctx, v, offset)
	if _, err := before.place(); err != nil {
		return nil, "", err
	}
	if design.HasClauses(d) {
		v.queries = askedQueries(d, before.asked, check.Clauses)
	} else if v, err = fileAlone(ctx, name, d, check.Circuit(before.asked)); err != nil {
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

// askedQueries have the answers to some queries.
func askedQueries(d *design.Design, asked []circuit.Property, check func(horndesign.Query) hornverify.Result) *queryChecks {
	var none *queryChecks
	known := none.changed()
	for _, q := range horndesign.Queries(d) {
		if slices.Contains(asked, q.Property) {
			r := check(q)
			known.answers[keyOf(q)] = &r
		}
	}
	return known
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
