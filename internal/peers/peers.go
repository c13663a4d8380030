// Package peers runs foreign programs that read the same
// formats, ABC and Yosys, and compares circuits by the names of their elements. Only
// tests use it.
package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Program returns the path of a program that tests compare with. Without it the test
// is skipped; on a build server (CI is set) it fails, because there a skipped test
// would count as passed.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed: nothing to compare with", name)
	}
	return path
}

// limit is the time after which a program that hangs is ended. The longest file of the
// test material takes a few seconds.
const limit = 5 * time.Minute

// errHangs is the error of a program that took longer than limit.
var errHangs = errors.New("no end within " + limit.String())

// ABC runs commands of ABC and returns what it says. The error holds that text, too; ABC
// itself exits with 0 where a command fails.
func ABC(t testing.TB, script string) (string, error) {
	t.Helper()
	return run(Program(t, "berkeley-abc"), "-q", script)
}

// Yosys runs commands of Yosys and returns its warnings and errors.
func Yosys(t testing.TB, script string) (string, error) {
	t.Helper()
	return run(Program(t, "yosys"), "-q", "-p", script)
}

func run(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	text, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return string(text), errHangs
	case err != nil:
		return string(text), fmt.Errorf("%w: %s", err, text)
	}
	return string(text), nil
}

// Written returns what a program has written to a file, or what it said instead.
func Written(path, said string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	return data, nil
}
