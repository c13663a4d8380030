package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// typed is what a person types, with Tab where the shell is to complete, and the arguments that
// the program gets then.
var typed = []struct{ keys, want string }{
	{"aiglens cert\tx.aag", "<certify><x.aag>"},
	{"aiglens check --form\tjun\tmy\t", "<check><--format><junit><my circuit.aag>"},
	{"aiglens check --unn\tmy\t", "<check><--unneeded><my circuit.aag>"},
	{"aiglens check --witn\twit\t my\t", "<check><--witness><witnesses><my circuit.aag>"},
	{"aiglens replay --to wav\tx.aag", "<replay><--to><wavedrom><x.aag>"},
	{"aiglens cache ver\t", "<cache><verify>"},
	{"aiglens completion fi\t", "<completion><fish>"},
}

// TestCompletion types into real shells, which have read their script.
func TestCompletion(t *testing.T) {
	shells := []struct {
		name, setup string
		args        []string
	}{
		{"bash", "bind 'set enable-bracketed-paste off'; PS1='READY> '; . ./script\n", []string{"--norc", "--noprofile", "-i"}},
		{"zsh", "PS1='READY> '; unsetopt prompt_sp; autoload -Uz compinit; compinit -u -d ./dump; source ./script\n", []string{"-f", "-i"}},
		{"fish", "function fish_prompt; printf 'READY> '; end; function fish_greeting; end; source ./script\n", []string{"--no-config", "-i"}},
	}
	for _, shell := range shells {
		t.Run(shell.name, func(t *testing.T) {
			if _, err := exec.LookPath(shell.name); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatalf("%s is not installed", shell.name)
				}
				t.Skipf("%s is not installed", shell.name)
			}
			dir := completionFolder(t, shell.name)
			s := startShell(t, dir, shell.name, shell.args)
			s.send(shell.setup)
			for _, line := range typed {
				// A shell may write --flag=value, and a slash after a folder.
				got := strings.NewReplacer("=", "><", "/>", ">").Replace(s.enter(line.keys))
				if got != line.want {
					t.Errorf("%q is taken as %s, want %s\n%q", line.keys, got, line.want, s.shown())
				}
			}
		})
	}
}

// completionFolder has the script, files to be completed, and a program aiglens that writes down
// its arguments.
func completionFolder(t *testing.T, shell string) string {
	t.Helper()
	dir := t.TempDir()
	var script strings.Builder
	if code := run(t.Context(), env{stdout: &script, stderr: os.Stderr}, []string{"completion", shell}); code != exitOK {
		t.Fatalf("completion %s ends with %d", shell, code)
	}
	if err := os.Mkdir(filepath.Join(dir, "witnesses"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"script": script.String(), "my circuit.aag": "",
		"aiglens": "#!/bin/sh\nprintf '<%s>' \"$@\" >new && mv new said\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// shell runs on a terminal of its own.
type shell struct {
	t        *testing.T
	dir      string
	terminal *os.File

	mu     sync.Mutex
	output []byte // guarded by mu: what the shell has shown
}

// startShell starts a shell that finds the program of the folder first.
func startShell(t *testing.T, dir, name string, args []string) *shell {
	t.Helper()
	terminal, inside := newTerminal(t)
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "TERM=dumb", "HISTFILE=", "LC_ALL=C.UTF-8")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inside, inside, inside
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = inside.Close()
	s := &shell{t: t, dir: dir, terminal: terminal}
	read := make(chan struct{})
	go func() {
		defer close(read)
		part := make([]byte, 4096)
		for {
			n, err := terminal.Read(part)
			s.mu.Lock()
			s.output = append(s.output, part[:n]...)
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		<-read
		_ = terminal.Close()
	})
	return s
}

func (s *shell) send(keys string) {
	s.t.Helper()
	if _, err := s.terminal.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// enter types a line and returns what the program says that it was given.
func (s *shell) enter(line string) string {
	s.t.Helper()
	s.send(line + "\n")
	said := filepath.Join(s.dir, "said")
	for range 1000 {
		if text, err := os.ReadFile(said); err == nil {
			if err := os.Remove(said); err != nil {
				s.t.Fatal(err)
			}
			return string(text)
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.t.Fatalf("nothing was run\n%q", s.shown())
	return ""
}

// shown returns what the shell has shown.
func (s *shell) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.output)
}

// newTerminal returns both ends of a new terminal.
func newTerminal(t *testing.T) (outside, inside *os.File) {
	t.Helper()
	outside, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	if err := unix.IoctlSetPointerInt(int(outside.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(outside.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	inside, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return outside, inside
}
