package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal is a run of the program on a terminal of its own.
type onTerminal struct {
	*screen
	file *os.File
	cmd  *exec.Cmd
}

func startOnTerminal(t *testing.T, columns int, environment []string, args ...string) *onTerminal {
	t.Helper()
	outside, inside := newTerminal(t)
	exe, err := exec.LookPath("aiglens") // that of TestMain
	if err != nil {
		t.Fatal(err)
	}
	o := &onTerminal{newScreen(t, columns), outside, exec.Command(exe, args...)}
	o.setColumns(columns)
	o.cmd.Env = append(os.Environ(), environment...)
	o.cmd.Stdin, o.cmd.Stdout, o.cmd.Stderr = inside, inside, inside
	o.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = inside.Close()
	t.Cleanup(func() {
		_ = o.cmd.Process.Kill()
		_ = o.cmd.Wait()
		_ = outside.Close()
	})
	return o
}

func (o *onTerminal) setColumns(columns int) {
	if err := unix.IoctlSetWinsize(int(o.file.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)}); err != nil {
		o.t.Fatal(err)
	}
}

// read shows what comes, up to the end, or until enough is true.
func (o *onTerminal) read(enough func() bool) {
	part := make([]byte, 1024)
	for !enough() {
		n, err := o.file.Read(part)
		_, _ = o.Write(part[:n])
		if err != nil {
			return
		}
	}
}

func (o *onTerminal) readAll() { o.read(func() bool { return false }) }

// TestStatusLineOfProgram: at each width a terminal shows one status line at most, and the next one
// keeps to the width that it has then. Nothing of it remains at the end, here after a signal.
func TestStatusLineOfProgram(t *testing.T) {
	dir := sixty(t)
	if err := os.WriteFile(filepath.Join(dir, "circuit59.aag"), []byte(counter(40)), 0o600); err != nil { // it takes for ever
		t.Fatal(err)
	}
	for _, columns := range []int{100, 80, 60} {
		o := startOnTerminal(t, columns, []string{"TERM=xterm", "NO_COLOR="}, "check", "--no-cache", "--timeout", "0", dir)
		widest := 0 // of the status lines; 0 is none yet
		o.see = func() {
			n, wrapped := o.statuses()
			if n > 1 || wrapped {
				t.Fatalf("%d columns: %d status lines, of which one is wrapped: %v\n%s", columns, n, wrapped, strings.Join(o.lines(), "\n"))
			}
			if n == 1 && o.x == 0 { // it is whole
				widest = len(o.rows[o.at].text)
			}
		}
		o.read(func() bool { return widest > 0 })
		for _, to := range []int{45, 59} {
			o.setColumns(to)
			o.read(func() bool { return to-15 < widest && widest < to })
		}
		if err := o.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		o.readAll()
		if n, _ := o.statuses(); n > 0 || len(o.rows[len(o.rows)-1].text) > 0 || o.styles == 0 {
			t.Errorf("%d columns: %d status lines remain, %d changes of style\n%s", columns, n, o.styles, strings.Join(o.lines(), "\n"))
		}
	}
}

// TestPlainTerminals: a terminal that cannot move its cursor gets what a pipe gets, and NO_COLOR is
// heeded.
func TestPlainTerminals(t *testing.T) {
	dir := sixty(t)
	for _, c := range []struct{ environment, wants string }{
		{"TERM=dumb NO_COLOR=", ""}, {"TERM= NO_COLOR=", ""}, {"TERM=xterm NO_COLOR=1", ""}, {"TERM=xterm NO_COLOR=", "colours"},
	} {
		o := startOnTerminal(t, 80, strings.Fields(c.environment), "check", "--no-cache", dir)
		o.readAll()
		if got := o.styles > 0; got != (c.wants != "") {
			t.Errorf("%s: %d changes of style\n%s", c.environment, o.styles, strings.Join(o.lines(), "\n"))
		}
		if !strings.Contains(strings.Join(o.lines(), "\n"), ": proved") {
			t.Errorf("%s: no verdicts\n%s", c.environment, strings.Join(o.lines(), "\n"))
		}
	}
}
