package lsp

import (
	"context"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/lsp/ide"
	"aiglens/lsp/wire"
)

// CodeLens shows the state of every property.
func (s *server) CodeLens(ctx context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	v, ok := settledView(ctx, s.session, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	client := snapshotFrom(ctx).client
	lenses, err := ide.Lenses(ctx, v.doc, v.status, client.commands.has)
	if err != nil {
		return nil, err
	}
	if lens, ok := lensOfEdit(v); ok && client.commands.has(lens.Command) {
		lenses = append([]ide.Lens{lens}, lenses...)
	}
	all := []protocol.CodeLens{}
	for _, lens := range lenses {
		command := protocol.Command{Title: lens.Title, Tooltip: &lens.Tooltip}
		setCommand(v, &command, lens)
		all = append(all, protocol.CodeLens{Range: v.mapper.SpanRange(lens.Span), Command: command})
	}
	return all, ctx.Err()
}

// setCommand sets what a lens runs, and the argument of that.
func setCommand(v *view, c *protocol.Command, lens ide.Lens) {
	var params any
	switch n := len(lens.Properties); {
	case n == 0:
		c.Command, params = string(clientCommands[lens.Command]), wire.PropertyParams{URI: v.name}
	case n == 1:
		c.Command, params = commandOf(v, ide.Action{Command: lens.Command, Property: lens.Properties[0]}, protocol.Position{})
	default:
		ids := make([]wire.PropertyID, n)
		for i, p := range lens.Properties {
			ids[i] = propertyID(p.ID)
		}
		c.Command, params = wire.CommandCheck.Name, wire.CheckParams{PropertyParams: wire.PropertyParams{URI: v.name}, Properties: ids}
		if lens.Command == ide.Stop {
			c.Command, params = wire.CommandStop.Name, wire.StopParams{URI: v.name, Properties: ids}
		}
	}
	c.Arguments = []protocol.LSPAny{argument(params)}
}

// settledView waits a moment until it is known which verdicts hold for the
// pinned text. When the text changes meanwhile, the pinned view is good enough:
// the client will ask again.
func settledView(ctx context.Context, s *session, u uri.URI) (*view, bool) {
	v, ok := viewFrom(ctx, u)
	if !ok {
		return nil, false
	}
	select {
	case <-ctx.Done():
	case <-time.After(lensWait(s, v.doc)):
		v.early.Store(true)
	case <-v.analysed:
		s.queue.Do(func() {}) // the snapshot follows the function that closed it
	}
	if now := s.snapshot.Load().views[u]; now != nil && now.doc == v.doc {
		return now, !now.outOfStep
	}
	return v, true
}

// lensWait returns how long to wait for the circuit of a document: not at all
// when it is not even begun before the wait is over.
func lensWait(s *session, d *design.Design) time.Duration {
	if d.Text.Len() >= largeText && s.opts.LensWait <= s.checking.debounce() {
		return 0
	}
	return s.opts.LensWait
}
