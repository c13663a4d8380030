package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/words"
	"aiglens/lsp/wire"
)

// executeRadices takes the radices that the user has chosen for words of a file. The client owns the choice, and sends
// it again when the server starts again.
func executeRadices(_ context.Context, s *session, params *wire.RadicesParams) (wire.None, error) {
	chosen := map[string]design.Radix{}
	for _, w := range params.Words {
		radix, ok := words.RadixNamed(string(w.Radix))
		if !ok {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%q is not a radix: expected binary, decimal, hex or signed", w.Radix)
		}
		chosen[w.Word] = radix
	}
	s.queue.Do(func() { s.publishing.writeIn(params.URI, chosen) })
	return nil, nil
}

// writeIn sets the radices of the words of a file, for the requests and for the values in its text.
func (pub *publishing) writeIn(name uri.URI, chosen map[string]design.Radix) {
	pub.radices = pub.radices.With(string(name), chosen)
	if f := pub.files[name]; f != nil && f.shown.selection != nil {
		pub.askForHints()
	}
}
