package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aiglens/lsp/lsptest"
)

// children returns the processes that one has started and that have not ended.
func children(t *testing.T, parent int) (ids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// After the name in parentheses: the state and the parent.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if fields[0] != "Z" && fields[1] == strconv.Itoa(parent) {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			ids = append(ids, id)
		}
	}
	return ids
}

// until waits for a condition.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for begin := time.Now(); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// editor is a client of a server in a process of its own.
type editor struct {
	*lsptest.Client
	t      *testing.T
	server *os.Process
}

const counterFile = "file:///counter.aag"

func newEditor(t *testing.T) *editor { return newEditorWith(t, nil, nil) }

// newEditorWith starts a server whose process has attributes, and gives it settings.
func newEditorWith(t *testing.T, attr *syscall.SysProcAttr, settings any) *editor {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(path, "serve")
	server.Args[0] = "aiglens" // makes this test program the command
	server.SysProcAttr = attr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, server: server.Process}
	e.Client = lsptest.Start(t, func(_ context.Context, fromClient io.Reader, toClient io.Writer) error {
		go func() {
			_, _ = io.Copy(in, fromClient)
			_ = in.Close()
		}()
		_, _ = io.Copy(toClient, out)
		return server.Wait()
	})
	e.Initialize(map[string]any{"textDocument": map[string]any{"codeLens": map[string]any{}}}, settings)
	return e
}

func (e *editor) open(text string) {
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": counterFile, "languageId": "aiger", "version": 1, "text": text,
	}})
}

func (e *editor) save() {
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": counterFile}})
}

// awaitTitle waits for a lens that begins with a text.
func (e *editor) awaitTitle(want string) {
	e.t.Helper()
	until(e.t, "the lens "+want, func() bool {
		var lenses []struct{ Command struct{ Title string } }
		e.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": counterFile}}, &lenses)
		return len(lenses) > 0 && strings.HasPrefix(lenses[0].Command.Title, want)
	})
}

// worker waits for the only process of the server other than the one given.
func (e *editor) worker(other int) (id int) {
	e.t.Helper()
	until(e.t, "a worker", func() bool {
		ids := slices.DeleteFunc(children(e.t, e.server.Pid), func(id int) bool { return id == other })
		if len(ids) == 1 {
			id = ids[0]
		}
		return len(ids) == 1
	})
	return id
}

// TestServeChecksInWorkers: a worker that is killed is replaced, and when that one is
// killed, too, the property is unknown and nothing else; the next check has another, and a
// verdict comes out of it.
func TestServeChecksInWorkers(t *testing.T) {
	e := newEditor(t)
	e.open(counter(40))
	e.save()
	e.awaitTitle("checking")
	last := 0
	for range 2 {
		last = e.worker(last)
		if err := syscall.Kill(last, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	e.awaitTitle("unknown: worker ended")
	e.save()
	e.awaitTitle("checking")
	e.worker(last)
	e.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": counterFile, "version": 2},
		"contentChanges": []any{map[string]any{"text": counter(3)}},
	})
	e.save()
	e.awaitTitle("refuted at step 7")
	e.worker(0) // no other is left, whether the second one ended its check in time or not
}

// TestNoWorkerOutlivesItsServer: neither one that is killed nor one that is left.
func TestNoWorkerOutlivesItsServer(t *testing.T) {
	for name, end := range map[string]func(*editor){
		"killed": func(e *editor) {
			if err := e.server.Kill(); err != nil {
				t.Fatal(err)
			}
		},
		"left": func(e *editor) { e.CloseInput() },
	} {
		t.Run(name, func(t *testing.T) {
			e := newEditor(t)
			e.open(counter(40))
			e.save()
			e.awaitTitle("checking")
			id := e.worker(0)
			begin := time.Now()
			end(e)
			until(t, "the end of the worker", func() bool {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
				return err != nil || strings.Contains(string(stat), ") Z")
			})
			t.Logf("no worker after %d ms", time.Since(begin).Milliseconds())
		})
	}
}
