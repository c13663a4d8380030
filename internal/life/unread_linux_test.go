package life

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/lsp/lsptest"
)

// isLong says that floods may take minutes.
func isLong() bool { return os.Getenv("AIGLENS_LONG") != "" }

// times is a number of messages in a flood.
func times(usual, long int) int {
	if isLong() {
		return long
	}
	return usual
}

// Codes of errors.
const (
	requestFailed    = -32803
	serverCancelled  = -32802
	requestCancelled = -32800
)

// wide is quick with rows of which each has a diagnostic: messages on the file are large.
func wide(rows int) string {
	n := &netlist{}
	n.bad(n.shift(3, 1), "reached")
	n.bad(n.shift(4, 0), "never")
	for range rows {
		lit, row := n.latch(0)
		n.next(lit, row, lit) // constant
	}
	return n.String()
}

// settledState returns what the client has been told of a file once nothing is under way:
// its statuses without times, and all its diagnostics.
func (e *editor) settledState(f *file) (statuses []status, diagnostics []string) {
	e.t.Helper()
	e.agree(f)
	e.until("the diagnostics of version "+fmt.Sprint(f.version), func() bool { return f.published == f.version })
	for _, s := range f.statuses {
		s.Seconds = 0
		if at := strings.Index(s.Message, " · "); at > 0 && s.Verdict == "proved" { // what follows depends on the run
			s.Text, s.Message, s.Depth = s.Message[:at], s.Message[:at], 0
		}
		statuses = append(statuses, s)
	}
	for _, d := range f.diagnostics {
		message, _, _ := strings.Cut(d.Message, " · ")
		diagnostics = append(diagnostics, fmt.Sprintf("%v %d %s %s", d.Range, d.Severity, d.Code, message))
	}
	slices.Sort(diagnostics)
	return statuses, diagnostics
}

// equalsFresh compares what the client has been told of a file with what a new server
// tells of the same text.
func (e *editor) equalsFresh(f *file) {
	e.t.Helper()
	e.save(f)
	e.awaitVerdicts(f)
	fresh := start(e.t, options{})
	other := fresh.open(f.uri, f.buffer.Text)
	fresh.save(other)
	fresh.awaitVerdicts(other)
	var statuses, wantStatuses []status
	var diagnostics, wantDiagnostics []string
	defer func() {
		if !e.t.Failed() {
			return
		}
		e.t.Logf("statuses %+v, of a fresh run %+v", statuses, wantStatuses)
		e.t.Logf("%d diagnostics, of a fresh run %d", len(diagnostics), len(wantDiagnostics))
		for i := range min(len(diagnostics), len(wantDiagnostics)) {
			if diagnostics[i] != wantDiagnostics[i] {
				e.t.Logf("%q, of a fresh run %q", diagnostics[i], wantDiagnostics[i])
				break
			}
		}
	}()
	// What a proof says of other signals comes after its verdict.
	e.until("what a fresh run tells of "+f.uri, func() bool {
		statuses, diagnostics = e.settledState(f)
		fresh.take()
		wantStatuses, wantDiagnostics = fresh.settledState(other)
		return slices.Equal(statuses, wantStatuses) && slices.Equal(diagnostics, wantDiagnostics)
	})
}

// types edits a file as typing does, several times.
func (e *editor) types(f *file, edits int, between func()) {
	e.t.Helper()
	text := f.buffer.Text
	for i := range edits {
		e.edit(f, text+"c\n"+strings.Repeat("x", i%7)+"\n")
		if between != nil {
			between()
		}
	}
}

// requests sends one of each request that an editor sends after an edit.
func (e *editor) requests(f *file) (ids []int) {
	e.t.Helper()
	params := f.item()
	params["range"] = map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 99999, "character": 0}}
	params["context"] = map[string]any{"diagnostics": []any{}}
	for _, method := range []string{"documentSymbol", "codeLens", "inlayHint", "semanticTokens/full", "foldingRange", "documentLink"} {
		ids = append(ids, e.Send("textDocument/"+method, params))
	}
	return ids
}

// answered waits for the answers to requests, and returns how many are refusals. Nothing
// else may be an error.
func (e *editor) answered(ids []int, code int) (refused int) {
	e.t.Helper()
	for _, id := range ids {
		m := e.Answer(id)
		switch {
		case m.Error == nil:
		case m.Error.Code == code && strings.Contains(m.Error.Message, "overloaded"):
			refused++
		default:
			e.t.Fatalf("request %d: %v", id, m.Error)
		}
	}
	return refused
}

// TestTypingUnread: a client types and asks and does not read, for long; then it reads.
// What waited was bounded, every request has its answer, and the last thing it is told is
// the present state, as a fresh run finds it.
func TestTypingUnread(t *testing.T) {
	e := start(t, options{})
	large := filepath.Join(t.TempDir(), "large.aag")
	write(t, large, quick()+"c\n"+strings.Repeat("a long comment\n", 200_000)) // 3 MB
	f := e.open("file:///w/wide.aag", wide(500))
	e.save(f)
	e.awaitVerdicts(f)
	for round := 1; ; round++ { // on a machine with much else to do the answers may come late
		resume := e.Pause()
		var texts, ids []int
		for range 20 {
			texts = append(texts, e.Send("aiglens/decoded", map[string]any{"uri": fileURI(large)}))
		}
		e.types(f, times(300, 5000), func() { ids = append(ids, e.requests(f)...) })
		for i := range 50 { // questions of the user
			ids = append(ids, e.Send("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": f.uri}, "position": map[string]any{"line": i, "character": 0}}))
		}
		command := e.Send("workspace/executeCommand", map[string]any{"command": "aiglens.properties", "arguments": []any{f.about("")}})
		resume()
		refused, left, commands := e.answered(ids, serverCancelled), e.answered(texts, requestFailed), e.answered([]int{command}, requestFailed)
		t.Logf("%d of %d requests were refused, %d of %d for large texts, %d command", refused, len(ids), left, len(texts), commands)
		if refused > 0 && left > 0 && commands > 0 {
			break
		}
		if round == 5 {
			t.Fatal("nothing is refused")
		}
	}
	e.equalsFresh(f)
	e.survives()
}

