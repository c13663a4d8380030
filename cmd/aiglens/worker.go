package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/internal/worker"
)

// exitFailed is what a worker leaves with when it cannot go on.
const exitFailed = 1

// work answers the requests of a server until its input ends.
func work(ctx context.Context, e env, args []string) int {
	fs := newFlags("worker")
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) > 0 {
		return problem(e, "worker takes no file: a server starts it")
	}
	worker.LowerPriority()
	err := worker.Serve(ctx, e.stdin, e.stdout, worker.Options{Version: versionText(), NewEngine: engines.Spec.New, Clauses: auto.Check})
	if err != nil && !errors.Is(err, context.Canceled) && !isUnwritten(err) {
		fmt.Fprintf(e.stderr, "aiglens worker: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// newPool returns workers that run this same program.
func newPool() (*worker.Pool, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("no worker can be started: %w", err)
	}
	return worker.NewPool(worker.Command(path, "worker")), nil
}
