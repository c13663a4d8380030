package lsp

import (
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/hierarchy"
	"aiglens/internal/source"
	"aiglens/lsp/position"
)

// textEdits converts edits of the view's text.
func (v *view) textEdits(edits []source.Edit) []protocol.TextEdit {
	all := make([]protocol.TextEdit, 0, len(edits))
	for _, e := range edits {
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
		key := uri.File(f.Path)
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

// viewOf returns the view of an open file, under whatever address the client
// has opened it, or nil.
func (snap *snapshot) viewOf(path string) *view {
	for key, v := range snap.views {
		if key.IsFile() && filepath.Clean(key.FsPath()) == path {
			return v
		}
	}
	return nil
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
		}}
		for i := range f.edits {
			change.Edits = append(change.Edits, &f.edits[i])
		}
		w.DocumentChanges = append(w.DocumentChanges, change)
	}
	return w
}

// refused is the answer to a request that was understood and cannot be done.
func refused(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}
