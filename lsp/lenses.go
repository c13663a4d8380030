package lsp

import (
	"context"
	"maps"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/design/verilogdesign"
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
	lenses = append(lenses, ide.QueryLenses(v.doc, v.queries.status, client.commands.has)...)
	if lens, ok := lensOfEdit(v); ok && client.commands.has(lens.Command) {
		lenses = append([]ide.Lens{lens}, lenses...)
	}
	all := []protocol.CodeLens{}
	if lens, ok := lensOfDesign(snapshotFrom(ctx), v); ok {
		all = append(all, lens)
	}
	for _, lens := range lenses {
		command := protocol.Command{Title: lens.Title, Tooltip: &lens.Tooltip}
		setCommand(v, &command, lens)
		all = append(all, protocol.CodeLens{Range: v.mapper.SpanRange(lens.Span), Command: command})
	}
	return all, ctx.Err()
}

// lensOfDesign returns the lens above the top module of a design in Verilog: what is known of all its
// statements, in whatever source they stand.
func lensOfDesign(snap *snapshot, v *view) (lens protocol.CodeLens, ok bool) {
	at, ok := verilogdesign.TopOf(v.doc)
	if !ok {
		return lens, false
	}
	var properties []design.Property
	in := map[circuit.Property]*view{}
	for _, source := range snap.sourcesOfDesign(v) {
		for _, p := range source.doc.Properties() {
			properties = append(properties, p)
			in[p.ID] = source
		}
	}
	if len(properties) == 0 {
		return lens, false
	}
	words, active := ide.Summary(properties, func(p circuit.Property) ide.Status { return in[p].status(p) })
	tooltip := "Have Yosys read the design, and check it"
	command := protocol.Command{Title: words, Tooltip: &tooltip, Command: wire.CommandCheckDesign.Name, Arguments: []protocol.LSPAny{argument(wire.FileParams{URI: v.name})}}
	if active {
		tooltip = "Stop checking the design"
		command.Command, command.Arguments = wire.CommandStop.Name, []protocol.LSPAny{argument(wire.StopParams{URI: v.name})}
	}
	return protocol.CodeLens{Range: v.mapper.SpanRange(at), Command: command}, true
}

// sourcesOfDesign returns the views of the sources of the design in Verilog that a file belongs to, in the
// order of their addresses.
func (snap *snapshot) sourcesOfDesign(v *view) (all []*view) {
	known := verilogdesign.OptionOf(snap.settings.Document).Open
	if known == nil || (*known)[v.doc.URI].Synthesis == nil {
		return nil
	}
	for _, address := range slices.Sorted(maps.Keys(*known)) {
		if source := snap.views[uri.URI(address)]; source != nil && (*known)[address].Synthesis == (*known)[v.doc.URI].Synthesis {
			all = append(all, source)
		}
	}
	return all
}

// setCommand sets what a lens runs, and the argument of that.
func setCommand(v *view, c *protocol.Command, lens ide.Lens) {
	var params any
	switch n := len(lens.Properties); {
	case n == 0:
		c.Command, params = string(clientCommands[lens.Command]), wire.PropertyParams{URI: v.name}
	case n == 1:
		c.Command, params = commandOf(v, ide.Action{Command: lens.Command, Property: lens.Properties[0], To: runs.MoveLast}, protocol.Position{})
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
