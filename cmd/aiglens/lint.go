package main

import (
	"context"

	"aiglens/internal/source"
)

// exitErrors is lint's code for a file with a diagnostic of severity error.
const exitErrors = 1

// lint prints the diagnostics of files.
func lint(_ context.Context, e env, args []string) int {
	fs := newFlags("lint", e.stderr)
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) == 0 {
		return problem(e, "lint needs a file")
	}
	for _, name := range files {
		in, err := read(e, name)
		if err != nil {
			problem(e, "%v", err)
			code = exitUsage
			continue
		}
		for _, d := range in.aiger.Diagnostics {
			in.print(e.stderr, d)
			if d.Severity == source.Error && code == exitOK {
				code = exitErrors
			}
		}
	}
	return code
}
