package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aiglens/internal/cluster"
)

// sockets returns the sockets that a process has open.
func sockets(pid int) (open []string) {
	fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // none when it has ended
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:") {
			open = append(open, to)
		}
	}
	return open
}

// tables returns the rows of a network namespace about sockets of any kind.
func tables(t *testing.T, pid int) (rows []string) {
	t.Helper()
	looked := 0
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6", "unix", "packet"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, kind))
		if err != nil {
			continue // this kernel has none of these
		}
		looked++
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			if i > 0 {
				rows = append(rows, kind+": "+line)
			}
		}
	}
	if looked < 4 {
		t.Fatalf("only %d tables: the test looks in the wrong place", looked)
	}
	return rows
}

// started is a command under way in a check that does not end.
func started(t *testing.T, attr *syscall.SysProcAttr, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "counter.aag")
	if err := os.WriteFile(file, []byte(counter(40)), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, append(args, "--timeout", "0", file)...)
	c.Args[0] = "aiglens"
	c.SysProcAttr = attr
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// TestNoSockets: neither the server nor a check opens a socket, nor does the cluster within the
// program.
func TestNoSockets(t *testing.T) {
	e := newEditor(t)
	e.open(counter(40))
	e.save()
	e.awaitTitle("checking")
	local := started(t, nil, "check", "--on", "local:1")
	until(t, "a worker", func() bool { return len(children(t, local.Process.Pid)) > 0 })
	for what, pid := range map[string]int{"the server": e.server.Pid, "check --on local": local.Process.Pid} {
		if fds, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)); len(fds) < 3 {
			t.Errorf("%s has %d files open: the test looks in the wrong place", what, len(fds))
		}
		for _, id := range append(children(t, pid), pid) {
			if open := sockets(id); len(open) > 0 {
				t.Errorf("%s, process %d: %q", what, id, open)
			}
		}
	}
}

// TestNoSocketsInNamespace is TestNoSockets as the kernel has it: a network namespace of its
// own holds no socket while a check goes on in it.
func TestNoSocketsInNamespace(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("a network namespace needs root")
	}
	for _, args := range [][]string{{"check"}, {"check", "--on", "local:1"}} {
		own := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
		c := started(t, own, args...)
		if len(args) > 1 {
			until(t, "a worker", func() bool { return len(children(t, c.Process.Pid)) > 0 })
		}
		for range 20 {
			if rows := tables(t, c.Process.Pid); len(rows) > 0 {
				t.Fatalf("%q: %q", args, rows)
			}
		}
	}
	e := newEditorWith(t, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}, nil)
	e.open(counter(40))
	e.save()
	e.awaitTitle("checking")
	for range 20 {
		if rows := tables(t, e.server.Pid); len(rows) > 0 {
			t.Fatalf("serve: %q", rows)
		}
	}
	// And it would be seen: that of a node which listens.
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "node", "--listen", "127.0.0.1:0", "--slots", "0", "--dir", t.TempDir())
	c.Args[0], c.SysProcAttr = "aiglens", &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}()
	until(t, "the socket of the node", func() bool { return len(tables(t, c.Process.Pid)) > 0 })
}

// TestServeConnects: the server has a socket while a cluster is set, and none before and after
// that, nor in a folder that is not trusted.
func TestServeConnects(t *testing.T) {
	server, err := cluster.Listen(cluster.ListenOptions{Address: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "cluster"), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	settings := func(members string) map[string]any {
		return map[string]any{"settings": map[string]any{"aiglens": json.RawMessage(members)}}
	}
	set := fmt.Sprintf(`"cluster": {"url": "nats://127.0.0.1:%d"}`, server.Port)
	e := newEditor(t)
	e.open(counter(40))
	e.save()
	e.awaitTitle("checking")
	open := func() int { return len(sockets(e.server.Pid)) }
	if n := open(); n > 0 {
		t.Errorf("%d sockets without a cluster", n)
	}
	for range 2 {
		e.Notify("workspace/didChangeConfiguration", settings("{"+set+"}"))
		until(t, "a socket", func() bool { return open() > 0 })
		e.Notify("workspace/didChangeConfiguration", settings("{}"))
		until(t, "no socket", func() bool { return open() == 0 })
	}
	e.Notify("workspace/didChangeConfiguration", settings("{"+set+`, "trusted": false}`))
	e.awaitTitle("check")
	if n := open(); n > 0 {
		t.Errorf("%d sockets in a folder that is not trusted", n)
	}
}
