package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

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
	data.ID, data.Title, data.Code = strings.Clone(data.ID), strings.Clone(data.Title), strings.Clone(data.Code) // which outlive the request
	c, err := promptly(ctx, s, v, func() (chosen, error) { return chosenOf(ctx, v.doc, data) })
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, refused(err)
	case c.keeps:
		s.texts.propose(v, proposal{c.title, c.edits})
	}
	return v, c.edits, nil
}

// chosen is what an action does.
type chosen struct {
	title string
	edits []source.Edit
	keeps bool // what the circuit does
}

func chosenOf(ctx context.Context, d *design.Design, data wire.ApplyActionParams) (c chosen, err error) {
	c.title, c.keeps = fixAllTitle, true
	switch data.ID {
	case fixAllID:
		c.edits, err = d.FixAll(ctx)
	case fixID:
		c.title = data.Title
		c.edits, err = fixEdits(ctx, d, data)
	default:
		c.title, c.keeps, c.edits, err = changeEdits(ctx, d, data)
	}
	return c, err
}

// maxChoosing bounds what is computed of actions at once, cancelled or not.
const maxChoosing = 2

// promptly returns what f computes from a text, or the error of ctx as soon as that ends: a text of a
// million lines is parsed for a second before f looks at its context. What f returns then is dropped.
func promptly[T any](ctx context.Context, s *session, v *view, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	select {
	case s.choosing <- struct{}{}:
	case <-ctx.Done():
		return none, ctx.Err()
	}
	done := make(chan result, 1)
	s.tasks.Go(func() {
		r := result{err: errBroken}
		defer func() { done <- r }()
		defer func() { <-s.choosing }()
		s.guardText("code action", v.doc, func() { r.value, r.err = f() })
	})
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

var errBroken = errors.New("internal error in a code action; see the log")

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
