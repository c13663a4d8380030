package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/design/verilogdesign"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/position"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// didOpen keeps the address as the client writes it: the decoder rewrites
// file:///C:/x to file:///c%3A/x, and a client that compares addresses as words
// would drop the diagnostics of the latter. The address is copied, because what the decoder
// returns is a part of the message, which has the text in it, and addresses are kept for
// long.
func didOpen(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params := new(protocol.DidOpenTextDocumentParams)
	if err := rpc.Decode(raw, params); err != nil {
		return nil, err
	}
	params.TextDocument.URI = uri.URI(strings.Clone(string(params.TextDocument.URI)))
	name := spelledURI(raw, params.TextDocument.URI)
	if name == "" { // of which the decoder makes another
		return nil, errors.New("a document without a URI")
	}
	openDocument(s.(*server).session, params.TextDocument, name)
	return nil, nil
}

// spelledURI finds the only member "uri" of a didOpen. Quotes within texts are
// escaped, so the first unescaped one is it.
func spelledURI(raw []byte, decoded uri.URI) uri.URI {
	_, rest, found := bytes.Cut(raw, []byte(`"uri"`))
	if !found {
		return decoded
	}
	rest = bytes.TrimLeft(rest, " \t\r\n:")
	if end := bytes.IndexByte(rest[min(1, len(rest)):], '"'); end >= 0 {
		var word string
		if json.Unmarshal(rest[:end+2], &word) == nil {
			return uri.URI(word)
		}
	}
	return decoded
}

func openDocument(s *session, item protocol.TextDocumentItem, name uri.URI) {
	kind := s.opts.Formats.Recognise(string(item.LanguageID), item.URI.Path(), item.Text)
	if isVerilog(string(item.LanguageID), item.URI.Path()) {
		kind = verilogdesign.Format
	}
	text := source.NewText(item.Text)
	s.queue.Do(func() {
		doc := design.New(string(item.URI), kind, item.Version, text, s.settings.Document)
		f, before := newFile(s.ctx, name, doc), s.texts.files[item.URI]
		checking := before != nil && s.checking.workspace.takeOver(f, before)
		switch {
		case before == nil:
		case before.hidden:
			f.checks.Inherit(before.checks)
			s.texts.closeFile(item.URI)
		default:
			s.log.Warn("document opened twice", zap.String("uri", string(name)))
			s.texts.closeFile(item.URI)
		}
		s.texts.add(f)
		s.texts.textChanged(f)
		if checking {
			s.checking.checkFile(f)
		} else {
			s.checking.recallFile(f)
		}
	})
}

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
	if err := rpc.Decode(raw, &params); err != nil {
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

// didChange applies the changes of one notification in order, each to the text
// that the one before it left. After one that cannot be decoded the text is
// unknown.
func didChange(_ context.Context, s protocol.Server, raw []byte) (any, error) {
	params, err := changeFromJSON(raw)
	if err != nil {
		s.(*server).texts.loseStep(raw)
		return nil, err
	}
	changeDocument(s.(*server).session, params)
	return nil, nil
}

func changeDocument(s *session, params *protocol.DidChangeTextDocumentParams) {
	s.queue.Do(func() {
		id := params.TextDocument
		f := s.texts.files[id.URI]
		if f == nil {
			s.log.Warn("change of a document that is not open", zap.String("uri", string(id.URI)))
			return
		}
		if id.Version <= f.doc.Version {
			// Applied all the same: messages cannot overtake each other, and some
			// clients do not count.
			s.log.Debug("version does not increase", zap.Int32("from", f.doc.Version), zap.Int32("to", id.Version))
		}
		if f.outOfStep && !slices.ContainsFunc(params.ContentChanges, isWholeText) {
			return
		}
		s.checking.scheduling.leaveProcessor()
		s.texts.edit(f, id.Version, params.ContentChanges)
		s.checking.checkAfterTyping(f)
	})
}

func isWholeText(change protocol.TextDocumentContentChangeEvent) bool {
	_, is := change.(*protocol.TextDocumentContentChangeWholeDocument)
	return is
}

// applyChanges returns the text after changes, each of which refers to the text
// that the one before it left. Editors send the changes of many cursors from the
// last place to the first; such a run is applied at once, because each application
// copies a part of the text and the list of its parts.
//
// each is called with every edit in turn, with a text that is the one before the edit up to
// the rows that it touches.
func applyChanges(text source.Text, changes []protocol.TextDocumentContentChangeEvent, encoding protocol.PositionEncodingKind, each func(before source.Text, e source.Edit)) source.Text {
	for len(changes) > 0 {
		if whole, ok := changes[0].(*protocol.TextDocumentContentChangeWholeDocument); ok {
			next := source.NewText(whole.Text)
			prefix, suffix := source.Common(text, next)
			each(text, source.Edit{Span: source.SpanFromTo(prefix, text.Len()-suffix), NewText: whole.Text[prefix : len(whole.Text)-suffix]})
			text, changes = next, changes[1:]
			continue
		}
		edits := descendingEdits(position.New(text, encoding), changes)
		for _, e := range edits {
			each(text, e)
		}
		if len(edits) == 1 {
			text = text.Replace(edits[0].Span, edits[0].NewText)
		} else if edited, err := text.Apply(edits); err == nil { // they lie within the text and apart
			text = edited
		}
		changes = changes[max(1, len(edits)):]
	}
	return text
}

// descendingEdits converts the changes up to the first that does not lie before
// all others: so far, places in the text and in what the changes leave are the
// same.
func descendingEdits(m position.Mapper, changes []protocol.TextDocumentContentChangeEvent) []source.Edit {
	var edits []source.Edit
	for _, change := range changes {
		partial, ok := change.(*protocol.TextDocumentContentChangePartial)
		if !ok {
			break
		}
		span := m.RangeSpan(partial.Range)
		if n := len(edits); n > 0 && span.End() >= edits[n-1].Span.Start {
			break
		}
		edits = append(edits, source.Edit{Span: span, NewText: partial.Text})
	}
	return edits
}

// DidSave starts the checks that the new text asks for.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.queue.Do(func() {
		f := s.texts.files[params.TextDocument.URI]
		if f == nil {
			return
		}
		f.rewrites.Saved(f.doc.Text)
		s.verilog.saved(f)
		s.publishing.touch(f)
		doc, text := f.doc, f.checks.Text()
		s.texts.whenLooked(f, func(isWanted bool) {
			if isWanted {
				s.checking.checkSaved(f, doc, text)
			}
		})
	})
	return nil
}

