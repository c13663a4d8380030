package lsp

import (
	"context"
	"errors"
	"path"
	"strings"

	"aiglens/circuit"
	"aiglens/lsp/ide"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/wire"
)

// executeReduce makes a circuit smaller as long as a property is refuted, one after another.
func executeReduce(ctx context.Context, s *session, params *wire.ReduceParams) (answer wire.Reduced, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	v, ids, err := propertiesFrom(ctx, wire.CommandReduce.Name, params.PropertyParams)
	if err != nil {
		return answer, err
	}
	if ids == nil {
		ids = reducibleIn(v)
	}
	x, to := v.counterexample(ids), target{name: params.Path}
	switch {
	case s.opts.Reduce == nil:
		return answer, refused(errors.New("this server cannot reduce circuits"))
	case x == nil:
		return answer, noCounterexample(v, ids)
	}
	if err := to.check(); err != nil {
		return answer, err
	}
	id, run := x.Property, snapshotFrom(ctx).settings.Run
	base := path.Base(v.name.Path())
	var left Reduced
	err = s.inquire(ctx, inquiries.Inquiry{Kind: inquiries.Search, Title: "Reducing " + base}, func(ctx context.Context, show func(string)) error {
		left, err = s.opts.Reduce(ctx, Reduction{
			Document: v.doc, Property: id, Limits: run.Limits, Show: show,
			Engine: s.opts.Engine(run.Engine),
		})
		return err
	})
	if err != nil {
		return answer, err
	}
	name := strings.TrimSuffix(base, path.Ext(base)) + "." + strings.ReplaceAll(id.String(), ":", "") + left.Ending
	answer = wire.Reduced{Name: name, Text: string(left.Text), Message: left.Size}
	return answer, to.write(left.Text, &answer)
}

// reducibleIn returns the properties by which the circuit can be made smaller, the one whose step
// is shown first; nil for none.
func reducibleIn(v *view) (ids []circuit.Property) {
	if v.selection != nil && ide.IsReducible(v.selection.Property) {
		ids = append(ids, v.selection.Property)
	}
	for _, p := range v.doc.Properties() {
		if ide.IsReducible(p.ID) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}
