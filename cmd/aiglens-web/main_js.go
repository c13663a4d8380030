package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"go.uber.org/zap/zapcore"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cache"
	"aiglens/internal/debug"
	"aiglens/internal/worker"
	"aiglens/lsp"
)

var version = "devel" // set by the linker

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil && !errors.Is(err, lsp.ErrNoShutdown) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves or debugs, as the first argument says; the second is how many checks run at a time.
func run(ctx context.Context, args []string) error {
	checks, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	pool := worker.NewPool(worker.Browser)
	defer pool.Close()
	var kept verify.Cache
	if s, ok := openShelf(); ok {
		kept = cache.OnShelf(s, version)
	}
	if args[0] == "debug" {
		return debug.Serve(ctx, os.Stdin, os.Stdout, debug.Options{
			Engine: func() verify.Engine { return pool.Engine(engines.Default()) },
			Cache:  kept,
			Log:    os.Stderr,
		})
	}
	return lsp.Serve(ctx, os.Stdin, os.Stdout, lsp.Options{
		Version:       version,
		Engine:        pool.Engine,
		Clauses:       pool.Clauses,
		Workers:       pool.Keep,
		MostChecks:    checks,
		ExplainProofs: true,
		Cache:         kept,
		Log:           os.Stderr,
		LogLevel:      zapcore.InfoLevel,
	})
}
