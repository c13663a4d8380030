package main

import (
	"context"
	"errors"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/debug"
)

// debugAdapter walks through counterexamples for an editor that debugs.
func debugAdapter(ctx context.Context, e env, args []string) int {
	fs := newFlags("debug")
	folder := fs.String("cache", "", "`folder` for results of earlier runs, or off; without it that of "+cacheVariable+", or the one in the user's cache")
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) > 0 {
		return problem(e, "debug takes no file: an editor starts it and names the circuit in its launch configuration")
	}
	err := debug.Serve(ctx, e.stdin, e.stdout, debug.Options{
		Engine: func() verify.Engine { return engines.NewAuto() },
		Cache:  openCache(e, *folder),
		Log:    e.stderr,
		Faults: faultFolder(),
	})
	if err != nil && !errors.Is(err, context.Canceled) && !isUnwritten(err) {
		return problem(e, "debug: %v", err)
	}
	return exitOK
}
