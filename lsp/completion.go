package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/lsp/ide"
	"aiglens/lsp/rpc"
)

// completionData goes with a completion to the client and back, so that its
// documentation is written only when the user reads it.
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
		item.Documentation = markup(text, snapshotFrom(ctx).client.completionFormat)
	}
	return item, nil
}
