package lsp

import (
	"context"
	"fmt"

	"aiglens/lsp/settings"

	"go.lsp.dev/protocol"
)

// Formatting gives a file its canonical text. A file whose structure is in doubt
// is left alone; the answer says why.
func (s *server) Formatting(ctx context.Context, params *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	edits, err := v.doc.Format(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, refused(fmt.Errorf("not formatted: %w", err))
	}
	return v.textEdits(edits), nil
}

// OnTypeFormatting follows the typing of a line end.
func (s *server) OnTypeFormatting(ctx context.Context, params *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	onType := snapshotFrom(ctx).settings.OnType
	if !ok || onType == settings.OnTypeOff || params.Ch != "\n" {
		return nil, nil
	}
	return v.textEdits(v.doc.LineTyped(int(params.Position.Line), onType == settings.OnTypeOrder)), ctx.Err()
}
