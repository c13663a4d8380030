package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/lsp/ide"
)

// Hover describes what is under the cursor.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	offset := v.mapper.PositionOffset(params.Position)
	span, markdown, err := ide.Hover(ctx, v.doc, offset, v.status, ide.HoverOptions{MaxSteps: s.opts.MaxSteps, Depth: snapshotFrom(ctx).settings.HoverDepth, Shown: v.selection})
	if found := ide.QueryHover(v.doc, offset, v.queries.status); found != nil && err == nil {
		if markdown != "" {
			found = append(found, markdown)
		}
		markdown = strings.Join(found, "\n\n")
	}
	if err != nil || markdown == "" {
		return nil, err
	}
	rng := v.mapper.SpanRange(span)
	return &protocol.Hover{Contents: markup(markdown, snapshotFrom(ctx).client.hoverFormat), Range: &rng}, nil
}
