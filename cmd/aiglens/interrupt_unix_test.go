//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endsOn runs the program with an input that never comes to an end, sends a signal
// and returns the exit code. A signal that came before the program had begun is sent
// to another run, later.
func endsOn(t *testing.T, s syscall.Signal, stdin *os.File, args ...string) int {
	t.Helper()
	code := -1
	for wait := 300 * time.Millisecond; code < 0 && wait < 10*time.Second; wait *= 3 {
		code = endsOnAfter(t, wait, s, stdin, args...)
	}
	return code
}

// endsOnAfter is endsOn with a signal after some time; the code is −1 when the program
// did not catch it.
func endsOnAfter(t *testing.T, wait time.Duration, s syscall.Signal, stdin *os.File, args ...string) int {
	t.Helper()
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("%s ended by itself: %v\n%s", strings.Join(args, " "), err, said.String())
	case <-time.After(wait):
	}
	if err := cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	select {
	case err = <-ended:
	case <-time.After(time.Minute): // it hangs
		_ = cmd.Process.Kill()
		t.Fatalf("%s goes on after %v", strings.Join(args, " "), s)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return exit.ExitCode()
}

// TestSignalsEndEveryCommand: a pipe or a FIFO without a writer blocks its
// reader; the signals end the command all the same, at once.
func TestSignalsEndEveryCommand(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "q.blif")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	circuit := filepath.Join(dir, "c.aag")
	if err := os.WriteFile(circuit, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"lint", "-"}, {"check", "-"}, {"fmt", "-"}, {"convert", "-"}, {"replay", "--witness", "-", circuit},
		{"lint", fifo}, {"check", fifo}, {"fmt", fifo}, {"convert", fifo}, {"replay", "--witness", fifo, circuit},
		{"certify", circuit, "-"}, {"hwmcc", circuit, "/dev/null", "/dev/null"}, {"certify", fifo, circuit}, {"stats", fifo}, {"cone", "--signal", "x", fifo}, {"draw", fifo}, {"reduce", "--while", "true", fifo},
		{"check", "--no-cache", "--timeout", "0", circuit}, {"serve", "--cache", "off"}, {"worker"}, {"debug", "--cache", "off"},
	} {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(filepath.Base(strings.Join(args, " "))+" "+s.String(), func(t *testing.T) {
				t.Parallel()
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				defer r.Close()
				if code := endsOn(t, s, r, args...); code != exitSignal+int(s) {
					t.Errorf("exit code %d, want %d", code, exitSignal+int(s))
				}
			})
		}
	}
}

// TestSignalRemovesHalfWrittenFiles: what is being written when the signal comes is
// gone, and nothing is begun afterwards.
func TestSignalRemovesHalfWrittenFiles(t *testing.T) {
	dir := t.TempDir()
	e := env{partial: &partialFiles{paths: map[string]bool{}}}
	name := filepath.Join(dir, "out.aag")
	temp := filepath.Join(dir, "half")
	if err := os.WriteFile(temp, []byte("aag 0 0"), 0o600); err != nil || !e.partial.add(temp) {
		t.Fatal(err)
	}
	e.partial.remove()
	if _, err := os.Stat(temp); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if err := e.create(name, []byte("aag 0 0 0 0 0\n"), false); err == nil {
		t.Error("a file was written after the signal")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left in the folder: %v %v", left, err)
	}
}

// counter returns a circuit of n latches that count; it is bad when all are 1, in
// step 2^n − 1.
func counter(n int) string {
	// Latch i is variable i+1, carry i the conjunction of the latches below i+1.
	lit := func(v int) int { return 2 * v }
	next := n + 1
	carry := lit(1)
	latches := fmt.Sprintf("%d %d\n", lit(1), lit(1)+1)
	gates, count := "", 0
	and := func(a, b int) int {
		g := lit(next)
		next++
		count++
		gates += fmt.Sprintf("%d %d %d\n", g, max(a, b), min(a, b))
		return g
	}
	for i := 2; i <= n; i++ {
		both, none := and(lit(i), carry), and(lit(i)+1, carry+1)
		latches += fmt.Sprintf("%d %d\n", lit(i), and(both+1, none+1))
		carry = both
	}
	return fmt.Sprintf("aag %d 0 %d 0 %d 1\n%s%d\n%s", next-1, n, count, latches, carry, gates)
}
