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
	fixes := fs.Bool("fixes", false, "with --format json, list what fixes each diagnostic, as edits of the text")
	files, code, done := parse(fs, e, args)
	switch {
	case done:
		return code
	case len(files) == 0:
		return problem(e, "lint needs a file or a folder")
	case *fixes && *output != "json":
		return problem(e, "--fixes needs --format json")
	}
	newPrinter, ok := lintFormats[*output]
	if !ok {
		return problem(e, "%v", errNoFormat("format", *output, lintChoices))
	}
	inputs, faults := inputsOf(ctx, files, isRead)
	options.use, e.remarks = newPatternUse(inputs), newRemarks(len(inputs))
	out := newPrinter(ctx, e.stdout, *fixes)
	report := func(f *fileReport) {
		if f.err != nil {
			code = problem(e, "%v", f.err)
		} else if code == exitOK && hasErrors(f.diagnostics) {
			code = exitErrors
		}
		out.file(f)
	}
	for _, f := range faults {
		report(f)
	}
	for _, in := range inputs {
		f := &fileReport{name: in.path}
		f.fill(func() (err error) {
			if f.in, err = readAny(ctx, e, in.path, &options); err == nil {
				f.diagnostics, err = f.in.Diagnose(ctx, true)
			}
			return err
		})
		report(f)
	}
	e.remarks.end(e.stderr)
	if f := options.use.unused(options.blif.patterns()); f != nil {
		report(f)
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
