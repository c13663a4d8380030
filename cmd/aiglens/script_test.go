package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// uncached runs the tests without the result cache of the user.
type uncached struct{ *testing.M }

func (m uncached) Run() int {
	if err := os.Setenv(cacheVariable, cacheOff); err != nil {
		panic(err)
	}
	return m.M.Run()
}

func TestMain(m *testing.M) {
	program := func() { os.Exit(runProcess()) }
	testscript.Main(uncached{m}, map[string]func(){"aiglens": program, "suprove": program, "aigbmc": program})
}

// TestScripts runs the command line as scripts do; each file of
// testdata/script is one of them.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv(cacheVariable, cacheOff)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a program and compares its exit code: exits CODE PROGRAM ARGS…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}
