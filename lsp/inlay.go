package lsp

import (
	"context"

	"go.lsp.dev/protocol"

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
