package main

import (
	"context"
	"errors"

	"go.uber.org/zap/zapcore"

	"aiglens/internal/nearest"
	"aiglens/lsp"
)

// exitNoShutdown is what the protocol wants when the client leaves without
// asking for a shutdown first.
const exitNoShutdown = 1

// serve runs the language server until its client leaves.
func serve(ctx context.Context, e env, args []string) int {
	fs := newFlags("serve")
	fs.Bool("stdio", true, "accepted, for some editors give it: standard input and output are always used")
	level := fs.String("log", "info", "`level` of the log on standard error: debug, info, warn or error")
	folder := fs.String("cache", "", "`folder` for results of earlier runs, or off; without it that of "+cacheVariable+", or the one in the user's cache")
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) > 0 {
		return problem(e, "serve takes no file")
	}
	logLevel, err := zapcore.ParseLevel(*level)
	if err != nil {
		return problem(e, "--log: there is no level %q%s", *level, nearest.Choose(*level, []string{"debug", "info", "warn", "error"}))
	}
	workers, err := newPool()
	if err != nil {
		return problem(e, "%v", err)
	}
	defer workers.Close()
	err = lsp.Serve(ctx, e.stdin, e.stdout, lsp.Options{
		Version:       versionText(),
		Workers:       workers.Keep,
		Processors:    workers.Allow,
		ExplainProofs: true,
		Engine:        workers.Engine,
		Clauses:       workers.Clauses,
		Cluster:       linkTo,
		Reduce:        reduceDocument,
		Log:           e.stderr,
		Cache:         openCache(e, *folder),
		Faults:        faultFolder(),
		LogLevel:      logLevel,
		Explain:       cachedManual(),
	})
	switch {
	case errors.Is(err, lsp.ErrNoShutdown):
		return exitNoShutdown
	case err != nil && !errors.Is(err, context.Canceled) && !isUnwritten(err):
		return problem(e, "%v", err)
	}
	return exitOK
}
