package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// expectError fails unless err is an error answer of that code.
func expectError(t *testing.T, what string, err error, code jsonrpc2.Code) {
	t.Helper()
	var e *lsptest.Error
	if !errors.As(err, &e) || e.Code != int(code) {
		t.Errorf("%s: %v, expected error %d", what, err, code)
	}
}

var hoverParams = map[string]any{
	"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{},
}

func TestOrderOfRequests(t *testing.T) {
	b := newBench(t, nil)
	expectError(t, "hover before initialize", b.Call("textDocument/hover", hoverParams, nil), jsonrpc2.ServerNotInitialized)
	b.open(doc, "lost") // a notification before initialize is dropped
	b.Initialize(map[string]any{}, nil)
	expectError(t, "second initialize", b.Call("initialize", map[string]any{"capabilities": map[string]any{}}, nil), jsonrpc2.InvalidRequest)
	expectError(t, "unknown method", b.Call("aiglens/unknown", nil, nil), jsonrpc2.MethodNotFound)
	expectError(t, "unimplemented method", b.Call("textDocument/moniker", map[string]any{}, nil), jsonrpc2.MethodNotFound)
	expectError(t, "malformed parameters", b.Call("textDocument/hover", []int{1}, nil), jsonrpc2.InvalidParams)
	if n := len(b.server.session.snapshot.Load().views); n != 0 {
		t.Errorf("%d documents are open", n)
	}
	b.MustCall("shutdown", nil, nil)
	expectError(t, "hover after shutdown", b.Call("textDocument/hover", hoverParams, nil), jsonrpc2.InvalidRequest)
	b.Notify("exit", nil)
	if err := b.Wait(); err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

// TestRequestWithoutID: a request that is sent as a notification is left alone. It is
// not followed on the goroutine that reads, and moves no phase on.
func TestRequestWithoutID(t *testing.T) {
	log := &wholeLog{}
	b := newBench(t, nil, func(o *Options) { o.Log = log })
	b.Frame(`{"jsonrpc":"2.0","method":"initialize","params":{"capabilities":{}}}`)
	b.Initialize(map[string]any{}, nil)
	b.open(doc, "text")
	for _, method := range []string{"textDocument/hover", "textDocument/formatting", "workspace/symbol", "shutdown"} {
		b.Notify(method, hoverParams)
	}
	if got := b.text(doc); got != "text" {
		t.Errorf("text %q", got)
	}
	if text := log.String(); strings.Contains(text, "panic") || strings.Count(text, "needs an id") != 5 {
		t.Error(text)
	}
}

func TestExitWithoutShutdown(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.Notify("exit", nil)
	if err := b.Wait(); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("Serve returned %v", err)
	}
}

func TestEndOfInput(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.CloseInput()
	if err := b.Wait(); err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

func TestParentDies(t *testing.T) {
	t.Parallel()
	parent := exec.Command("sleep", "1000")
	if err := parent.Start(); err != nil {
		t.Fatal(err) // without the other process the test would assert nothing
	}
	b := newBench(t, nil)
	b.MustCall("initialize", map[string]any{"processId": parent.Process.Pid, "capabilities": map[string]any{}}, nil)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	b.Wait()
}

// TestAbuse sends what a broken client sends; the server must stay.
func TestAbuse(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":7}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen"}`)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":null}`)
	b.Frame(`{"jsonrpc":"2.0","method":"unknown/notification","params":{"a":[]}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/unknown","params":{}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"one"}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99999999999}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":[]}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`)
	b.Frame(`{"jsonrpc":"2.0","id":77,"result":null}`)
	b.Frame(`{"jsonrpc":"2.0","id":78,"error":{"code":1,"message":"m"}}`)
	b.Frame(`{"jsonrpc":"2.0",`)
	b.Frame(`[]`)
	b.Frame(`{"jsonrpc":"2.0","id":1.5,"method":"textDocument/hover"}`)
	b.Frame(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":null}}`)
	b.open(doc, "text")
	if got := b.text(doc); got != "text" {
		t.Errorf("text %q", got)
	}
}

// TestLooseJSON sends what real clients send and the library refuses.
func TestLooseJSON(t *testing.T) {
	b := newBench(t, nil)
	b.MustCall("initialize", json.RawMessage(`{"processId":null,"rootUri":null,"trace":null,"capabilities":[],`+
		`"workspaceFolders":null,"clientInfo":{"name":"lua"},"initializationOptions":[]}`), nil)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":` +
		`{"uri":"` + doc + `","languageId":"aiger","version":1.0,"text":"one"}}}`)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":` +
		`{"uri":"` + doc + `","version":2.0},"contentChanges":[{"text":"two","range":null}]}}`)
	if got := b.text(doc); got != "two" {
		t.Errorf("text %q", got)
	}
}

