package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// SemanticTokensFull classifies a whole file unless it is large. A client that
// can ask for the part it shows then gets null and does that; the others get
// the start of the file.
func (s *server) SemanticTokensFull(ctx context.Context, params *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	span := source.Span{Length: v.doc.Text.Len()}
	if !ide.HasAllTokens(v.doc) {
		if snapshotFrom(ctx).client.tokenRanges {
			return nil, nil
		}
		span = ide.SomeTokens(v.doc)
	}
	return tokensIn(ctx, v, span)
}

// SemanticTokensRange classifies the lines of a range.
func (s *server) SemanticTokensRange(ctx context.Context, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return tokensIn(ctx, v, v.mapper.RangeSpan(params.Range))
}

// tokensIn writes tokens as the protocol has them: five numbers each, places
// relative to the token before.
func tokensIn(ctx context.Context, v *view, span source.Span) (*protocol.SemanticTokens, error) {
	found, err := ide.Tokens(ctx, v.doc, span)
	if err != nil {
		return nil, err
	}
	data := make([]uint32, 0, 5*len(found))
	var last protocol.Position
	places := v.mapper.Walker()
	for _, t := range found {
		r := places.SpanRange(t.Span)
		if r.Start.Line != r.End.Line {
			continue // a lone carriage return within a name
		}
		if r.Start.Line != last.Line {
			last.Character = 0
		}
		data = append(data, r.Start.Line-last.Line, r.Start.Character-last.Character,
			r.End.Character-r.Start.Character, uint32(t.Type), uint32(t.Modifiers))
		last = r.Start
	}
	return &protocol.SemanticTokens{Data: data}, nil
}

func tokenOptions() *protocol.SemanticTokensOptions {
	return &protocol.SemanticTokensOptions{
		Legend: protocol.SemanticTokensLegend{TokenTypes: ide.TokenTypes, TokenModifiers: ide.TokenModifiers},
		Range:  protocol.Boolean(true),
		Full:   protocol.Boolean(true),
	}
}
