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

// The place of the user: the property there is checked before others, and its row may have hints
// of its own. A client tells the place with aiglens/cursor. For a client that has never sent that,
// a documentHighlight stands for it: editors ask for one where the cursor stays, and ask all other
// questions about places where the user is not, too. No other question moves the place.

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
	session.post(func() { session.enterRow(v, at) })
	if !v.doc.HasModels() || v.isAnalysed() {
		session.focus(v, at, func() bool { return true })
		return nil, nil
	}
	session.background(func(context.Context) { // the text may need a file that has not been read
		session.focus(v, at, func() bool { return session.places.Load() == place })
	})
	return nil, nil
}

// highlighted takes the place of a documentHighlight for that of a user whose client does not tell
// it. The text has been read.
func (s *session) highlighted(v *view, at int) {
	isUntold := func() bool { return s.places.Load() == 0 }
	s.post(func() {
		if isUntold() {
			s.enterRow(v, at)
		}
	})
	s.focus(v, at, isUntold)
}

// enterRow notes the row where the user is, which may have hints of its own; the queue calls it.
func (s *session) enterRow(v *view, at int) {
	line := int64(v.doc.Text.LineAt(at))
	if v.cursor.Swap(line) != line && s.settings.HintLayout == settings.CursorLine {
		s.publishing.askForHints()
	}
}

// focus has the property where the user is checked before others, if the cursor still is there once that
// is known. It reads the text of the view.
func (s *session) focus(v *view, at int, isThere func() bool) {
	p, ok := v.doc.PropertyAt(at)
	if !ok {
		return
	}
	s.post(func() {
		if isThere() {
			s.checking.scheduling.prefer(verify.ID{Document: v.doc.URI, Property: p.ID})
		}
	})
}
