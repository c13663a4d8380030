package wire

import (
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// RequestNotes asks what stands at the ends of rows, for a client that draws it itself:
// the hints of textDocument/inlayHint whose data is "note", in parts. After aiglens/step
// their values are others.
var RequestNotes = Request[NotesParams, Notes]{"aiglens/notes"}

// NoteHint is the data of an inlay hint that aiglens/notes has as well.
const NoteHint = "note"

// NotesParams are lines of a file.
type NotesParams struct {
	URI   uri.URI        `json:"uri"`
	Range protocol.Range `json:"range"`
}

// Notes are what stands at the ends of rows.
type Notes struct {
	Version int32  `json:"version"` // of the text
	Notes   []Note `json:"notes"`
}

// Note is what stands at the end of a row.
type Note struct {
	Line   uint32     `json:"line"`
	Column int        `json:"column"` // where it begins, in characters; 0: right after the row
	Value  []NotePart `json:"value"`  // at the step that is shown; as wide in each row of a section
	Words  []NotePart `json:"words"`
}

// NotePart is a piece of a note.
type NotePart struct {
	Text string `json:"text"`
	Look Look   `json:"look"`
}

// Look is how a piece of a note is drawn.
type Look string

// The looks: of words text and number, of values the others. A number is one of the text,
// which no name can be taken for; next is a value of the next step that is another.
const (
	LookText         Look = "text"
	LookNumber       Look = "number"
	LookBlank        Look = "blank"
	LookUnchanged    Look = "unchanged"
	LookChanged      Look = "changed"
	LookUndetermined Look = "undetermined"
	LookNext         Look = "next"
)
