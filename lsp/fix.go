package lsp

import (
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
)

// describe links a diagnostic to the explanation of its code, for clients that
// show links. The place in the file is written as VS Code reads it; others open
// the file at its start.
func (snap *snapshot) describe(d *protocol.Diagnostic, code source.Code) {
	if snap.explain == nil || !snap.client.describesCodes {
		return
	}
	if path, line, ok := snap.explain(string(code)); ok {
		d.CodeDescription.Href = uri.URI(fmt.Sprintf("%s#L%d", uri.File(path), line))
	}
}

// fixAll offers every preferred fix at once, to a client that asks for actions
// of this kind: an editor that only wonders about a light bulb does not, and the
// fixes of a whole file take their time.
func (v *view) fixAll(params *protocol.CodeActionParams, client clientSide) []protocol.CommandOrCodeAction {
	kind := protocol.CodeActionKindSourceFixAll
	if len(params.Context.Only) == 0 || !wanted(params.Context.Only, kind) {
		return nil
	}
	edits := v.doc.FixAll()
	if len(edits) == 0 {
		return nil
	}
	return []protocol.CommandOrCodeAction{&protocol.CodeAction{
		Title: "Fix all that can be fixed safely", Kind: &kind, Edit: v.workspaceEdit(edits, client),
	}}
}
