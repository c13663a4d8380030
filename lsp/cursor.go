package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// cursor takes note of where the user is.
func cursor(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params, err := paramsFromJSON[wire.CursorParams](raw)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	session := s.(*server).session
	if v := session.snapshot.Load().views[params.URI]; v != nil && !v.outOfStep {
		session.focus(v, v.mapper.PositionOffset(params.Position))
	}
	return nil, nil
}

// focus notes where the user is: the property there is checked before others. The
// protocol does not tell; what is asked about a place does.
func (s *session) focus(v *view, at int) {
	p, ok := v.doc.PropertyAt(at)
	if !ok {
		return
	}
	id := verify.ID{Document: v.doc.URI, Property: p.ID}
	s.post(func() {
		if s.preferred != id {
			s.preferred = id
			s.scheduler.Prefer(id)
		}
	})
}
