package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the program as a process of a cluster, with folders of its own.
type program struct {
	*exec.Cmd
	lines chan string // of its standard output
	log   string      // file with its standard error
}

// said returns what the program has written on standard error.
func (p *program) said() string {
	text, _ := os.ReadFile(p.log) // it is there
	return string(text)
}

// launch starts the program. It is killed at the end of the test.
func launch(t *testing.T, temp string, args ...string) *program {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Args[0] = "aiglens"
	cmd.Env = append(os.Environ(), "TMPDIR="+temp)
	return launchCommand(t, cmd)
}

// launchCommand starts a command that becomes the program.
func launchCommand(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p := &program{Cmd: cmd, lines: make(chan string, 1000), log: log.Name()}
	p.Stderr = log
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	return p
}

// await returns the first line of the program with a text in it.
func (p *program) await(t *testing.T, text string) string {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case line, ok := <-p.lines:
			if strings.Contains(line, text) {
				return line
			}
			if !ok {
				_ = p.Wait()
				t.Fatalf("it ended without %q: %s", text, p.said())
			}
		case <-late:
			t.Fatalf("it does not say %q", text)
		}
	}
}

// TestNodeLeaves: a node that is told to end says so to the cluster, and its check begins
// elsewhere at once. Neither it nor a node that is killed leaves a process or a file behind.
func TestNodeLeaves(t *testing.T) {
	temp := t.TempDir()
	server := launch(t, temp, "node", "--listen", "127.0.0.1:0", "--insecure", "--slots", "0", "--dir", filepath.Join(t.TempDir(), "server"), "--metrics", "127.0.0.1:0")
	line := server.await(t, "others ask")
	url := line[strings.Index(line, "nats://"):strings.LastIndex(line, " ")]
	metrics := server.await(t, "metrics:")
	healthy, err := http.Get(strings.Replace(metrics[strings.Index(metrics, "http://"):], "/metrics", "/healthz", 1))
	if err != nil || healthy.StatusCode != http.StatusOK {
		t.Fatalf("health: %+v, %v", healthy, err)
	}
	_ = healthy.Body.Close()
	node := func(name string) *program {
		p := launch(t, temp, "node", "--join", url, "--slots", "1", "--name", name)
		p.await(t, "works")
		return p
	}
	at := func(name string) func() bool {
		return func() bool {
			out, _, _ := outputOf(t, exec.Command("aiglens", "cluster", "status", "--on", url))
			return strings.Contains(out, " on "+name)
		}
	}
	first := node("first")
	file := filepath.Join(t.TempDir(), "counter.aag")
	if err := os.WriteFile(file, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	asker := launch(t, temp, "check", "--on", url, "--timeout", "0", file)
	until(t, "the check is at work on the first node", at("first"))
	if out, _, err := outputOf(t, exec.Command("aiglens", "cluster", "status", "--on", url)); err != nil ||
		!regexp.MustCompile(`(?m)^\S+ \(asker\) asks for 1 check\n  [0-9a-f]{12} for +\d+ s  counter.aag$`).MatchString(out) {
		t.Errorf("the askers: %s, %v", out, err)
	}
	workers := children(t, first.Process.Pid)
	second := node("second")
	if err := first.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if code := first.ProcessState.ExitCode(); code != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("exit code %d: %s", code, first.said())
	}
	until(t, "the check is at work on the second node", at("second"))
	if text := asker.said(); text != "" {
		t.Errorf("the asker has taken the node for dead: %s", text)
	}
	workers = append(workers, children(t, second.Process.Pid)...)
	if len(workers) < 2 {
		t.Errorf("only %d workers were seen", len(workers))
	}
	_ = second.Process.Kill()
	_ = asker.Process.Kill()
	until(t, "the workers are gone", func() bool {
		for _, pid := range workers {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
				return false
			}
		}
		return true
	})
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// TestDeadline: a check that waits for a server that is gone says so, and ends at its deadline with
// what is known.
func TestDeadline(t *testing.T) {
	temp, dir := t.TempDir(), t.TempDir()
	server := launch(t, temp, "node", "--listen", "127.0.0.1:0", "--insecure", "--slots", "0", "--dir", filepath.Join(dir, "server"))
	line := server.await(t, "others ask")
	url := line[strings.Index(line, "nats://"):strings.LastIndex(line, " ")]
	hard := filepath.Join(dir, "counter.aag")
	if err := os.WriteFile(hard, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	asker := launch(t, temp, "check", "--on", url, "--deadline", "30s", hard)
	until(t, "the check waits", func() bool {
		out, _, _ := outputOf(t, exec.Command("aiglens", "cluster", "status", "--on", url))
		return strings.Contains(out, "1 waiting;")
	})
	_ = server.Process.Kill()
	until(t, "the asker says that the server is gone", func() bool {
		return strings.Contains(asker.said(), "the connection to the cluster is lost")
	})
	if line := asker.await(t, "bad:0"); !strings.HasSuffix(line, "unknown: deadline") {
		t.Error(line)
	}
	_ = asker.Wait()
	if code := asker.ProcessState.ExitCode(); code != exitUnknown {
		t.Errorf("exit code %d: %s", code, asker.said())
	}
	// Of files that have not been read nothing is known; TestUnreadAtDeadline has what is known of others.
	out, err := allOutputOf(t, exec.Command("aiglens", "check", "--no-cache", "--deadline", "1ns", hard, hard))
	ended, _ := errors.AsType[*exec.ExitError](err)
	if ended == nil || ended.ExitCode() != exitUnknown || !strings.HasSuffix(out, "aiglens: the deadline of 1ns has passed, unread files: 2\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestDrain: a node that is to drain goes on with its check after a signal, and leaves it to others
// after another one.
func TestDrain(t *testing.T) {
	temp, dir := t.TempDir(), t.TempDir()
	server := launch(t, temp, "node", "--listen", "127.0.0.1:0", "--insecure", "--slots", "0", "--dir", filepath.Join(dir, "server"))
	line := server.await(t, "others ask")
	url := line[strings.Index(line, "nats://"):strings.LastIndex(line, " ")]
	node := launch(t, temp, "node", "--join", url, "--slots", "1", "--name", "first", "--drain", "10m")
	node.await(t, "works")
	file := filepath.Join(dir, "counter.aag")
	if err := os.WriteFile(file, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	asker := launch(t, temp, "check", "--on", url, "--timeout", "0", file)
	status := func(text string) func() bool {
		return func() bool {
			out, _, _ := outputOf(t, exec.Command("aiglens", "cluster", "status", "--on", url))
			return strings.Contains(out, text)
		}
	}
	until(t, "the check is at work", status(" on first-"))
	_ = node.Process.Signal(syscall.SIGTERM)
	node.await(t, "takes no more checks")
	until(t, "it is drained, and at work", status("1 of 1 busy         0 ended"))
	until(t, "it says so", status("takes no more"))
	_ = node.Process.Signal(syscall.SIGTERM)
	_ = node.Wait()
	if code := node.ProcessState.ExitCode(); code != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("exit code %d: %s", code, node.said())
	}
	until(t, "the check waits for another node", status("0 at work, 1 waiting;"))
	out, err := allOutputOf(t, exec.Command("aiglens", "cluster", "cancel", "--on", url, "--all"))
	if err != nil || !strings.HasPrefix(out, "cancelled ") {
		t.Errorf("%v: %s", err, out)
	}
	asker.await(t, "bad:0: unknown: cancelled in the cluster, by ")
	if out, err := allOutputOf(t, exec.Command("aiglens", "cluster", "cancel", "--on", url, "0123456789ab")); err == nil || !strings.Contains(out, "no check begins with 0123456789ab") {
		t.Errorf("%v: %s", err, out)
	}
}
