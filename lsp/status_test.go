package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// told is capable and wants to be told the status of properties.
func toldClient() map[string]any {
	all := maps.Clone(capable)
	all["experimental"] = map[string]any{"aiglens": map[string]any{"status": true}}
	return all
}

// board is what a client knows from aiglens/status, by file and property.
type board struct {
	*bench
	mark  int
	files map[string][]wire.PropertyStatus
}

func newBoard(b *bench) *board { return &board{bench: b, files: map[string][]wire.PropertyStatus{}} }

// read takes in what has been sent. Each message must fit the ones before it.
func (w *board) read() {
	w.t.Helper()
	for _, m := range w.Received(w.mark) {
		w.mark++
		if m.Method != wire.NotificationStatus.Name {
			continue
		}
		var p wire.StatusParams
		if err := json.Unmarshal(m.Params, &p); err != nil {
			w.t.Fatal(err)
		}
		key := string(p.URI)
		if p.Whole {
			w.files[key] = p.Properties
			continue
		}
		for _, changed := range p.Properties {
			i := slices.IndexFunc(w.files[key], func(o wire.PropertyStatus) bool { return o.Property == changed.Property })
			if i < 0 {
				w.t.Fatalf("news of the unknown property %s", changed.Property)
			}
			w.files[key][i] = changed
		}
	}
}

// expect waits until a file's properties have these verdicts and states, as in
// "proved fresh".
func (w *board) expect(u string, want ...string) {
	w.t.Helper()
	var got []string
	defer func() {
		if w.t.Failed() {
			w.t.Logf("last %q, expected %q", got, want)
		}
	}()
	w.await(func() bool {
		w.read()
		got = nil
		for _, p := range w.files[u] {
			got = append(got, string(p.Verdict)+" "+string(p.Freshness))
		}
		return slices.Equal(got, want)
	})
}

func TestStatusIsTold(t *testing.T) {
	g := newGate()
	b := newBench(t, g.behind(explicit))
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	w.expect(doc, "none stale", "none stale")
	b.save(doc)
	<-g.started
	<-g.started
	w.expect(doc, "none running", "none running")
	g.open <- struct{}{}
	g.open <- struct{}{}
	w.expect(doc, "refuted fresh", "proved fresh")
	w.agrees(doc)

	b.replace(doc, 2, edited(2, "2 3 1"))
	w.expect(doc, "refuted stale", "proved fresh")
	w.agrees(doc)
	b.replace(doc, 3, edited(2, "2 9"))
	w.expect(doc, "unknown fresh", "proved fresh")
	if m := w.files[doc][0].Message; m != "unknown: error on line 2: next-state literal 9 exceeds 2M+1 = 5" {
		t.Errorf("message %q", m)
	}
	w.agrees(doc)
	b.replace(doc, 4, toggle)
	w.expect(doc, "refuted fresh", "proved fresh")
	b.expectRuns(2)

	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc}), nil)
	<-g.started
	<-g.started
	w.expect(doc, "refuted running", "proved running")
	b.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{}), nil)
	w.expect(doc, "refuted fresh", "proved fresh")
	var history []wire.HistoryEntry
	b.MustCall("workspace/executeCommand", command(wire.CommandHistory.Name, wire.FileParams{URI: doc}), &history)
	if len(history) != 2 || history[0].Verdict == history[1].Verdict || history[0].Time < history[1].Time {
		t.Errorf("history %v", history)
	}
	b.close(doc)
	w.expect(doc)
}

