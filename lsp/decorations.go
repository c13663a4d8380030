package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// InlayHint shows what literals are called and what rows are.
func (s *server) InlayHint(ctx context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	shown := snapshotFrom(ctx).settings
	opts := ide.HintOptions{Names: shown.HintNames, Sections: shown.HintSections}
	all := []protocol.InlayHint{}
	span := v.mapper.RangeSpan(params.Range)
	if opts.Names || opts.Sections {
		hints, err := ide.InlayHints(ctx, v.doc, span, opts)
		if err != nil {
			return nil, err
		}
		for _, h := range hints {
			all = append(all, v.inlayHint(h))
		}
	}
	hints, err := v.stepHints(ctx, span)
	if err != nil {
		return nil, err
	}
	for _, h := range hints { // behind the name at the same place
		all = append(all, v.inlayHint(h))
	}
	return all, ctx.Err()
}

func (v *view) inlayHint(h ide.InlayHint) protocol.InlayHint {
	yes := true
	hint := protocol.InlayHint{Position: v.mapper.OffsetPosition(h.Offset)}
	if h.Before {
		hint.Label, hint.Kind = protocol.String(h.Label+":"), protocol.InlayHintKindParameter
		return hint
	}
	hint.Label, hint.PaddingLeft = protocol.String(h.Label), &yes
	return hint
}

// askForHints has the client ask for its hints again; the owner calls it. That
// waits for the snapshot to hold what has changed.
func (s *session) askForHints() {
	if !s.client.refreshesHints {
		return
	}
	s.post(func() {
		s.background(func(ctx context.Context) {
			// A client that fails to refresh asks again by itself at the next edit.
			_ = protocol.Call(ctx, s.conn, protocol.MethodWorkspaceInlayHintRefresh, nil, nil)
		})
	})
}

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
	return v.tokens(ctx, span)
}

// SemanticTokensRange classifies the lines of a range.
func (s *server) SemanticTokensRange(ctx context.Context, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return v.tokens(ctx, v.mapper.RangeSpan(params.Range))
}

// tokens writes tokens as the protocol has them: five numbers each, places
// relative to the token before.
func (v *view) tokens(ctx context.Context, span source.Span) (*protocol.SemanticTokens, error) {
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
