package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"aiglens/ic3/verify"
	"aiglens/internal/worker"
)

// exitFailed is what a worker leaves with when it cannot go on.
const exitFailed = 1

// work answers the requests of a server until its input ends.
func work(ctx context.Context, e env, args []string) int {
	fs := newFlags("worker", e.stderr)
	files, code, done := parse(fs, e, args)
	if done {
		return code
	}
	if len(files) > 0 {
		return problem(e, "worker takes no file: a server starts it")
	}
	worker.LowerPriority()
	err := worker.Serve(ctx, e.stdin, e.stdout, worker.Options{Version: versionText(), NewEngine: engineFromSpec})
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(e.stderr, "aiglens worker: %v\n", err)
		return exitFailed
	}
	return exitOK
}

// engineFromSpec makes the engine that a server asks for, whose words are those
// of check.
func engineFromSpec(spec worker.Spec) (verify.Engine, error) {
	flags := checkFlags{engine: "auto", solver: "core", format: "text", seed: spec.Seed}
	if spec.Engine != "" {
		flags.engine = spec.Engine
	}
	if spec.Solver != "" {
		flags.solver = spec.Solver
	}
	flags.variant.name = spec.Variant
	if spec.Tactics != "" {
		if err := flags.tactics.Set(spec.Tactics); err != nil {
			return nil, fmt.Errorf("--tactics: %w", err)
		}
	}
	if err := flags.validate(); err != nil {
		return nil, err
	}
	return flags.newEngine(), nil
}

// newPool returns workers that run this same program.
func newPool() (*worker.Pool, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("no worker can be started: %w", err)
	}
	return worker.NewPool(worker.Command(path, "worker")), nil
}
