package lsp

import (
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
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
	changes := v.textEdits(edits)
	if !client.documentChanges {
		return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{v.name: changes}}
	}
	version := v.doc.Version
	change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: v.name}, Version: &version,
	}}
	for i := range changes {
		change.Edits = append(change.Edits, &changes[i])
	}
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{change}}
}

// refused is the answer to a request that was understood and cannot be done.
func refused(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}
