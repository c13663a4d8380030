package main

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// programOutput is what a program writes. It can be read while the program goes on.
type programOutput struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (w *programOutput) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(data)
}

func (w *programOutput) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// A program that goes on ends endTime before the time of all tests is over, and has quitTime to say where it is.
const (
	endTime  = 30 * time.Second
	quitTime = 10 * time.Second
)

// outputOf runs a command to its end, and returns what it writes on standard output and on standard error.
func outputOf(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, err error) {
	t.Helper()
	var out, beside programOutput
	cmd.Stdout, cmd.Stderr = &out, &beside
	err = runToEnd(t, cmd)
	return out.String(), beside.String(), err
}

// allOutputOf is outputOf for a command that writes both in one.
func allOutputOf(t *testing.T, cmd *exec.Cmd) (string, error) {
	t.Helper()
	var out programOutput
	cmd.Stdout, cmd.Stderr = &out, &out
	err := runToEnd(t, cmd)
	return out.String(), err
}

// runToEnd is the Run of a command. One that goes on until the time of all tests is nearly over fails the
// test with what it has written; a Go program then says what each of its goroutines does.
func runToEnd(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	var late <-chan time.Time
	if end, hasEnd := t.Deadline(); hasEnd {
		late = time.After(time.Until(end) - endTime)
	}
	isLate, err := runUntil(cmd, late)
	if isLate {
		t.Fatalf("%s does not end: %v\n%s\n%s", filepath.Base(cmd.Path), err, saidBy(cmd), cmd)
	}
	return err
}

// runUntil runs a command, and ends it when it is late. It reports whether it was.
func runUntil(cmd *exec.Cmd, late <-chan time.Time) (isLate bool, err error) {
	if err := cmd.Start(); err != nil {
		return false, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return false, err
	case <-late:
	}
	if cmd.Process.Signal(syscall.SIGQUIT) == nil { // not on Windows
		select {
		case err := <-ended:
			return true, err
		case <-time.After(quitTime):
		}
	}
	_ = cmd.Process.Kill()
	return true, fmt.Errorf("killed") // what it has started may still hold its output
}

// saidBy returns what a command has written.
func saidBy(cmd *exec.Cmd) string {
	var all []string
	for _, w := range []io.Writer{cmd.Stdout, cmd.Stderr} {
		if said, is := w.(*programOutput); is && (len(all) == 0 || cmd.Stdout != cmd.Stderr) {
			all = append(all, said.String())
		}
	}
	return strings.Join(all, "\n")
}