// DidClose forgets a document and takes back its diagnostics.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	s.queue.Do(func() { s.texts.closeFile(params.TextDocument.URI) })
	return nil
}

func quoted(method string) string { return `"` + method + `"` }

// word returns the string that is the first member of a name in parts of a message, as
// JSON, "" when it is not there. As in spelledURI, quotes within texts are escaped.
func word(parts []byte, name string) string {
	found := regexp.MustCompile(`"` + name + `"\s*:\s*("(?:[^"\\]|\\.)*")`).FindSubmatch(parts)
	if found == nil {
		return ""
	}
	return string(found[1])
}

// The one diagnostic of a document that is out of step.
const (
	codeOutOfStep    source.Code = "out-of-step"
	outOfStepMessage string      = "this text is out of sync with the server, which could not read one of its changes: close the file and open it again"
)

// decoded answers with a binary or packed file as text, or with the circuit of a Verilog file. It
// reads the former from disk, whether it is open or not: an editor that opened it would have mangled
// its bytes.
func decoded(_ context.Context, s protocol.Server, params *wire.FileParams) (*wire.DecodedFile, error) {
	name, isFile := address.Path(params.URI)
	if !isFile {
		return nil, refused(fmt.Errorf("%s is not a file on this machine", params.URI))
	}
	if text, ok, err := s.(*server).circuitText(params.URI); ok {
		if err != nil {
			return nil, refused(err)
		}
		return &wire.DecodedFile{Text: text}, nil
	}
	text, err := s.(*server).texts.disk.Decode(s.(*server).opts.Formats, name)
	if err != nil {
		return nil, refused(err)
	}
	return &wire.DecodedFile{Text: text}, nil
}
