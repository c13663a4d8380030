package main

import (
	"context"

	"aiglens/internal/source"
)

// exitErrors is lint's code for a file with a diagnostic of severity error.
const exitErrors = 1

// lint prints the diagnostics of files.
func lint(ctx context.Context, e env, args []string) int {
	var options readFlags
	fs := newFlags("lint")
	options.register(fs)
	output := fs.String("format", "text", "output `format`: text, json or sarif")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "lint needs a file or a folder")
	}
	newPrinter, ok := lintFormats[*output]
	if !ok {
		return problem(e, "%v", errNoFormat("format", *output, lintChoices))
	}
	files, code = e.expand(ctx, files, isCircuit)
	options.isBelow = func(string) bool { return true }
	out := newPrinter(e.stdout)
	for _, name := range files {
		f := &fileReport{name: name}
		f.fill(func() (err error) {
			if f.in, err = read(ctx, e, name, &options); err == nil {
				f.diagnostics, err = f.in.Diagnose(ctx, true)
			}
			return err
		})
		if f.err != nil {
			code = problem(e, "%v", f.err)
		} else if code == exitOK && hasErrors(f.diagnostics) {
			code = exitErrors
		}
		out.file(f)
	}
	out.end()
	return code
}

func hasErrors(found []source.Diagnostic) bool {
	for _, d := range found {
		if d.Severity == source.Error {
			return true
		}
	}
	return false
}
