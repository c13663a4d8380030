package main

import (
	"context"
	"errors"

	"go.uber.org/zap/zapcore"

	"aiglens/lsp"
)

// exitNoShutdown is what the protocol wants when the client leaves without
// asking for a shutdown first.
const exitNoShutdown = 1

// serve runs the language server until its client leaves.
func serve(ctx context.Context, e env, args []string) int {
	fs := newFlags("serve", e.stderr)
	fs.Bool("stdio", true, "use standard input and output, which is the only way")
	level := fs.String("log", "info", "`level` of the log on standard error: debug, info, warn or error")
	folder := fs.String("cache", "", "`folder` where results are kept, or off; without it that of "+cacheVariable+", or the user's")
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) > 0 {
		return problem(e, "serve takes no file")
	}
	logLevel, err := zapcore.ParseLevel(*level)
	if err != nil {
		return problem(e, "--log: %v", err)
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
