package lsp

import (
	"errors"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
)

// The one diagnostic of a document that is out of step.
const (
	codeOutOfStep source.Code = "out-of-step"
	outOfStep     string      = "this text is out of step with the server, which could not read one of its changes: close the file and open it again"
)

// changeParams are those of a didChange. The library's own type takes a change
// whose range it cannot read for one of the whole text, and missing numbers for 0.
type changeParams struct {
	TextDocument   protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []struct {
		Range *changeRange `json:"range"`
		Text  *string      `json:"text"`
	} `json:"contentChanges"`
}

type changeRange struct {
	Start changePlace `json:"start"`
	End   changePlace `json:"end"`
}

type changePlace struct {
	Line      *uint32 `json:"line"`
	Character *uint32 `json:"character"`
}

var errPartOfChange = errors.New("a part of a change is missing")

func changeFromJSON(raw []byte) (*protocol.DidChangeTextDocumentParams, error) {
	var params changeParams
	if err := decode(raw, &params); err != nil {
		return nil, fmt.Errorf("parameters: %w", err)
	}
	if params.TextDocument.URI == "" {
		return nil, errPartOfChange
	}
	change := &protocol.DidChangeTextDocumentParams{TextDocument: params.TextDocument}
	for _, c := range params.ContentChanges {
		switch {
		case c.Text == nil:
			return nil, errPartOfChange
		case c.Range == nil:
			change.ContentChanges = append(change.ContentChanges, &protocol.TextDocumentContentChangeWholeDocument{Text: *c.Text})
			continue
		}
		start, startOK := c.Range.Start.position()
		end, endOK := c.Range.End.position()
		if !startOK || !endOK {
			return nil, errPartOfChange
		}
		change.ContentChanges = append(change.ContentChanges, &protocol.TextDocumentContentChangePartial{
			Range: protocol.Range{Start: start, End: end}, Text: *c.Text,
		})
	}
	return change, nil
}

// position returns a place; ok is false when a part of it is missing.
func (p changePlace) position() (at protocol.Position, ok bool) {
	if p.Line == nil || p.Character == nil {
		return at, false
	}
	return protocol.Position{Line: *p.Line, Character: *p.Character}, true
}

// lose marks the document of a change that cannot be decoded as out of step
// until its whole text arrives; all of them when not even its address can be
// read.
func (s *server) lose(raw []byte) {
	var params struct {
		TextDocument struct {
			URI uri.URI `json:"uri"`
		} `json:"textDocument"`
	}
	readable := decode(raw, &params) == nil && params.TextDocument.URI != ""
	s.owner.do(func() {
		for key, f := range s.files {
			if f.lost || f.hidden || readable && key != params.TextDocument.URI {
				continue
			}
			f.lost, f.titles = true, nil
			s.stopFile(f)
			s.touch(f)
			s.publisher.request(key)
			s.askForLenses()
		}
	})
}
