package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
)

// The kinds of code actions under which changes are offered. Those of the whole
// file have a kind of their own each, "source.aiglens." and their name, so that
// an editor can run them on saving.
const (
	kindAdd    protocol.CodeActionKind = "refactor.aiglens.add"
	kindSource protocol.CodeActionKind = "source.aiglens"
)

func changeKind(c source.Change) protocol.CodeActionKind {
	switch c.Kind {
	case source.ChangeAdd:
		return kindAdd
	case source.ChangeRewrite:
		return protocol.CodeActionKindRefactorRewrite
	}
	return kindSource + "." + protocol.CodeActionKind(strings.ReplaceAll(c.ID, "-", ""))
}

// changeData goes with a code action to the client and back, so that its edit is
// computed only when it is chosen.
type changeData struct {
	URI     uri.URI     `json:"uri"`
	Version int32       `json:"version"`
	ID      string      `json:"id"`
	Span    source.Span `json:"span"`
	File    bool        `json:"file"` // a change of the whole file
}

// changes lists the changes of a place as code actions. Those of the whole file
// are left out while an editor only wonders whether to show a light bulb.
func (v *view) changes(ctx context.Context, params *protocol.CodeActionParams, client clientSide) []protocol.CommandOrCodeAction {
	var all []protocol.CommandOrCodeAction
	span := v.mapper.RangeSpan(params.Range)
	file := params.Context.TriggerKind != protocol.CodeActionTriggerKindAutomatic && wantsSource(params.Context.Only)
	for _, c := range v.doc.Changes(ctx, span, file) {
		kind := changeKind(c)
		action := &protocol.CodeAction{Title: c.Title, Kind: &kind}
		if !wanted(params.Context.Only, kind) {
			continue
		}
		if client.resolvesActions {
			data := changeData{v.name, v.doc.Version, c.ID, span, c.Kind == source.ChangeFile}
			action.Data, _ = json.Marshal(data) // strings and numbers
		} else if edits, err := c.Edits(); err == nil {
			action.Edit = v.workspaceEdit(edits, client)
		} else {
			continue
		}
		all = append(all, action)
	}
	return all
}

// wantsSource reports whether a client that asks for some kinds of actions asks
// for changes of the whole file.
func wantsSource(only []protocol.CodeActionKind) bool {
	return wanted(only, kindSource) || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return strings.HasPrefix(string(o), string(kindSource))
	})
}

// CodeActionResolve computes the edit of a change.
func (s *server) CodeActionResolve(ctx context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data changeData
	if len(action.Data) == 0 {
		return action, nil
	}
	if err := decode(action.Data, &data); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "data of a code action: %v", err)
	}
	v, ok := viewFrom(ctx, data.URI)
	if !ok || v.doc.Version != data.Version {
		return nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesContentModified), "the text has changed since the action was offered")
	}
	for _, c := range v.doc.Changes(ctx, data.Span, data.File) {
		if c.ID != data.ID {
			continue
		}
		edits, err := c.Edits()
		if err != nil {
			return nil, refused(err)
		}
		action.Edit = v.workspaceEdit(edits, snapshotFrom(ctx).client)
		return action, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, refused(errors.New("this is not possible here any more"))
}

// changingClient is what a client can do with changes.
type changingClient struct {
	documentChanges bool // edits that name the version they are about
	resolvesActions bool // asks for the edit of an action when it is chosen
}

func changingClientFromCapabilities(c protocol.ClientCapabilities) (client changingClient) {
	if w := c.Workspace; w != nil && w.WorkspaceEdit != nil {
		client.documentChanges = w.WorkspaceEdit.DocumentChanges != nil && *w.WorkspaceEdit.DocumentChanges
	}
	if t := c.TextDocument; t != nil && t.CodeAction != nil {
		client.resolvesActions = slices.Contains(t.CodeAction.ResolveSupport.Properties, "edit") &&
			t.CodeAction.DataSupport != nil && *t.CodeAction.DataSupport
	}
	return client
}

// changeCapabilities adds to what the server can do that which changes a text.
func changeCapabilities(c *protocol.ServerCapabilities) {
	yes := true
	c.RenameProvider = &protocol.RenameOptions{PrepareProvider: &yes}
	c.CompletionProvider = &protocol.CompletionOptions{TriggerCharacters: []string{"¬", "!", ".", "="}, ResolveProvider: &yes}
	c.DocumentFormattingProvider = protocol.Boolean(true)
	c.DocumentOnTypeFormattingProvider = protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n"}
}
