package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// TestRefusals: what is asked while answers wait is refused, with an error that people are
// shown where they have asked for something, and with one that editors pass over where
// these have asked themselves. What an editor shows all the
// time is asked for again then.
func TestRefusals(t *testing.T) {
	b := newBench(t, explicit)
	var full atomic.Bool
	room := b.server.dispatcher.HasRoom
	b.server.dispatcher.HasRoom = func() bool { return !full.Load() && room() } // before the first message
	refreshes := map[string]any{"refreshSupport": true}
	b.Initialize(map[string]any{"textDocument": capable["textDocument"], "workspace": map[string]any{
		"codeLens": refreshes, "semanticTokens": refreshes, "foldingRange": refreshes}}, nil)
	b.open(doc, toggle)
	b.settled(doc)
	mark := b.Mark()
	full.Store(true)
	item := map[string]any{"textDocument": map[string]any{"uri": doc}}
	cancelled, failed := jsonrpc2.Code(protocol.LSPErrorCodesServerCancelled), jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed)
	for method, code := range map[string]jsonrpc2.Code{
		"textDocument/codeLens": cancelled, "textDocument/documentSymbol": cancelled, "textDocument/hover": cancelled,
		"textDocument/semanticTokens/full": cancelled, "textDocument/foldingRange": cancelled,
		"textDocument/formatting": failed, "textDocument/rename": failed, "aiglens/decoded": failed, "workspace/executeCommand": failed,
	} {
		expectError(t, method, b.Call(method, item, nil), code)
	}
	for _, what := range []string{"codeLens", "semanticTokens", "foldingRange"} {
		b.Await("a refresh of "+what, mark, isMethod("workspace/"+what+"/refresh"))
	}
	full.Store(false)
	b.expectTitles("check", "check")
}

// TestTurns: few requests compute at once; the others wait and can be cancelled. Those that
// may wait for something else do not hold them up.
func TestTurns(t *testing.T) {
	const turns = 32
	b := newBench(t, nil)
	begun, gate, marked := make(chan struct{}, 1000), make(chan struct{}), make(chan struct{})
	work := func(context.Context, protocol.Server, []byte) (any, error) {
		begun <- struct{}{}
		<-gate
		return "done", nil
	}
	methods := map[string]rpc.Method{"test/work": work, "test/wait": work, "test/mark": func(context.Context, protocol.Server, []byte) (any, error) {
		close(marked)
		return nil, nil
	}}
	for name, m := range b.server.dispatcher.Methods {
		methods[name] = m
	}
	b.server.dispatcher.Methods = methods // before the first message
	b.server.dispatcher.Prepare = func(_ context.Context, method string, _ []byte) rpc.Turn {
		if method == "test/wait" {
			return rpc.Patient
		}
		return rpc.Computing
	}
	b.Initialize(map[string]any{}, nil)
	var ids []int
	for range 200 {
		ids = append(ids, b.Send("test/work", nil))
	}
	waiting := b.Send("test/wait", nil)
	for range turns + 1 {
		<-begun
	}
	for _, id := range ids {
		b.Notify("$/cancelRequest", map[string]any{"id": id})
	}
	b.Notify("test/mark", nil)
	<-marked
	close(gate)
	cancelled := 0
	for _, id := range ids {
		if m := b.Answer(id); m.Error != nil && m.Error.Code == int(protocol.CodeRequestCancelled) {
			cancelled++
		}
	}
	b.Answer(waiting)
	if n := len(begun); n > 0 || cancelled != len(ids)-turns {
		t.Errorf("%d more have begun, %d of %d were cancelled", n, cancelled, len(ids))
	}
}

