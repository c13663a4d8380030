package main

import (
	"context"
	"io"

	"aiglens/design"
)

// lintPrinter writes what lint finds in one output format.
type lintPrinter interface {
	file(*fileReport)
	end()
}

// lintFormats make the printers; fixes asks for those of each diagnostic.
var lintFormats = map[string]func(ctx context.Context, w io.Writer, fixes bool) lintPrinter{
	"text":  func(_ context.Context, w io.Writer, _ bool) lintPrinter { return lintText{plainWriter{w}} },
	"json":  func(ctx context.Context, w io.Writer, fixes bool) lintPrinter { return lintJSON{ctx, w, fixes} },
	"sarif": func(_ context.Context, w io.Writer, _ bool) lintPrinter { return &sarifPrinter{w: w} },
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
type lintJSON struct {
	ctx   context.Context
	w     io.Writer
	fixes bool
}

func (p lintJSON) file(f *fileReport) {
	for _, d := range f.diagnostics {
		line := jsonDiagnosticOf(f.in, d)
		line.File = f.name
		if p.fixes {
			for _, fix := range f.in.Fixes(d) {
				if p.ctx.Err() != nil {
					break
				}
				if edits := fix.AllEdits(); design.Harm(p.ctx, f.in, edits) == nil {
					line.Fixes = append(line.Fixes, jsonFixOf(f.in, fix.Title, fix.Preferred, edits))
				}
			}
		}
		printLine(p.w, line)
	}
	if f.err != nil {
		printLine(p.w, jsonError{f.name, f.err.Error()})
	}
}
func (p lintJSON) end() {}
