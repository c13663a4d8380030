package life

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aiglens/internal/cache"
	"aiglens/internal/worker"
	"aiglens/lsp"
	"aiglens/lsp/lsptest"
)

// patience is how long a test waits for something that must come, on a machine that may stop for some seconds.
const patience = 2 * time.Minute

// editor is a client of a server in a process of its own. Its methods are for one
// goroutine.
type editor struct {
	*lsptest.Client
	t      testing.TB
	server *exec.Cmd // nil: the server runs in this process
	log    *logBuffer

	read   int // messages that take has seen
	files  map[string]*file
	tokens map[string]*token
	// showsProved says that proved properties are wanted among the diagnostics.
	showsProved bool
	// killsWorkers says that the test does, so that complaints about it are in order.
	killsWorkers bool
}

// options of an editor; the zero value will do.
type options struct {
	cache    string // folder; a new one when empty
	settings map[string]any
	folders  []string
	watches  bool     // tells changes of files
	limits   string   // a command of the shell before the program, as "ulimit -f 0"
	env      []string // further variables of the server
}

type logBuffer struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start starts a server. When the test ends so does it, in order, and all that it
// has ever sent is looked at.
func start(t testing.TB, o options) *editor {
	t.Helper()
	if o.cache == "" {
		o.cache = t.TempDir()
	}
	e := newEditor(t)
	e.server = exec.Command(program, "serve")
	if o.limits != "" {
		e.server = exec.Command("sh", "-c", o.limits+` && exec "$0" serve`, program)
	}
	e.server.Env = append(append(os.Environ(), "AIGLENS_CACHE="+o.cache), o.env...)
	e.server.Stderr = e.log
	e.Client = lsptest.StartCommand(t, e.server)
	t.Cleanup(e.lookBack)
	e.initialize(o)
	return e
}

// startWithin starts a server within this process, whose workers have processes of their
// own all the same, so that a test can measure its memory.
func startWithin(t testing.TB, o options) *editor {
	t.Helper()
	store, err := cache.Open(o.cache, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	workers := worker.NewPool(worker.Command(program, "worker"))
	t.Cleanup(workers.Close)
	e := newEditor(t)
	e.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return lsp.Serve(ctx, in, out, lsp.Options{Engine: workers.Engine, Clauses: workers.Clauses, Workers: workers.Keep, Cache: store, Log: e.log})
	})
	t.Cleanup(e.lookBack)
	e.initialize(o)
	return e
}

func newEditor(t testing.TB) *editor {
	return &editor{t: t, log: &logBuffer{}, files: map[string]*file{}, tokens: map[string]*token{}}
}

// pid returns the process of the server.
func (e *editor) pid() int {
	if e.server == nil {
		return os.Getpid()
	}
	return e.server.Process.Pid
}

// lookBack looks at all that the server has sent and written.
func (e *editor) lookBack() {
	e.take()
	for _, word := range []string{"panic", "DATA RACE", "check failed"} {
		if strings.Contains(e.log.String(), word) && (word != "check failed" || !e.killsWorkers) {
			e.t.Errorf("the log of the server says %q", word)
		}
	}
	if e.t.Failed() {
		e.t.Logf("log of the server:\n%s", e.log)
	}
}

func (e *editor) initialize(o options) {
	e.t.Helper()
	workspace := map[string]any{"codeLens": map[string]any{"refreshSupport": true}, "workspaceFolders": true}
	if o.watches {
		workspace["didChangeWatchedFiles"] = map[string]any{"dynamicRegistration": true}
	}
	folders := []any{}
	for _, path := range o.folders {
		folders = append(folders, map[string]any{"uri": fileURI(path), "name": filepath.Base(path)})
	}
	e.MustCall("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": nil, "workspaceFolders": folders, "initializationOptions": o.settings,
		"capabilities": map[string]any{
			"textDocument": map[string]any{"codeLens": map[string]any{}, "publishDiagnostics": map[string]any{"relatedInformation": true}},
			"window":       map[string]any{"workDoneProgress": true},
			"workspace":    workspace,
			"experimental": map[string]any{"aiglens": map[string]any{"status": true}},
		},
	}, nil)
	e.Notify("initialized", map[string]any{})
}

