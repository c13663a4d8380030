package lsp

import (
	"context"
	"errors"

	"go.lsp.dev/protocol"

	"aiglens/internal/hierarchy"
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

// Rename gives a signal another name or number. A port or model of a BLIF file
// changes in all files that use it.
func (s *server) Rename(ctx context.Context, params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, refused(errors.New("the file is not open"))
	}
	snap, offset := snapshotFrom(ctx), v.mapper.PositionOffset(params.Position)
	if v.doc.HasModels() && v.name.IsFile() {
		files, err := s.models.rename(snap, v, offset, params.NewName, s.index.Paths(hierarchy.IsBLIF))
		if err != nil {
			return nil, refused(err)
		}
		return snap.filesEdit(files), nil
	}
	edits, err := v.doc.Rename(offset, params.NewName)
	if err != nil {
		return nil, refused(err)
	}
	return v.workspaceEdit(edits, snap.client), nil
}
