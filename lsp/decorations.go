package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
)

// InlayHint shows what literals are called, what rows are, and values.
func (s *server) InlayHint(ctx context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	reading := snapshotFrom(ctx).settings.Reading
	span := v.mapper.RangeSpan(params.Range)
	all := []protocol.InlayHint{}
	hints, err := hintsIn(ctx, v, span, reading)
	if err != nil {
		return nil, err
	}
	for _, h := range hints {
		all = append(all, inlayHintFrom(v, h))
	}
	notes, err := notesIn(ctx, v, span, reading)
	if err != nil {
		return nil, err
	}
	for _, h := range ide.NoteHints(v.doc, notes) {
		hint := inlayHintFrom(v, h)
		hint.Data = protocol.LSPAny(`"` + wire.NoteHint + `"`)
		all = append(all, hint)
	}
	return all, ctx.Err()
}

// hints returns what stands between the bytes of the text: values behind the names at the
// same place.
func hintsIn(ctx context.Context, v *view, span source.Span, reading settings.Reading) ([]ide.InlayHint, error) {
	opts := ide.HintOptions{Names: reading.HintNames, Sections: reading.HintSections}
	var all []ide.InlayHint
	var err error
	switch row, isThere := cursorRow(v, span); {
	case reading.HintLayout == settings.EndOfLine && ide.HasNotes(v.doc):
		all = ide.HeaderHints(v.doc, span, opts)
	case reading.HintLayout != settings.CursorLine:
		all, err = ide.InlayHints(ctx, v.doc, span, opts)
	case isThere:
		all, err = ide.InlayHints(ctx, v.doc, row, opts)
	}
	if err != nil || hasNotes(v, reading) {
		return all, err
	}
	values, err := stepHintsIn(ctx, v, span)
	return append(all, values...), err
}

// cursorRow returns the line where the user is, if it is one of those that span touches.
func cursorRow(v *view, span source.Span) (row source.Span, ok bool) {
	line := int(v.cursor.Load())
	if line >= v.doc.Text.NumLines() {
		return row, false
	}
	row = v.doc.Text.LineSpan(line)
	return row, row.Start <= span.End() && span.Start <= row.End()
}

// hasNotes reports whether values, at least, stand at the ends of rows.
func hasNotes(v *view, reading settings.Reading) bool {
	return reading.HintLayout != settings.Between && ide.HasNotes(v.doc)
}

// notes returns what stands at the ends of rows.
func notesIn(ctx context.Context, v *view, span source.Span, reading settings.Reading) ([]ide.Note, error) {
	if !hasNotes(v, reading) {
		return nil, nil
	}
	opts := ide.NoteOptions{Depth: reading.HintDepth}
	if reading.HintLayout == settings.EndOfLine {
		opts.Names, opts.Sections = reading.HintNames, reading.HintSections
	}
	opts.Shown, opts.Step = v.shown()
	return ide.Notes(ctx, v.doc, span, opts)
}

// notesOf answers with what stands at the ends of rows.
func notesOf(ctx context.Context, _ protocol.Server, params *wire.NotesParams) (*wire.Notes, error) {
	answer := wire.Notes{Notes: []wire.Note{}}
	v, ok := viewFrom(ctx, params.URI)
	if !ok {
		return &answer, nil
	}
	found, err := notesIn(ctx, v, v.mapper.RangeSpan(params.Range), snapshotFrom(ctx).settings.Reading)
	if err != nil {
		return nil, err
	}
	answer.Version = v.doc.Version
	for _, n := range found {
		answer.Notes = append(answer.Notes, wire.Note{
			Line: v.mapper.OffsetPosition(n.Offset).Line, Column: n.Column,
			Value: noteParts(n.Value), Words: noteParts(n.Words),
		})
	}
	return &answer, nil
}

// noteLooks are the words for how parts of notes are drawn.
var noteLooks = [...]wire.Look{
	ide.LookText: wire.LookText, ide.LookNumber: wire.LookNumber, ide.LookBlank: wire.LookBlank,
	ide.LookUnchanged: wire.LookUnchanged, ide.LookChanged: wire.LookChanged,
	ide.LookUndetermined: wire.LookUndetermined, ide.LookNext: wire.LookNext,
}

func noteParts(parts []ide.Part) []wire.NotePart {
	all := make([]wire.NotePart, len(parts))
	for i, p := range parts {
		all[i] = wire.NotePart{Text: p.Text, Look: noteLooks[p.Look]}
	}
	return all
}

func inlayHintFrom(v *view, h ide.InlayHint) protocol.InlayHint {
	yes := true
	hint := protocol.InlayHint{Position: v.mapper.OffsetPosition(h.Offset)}
	if h.Before {
		hint.Label, hint.Kind = protocol.String(h.Label+":"), protocol.InlayHintKindParameter
		return hint
	}
	hint.Label = protocol.String(strings.Repeat(" ", h.Gap) + h.Label)
	if h.Gap == 0 {
		hint.PaddingLeft = &yes
	}
	return hint
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
	return tokensIn(ctx, v, span)
}

// SemanticTokensRange classifies the lines of a range.
func (s *server) SemanticTokensRange(ctx context.Context, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	v, ok := viewFrom(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return tokensIn(ctx, v, v.mapper.RangeSpan(params.Range))
}

// tokens writes tokens as the protocol has them: five numbers each, places
// relative to the token before.
func tokensIn(ctx context.Context, v *view, span source.Span) (*protocol.SemanticTokens, error) {
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
