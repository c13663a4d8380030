package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design/hierarchy"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/position"
	"aiglens/lsp/settings"
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

// OnTypeFormatting follows the typing of a line end. A client may ask for the same
// when the cursor leaves a row that was changed: as if the line below had been begun.
// ch has one backspace for each row that was deleted at the position.
func (s *server) OnTypeFormatting(ctx context.Context, params *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	onType := snapshotFrom(ctx).settings.OnType
	if !ok || onType == settings.OnTypeOff {
		return nil, nil
	}
	line, rows := int(params.Position.Line), len(params.Ch)
	switch params.Ch {
	case "\n":
		return v.textEdits(v.doc.LineTyped(line, onType == settings.OnTypeOrder, v.fitting)), ctx.Err()
	case strings.Repeat("\b", rows):
		return v.textEdits(v.doc.RowsGone(line, rows, v.fitting)), ctx.Err()
	}
	return nil, nil
}

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
	_, old, _ := v.doc.RenameTarget(offset)
	title := fmt.Sprintf("Rename %s to %s", old, params.NewName)
	if _, isFile := address.Path(v.name); isFile && v.doc.HasModels() {
		s.texts.rereadNow(ctx) // edits of another text than that on disk would ruin it
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		files, err := s.texts.models.rename(snap, v, offset, params.NewName, s.texts.index.Paths(hierarchy.IsBLIF))
		if err != nil {
			return nil, refused(err)
		}
		if len(files) == 1 && snap.viewOf(files[0].Path) == v { // else what stands in other files is another circuit than before
			s.texts.propose(v, proposal{title, files[0].Edits})
		}
		return snap.filesEdit(files), nil
	}
	edits, err := v.doc.Rename(offset, params.NewName)
	if err != nil {
		return nil, refused(err)
	}
	s.texts.propose(v, proposal{title, edits})
	return v.workspaceEdit(edits, snap.client), nil
}

// textEdits converts edits of the view's text.
func (v *view) textEdits(edits []source.Edit) []protocol.TextEdit {
	all := make([]protocol.TextEdit, 0, len(edits))
	for _, e := range v.mapper.Nameable(edits) {
		all = append(all, protocol.TextEdit{Range: v.mapper.SpanRange(e.Span), NewText: e.NewText})
	}
	return all
}

// workspaceEdit wraps edits with the version that they are about, where the
// client can make use of it: it then refuses them for any other.
func (v *view) workspaceEdit(edits []source.Edit, client clientSide) *protocol.WorkspaceEdit {
	version := v.doc.Version
	return fileEdits{{v.name, &version, v.textEdits(edits)}}.workspaceEdit(client)
}

// filesEdit wraps edits of several files. One that is not open has no version:
// they are about what is on disk.
func (snap *snapshot) filesEdit(files []hierarchy.FileEdits) *protocol.WorkspaceEdit {
	var all fileEdits
	for _, f := range files {
		key := address.URI(f.Path)
		if v := snap.viewOf(f.Path); v != nil {
			version := v.doc.Version
			all = append(all, fileEdit{v.name, &version, v.textEdits(f.Edits)})
			continue
		}
		closed := &view{name: key, mapper: position.New(f.Text, snap.client.encoding)}
		all = append(all, fileEdit{key, nil, closed.textEdits(f.Edits)})
	}
	return all.workspaceEdit(snap.client)
}

// fileEdits are edits by file. Without version a file is not open.
type fileEdits []fileEdit

type fileEdit struct {
	uri     uri.URI
	version *int32
	edits   []protocol.TextEdit
}

func (all fileEdits) workspaceEdit(client clientSide) *protocol.WorkspaceEdit {
	w := &protocol.WorkspaceEdit{}
	if !client.documentChanges {
		w.Changes = map[uri.URI][]protocol.TextEdit{}
	}
	for _, f := range all {
		if !client.documentChanges {
			w.Changes[f.uri] = f.edits
			continue
		}
		change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: f.uri}, Version: f.version,
		}, Edits: make([]protocol.TextDocumentEditElement, 0, len(f.edits))}
		for i := range f.edits {
			change.Edits = append(change.Edits, &f.edits[i])
		}
		w.DocumentChanges = append(w.DocumentChanges, change)
	}
	return w
}