func check(settings map[string]any) map[string]any { return map[string]any{"check": settings} }

// configure changes the settings of package lsp, which are below "aiglens".
func (e *editor) configure(settings map[string]any) {
	e.t.Helper()
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": settings}})
}

// leave ends the server as an editor does.
func (e *editor) leave() {
	e.t.Helper()
	e.MustCall("shutdown", nil, nil)
	e.Notify("exit", nil)
	if err := e.Wait(); err != nil {
		e.t.Errorf("the server: %v", err)
	}
}

func fileURI(path string) string { return "file://" + filepath.ToSlash(path) }

// open opens a text.
func (e *editor) open(uri, text string) *file {
	e.t.Helper()
	language := "aiger"
	if strings.HasSuffix(uri, "blif") {
		language = "blif"
	}
	f := e.files[uri]
	if f == nil {
		f = &file{uri: uri}
		e.files[uri] = f
	}
	f.opened(language, text)
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": language, "version": f.version, "text": text,
	}})
	return f
}

// edit makes the text another one by a change of the part that differs.
func (e *editor) edit(f *file, text string) {
	e.t.Helper()
	old := f.buffer.Text
	start := 0
	for start < len(old) && start < len(text) && old[start] == text[start] {
		start++
	}
	end := len(old)
	for tail := len(text); end > start && tail > start && old[end-1] == text[tail-1]; tail-- {
		end--
	}
	if isWithinLineEnd(old, start) { // no position stands there
		start--
	}
	if isWithinLineEnd(old, end) {
		end++
	}
	change := f.buffer.Edit(start, end, text[start:len(text)-(len(old)-end)])
	f.nextVersion()
	e.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": f.uri, "version": f.version}, "contentChanges": []any{change},
	})
}

func isWithinLineEnd(text string, at int) bool {
	return at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n'
}

func (f *file) item() map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": f.uri}}
}

func (e *editor) save(f *file) { e.Notify("textDocument/didSave", f.item()) }

func (e *editor) close(f *file) {
	e.t.Helper()
	f.isOpen = false
	e.Notify("textDocument/didClose", f.item())
}

// execute runs a command.
func (e *editor) execute(name string, argument map[string]any, result any) {
	e.t.Helper()
	e.MustCall("workspace/executeCommand", map[string]any{"command": "aiglens." + name, "arguments": []any{argument}}, result)
}

// about is the argument of a command about a property, or all of a file.
func (f *file) about(property string) map[string]any {
	argument := map[string]any{"uri": f.uri}
	if property != "" {
		argument["property"] = property
	}
	return argument
}

func (e *editor) properties(f *file) (all []status) {
	e.t.Helper()
	e.execute("properties", f.about(""), &all)
	return all
}

type entry struct {
	Property, Verdict, Message, Engine, Reused string
	Cached                                     bool
	Version                                    int
}

// history returns the verdicts of a file, the oldest first.
func (e *editor) history(f *file) []entry {
	e.t.Helper()
	var all []entry
	e.execute("history", f.about(""), &all)
	for i := range len(all) / 2 {
		all[i], all[len(all)-1-i] = all[len(all)-1-i], all[i]
	}
	return all
}

// expectRuns compares the number of verdicts that runs have found.
func (e *editor) expectRuns(f *file, want int) {
	e.t.Helper()
	if got := e.history(f); len(got) != want {
		e.t.Errorf("%d runs, expected %d: %+v", len(got), want, got)
	}
}

