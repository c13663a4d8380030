//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterruptedReduceWritesTheBest has reduce try some files before its command hangs: the
// signal ends both, and what was found is written.
func TestInterruptedReduceWritesTheBest(t *testing.T) {
	dir := t.TempDir()
	ready, hang := filepath.Join(dir, "ready"), filepath.Join(dir, "hang")
	for _, fifo := range []string{ready, hang} {
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, out := filepath.Join(dir, "c.aag"), filepath.Join(dir, "out.aag")
	if err := os.WriteFile(file, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	// The file must keep a bad, and the fifth try does not end.
	command := `test -f ` + dir + `/4 && { echo > ` + ready + `; cat ` + hang + `; }; ` +
		`for i in 1 2 3 4; do test -f ` + dir + `/$i || { touch ` + dir + `/$i; break; }; done; grep -q '^aag.* 1$' {}`
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command(exe, "reduce", "--timeout", "0", "--while", command, "-o", out, file)
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, hangs := make(chan error, 1), make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	go func() {
		_, err := os.ReadFile(ready) // until the command writes to it
		hangs <- err
	}()
	select {
	case err := <-ended:
		t.Fatalf("it ended by itself: %v\n%s", err, said.String())
	case err := <-hangs:
		if err = errors.Join(err, cmd.Process.Signal(syscall.SIGINT)); err != nil {
			t.Fatal(err)
		}
	}
	err = <-ended
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitSignal+int(syscall.SIGINT) {
		t.Errorf("%v\n%s", err, said.String())
	}
	if !strings.Contains(said.String(), "interrupted") {
		t.Errorf("it says\n%s", said.String())
	}
	data, err := os.ReadFile(out)
	if err != nil || len(data) == 0 || len(data) >= len(counter(40)) {
		t.Errorf("%v, written:\n%s", err, data)
	}
	if leftover, _ := filepath.Glob(filepath.Join(dir, ".aiglens-*")); len(leftover) > 0 {
		t.Errorf("left in the folder: %v", leftover)
	}
}
