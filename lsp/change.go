package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/hierarchy"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/position"
	"aiglens/lsp/rpc"
	"aiglens/lsp/settings"
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

// fixAllID stands for every preferred fix among the changes of a file.
const (
	fixAllID    = "fix-all"
	fixAllTitle = "Fix all that can be fixed safely"
)

// offerFunc is told of edits that the client is given, and that should keep what the circuit
// does, with the title under which it shows them.
type offerFunc func(title string, edits []source.Edit)

// changes lists the changes of a place as code actions. Those of the whole file
// are left out while an editor only wonders whether to show a light bulb.
func changeActions(ctx context.Context, v *view, params *protocol.CodeActionParams, client clientSide, offer offerFunc) []protocol.CommandOrCodeAction {
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
		} else if edits, err := c.Edits(); err == nil && len(edits) > 0 {
			action.Edit = v.workspaceEdit(edits, client)
			if c.Kind != source.ChangeAdd {
				offer(c.Title, edits)
			}
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
	if err := rpc.Decode(action.Data, &data); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "data of a code action: %v", err)
	}
	v, ok := viewFrom(ctx, data.URI)
	if !ok || v.doc.Version != data.Version {
		return nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesContentModified), "the text has changed since the action was offered")
	}
	if data.ID == fixAllID {
		edits := v.doc.FixAll()
		s.texts.offer(v, offered{fixAllTitle, edits})
		action.Edit = v.workspaceEdit(edits, snapshotFrom(ctx).client)
		return action, nil
	}
	for _, c := range v.doc.Changes(ctx, data.Span, data.File) {
		if c.ID != data.ID {
			continue
		}
		edits, err := c.Edits()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, refused(err)
		case c.Kind != source.ChangeAdd:
			s.texts.offer(v, offered{c.Title, edits})
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

// fixAll offers every preferred fix at once, to a client that asks for actions
// of this kind: an editor that only wonders about a light bulb does not, and the
// fixes of a whole file take their time.
func fixAllActions(v *view, params *protocol.CodeActionParams, client clientSide, offer offerFunc) []protocol.CommandOrCodeAction {
	kind := protocol.CodeActionKindSourceFixAll
	if len(params.Context.Only) == 0 || !wanted(params.Context.Only, kind) {
		return nil
	}
	action := &protocol.CodeAction{Title: fixAllTitle, Kind: &kind}
	if client.resolvesActions && v.doc.Text.Len() >= largeText {
		if len(v.doc.TextDiagnostics()) == 0 {
			return nil
		}
		action.Data, _ = json.Marshal(changeData{URI: v.name, Version: v.doc.Version, ID: fixAllID}) // strings and numbers
		return []protocol.CommandOrCodeAction{action}
	}
	edits := v.doc.FixAll()
	if len(edits) == 0 {
		return nil
	}
	offer(fixAllTitle, edits)
	action.Edit = v.workspaceEdit(edits, client)
	return []protocol.CommandOrCodeAction{action}
}

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
// With backspaces as many rows are gone from the position.
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
	if v.doc.HasModels() && v.name.IsFile() {
		s.texts.lookNow(ctx) // edits of another text than that on disk would ruin it
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		files, err := s.texts.models.rename(snap, v, offset, params.NewName, s.texts.index.Paths(hierarchy.IsBLIF))
		if err != nil {
			return nil, refused(err)
		}
		if len(files) == 1 && snap.viewOf(files[0].Path) == v { // else what stands in other files is another circuit than before
			s.texts.offer(v, offered{title, files[0].Edits})
		}
		return snap.filesEdit(files), nil
	}
	edits, err := v.doc.Rename(offset, params.NewName)
	if err != nil {
		return nil, refused(err)
	}
	s.texts.offer(v, offered{title, edits})
	return v.workspaceEdit(edits, snap.client), nil
}

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
		}, Edits: make([]protocol.TextDocumentEditElement, 0, len(f.edits))}
		for i := range f.edits {
			change.Edits = append(change.Edits, &f.edits[i])
		}
		w.DocumentChanges = append(w.DocumentChanges, change)
	}
	return w
}

// completionData goes with a completion to the client and back, so that its
// documentation is written only when somebody reads it.
type completionData struct {
	URI     uri.URI    `json:"uri"`
	Literal design.Lit `json:"literal"`
}

var completionItemKinds = [...]protocol.CompletionItemKind{
	design.CompletionLiteral: protocol.CompletionItemKindVariable,
	design.CompletionNumber:  protocol.CompletionItemKindValue,
	design.CompletionName:    protocol.CompletionItemKindReference,
	design.CompletionKeyword: protocol.CompletionItemKindKeyword,
	design.CompletionForm:    protocol.CompletionItemKindSnippet,
}

// Completion lists what may be typed at a place, in the order of the format.
func (s *server) Completion(ctx context.Context, params *protocol.CompletionParams) (protocol.CompletionResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	found := v.doc.Complete(v.mapper.PositionOffset(params.Position))
	list := &protocol.CompletionList{IsIncomplete: found.Incomplete, Items: []protocol.CompletionItem{}}
	at := v.mapper.SpanRange(found.Span)
	for i, c := range found.Items {
		item := protocol.CompletionItem{
			Label: c.Label, Kind: completionItemKinds[c.Kind],
			Detail:     protocol.NewOptional(c.Detail),
			FilterText: protocol.NewOptional(c.Filter), SortText: protocol.NewOptional(fmt.Sprintf("%03d", i)),
			TextEdit: &protocol.TextEdit{Range: at, NewText: c.Insert},
		}
		if c.Snippet != "" && snapshotFrom(ctx).client.snippets {
			item.InsertTextFormat = protocol.InsertTextFormatSnippet
			item.TextEdit = &protocol.TextEdit{Range: at, NewText: c.Snippet}
		}
		if c.Kind == design.CompletionLiteral {
			item.LabelDetails = &protocol.CompletionItemLabelDetails{Description: &c.Insert}
			item.Data, _ = json.Marshal(completionData{v.name, c.Lit}) // a string and a number
		}
		list.Items = append(list.Items, item)
	}
	return list, ctx.Err()
}

// CompletionResolve adds the definition of a literal.
func (s *server) CompletionResolve(ctx context.Context, item *protocol.CompletionItem) (*protocol.CompletionItem, error) {
	var data completionData
	if rpc.Decode(item.Data, &data) != nil {
		return item, nil
	}
	v, ok := viewFrom(ctx, data.URI)
	if !ok {
		return item, nil
	}
	text, err := ide.CompletionDocumentation(ctx, v.doc, data.Literal, v.status, ide.HoverOptions{MaxSteps: s.opts.MaxSteps})
	if err != nil {
		return nil, err
	}
	if text != "" {
		item.Documentation = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
	}
	return item, nil
}

// refused is the answer to a request that was understood and cannot be done.
func refused(err error) error {
	return jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "%v", err)
}
