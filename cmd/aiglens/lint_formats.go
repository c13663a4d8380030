package main

import "io"

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