// TestChangesUnread: 5,000 changes of which nothing is read.
func TestChangesUnread(t *testing.T) {
	e := start(t, options{settings: check(map[string]any{"trigger": "onType", "delay": 1})})
	f := e.open("file:///w/quick.aag", quick())
	resume := e.Pause()
	e.types(f, times(5000, 50_000), nil)
	for i := range 200 { // files come and go
		e.close(e.open(fmt.Sprintf("file:///w/%d.aag", i), quick()))
	}
	resume()
	e.equalsFresh(f)
	e.survives()
}

// TestManyRequests: ten thousand requests under way are answered or refused, each once.
func TestManyRequests(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/wide.aag", wide(500))
	params := f.item()
	params["position"] = map[string]any{"line": 5, "character": 0}
	for range times(1, 20) {
		resume := e.Pause()
		var ids []int
		for range 10_000 {
			ids = append(ids, e.Send("textDocument/hover", params))
		}
		resume()
		t.Logf("%d of %d were refused", e.answered(ids, serverCancelled), len(ids))
	}
	e.equalsFresh(f)
	e.survives()
}

// TestCancelStorm: requests are cancelled as soon as they are sent, and again, and requests
// that were never sent.
func TestCancelStorm(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/wide.aag", wide(100))
	params := f.item()
	var ids []int
	for i := range times(2000, 100_000) {
		id := e.Send("textDocument/documentSymbol", params)
		ids = append(ids, id)
		for _, cancelled := range []int{id, id, id + 1, -i, 1 << 40} {
			e.Notify("$/cancelRequest", map[string]any{"id": cancelled})
		}
	}
	for _, id := range ids {
		if m := e.Answer(id); m.Error != nil && m.Error.Code != requestCancelled && m.Error.Code != serverCancelled {
			t.Fatal(m.Error)
		}
	}
	e.equalsFresh(f)
	e.survives()
}

// TestSettingsUnread: what the server asks of a client that answers nothing does not pile
// up, and the last settings count once it does.
func TestSettingsUnread(t *testing.T) {
	c, server := plain(t)
	c.Settings = map[string]any{"check": map[string]any{"trigger": "manual"}}
	c.Initialize(map[string]any{
		"workspace": map[string]any{
			"configuration": true, "codeLens": map[string]any{"refreshSupport": true}, "inlayHint": map[string]any{"refreshSupport": true},
			"didChangeConfiguration": map[string]any{"dynamicRegistration": true}, "didChangeWatchedFiles": map[string]any{"dynamicRegistration": true},
		},
		"window":       map[string]any{"workDoneProgress": true},
		"textDocument": map[string]any{"codeLens": map[string]any{}},
	}, nil)
	const uri = "file:///w/a.aag"
	item := map[string]any{"textDocument": map[string]any{"uri": uri}}
	c.Await("a question for the settings", 0, func(m lsptest.Message) bool { return m.Method == "workspace/configuration" })
	mark := c.Mark()
	resume := c.Pause()
	for i := range 1000 {
		c.Notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
		if i%50 == 0 {
			c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "aiger", "version": 1, "text": hardFrom(i)}})
			c.Send("workspace/executeCommand", map[string]any{"command": "aiglens.check", "arguments": []any{map[string]any{"uri": uri}}})
			c.Notify("textDocument/didClose", item)
		}
	}
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "aiger", "version": 1, "text": quick()}})
	c.Settings = map[string]any{"check": map[string]any{"trigger": "onSave"}} // before it reads on
	resume()
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(20 * time.Millisecond) {
		c.Notify("textDocument/didSave", item) // with the old settings that starts nothing
		var lenses []struct{ Command struct{ Title string } }
		c.MustCall("textDocument/codeLens", item, &lenses)
		if len(lenses) > 0 && lenses[0].Command.Title == "refuted at step 2" {
			break
		}
	}
	awaitLenses(t, c, uri, "refuted at step 2", "proved")
	asked := map[string]int{}
	for _, m := range c.Received(mark) {
		if m.ID != nil {
			asked[m.Method]++
		}
	}
	t.Logf("the server has asked %v", asked)
	if asked["workspace/configuration"] > 3 || asked["workspace/inlayHint/refresh"] > 50 || asked["window/workDoneProgress/create"] > 15 {
		t.Error("questions have piled up")
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

// TestNeverReads: a client that reads nothing ends, in whatever way; no process is left.
func TestNeverReads(t *testing.T) {
	for name, how := range map[string]func(*editor){
		"input": (*editor).CloseInput,
		"exit": func(e *editor) {
			e.Send("shutdown", nil)
			e.Notify("exit", nil)
		},
		"exit alone": func(e *editor) { e.Notify("exit", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, options{})
			f := e.open("file:///w/wide.aag", wide(500))
			hard := e.open("file:///w/hard.aag", hards(2))
			e.save(hard)
			e.busyWorkers(2)
			defer e.Pause()()
			e.types(f, 30, func() { e.requests(f) })
			e.ends(func() { how(e) })
		})
	}
}
