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
	fs := newFlags("lint", e.stderr)
	options.register(fs)
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) == 0 {
		return problem(e, "lint needs a file")
	}
	for _, name := range files {
		in, err := read(ctx, e, name, &options)
		var found []source.Diagnostic
		if err == nil {
			found, err = in.diagnostics(ctx, true)
		}
		if err != nil {
			problem(e, "%v", err)
			code = exitUsage
			continue
		}
		for _, d := range found {
			in.print(e.stderr, d)
			if d.Severity == source.Error && code == exitOK {
				code = exitErrors
			}
		}
	}
	return code
}
