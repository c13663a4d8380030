package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/protocol"
)

// PrepareRename says what a rename at a place would change.
func (s *server) PrepareRename(ctx context.Context, params *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	span, text, ok := v.doc.RenameTarget(v.mapper.PositionOffset(params.Position))
	if !ok {
		return nil, nil
	}
	return &protocol.PrepareRenamePlaceholder{Range: v.mapper.SpanRange(span), Placeholder: text}, nil
}

// Rename gives a signal another name or number.
func (s *server) Rename(ctx context.Context, params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, refused(errors.New("the file is not open"))
	}
	edits, err := v.doc.Rename(v.mapper.PositionOffset(params.Position), params.NewName)
	if err != nil {
		return nil, refused(err)
	}
	return v.workspaceEdit(edits, snapshotFrom(ctx).client), nil
}
