package lsp

import (
	"context"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap/zapcore"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
)

// capable is a client that can do everything.
var capable = map[string]any{
	"textDocument": map[string]any{
		"codeLens":           map[string]any{},
		"publishDiagnostics": map[string]any{"relatedInformation": true},
	},
	"window":    map[string]any{"workDoneProgress": true, "showDocument": map[string]any{"support": true}},
	"workspace": map[string]any{"codeLens": map[string]any{"refreshSupport": true}},
}

// fakeEngine returns an engine that runs a function, and counts its runs.
func fakeEngine(check engineFunc, runs *atomic.Int32) verify.Engine {
	return verify.Engine{Name: "fake", Safety: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		runs.Add(1)
		r.Verdict, r.Err = check(ctx, t.Problem.Circuit, t.Progress)
		return r
	}}
}

// bench is a server with its editor; the server's insides are open to the test.
type bench struct {
	*lsptest.Client
	t      *testing.T
	server *connection
	runs   *atomic.Int32 // of the engine
}

type engineFunc func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error)

// everyDay returns how often a test repeats something: n times, or long times in make torture.
func everyDay(n, long int) int {
	if os.Getenv("AIGLENS_LONG") != "" {
		return long
	}
	return n
}

// newBench starts a server that checks with engine, which may be nil.
func newBench(t *testing.T, engine engineFunc, configure ...func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, runs: new(atomic.Int32)}
	opts := Options{
		LensWait: time.Minute, // the tests are not clocks
		Version:  "test", Log: testWriter{t}, LogLevel: zapcore.WarnLevel,
		Engine: func(engines.Spec) verify.Engine { return fakeEngine(engine, b.runs) }, Clauses: auto.Check,
	}
	for _, c := range configure {
		c(&opts)
	}
	ready := make(chan struct{})
	b.Client = lsptest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		b.server = start(ctx, in, out, opts)
		close(ready)
		return b.server.wait()
	})
	<-ready
	return b
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	if testing.Verbose() {
		w.t.Logf("%s", p)
	}
	return len(p), nil
}

// text returns the server's text of a document, after everything sent so far.
func (b *bench) text(u string) string {
	b.t.Helper()
	b.sync()
	v := b.server.session.snapshot.Load().views[uri.URI(u)]
	if v == nil {
		b.t.Fatalf("%s is not open", u)
	}
	return v.doc.Text.Content()
}

// sync returns when the server has read everything sent so far.
func (b *bench) sync() {
	b.t.Helper()
	b.MustCall("textDocument/hover", map[string]any{
		"textDocument": map[string]any{"uri": "file:///none.aag"}, "position": lsptest.Position{},
	}, nil)
}

func (b *bench) open(u, text string) {
	b.t.Helper()
	b.openAs("aiger", u, text)
}

func (b *bench) openAs(language, u, text string) {
	b.t.Helper()
	b.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": u, "languageId": language, "version": 1, "text": text,
	}})
}

func (b *bench) change(u string, version int, changes ...any) {
	b.t.Helper()
	b.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": u, "version": version}, "contentChanges": changes,
	})
}

// replace changes the whole text.
func (b *bench) replace(u string, version int, text string) {
	b.t.Helper()
	b.change(u, version, map[string]any{"text": text})
}

func (b *bench) save(u string) {
	b.t.Helper()
	b.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": u}})
}

func (b *bench) close(u string) {
	b.t.Helper()
	b.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": u}})
}
