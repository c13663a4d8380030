package life

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/lsp/lsptest"
)

// ceiling is the memory in MB that no abuse may make the server take.
func ceiling() int {
	if len(raceFlags) > 0 {
		return 2000
	}
	return 400
}

// memory returns the most memory that a process has taken so far, and what it takes now,
// in MB.
func memory(t testing.TB, id int) (peak, now int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(id), "status"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			peak = kb >> 10
		}
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 {
			now = kb >> 10
		}
	}
	if peak == 0 {
		t.Fatalf("no memory in %s", text)
	}
	return peak, now
}

// descriptors returns how many files and pipes a process has open.
func descriptors(t testing.TB, id int) int {
	t.Helper()
	all, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(id), "fd"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// survives ends a test: the server serves as if it had not been abused, has taken no more
// memory than it may, and leaves nothing behind.
func (e *editor) survives() {
	e.t.Helper()
	f := e.open("file:///w/after.aag", quick())
	e.save(f)
	e.awaitTexts(f, "refuted at step 2", "proved…")
	e.agree(f)
	id := e.server.Process.Pid
	peak, now := memory(e.t, id)
	e.t.Logf("memory: %d MB, at most %d MB; %d descriptors", now, peak, descriptors(e.t, id))
	if peak > ceiling() {
		e.t.Errorf("the server has taken %d MB", peak)
	}
	// Pipes to the client and two workers, the poller, and a few of the runtime.
	e.until("few descriptors", func() bool { return descriptors(e.t, id) < 30 })
	e.ends(e.leave)
}

// ends ends a server in some way, which must leave no process behind.
func (e *editor) ends(how func()) {
	e.t.Helper()
	all := e.workers()
	how()
	for _, p := range append(all, process{id: e.server.Process.Pid}) {
		e.until(fmt.Sprintf("the end of process %d", p.id), func() bool { return isGone(p.id) })
	}
}

func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

const helloHover = `{"jsonrpc":"2.0","id":"hello","method":"textDocument/hover","params":{"textDocument":{"uri":"file:///none.aag"},"position":{"line":0,"character":0}}}`

// TestFramesInOrder: what is wrong with a message costs that message.
func TestFramesInOrder(t *testing.T) {
	e := start(t, options{settings: map[string]any{"files": map[string]any{"maxSize": 1}}})
	for _, raw := range []string{
		strings.ReplaceAll(framed(helloHover), "\r\n", "\n"),
		"X-Unknown: value\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:" + fmt.Sprint(len(helloHover)) + "\r\n\r\n" + helloHover,
		framed("") + framed("{") + framed("[]") + framed("[[[") + framed("null") + framed("7") + framed(`"x"`) + framed("\xff\xfe") + framed("{}"),
		framed(strings.Repeat("[", 100_000)), framed(strings.Repeat(`{"a":`, 100_000)),
		framed("[" + helloHover + "," + helloHover + "]"), // a batch, which the protocol does not have
		framed(`{"jsonrpc":"1.0","id":1,"method":"textDocument/hover"}`), framed(`{"id":1,"method":"textDocument/hover"}`),
		framed(`{"jsonrpc":"2.0","id":5,"result":{}}`), framed(`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`), framed(`{"jsonrpc":"2.0","id":"x","result":1,"error":2}`),
		framed(`{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", 4<<20) + `"}`), // beyond the limit
		framed(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`),
	} {
		e.Raw(raw)
	}
	for _, b := range []byte(framed(helloHover)) {
		e.Raw(string([]byte{b}))
	}
	if m := e.AnswerTo(`"hello"`); m.Error != nil {
		t.Error(m.Error)
	}
	if m := e.AnswerTo("null"); m.Error == nil {
		t.Error("a frame without a message is not refused")
	}
	e.survives()
}

// TestFramesAtTheEnd: after a header that cannot be read nothing says where a message
// begins. The server says so, to the client and in its log, and ends.
func TestFramesAtTheEnd(t *testing.T) {
	for name, header := range map[string]string{
		"missing":  "Content-Type: x\r\n\r\n",
		"negative": "Content-Length: -7\r\n\r\n",
		"huge":     "Content-Length: 99999999999999999999999\r\n\r\n",
		"enormous": "Content-Length: 999999999999999999\r\n\r\n",
		"word":     "Content-Length: many\r\n\r\n",
		"no field": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"endless":  strings.Repeat("x", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, options{})
			f := e.open("file:///w/hard.aag", hard())
			e.save(f)
			e.busyWorkers(1)
			e.ends(func() {
				e.Raw(header)
				if err := e.Wait(); err == nil {
					t.Error("the exit code is 0")
				}
			})
			if m := e.AnswerTo("null"); m.Error == nil || !strings.Contains(m.Error.Message, "the start of the next message is unknown") {
				t.Errorf("answer %+v", m)
			}
			if !strings.Contains(e.log.String(), "the start of the next message is unknown") {
				t.Error("the log does not say why")
			}
		})
	}
}

// TestUnfinishedMessage: a message that does not come to its end leaves no process.
func TestUnfinishedMessage(t *testing.T) {
	e := start(t, options{settings: map[string]any{"files": map[string]any{"maxSize": 1024}}})
	f := e.open("file:///w/hard.aag", hard())
	e.save(f)
	e.busyWorkers(1)
	e.Raw("Content-Length: 1073741824\r\n\r\n{" + strings.Repeat(" ", 1<<20))
	e.ends(e.CloseInput)
}

// TestOutOfOrder: each message that may not be sent now is refused or ignored.
func TestOutOfOrder(t *testing.T) {
	c, _ := plain(t)
	refused := func(what, method string, code int) {
		t.Helper()
		if m := c.Answer(c.Send(method, map[string]any{"capabilities": map[string]any{}})); m.Error == nil || m.Error.Code != code {
			t.Errorf("%s: %+v", what, m)
		}
	}
	open := map[string]any{"textDocument": map[string]any{"uri": "file:///w/a.aag", "languageId": "aiger", "version": 1, "text": quick()}}
	refused("before initialize", "textDocument/hover", -32002)
	refused("before initialize", "shutdown", -32002)
	c.Notify("initialized", nil)
	c.Notify("textDocument/didOpen", open)
	c.Notify("$/cancelRequest", map[string]any{"id": 1})
	c.Initialize(map[string]any{}, nil)
	for range 1000 {
		c.Notify("initialized", map[string]any{})
	}
	refused("a second time", "initialize", -32600)
	if m := c.Answer(c.Send("textDocument/documentSymbol", open)); string(m.Result) != "null" && string(m.Result) != "[]" {
		t.Errorf("a text that was opened before initialize: %s", m.Result)
	}
	c.MustCall("shutdown", nil, nil)
	for _, method := range []string{"textDocument/hover", "shutdown", "initialize"} {
		refused("after shutdown", method, -32600)
	}
	c.Notify("textDocument/didOpen", open)
	c.Notify("exit", nil)
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// TestWrongTypes sends every message with parameters of every wrong kind; each request is
// answered.
func TestWrongTypes(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/a.aag", quick())
	item := `"textDocument":{"uri":"file:///w/a.aag","version":1}`
	var ids []int
	for _, method := range []string{
		"textDocument/hover", "textDocument/definition", "textDocument/references", "textDocument/documentHighlight", "textDocument/documentSymbol",
		"textDocument/codeLens", "textDocument/inlayHint", "textDocument/semanticTokens/full", "textDocument/semanticTokens/range", "textDocument/prepareCallHierarchy",
		"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "textDocument/foldingRange", "textDocument/selectionRange", "textDocument/documentLink",
		"workspace/symbol", "textDocument/codeAction", "codeAction/resolve", "textDocument/prepareRename", "textDocument/rename", "textDocument/completion", "textDocument/signatureHelp",
		"completionItem/resolve", "textDocument/formatting", "textDocument/onTypeFormatting", "workspace/executeCommand", "aiglens/decoded", "none/such",
	} {
		for _, params := range []string{
			"null", "[]", "7", `"x"`, "{}", `{"textDocument":7}`, `{"textDocument":{"uri":""}}`, `{"textDocument":{"uri":"\u0000"}}`,
			`{"textDocument":{"uri":"file:///w/none.aag"},"position":{"line":0,"character":0}}`,
			"{" + item + "}", "{" + item + `,"position":{"line":-1,"character":-1}}`, "{" + item + `,"position":{"line":1e300,"character":1.5}}`,
			"{" + item + `,"position":{"line":4294967295,"character":4294967295},"range":{"start":{"line":9,"character":9},"end":{"line":0,"character":0}},"positions":[{"line":99999,"character":0}],"newName":"\n","context":{"diagnostics":[]}}`,
			`{"command":"aiglens.check","arguments":[7,null,{}]}`, `{"command":7}`, `{"item":null}`, `{"query":7}`,
			strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000),
		} {
			e.Notify(method, json.RawMessage(params))
			if strings.HasSuffix(method, "/resolve") { // answered with what was sent
				e.Raw(framed(`{"jsonrpc":"2.0","id":"odd","method":"` + method + `","params":` + params + `}`))
				continue
			}
			ids = append(ids, e.Send(method, json.RawMessage(params)))
		}
	}
	for _, id := range ids {
		e.Answer(id)
	}
	const empty = "file:///w/none.aag" // is opened without a text
	e.files[empty] = &file{uri: empty, texts: map[int]*oracle{0: {uri: empty, language: "aiger"}}}
	for _, method := range []string{
		"textDocument/didOpen", "textDocument/didSave", "textDocument/didClose", "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles",
		"workspace/didChangeWorkspaceFolders", "window/workDoneProgress/cancel", "$/cancelRequest", "$/setTrace", "aiglens/cursor", "none/such", "$/none",
	} {
		for _, params := range []string{"null", "[]", "7", "{}", `{"textDocument":7}`, `{"textDocument":{"uri":""}}`, `{"textDocument":{"uri":"file:///w/none.aag"}}`, `{"changes":[{"uri":7}]}`, `{"id":[]}`} {
			e.Notify(method, json.RawMessage(params))
		}
	}
	e.agree(f)
	e.survives()
}

// TestIDs: requests are answered under ids of every kind, and two of one id both; what is
// no id costs an error.
func TestIDs(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/a.aag", quick())
	request := func(id string) string {
		return framed(`{"jsonrpc":"2.0","id":` + id + `,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///w/a.aag"}}}`)
	}
	for _, id := range []string{"-1", "0", "9223372036854775807", `""`, `"x"`, `"é"`, `"` + strings.Repeat("long", 200) + `"`} {
		e.Raw(request(id) + framed(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"other"}}`))
		if m := e.AnswerTo(id); m.Error != nil || len(m.Result) < 10 {
			t.Errorf("%s: %+v", id, m)
		}
	}
	for _, id := range []string{"1.5", "1e3", "99999999999999999999999", "-99999999999999999999999", "[]", "{}", "true", `"` + strings.Repeat("x", 1<<20) + `"`} {
		e.Raw(request(id))
	}
	e.Raw(request("null")) // a notification, which has no answer
	if m := e.AnswerTo("null"); m.Error == nil {
		t.Errorf("an answer %+v", m)
	}
	for range 100 {
		e.Raw(request("77"))
	}
	e.AnswerTo("77")
	e.agree(f)
	e.survives()
}

// plain starts a server for a client that has not said anything yet, and nothing of which
// is held against a circuit.
func plain(t *testing.T) (*lsptest.Client, *exec.Cmd) {
	t.Helper()
	server := exec.Command(program, "serve")
	server.Env = append(os.Environ(), "AIGLENS_CACHE=off")
	return lsptest.StartCommand(t, server), server
}

// TestOddDocuments: documents are changed before they are open, opened and closed twice,
// have odd addresses, versions that go backwards, and changes at places that are none.
func TestOddDocuments(t *testing.T) {
	c, server := plain(t)
	c.Initialize(map[string]any{"textDocument": map[string]any{"codeLens": map[string]any{}}}, nil)
	item := func(uri string) map[string]any {
		return map[string]any{"textDocument": map[string]any{"uri": uri}}
	}
	open := func(uri, text string) {
		c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "aiger", "version": 1, "text": text}})
	}
	change := func(uri string, version int, changes ...any) {
		c.Notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": changes})
	}
	replace := func(line, from, endLine, to uint32, text string) any {
		place := func(line, character uint32) any { return map[string]any{"line": line, "character": character} }
		return map[string]any{"range": map[string]any{"start": place(line, from), "end": place(endLine, to)}, "text": text}
	}
	for _, uri := range []string{
		"file:///w/odd.aag", "", "x", "file://", "file:///", "file:///%zz", "file:///w/\x00.aag", "untitled:1", "http://example.org/a.aag",
		"file://host/share/a.aag", "FILE:///w/a.aag", "file:///" + strings.Repeat("w/", 5000), "file:///dev/zero", "file:///proc/self/mem", "file:///tmp",
	} {
		change(uri, 5, map[string]any{"text": "before it is open"})
		c.Notify("textDocument/didSave", item(uri))
		c.Notify("textDocument/didClose", item(uri))
		open(uri, "aag 0 0 0 0 0\n")
		open(uri, quick())
		change(uri, -5, replace(4_000_000_000, 0, 4_000_000_000, 7, "c\n🦊\n"))
		rows := uint32(strings.Count(quick(), "\n")) + 1 // the fox is on this one
		change(uri, -5, replace(rows, 1, rows, 1, "x"), replace(rows, 1, rows, 900, ""), replace(rows, 0, rows, 1, "🦊"))
		change(uri, -6, replace(9, 9, 0, 3, "y"), replace(0, 0, 4_294_967_295, 4_294_967_295, ""), replace(0, 0, 0, 0, quick()))
		c.Notify("textDocument/didSave", item(uri))
		if uri != "" {
			awaitLenses(t, c, uri, "refuted at step 2", "proved")
		}
		c.Notify("textDocument/didClose", item(uri))
		c.Notify("textDocument/didClose", item(uri))
	}
	if peak, _ := memory(t, server.Process.Pid); peak > ceiling() {
		t.Errorf("the server has taken %d MB", peak)
	}
	c.MustCall("shutdown", nil, nil)
	c.Notify("exit", nil)
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// awaitLenses asks for lenses until they begin so.
func awaitLenses(t *testing.T, c *lsptest.Client, uri string, want ...string) {
	t.Helper()
	var titles []string
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(time.Millisecond) {
		var lenses []struct {
			Command struct{ Title, Command string }
		}
		c.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": uri}}, &lenses)
		titles = nil
		for _, l := range lenses {
			if l.Command.Command != "aiglens.goToLatch" {
				titles = append(titles, l.Command.Title)
			}
		}
		if slices.EqualFunc(titles, want, strings.HasPrefix) {
			return
		}
	}
	t.Fatalf("%.60s: lenses %q, expected %q", uri, titles, want)
}