// TestStatusUnwritten: what the header announces and what has a row are told apart.
func TestStatusUnwritten(t *testing.T) {
	b := newBench(t, explicit)
	client := toldClient()
	client["experimental"].(map[string]any)["aiglens"].(map[string]any)["commands"] = []any{wire.ClientExplainNone}
	b.Initialize(client, nil)
	last := func() (p wire.StatusParams) {
		for _, m := range b.Received(0) {
			if m.Method == wire.NotificationStatus.Name {
				p = wire.StatusParams{}
				if err := json.Unmarshal(m.Params, &p); err != nil {
					t.Fatal(err)
				}
			}
		}
		return p
	}
	for i, step := range []struct {
		text, want string
		rows       int
	}{
		{"aag 1 1 0 0 0 1\n2\n", "1 property announced; its row is not written yet", 0},
		{"aag 1 1 0 0 0 2\n2\n2\n", "2 properties announced, 1 found; 1 row is not written yet", 1},
		{"aag 1 1 0 0 0 2\n2\n2\n3\n", "", 2},
		{"aag 1 1 0 2 0\n2\n", "2 properties announced; their rows are not written yet", 0},
	} {
		if i == 0 {
			b.open(doc, step.text)
		} else {
			b.replace(doc, i+1, step.text)
		}
		b.await(func() bool {
			p := last()
			return p.Version != nil && int(*p.Version) == i+1 && p.Unwritten == step.want
		})
		if titles := b.titles(doc); step.want != "" && (len(titles) != step.rows+1 || titles[0] != step.want) {
			t.Errorf("lenses %q, status %q", titles, step.want)
		}
	}
}

// agrees compares what was told with the lenses and with aiglens.properties.
func (w *board) agrees(u string) {
	w.t.Helper()
	var asked []wire.PropertyStatus
	w.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(u)}), &asked)
	if !slices.Equal(asked, w.files[u]) {
		w.t.Errorf("told %v, asked %v", w.files[u], asked)
	}
	for i, title := range w.titles(u) {
		if asked[i].Text != title {
			w.t.Errorf("the lens says %q, the status %q", title, asked[i].Text)
		}
	}
}

// TestCommentsDoNotFlicker: no message ever says stale while nothing is.
func TestCommentsDoNotFlicker(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	b.save(doc)
	w.expect(doc, "refuted fresh", "proved fresh")
	w.read()
	mark := b.Mark()
	for i := range 50 {
		b.replace(doc, 2+i, toggle+"c\n"+strings.Repeat("x", i)+"\n")
	}
	b.settled(doc)
	b.server.session.queue.Do(func() {})
	done := make(chan struct{})
	b.server.session.publishing.statuses.Idle(func() { close(done) })
	<-done
	for _, m := range b.Received(mark) {
		if m.Method == wire.NotificationStatus.Name {
			t.Errorf("a message about nothing: %s", m.Params)
		}
	}
}

// memoryCache is a cache without a disk.
type memoryCache struct {
	mu      sync.Mutex
	entries map[circuit.Fingerprint]verify.Entry
}

func (m *memoryCache) Lookup(fingerprint circuit.Fingerprint, _ circuit.Problem) (verify.Entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[fingerprint]
	return e, ok
}

func (m *memoryCache) Store(fingerprint circuit.Fingerprint, _ circuit.Problem, e verify.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[fingerprint] = e
}

func (m *memoryCache) Drop(fingerprint circuit.Fingerprint) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, fingerprint)
}

// TestRecallWhenOpened: what an earlier session found is there without a run, and
// what it did not find is not shown as queued.
func TestRecallWhenOpened(t *testing.T) {
	cache := &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
	withCache := func(o *Options) { o.Cache = cache }
	first := newBench(t, explicit, withCache)
	first.Initialize(capable, nil)
	first.open(doc, toggle)
	first.save(doc)
	first.expectTitles(refutedAt1, provedT)

	b := newBench(t, explicit, withCache)
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	w.expect(doc, "refuted fresh", "proved fresh")
	if !w.files[doc][0].Cached {
		t.Error("the verdict is not called one from the cache")
	}
	b.openAs("aiger", "file:///w/b.aag", edited(2, "2 3 1"))
	w.expect("file:///w/b.aag", "none stale", "proved fresh")
	b.save(doc)
	b.settled(doc)
	b.expectRuns(0)

	// Checked again on request: then the cache is not asked.
	b.checkAll()
	b.await(func() bool { return b.runs.Load() == 2 })
	w.expect(doc, "refuted fresh", "proved fresh")
}

