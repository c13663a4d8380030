package lsp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/verilogdesign"
	"aiglens/internal/synthesis"
	"aiglens/lsp/position"
	"aiglens/lsp/wire"
)

// shownAs returns the address of the document that shows a file as a text of AIGER.
func shownAs(file uri.URI) uri.URI {
	u := url.URL{Scheme: decodedScheme, OmitHost: true, Path: file.Path() + ".aag", RawQuery: url.PathEscape(string(file))}
	return uri.URI(u.String())
}

// shownFile returns the address of the file that such a document shows; "" for another document.
func shownFile(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != decodedScheme {
		return ""
	}
	file, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		return ""
	}
	return file
}

// circuitOf returns the circuit that Yosys has written for the design of a Verilog file; isCurrent says
// that the sources are still those that it has read. There is none where it is nil.
func (v *verilog) circuitOf(u uri.URI) (found *verilogdesign.Synthesis, isCurrent bool) {
	if !u.IsFile() || !synthesis.IsSource(u.Path()) {
		return nil, false
	}
	path := filepath.Clean(u.FsPath())
	v.queue.Do(func() {
		for _, d := range v.known {
			if _, is := d.read[path]; is && d.outcome.Model() != nil {
				found, isCurrent = d.outcome, d.isCurrent(v.open())
			}
		}
	})
	return found, isCurrent
}

// tellCircuit tells a client that shows circuits that those of a design are other ones now.
func (v *verilog) tellCircuit(d *synthesised) {
	if !v.client.decoded {
		return
	}
	for _, s := range d.outcome.Sources() {
		v.notify(wire.NotificationDecodedChanged.Name, &wire.FileParams{URI: uri.File(s.Path)})
	}
}

// Implementation leads from Verilog to the circuit that Yosys has written.
func (s *server) Implementation(ctx context.Context, params *protocol.ImplementationParams) (protocol.DefinitionResult, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	snap := snapshotFrom(ctx)
	if !ok || !snap.client.decoded {
		return nil, nil
	}
	made := verilogdesign.SynthesisOf(v.doc)
	if made == nil || made.Circuit() == nil {
		return nil, nil
	}
	m := position.New(made.Circuit().Text, snap.client.encoding)
	var all protocol.LocationSlice
	for _, span := range made.InCircuit(v.doc, v.mapper.PositionOffset(params.Position)) {
		all = append(all, protocol.Location{URI: shownAs(v.name), Range: m.SpanRange(span)})
	}
	if len(all) == 0 {
		return nil, ctx.Err()
	}
	return all, ctx.Err()
}

// sourcesAt returns where Verilog declares or states what stands at an offset of a document that shows
// its circuit. Of another circuit than that of the present sources nothing is known.
func (s *server) sourcesAt(v *view, offset int) []design.Target {
	file := shownFile(v.doc.URI)
	if file == "" {
		return nil
	}
	made, isCurrent := s.verilog.circuitOf(uri.URI(file))
	if made == nil || !isCurrent || !made.Circuit().Text.Equal(v.doc.Text) {
		return nil
	}
	return made.InSources(offset)
}

var errUnread = errors.New("the design has not been read by Yosys: check it first")

// circuitText returns the text of a circuit that Yosys has written; ok is false for a file of another kind.
func (s *session) circuitText(u uri.URI) (text string, ok bool, err error) {
	if !synthesis.IsSource(u.Path()) {
		return "", false, nil
	}
	made, _ := s.verilog.circuitOf(u)
	if made == nil {
		return "", true, fmt.Errorf("%s: %w", filepath.Base(u.Path()), errUnread)
	}
	return made.Circuit().Text.Content(), true, nil
}
