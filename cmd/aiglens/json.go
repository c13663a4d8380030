package main

import (
	"encoding/json"
	"fmt"
	"io"

	"aiglens/design"
	"aiglens/internal/source"
)

// jsonDiagnostic is a diagnostic in a line of --format json. Lines and columns count
// from 1, columns in bytes; the end lies after the last byte.
type jsonDiagnostic struct {
	File      string        `json:"file,omitempty"` // "" within the answer of a property
	Line      int           `json:"line"`
	Column    int           `json:"column"`
	EndLine   int           `json:"endLine"`
	EndColumn int           `json:"endColumn"`
	Severity  string        `json:"severity"`
	Code      string        `json:"code"`
	Message   string        `json:"message"`
	Related   []jsonRelated `json:"related,omitempty"`
	Fixes     []jsonFix     `json:"fixes,omitempty"`
}

// jsonFix is a way out of a diagnostic. Its edits are of one text: none moves the places of the others.
type jsonFix struct {
	Title     string     `json:"title"`
	Preferred bool       `json:"preferred,omitempty"` // it can be made without asking
	Edits     []jsonEdit `json:"edits"`
}

// jsonEdit puts a text in the place of what stands from a line and column up to an end, which lies after the last byte.
type jsonEdit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Text      string `json:"text"`
}

func jsonFixOf(in *design.Design, title string, preferred bool, edits []source.Edit) jsonFix {
	fix := jsonFix{Title: title, Preferred: preferred}
	for _, e := range edits {
		one := jsonEdit{Text: e.NewText}
		one.Line, one.Column = in.Text.LineColumn(e.Span.Start)
		one.EndLine, one.EndColumn = in.Text.LineColumn(e.Span.End())
		fix.Edits = append(fix.Edits, one)
	}
	return fix
}

type jsonRelated struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// jsonError is the line of --format json for a file without answers.
type jsonError struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

// printLine writes a value that always encodes: structures of strings and numbers.
func printLine(w io.Writer, value any) {
	text, _ := json.Marshal(value)
	fmt.Fprintf(w, "%s\n", text)
}

func jsonDiagnosticOf(in *design.Design, d source.Diagnostic) jsonDiagnostic {
	out := jsonDiagnostic{Severity: d.Severity.String(), Code: string(d.Code), Message: d.Message}
	out.Line, out.Column = in.Text.LineColumn(d.Span.Start)
	out.EndLine, out.EndColumn = in.Text.LineColumn(d.Span.End())
	for _, r := range d.Related {
		line, column := in.Text.LineColumn(r.Span.Start)
		out.Related = append(out.Related, jsonRelated{line, column, r.Message})
	}
	return out
}