// TestUnreadLog: of an unread log the first lines are kept, and how many more
// there were.
func TestUnreadLog(t *testing.T) {
	b := newBench(t, nil, func(o *Options) { o.Log = &wholeLog{} })
	b.Initialize(map[string]any{}, nil)
	b.sync()
	mark := b.Mark()
	resume := b.Pause()
	for i := range 1000 {
		b.Notify(fmt.Sprintf("unknown/%d", i), nil)
	}
	// The client reads up to a message that it waits for.
	b.Notify("last/one", nil)
	resume()
	b.Await("how many more there are", mark, func(m lsptest.Message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "more lines are in the log")
	})
	if n := len(b.Received(mark)); n > 3*maxLogLines {
		t.Errorf("%d messages", n)
	}
}

// TestUnreadWorkspaceCheck: a check of all files reads no more of them than the client
// has been told of, but for a few, and goes on when it reads.
func TestUnreadWorkspaceCheck(t *testing.T) {
	texts := map[string]string{}
	for i := range 3 * maxUnshown {
		texts[fmt.Sprintf("f%d.aag", i)] = toggle
	}
	w, _ := inFolder(t, explicit, texts)
	w.sync()
	resume := w.Pause()
	w.Send("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}))
	s := w.server.session
	await := func(what string, fits func() bool) {
		t.Helper()
		for fitted, begin := false, time.Now(); !fitted; time.Sleep(time.Millisecond) {
			if s.queue.Do(func() { fitted = fits() }); time.Since(begin) > time.Minute {
				t.Fatalf("%s: %d files", what, s.checking.workspace.unshown())
			}
		}
	}
	most := 0
	await("nothing more can be done unless the client reads", func() bool {
		most = max(most, s.checking.workspace.unshown())
		for _, f := range s.texts.files {
			if f.isBusy() || !f.checks.IsAnalysed() || s.checking.workspace.holds(f) {
				return false
			}
		}
		return s.checking.workspace.current != nil && s.checking.workspace.unshown() >= maxUnshown
	})
	if most > maxUnshown+s.settings.Workers {
		t.Errorf("%d files are kept", most)
	}
	var kept []*file
	s.queue.Do(func() { kept = slices.Collect(maps.Values(s.texts.files)) })
	resume()
	await("all is told", func() bool {
		return s.checking.workspace.current == nil && s.checking.workspace.unshown() == 0 && len(s.texts.closed.files) == len(texts)
	})
	for _, f := range kept {
		if f.present.Err() == nil {
			t.Fatal("the context of a text that was let go has not ended")
		}
	}
}

// TestUnreadLeavesNothing: once a client has read what waited for it, nothing is left of
// its not reading.
func TestUnreadLeavesNothing(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.settled(doc)
	before := runtime.NumGoroutine()
	resume := b.Pause()
	item := map[string]any{"textDocument": map[string]any{"uri": doc}}
	var ids []int
	for version := 2; version < 500; version++ {
		b.replace(doc, version, toggle+strings.Repeat("c\n", version%3))
		ids = append(ids, b.Send("textDocument/documentSymbol", item), b.Send("textDocument/codeLens", item))
		b.Notify("$/cancelRequest", map[string]any{"id": ids[len(ids)-1]})
	}
	resume()
	for _, id := range ids {
		b.Answer(id)
	}
	b.settled(doc)
	b.await(func() bool { return runtime.NumGoroutine() <= before+2 })
}

// TestGivenUp: a client that asks and asks and never reads is given up, with the reason.
func TestGivenUp(t *testing.T) {
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	defer out.Close()
	c := start(context.Background(), toServer, fromServer, Options{
		Engine:  func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) },
		Clauses: auto.Check,
	})
	ended := make(chan error, 1)
	go func() {
		ended <- c.wait()
		toServer.Close() // as the end of a process does
	}()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"unknown/%s"}`, strings.Repeat("i", 1000), strings.Repeat("m", 100))
	message := []byte(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
	n := 0
	for ; n < 1_000_000; n++ {
		if _, err := in.Write(message); err != nil {
			break
		}
	}
	if err := <-ended; !errors.Is(err, rpc.ErrNotRead) {
		t.Errorf("after %d messages: %v", n, err)
	}
}
