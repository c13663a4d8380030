package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"

	"aiglens/ic3/verify"
	"aiglens/lsp/rpc"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// cursor takes note of where the user is.
func cursor(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params, err := rpc.ParamsFromJSON[wire.CursorParams](raw)
	if err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	session := s.(*server).session
	place := session.places.Add(1)
	v := session.snapshot.Load().views[params.URI]
	if v == nil || v.outOfStep {
		return nil, nil
	}
	at := v.mapper.PositionOffset(params.Position)
	session.enterRow(v, at)
	if !v.doc.HasModels() || v.isAnalysed() {
		session.focus(v, at)
		return nil, nil
	}
	session.background(func(context.Context) { // the text may need a file that has not been read
		v.doc.Properties()
		if session.places.Load() == place {
			session.focus(v, at)
		}
	})
	return nil, nil
}

// enterRow notes the row where the user is, which may have hints of its own.
func (s *session) enterRow(v *view, at int) {
	line := int64(v.doc.Text.LineAt(at))
	if v.cursor.Swap(line) != line && s.snapshot.Load().settings.HintLayout == settings.CursorLine {
		s.post(s.publishing.askForHints)
	}
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
		if s.checking.scheduling.preferred != id {
			s.checking.scheduling.preferred = id
			s.checking.scheduling.scheduler.Prefer(id)
		}
	})
}
