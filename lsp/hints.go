package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"aiglens/design"
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

// hintsIn returns what stands between the bytes of the text: values after the names at the
// same place.
func hintsIn(ctx context.Context, v *view, span source.Span, reading settings.Reading) ([]ide.InlayHint, error) {
	opts := ide.HintOptions{Names: reading.HintNames, Sections: reading.HintSections}
	if design.HasClauses(v.doc) {
		return ide.QueryHints(v.doc, span, v.queries.status, v.selection), ctx.Err()
	}
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

// stepHintsIn returns the values of the step that is shown.
func stepHintsIn(ctx context.Context, v *view, span source.Span) ([]ide.InlayHint, error) {
	x, step := v.shown()
	if x == nil {
		return nil, nil
	}
	return ide.StepHints(ctx, v.doc, span, x, step)
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

// notesIn returns what stands at the ends of rows.
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

// noteStyles are the words for how parts of notes are drawn.
var noteStyles = [...]wire.Look{
	ide.LookText: wire.LookText, ide.LookNumber: wire.LookNumber, ide.LookBlank: wire.LookBlank,
	ide.LookUnchanged: wire.LookUnchanged, ide.LookChanged: wire.LookChanged,
	ide.LookUndetermined: wire.LookUndetermined, ide.LookNext: wire.LookNext,
}

func noteParts(parts []ide.Part) []wire.NotePart {
	all := make([]wire.NotePart, len(parts))
	for i, p := range parts {
		all[i] = wire.NotePart{Text: p.Text, Look: noteStyles[p.Look]}
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
