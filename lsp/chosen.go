package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// The actions that are not changes of a place: a fix of a diagnostic, and every preferred fix.
const (
	fixID       = "fix"
	fixAllID    = "fix-all"
	fixAllTitle = "Fix all that can be fixed safely"
)

// defers has the edits of an action computed when it is chosen: by a client that asks for them
// then, or by the command that has it apply them. It is false for a client that can do neither.
// The command needs edits that name the version that they are about, so that no other text is
// changed.
func (client clientSide) defers(action *protocol.CodeAction, data wire.ApplyActionParams) bool {
	switch {
	case client.resolvesActions:
		action.Data, _ = json.Marshal(data) // strings and numbers
	case client.appliesEdits && client.documentChanges:
		action.Command = protocol.Command{Title: action.Title, Command: wire.CommandApplyAction.Name, Arguments: []protocol.LSPAny{argument(data)}}
	default:
		return false
	}
	return true
}

// canDefer reports whether defers does.
func (client clientSide) canDefer() bool {
	return client.resolvesActions || client.appliesEdits && client.documentChanges
}

// CodeActionResolve computes the edit of an action.
func (s *server) CodeActionResolve(ctx context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data wire.ApplyActionParams
	if len(action.Data) == 0 {
		return action, nil
	}
	if err := rpc.Decode(action.Data, &data); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "data of a code action: %v", err)
	}
	v, edits, err := s.chosenEdits(ctx, data)
	if err != nil {
		return nil, err
	}
	action.Edit = v.workspaceEdit(edits, snapshotFrom(ctx).client)
	return action, nil
}

// executeApplyAction asks the client to make the edit of an action.
func executeApplyAction(ctx context.Context, s *session, params *wire.ApplyActionParams) (wire.None, error) {
	client := snapshotFrom(ctx).client
	if !client.documentChanges {
		return nil, refused(errUnversioned)
	}
	v, edits, err := s.chosenEdits(ctx, *params)
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return nil, refused(errNotPossible)
	}
	if err := s.applyEdits(ctx, v, "Code action", edits, client); err != nil {
		return nil, refused(err)
	}
	return nil, nil
}

// applyEdits asks the client to apply edits of the version of a view.
func (c *core) applyEdits(ctx context.Context, v *view, label string, edits []source.Edit, client clientSide) error {
	apply := &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *v.workspaceEdit(edits, client)}
	var answer protocol.ApplyWorkspaceEditResult
	if err := protocol.Call(ctx, c.conn, protocol.MethodWorkspaceApplyEdit, apply, &answer); err != nil {
		return fmt.Errorf("the edit was not applied: %w", err)
	}
	if !answer.Applied {
		return errors.New("the editor did not apply the edit")
	}
	return nil
}

// chosenEdits returns the edits of an action that was offered, and notes those that should keep
// what the circuit does.
func (s *session) chosenEdits(ctx context.Context, data wire.ApplyActionParams) (v *view, edits []source.Edit, err error) {
	v, ok := viewFrom(ctx, data.URI)
	if !ok || v.doc.Version != data.Version {
		return nil, nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesContentModified), "the text has changed since the action was offered")
	}
	title, keeps := fixAllTitle, true
	switch data.ID {
	case fixAllID:
		edits, err = v.doc.FixAll(ctx)
	case fixID:
		title = data.Title
		edits, err = fixEdits(ctx, v.doc, data)
	default:
		title, keeps, edits, err = changeEdits(ctx, v.doc, data)
	}
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, refused(err)
	case keeps:
		s.texts.propose(v, proposal{title, edits})
	}
	return v, edits, nil
}

// fixEdits returns the edits of a fix.
func fixEdits(ctx context.Context, d *design.Design, data wire.ApplyActionParams) ([]source.Edit, error) {
	for _, f := range d.Diagnostics() {
		if string(f.Code) != data.Code || f.Span != (source.Span{Start: data.Start, Length: data.Length}) {
			continue
		}
		for _, fix := range d.Fixes(f) {
			if fix.Title == data.Title {
				edits := fix.AllEdits()
				return edits, design.Harm(ctx, d, edits)
			}
		}
	}
	return nil, errNotPossible
}

// changeEdits returns the edits of a change, and whether they should keep what the circuit does.
func changeEdits(ctx context.Context, d *design.Design, data wire.ApplyActionParams) (title string, keeps bool, edits []source.Edit, err error) {
	for _, c := range d.Changes(ctx, source.Span{Start: data.Start, Length: data.Length}, data.File) {
		if c.ID == data.ID {
			edits, err = c.Edits()
			return c.Title, c.Kind != source.ChangeAdd, edits, err
		}
	}
	return "", false, nil, errNotPossible
}

var errNotPossible = errors.New("this is no longer possible here")
