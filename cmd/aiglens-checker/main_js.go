package main

import (
	"context"
	"fmt"
	"os"

	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/internal/worker"
)

func main() {
	if err := worker.Serve(context.Background(), os.Stdin, os.Stdout, worker.Options{NewEngine: engines.Spec.New, Clauses: auto.Check}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