func TestTriggerOnType(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "onType", "delay": 1}})
	w := newBoard(b)
	b.open(doc, edited(2, "2 2"))
	w.expect(doc, "none stale", "none stale")
	b.expectRuns(0)
	b.replace(doc, 2, toggle)
	w.expect(doc, "refuted fresh", "proved fresh")
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"trigger": "manual"}}}})
	b.replace(doc, 3, edited(2, "2 3 1"))
	w.expect(doc, "refuted stale", "proved fresh")
	b.save(doc)
	b.settled(doc)
	b.expectRuns(2)
}

// TestNewLimitsHoldForRunsUnderWay: a run starts over, once.
func TestNewLimitsHoldForRunsUnderWay(t *testing.T) {
	g := newGate()
	chosen := make(chan engines.Spec, 100)
	b := newBench(t, g.behind(explicit), func(o *Options) {
		make := o.Engine
		o.Engine = func(e engines.Spec) verify.Engine { chosen <- e; return make(e) }
	})
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	b.save(doc)
	<-g.started
	<-g.started
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"solver": "gini"}}}})
	<-g.started
	<-g.started
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"solver": "gini"}, "diagnostics": map[string]any{"proved": "on"}}}})
	g.open <- struct{}{}
	g.open <- struct{}{}
	w.expect(doc, "refuted fresh", "proved fresh")
	b.expectRuns(4)
	for _, want := range []string{"core", "core", "gini", "gini"} {
		if e := <-chosen; e.Solver != want || e.Engine != "auto" {
			t.Errorf("engine %v, expected solver %s", e, want)
		}
	}
}

// cones is a circuit whose properties have cones of different sizes.
func cones(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 0 %d 0 0 %d\n", n, n, n)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%d %d\n", 2*i, 2*max(1, i-1))
	}
	for i := n; i >= 1; i-- { // the largest first
		fmt.Fprintf(&b, "%d\n", 2*i)
	}
	return b.String()
}

// TestOrderOfChecks: the property at the cursor first, then the smallest cones. A client tells the
// cursor, or asks there for highlights; then no other question moves it.
func TestOrderOfChecks(t *testing.T) {
	place := func(line int) map[string]any { return map[string]any{"line": line, "character": 0} }
	tell := func(b *bench, line int) {
		b.Notify(wire.NotificationCursor.Name, map[string]any{"uri": doc, "position": place(line)})
	}
	highlight := func(b *bench, line int) {
		b.MustCall("textDocument/documentHighlight", map[string]any{"textDocument": map[string]any{"uri": doc}, "position": place(line)}, nil)
	}
	actions := func(b *bench, line int) {
		b.MustCall("textDocument/codeAction", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "range": map[string]any{"start": place(line), "end": place(line)}, "context": map[string]any{"diagnostics": []any{}}}, nil)
	}
	for name, c := range map[string]struct{ move, ask func(*bench, int) }{
		"the client tells": {tell, func(b *bench, line int) { highlight(b, line); actions(b, line) }},
		"it only asks":     {highlight, actions},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGate()
			b := newBench(t, g.behind(explicit))
			b.Initialize(toldClient(), map[string]any{"check": map[string]any{"workers": 1}})
			moves := func(line int) {
				c.move(b, line)
				c.ask(b, 8)
				b.sync()
				b.server.session.queue.Do(func() {})
			}
			b.open(doc, cones(5))
			moves(7)
			b.save(doc)
			order := b.orderOfRuns(g, 5, func(i int) {
				if i == 1 { // the cursor moves to the largest
					moves(6)
				}
			})
			if want := []wire.PropertyID{"bad:1", "bad:4", "bad:0", "bad:3", "bad:2"}; !slices.Equal(order, want) {
				t.Errorf("order %v, expected %v", order, want)
			}
		})
	}
}

// orderOfRuns lets n runs through a gate, one after the other, and returns which properties they
// are about. While the i-th runs it calls during.
func (b *bench) orderOfRuns(g *gate, n int, during func(i int)) (order []wire.PropertyID) {
	w := newBoard(b)
	isNew := func(p wire.PropertyStatus) bool {
		return p.Freshness == "running" && !slices.Contains(order, p.Property)
	}
	for i := range n {
		<-g.started
		b.await(func() bool {
			w.read()
			return slices.ContainsFunc(w.files[doc], isNew)
		})
		for _, p := range w.files[doc] {
			if isNew(p) { // the one before may still be said to run
				order = append(order, p.Property)
			}
		}
		during(i)
		g.open <- struct{}{}
	}
	return order
}