// until takes in messages until a condition holds.
func (e *editor) until(what string, condition func() bool) {
	e.t.Helper()
	begin := time.Now()
	for {
		e.take()
		if condition() {
			return
		}
		if time.Since(begin) > patience {
			for _, f := range e.files {
				if len(f.statuses) > 0 {
					e.t.Logf("%s, version %d, told of %d: %+v", f.uri, f.version, f.toldVersion, f.statuses)
				}
			}
			e.t.Logf("progress that has not ended: %v", e.openTokens())
			e.t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// awaitTexts waits until the properties of a file have these texts, in order. A text
// that ends in … stands for those that begin so.
func (e *editor) awaitTexts(f *file, want ...string) {
	e.t.Helper()
	e.until(f.uri+": "+strings.Join(want, " | "), func() bool { return f.hasTexts(want...) })
}

func (f *file) hasTexts(want ...string) bool {
	if len(f.statuses) != len(want) {
		return false
	}
	for i, s := range f.statuses {
		if begin, isPrefix := strings.CutSuffix(want[i], "…"); s.Text != want[i] && !(isPrefix && strings.HasPrefix(s.Text, begin)) {
			return false
		}
	}
	return true
}

// awaitVerdicts waits until every property has a fresh verdict.
func (e *editor) awaitVerdicts(files ...*file) {
	e.t.Helper()
	for _, f := range files {
		e.until("all verdicts of "+f.uri, func() bool { return f.hasVerdicts() })
	}
}

func (f *file) hasVerdicts() bool {
	for _, s := range f.statuses {
		if s.Freshness != "fresh" {
			return false
		}
	}
	return len(f.statuses) > 0
}

// token is a work-done progress.
type token struct {
	title    string
	ended    bool
	reports  []time.Time
	messages []string
	begun    time.Time
}

// take looks at the messages that have come.
func (e *editor) take() {
	e.t.Helper()
	for _, m := range e.Received(e.read) {
		e.read++
		e.takeOne(m)
	}
}

// forget takes in what has come and keeps none of it; nothing may be under way that waits
// for an answer.
func (e *editor) forget() {
	e.t.Helper()
	for _, m := range e.Forget()[e.read:] {
		e.takeOne(m)
	}
	e.read = 0
	for id, k := range e.tokens {
		if k.ended {
			delete(e.tokens, id)
		}
	}
	for _, f := range e.files {
		f.told = nil
		for version := range f.texts {
			if version < f.toldVersion && version < f.version {
				delete(f.texts, version)
			}
		}
	}
}

func (e *editor) takeOne(m lsptest.Message) {
	e.t.Helper()
	switch m.Method {
	case "aiglens/status":
		e.takeStatus(m)
	case "textDocument/publishDiagnostics":
		e.takeDiagnostics(m)
	case "$/progress":
		e.takeProgress(m)
	case "window/logMessage":
		if strings.Contains(string(m.Params), "panic") {
			e.t.Errorf("%s", m.Params)
		}
	}
}

func (e *editor) takeProgress(m lsptest.Message) {
	e.t.Helper()
	var p struct {
		Token string
		Value struct{ Kind, Title, Message string }
	}
	e.decode(m.Params, &p)
	k := e.tokens[p.Token]
	switch {
	case p.Value.Kind == "begin" && k == nil:
		e.tokens[p.Token] = &token{title: p.Value.Title, begun: m.At}
	case k == nil || k.ended || p.Value.Kind == "begin":
		e.t.Errorf("%s of progress %s out of turn", p.Value.Kind, p.Token)
	case p.Value.Kind == "report":
		k.reports = append(k.reports, m.At)
		k.messages = append(k.messages, p.Value.Message)
	default:
		k.ended = true
	}
}

// openTokens returns the progresses that have not ended, by title.
func (e *editor) openTokens() map[string]string {
	all := map[string]string{}
	for id, k := range maps.All(e.tokens) {
		if !k.ended {
			all[k.title] = id
		}
	}
	return all
}

func (e *editor) decode(raw json.RawMessage, to any) {
	e.t.Helper()
	if err := json.Unmarshal(raw, to); err != nil {
		e.t.Fatalf("%s: %v", raw, err)
	}
}
