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
	"sync"
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
	for wait := 300 * time.Millisecond; code < 0 && wait < time.Minute; wait *= 3 {
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
		{"check", "--no-cache", "--timeout", "0", circuit}, {"sby", circuit}, {"sby", "-"}, {"serve", "--cache", "off"}, {"worker"}, {"debug", "--cache", "off"},
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

// TestSignalsEndYosys: a signal, such as that of a closed terminal, ends Yosys too, and its folder is
// gone; nohup goes on.
func TestSignalsEndYosys(t *testing.T) {
	dir := t.TempDir()
	began, program, sources := filepath.Join(dir, "began"), filepath.Join(dir, "yosys"), filepath.Join(dir, "t.sv")
	script := "#!/bin/sh\ntest $1 = -V && { echo Yosys 0.40; exit; }\necho $$ $PWD > " + began + ".new; mv " + began + ".new " + began + "; exec sleep 1000\n"
	if err := errors.Join(os.WriteFile(program, []byte(script), 0o700), os.WriteFile(sources, []byte("module t(input a); endmodule"), 0o600)); err != nil {
		t.Fatal(err)
	}
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		os.Remove(began)
		cmd := exec.Command("sh", "-c", `exec "$@"`, "sh", exe, "check", "--yosys", program, sources)
		if s == syscall.SIGTERM {
			cmd.Args[2] = `trap "" HUP; exec "$@"`
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		var folder string
		for { // until Yosys runs
			if data, err := os.ReadFile(began); err == nil {
				if _, err := fmt.Sscan(string(data), &pid, &folder); err != nil {
					t.Fatal(err)
				}
				break
			}
			time.Sleep(time.Millisecond)
		}
		for _, sent := range []syscall.Signal{syscall.SIGHUP, s} { // the first is ignored where s is another
			_ = cmd.Process.Signal(sent)
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitSignal+int(s) {
			t.Errorf("%v: %v, want exit code %d", s, err, exitSignal+int(s))
		}
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v: the folder of Yosys is left: %v", s, err)
		}
		for end := time.Now().Add(time.Minute); syscall.Kill(pid, 0) == nil; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("%v: Yosys goes on", s)
			}
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

// first closes began when a program writes for the first time.
type first struct {
	programOutput
	once  sync.Once
	began chan time.Time
}

func (f *first) Write(data []byte) (int, error) {
	defer f.once.Do(func() { close(f.began) })
	return f.programOutput.Write(data)
}

// TestLatePrograms: of a program that does not end, a test says where it is.
func TestLatePrograms(t *testing.T) {
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "node", "--listen", "127.0.0.1:0", "--slots", "0", "--dir", t.TempDir())
	said := &first{began: make(chan time.Time)}
	cmd.Stdout, cmd.Stderr = said, said
	isLate, err := runUntil(cmd, said.began)
	if !isLate || err == nil || !strings.Contains(said.String(), "\ngoroutine 1 ") {
		t.Errorf("late: %v, %v\n%s", isLate, err, said)
	}
	if isLate, err := runUntil(exec.Command(exe, "--version"), nil); isLate || err != nil {
		t.Errorf("one that ends: %v, %v", isLate, err)
	}
}