// TestSpelling checks that addresses come back as the client wrote them.
func TestSpelling(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	for _, u := range []string{"untitled:Untitled-1", "file:///C:/w/a%20b.aag", "file:///c%3A/w/a b.aag"} {
		mark := b.Mark()
		b.open(u, "not AIGER")
		b.Await("diagnostics of "+u, mark, func(m lsptest.Message) bool {
			return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), `"uri":"`+u+`"`)
		})
		b.close(u)
	}
}

// TestPanic has a handler panic, in a request and in a notification.
func TestPanic(t *testing.T) {
	b := newBench(t, nil)
	methods := map[string]rpc.Method{
		"test/panic": func(context.Context, protocol.Server, []byte) (any, error) { panic("as intended") },
		"test/owner": func(_ context.Context, s protocol.Server, _ []byte) (any, error) {
			s.(*server).queue.Do(func() { panic("as intended") })
			return nil, nil
		},
	}
	for name, m := range b.server.dispatcher.Methods {
		methods[name] = m
	}
	b.server.dispatcher.Methods = methods // before the first message
	b.Initialize(map[string]any{}, nil)
	for _, method := range []string{"test/panic", "test/owner"} {
		b.Notify(method, nil)
		expectError(t, method, b.Call(method, nil, nil), jsonrpc2.InternalError)
	}
	b.sync()
}

// TestCancel cancels a request in flight, and one that has been answered.
func TestCancel(t *testing.T) {
	b := newBench(t, nil)
	started := make(chan struct{})
	methods := map[string]rpc.Method{
		"test/wait": func(ctx context.Context, _ protocol.Server, _ []byte) (any, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}
	for name, m := range b.server.dispatcher.Methods {
		methods[name] = m
	}
	b.server.dispatcher.Methods = methods
	b.Initialize(map[string]any{}, nil)
	id := b.Send("test/wait", nil)
	<-started
	b.sync() // requests do not wait for each other
	b.Notify("$/cancelRequest", map[string]any{"id": id})
	m := b.Answer(id)
	if m.Error == nil || m.Error.Code != int(protocol.CodeRequestCancelled) {
		t.Errorf("answer %+v to a cancelled request", m)
	}
	b.Notify("$/cancelRequest", map[string]any{"id": id})
	b.sync()
}

// TestRefusingClient answers every request of the server with an error.
func TestRefusingClient(t *testing.T) {
	b := newBench(t, explicit)
	b.Refuses = true
	capabilities := map[string]any{"window": capable["window"], "workspace": map[string]any{
		"configuration": true, "didChangeConfiguration": map[string]any{"dynamicRegistration": true},
		"codeLens": map[string]any{"refreshSupport": true},
	}}
	b.Initialize(capabilities, nil)
	for _, method := range []string{"client/registerCapability", "workspace/configuration"} {
		b.Await(method, 0, isMethod(method))
	}
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)
	b.Await("progress", 0, isMethod("window/workDoneProgress/create"))
	if err := b.Call("workspace/executeCommand", command(wire.CommandGoToLatch.Name, wire.GoToLatchParams{PropertyParams: wire.PropertyParams{URI: doc}}), nil); err == nil {
		t.Error("the latch was shown by a client that refuses")
	}
	for _, m := range b.Received(0) {
		if m.Method == "$/progress" {
			t.Errorf("progress %s with a token that was refused", m.Params)
		}
	}
}

// TestSlowReader asks a client to send much before it reads anything again.
func TestSlowReader(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	resume := b.Pause()
	broken := "aag 9 9 0 0 0\n" + strings.Repeat("not a number\n", 10)
	for version := 2; version < 200; version++ {
		b.open(doc, broken)
		b.replace(doc, version, toggle)
		b.save(doc)
		b.close(doc)
	}
	b.open(doc, toggle)
	resume()
	b.expectTitles("check", "check")
}

// TestWideNames has names that are longer in some encodings than in others.
func TestWideNames(t *testing.T) {
	for encoding, width := range map[string]int{"utf-8": 3 + 4 + 3, "utf-16": 3 + 2 + 1, "utf-32": 3 + 1 + 1} {
		b := newBench(t, explicit)
		b.Initialize(map[string]any{"general": map[string]any{"positionEncodings": []string{encoding}}}, nil)
		b.open(doc, edited(6, "l0 🦊∧"))
		var all []location
		b.MustCall("textDocument/references", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: 1},
			"context": map[string]any{"includeDeclaration": false},
		}, &all)
		if last := all[len(all)-1].Range; last.Start.Line != 5 || last.End.Character != width {
			t.Errorf("%s: the name is at %+v", encoding, last)
		}
	}
}

// TestEndWithoutReader has a client end its input while it reads nothing.
func TestEndWithoutReader(t *testing.T) {
	b := newBench(t, newGate().behind(explicit))
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.sync()
	defer b.Pause()()
	for range 100 {
		b.Send("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}})
		b.save(doc)
	}
	b.CloseInput()
	if err := b.Wait(); err != nil {
		t.Errorf("Serve returned %v", err)
	}
}
