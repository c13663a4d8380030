package lsp

import (
	"go.lsp.dev/uri"

	"aiglens/internal/source"
)

// The one diagnostic of a document that is out of step.
const (
	codeOutOfStep    source.Code = "out-of-step"
	outOfStepMessage string      = "this text is out of step with the server, which could not read one of its changes: close the file and open it again"
)

// loseStep marks the document of a change that cannot be decoded as out of step
// until its whole text arrives; all of them when not even its address can be
// read.
func (s *server) loseStep(raw []byte) {
	var params struct {
		TextDocument struct {
			URI uri.URI `json:"uri"`
		} `json:"textDocument"`
	}
	readable := decode(raw, &params) == nil && params.TextDocument.URI != ""
	s.owner.do(func() {
		for key, f := range s.files {
			if f.outOfStep || f.hidden || readable && key != params.TextDocument.URI {
				continue
			}
			f.outOfStep, f.titles = true, nil
			s.stopFile(f)
			s.touch(f)
			s.publisher.request(key)
			s.askForLenses(lensChanged)
		}
	})
}