// inFolder starts a server in a folder with files.
func inFolder(t *testing.T, engine engineFunc, files map[string]string, configure ...func(*Options)) (w *board, address func(string) string) {
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t, engine, configure...)
	b.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": toldClient(),
		"workspaceFolders": []any{map[string]any{"uri": uri.File(folder), "name": "w"}},
	}, nil)
	b.Notify("initialized", map[string]any{})
	return newBoard(b), func(name string) string { return string(uri.File(filepath.Join(folder, name))) }
}

func TestWorkspaceCheck(t *testing.T) {
	w, address := inFolder(t, explicit, map[string]string{
		"open.aag": toggle, "good.aag": toggle, "sub/broken.aag": edited(2, "2 9"),
		"binary.aig": "aig 1 0 1 0 0 1\n3\n2\n", "none.txt": toggle, ".git/hidden.aag": toggle,
		"odd.blif": ".model m\n.outputs bad\n.latch n q 0\n.names q n\n0 1\n.names q bad\n1 1\n.end\n",
	})
	w.open(address("open.aag"), toggle)
	w.expect(address("open.aag"), "none stale", "none stale")
	var answer struct{ Files int }
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), &answer)
	if answer.Files != 5 {
		t.Errorf("%d files, expected 5", answer.Files)
	}
	w.expect(address("open.aag"), "refuted fresh", "proved fresh")
	w.expect(address("good.aag"), "refuted fresh", "proved fresh")
	w.expect(address("sub/broken.aag"), "unknown fresh", "proved fresh")
	w.expect(address("binary.aig"), "refuted fresh")
	w.expect(address("odd.blif"), "refuted fresh")
	w.await(func() bool {
		idle := false
		w.server.session.queue.Do(func() {
			s := w.server.session
			idle = s.checking.workspace.current == nil && len(s.texts.files) == 1 && len(s.texts.closed.files) == 4
		})
		return idle
	})
	if errors := w.errorsIn(address("good.aag")); errors != 1 {
		t.Errorf("%d errors in a file that is not open, expected 1", errors)
	}
	begins := func() (n int) {
		for _, m := range w.Received(0) {
			if m.Method == "$/progress" && strings.Contains(string(m.Params), `"begin"`) {
				n++
			}
		}
		return n
	}
	w.await(func() bool { return begins() > 0 })
	if n := begins(); n != 1 {
		t.Errorf("%d progresses, expected 1", n)
	}

	// The verdicts of a file that changes on disk are stale, and its marks go.
	path := uri.URI(address("good.aag")).FsPath()
	if err := os.WriteFile(path, []byte(edited(2, "2 2")), 0o644); err != nil {
		t.Fatal(err)
	}
	w.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": address("good.aag"), "type": 2}}})
	w.expect(address("good.aag"), "refuted stale", "proved stale")
	w.await(func() bool { return w.errorsIn(address("good.aag")) == 0 })

	// Checked by its address, and removed with its file.
	w.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(address("good.aag")), Property: "bad:0"}), nil)
	w.expect(address("good.aag"), "proved fresh", "proved fresh")
	w.await(func() bool { return w.server.session.isLetGo(address("good.aag")) })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": address("good.aag"), "type": 3}}})
	w.expect(address("good.aag"))
}

func (s *session) isLetGo(u string) (yes bool) {
	s.queue.Do(func() { _, yes = s.texts.closed.files[uri.URI(u)] })
	return yes
}

// errorsIn counts the errors that the client shows for a file.
func (w *board) errorsIn(u string) (n int) {
	for _, p := range w.publications(0) {
		if p.URI == u {
			n = 0
			for _, d := range p.Diagnostics {
				if d.Severity == 1 {
					n++
				}
			}
		}
	}
	return n
}

