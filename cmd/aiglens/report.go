package main

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"

	"aiglens/design"
	"aiglens/internal/source"
)

// fileReport is what a command says of one file.
type fileReport struct {
	name        string
	in          *design.Design // nil when the file could not be read
	diagnostics []source.Diagnostic
	err         error     // why there are no answers; nil when there are some
	answers     []*answer // of the properties that were asked for
	said        []byte    // for standard error, while the file was read
	weight      int64     // about what it takes in memory, in bytes
}

// lintPrinter writes what lint finds in one output format.
type lintPrinter interface {
	file(*fileReport)
	end()
}

var lintFormats = map[string]func(io.Writer) lintPrinter{
	"text":  func(w io.Writer) lintPrinter { return lintText{plainWriter{w}} },
	"json":  func(w io.Writer) lintPrinter { return lintJSON{w} },
	"sarif": func(w io.Writer) lintPrinter { return &sarifPrinter{w: w} },
}

// lintText writes a line for each diagnostic, as compilers do.
type lintText struct{ w io.Writer }

func (p lintText) file(f *fileReport) {
	for _, d := range f.diagnostics {
		tell(p.w, f.in, d)
	}
}
func (p lintText) end() {}

// lintJSON writes an object for each diagnostic, and one for a file that cannot be
// read.
type lintJSON struct{ w io.Writer }

func (p lintJSON) file(f *fileReport) {
	for _, d := range f.diagnostics {
		line := jsonDiagnosticOf(f.in, d)
		line.File = f.name
		printLine(p.w, line)
	}
	if f.err != nil {
		printLine(p.w, jsonError{f.name, f.err.Error()})
	}
}
func (p lintJSON) end() {}

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

// utf16Column returns the line and the column of a place, both from 1, the column in
// UTF-16 units.
func utf16Column(in *design.Design, offset int) (line, column int) {
	line, bytes := in.Text.LineColumn(offset)
	before := in.Text.Line(line - 1)
	return line, len(utf16.Encode([]rune(before[:min(bytes-1, len(before))]))) + 1
}