// TestWorkspaceCheckStops: by the command, and by its progress.
func TestWorkspaceCheckStops(t *testing.T) {
	for name, stop := range map[string]func(w *board){
		"command": func(w *board) {
			w.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{}), nil)
		},
		"progress": func(w *board) {
			m, _ := w.Await("a progress", 0, func(m lsptest.Message) bool { return m.Method == "window/workDoneProgress/create" })
			var p struct{ Token any }
			if err := json.Unmarshal(m.Params, &p); err != nil {
				t.Fatal(err)
			}
			w.Notify("window/workDoneProgress/cancel", map[string]any{"token": p.Token})
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for i := range 20 {
				files[fmt.Sprintf("f%d.aag", i)] = toggle
			}
			g := newGate()
			w, address := inFolder(t, g.behind(explicit), files)
			w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
			<-g.started
			<-g.started
			stop(w)
			w.await(func() bool {
				empty := false
				w.server.session.queue.Do(func() {
					s := w.server.session
					empty = s.checking.workspace.current == nil && len(s.texts.files) == 0
				})
				return empty
			})
			runs := w.runs.Load()
			// An open file takes over from a workspace check.
			w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
			<-g.started
			<-g.started
			w.await(func() bool { w.read(); return len(w.files) > 0 })
			for u := range w.files {
				if w.files[u][0].Freshness == "running" {
					w.open(u, toggle)
					g.open <- struct{}{}
					break
				}
			}
			for range 80 {
				g.open <- struct{}{}
			}
			for i := range 20 {
				w.expect(address(fmt.Sprintf("f%d.aag", i)), "refuted fresh", "proved fresh")
			}
			if runs > 2 { // those that were under way
				t.Errorf("%d runs before the stop", runs)
			}
		})
	}
}

// TestHiddenFileChanges while it is checked: then its new text is.
func TestHiddenFileChanges(t *testing.T) {
	g := newGate()
	w, address := inFolder(t, g.behind(explicit), map[string]string{"f.aag": toggle})
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	<-g.started
	<-g.started
	if err := os.WriteFile(uri.URI(address("f.aag")).FsPath(), []byte(edited(2, "2 2")), 0o644); err != nil {
		t.Fatal(err)
	}
	w.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": address("f.aag"), "type": 2}}})
	w.sync()
	for range 4 {
		g.open <- struct{}{}
	}
	w.expect(address("f.aag"), "proved fresh", "proved fresh")
}

// TestStatusWithoutNumbers: what is not known of a property is not sent as 0 or false.
func TestStatusWithoutNumbers(t *testing.T) {
	data, err := rpc.Codec{}.Marshal(wire.PropertyStatus{Property: "bad:0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, optional := range []string{"seconds", "depth", "cached", "steps", "loop"} {
		if bytes.Contains(data, []byte(optional)) {
			t.Errorf("%s is sent: %s", optional, data)
		}
	}
}

// TestVerdictsAreNotHeldBack: how far a check has come may wait for a tenth of a second, a verdict
// beside it does not.
func TestVerdictsAreNotHeldBack(t *testing.T) {
	var published atomic.Pointer[snapshot]
	published.Store(&snapshot{})
	now := time.Now()
	s := &statusSender{snapshot: &published, sent: map[uri.URI]*sentStatus{doc: {properties: make([]wire.PropertyStatus, 5), at: now}}}
	progress, verdict := newsOfFile{since: now}, newsOfFile{since: now, found: true}
	if rest := s.rest(doc, progress, now); rest < statusInterval {
		t.Errorf("progress waits for %v", rest)
	}
	for _, news := range []newsOfFile{verdict, progress.with(verdict), verdict.with(progress)} {
		if rest := s.rest(doc, news, now); rest > 2*verdictRest {
			t.Errorf("a verdict waits for %v", rest)
		}
	}
	// A verdict that is found is news of that kind.
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, toggle)
	b.settled(doc)
	found := false
	b.server.session.queue.Do(func() {
		c := b.server.session.checking
		f := c.texts.files[doc]
		c.perform(f, []checks.Effect{checks.Record{Property: f.doc.Properties()[0].ID, Result: &verify.Result{}}})
		found = c.publishing.found[doc]
	})
	if !found {
		t.Error("a verdict is no news")
	}
}
