package lsp

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/offer"
)

const (
	clusterFile = "file:///cluster.aag"
	toggling    = "aag 1 0 1 0 0 1\n2 3\n2\n" // refuted at step 1
	resting     = "aag 1 0 1 0 0 1\n2 2\n2\n" // proved
)

// slow is a local engine that has its answer when the test lets it.
type slow struct {
	begun, free chan struct{}
	ended       atomic.Int32
}

func newSlow() *slow { return &slow{begun: make(chan struct{}, 100), free: make(chan struct{})} }

func (e *slow) engine() verify.Engine {
	return verify.Engine{Name: "slow", Safety: true, Liveness: true, Where: verify.InWorker, Check: func(ctx context.Context, t verify.Task) verify.Report {
		defer e.ended.Add(1)
		t.Progress(verify.Progress{Depth: 7})
		e.begun <- struct{}{}
		select {
		case <-e.free:
			r := engines.IC3{}.Engine().Check(ctx, t)
			r.Engine = "slow"
			return r
		case <-ctx.Done():
			return verify.Report{Err: ctx.Err()}
		}
	}}
}

// nodeEngine is what a node of a test checks with.
type nodeEngine func(ctx context.Context, p circuit.Problem) (cert.Verdict, error)

func (e nodeEngine) engine() verify.Engine {
	return verify.Engine{Name: "there", Safety: true, Liveness: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		r.Verdict, r.Err = e(ctx, t.Problem)
		return r
	}}
}

// blocking never ends by itself.
func blocking() (e nodeEngine, begun, ended chan struct{}) {
	begun, ended = make(chan struct{}, 100), make(chan struct{}, 100)
	return func(ctx context.Context, _ circuit.Problem) (cert.Verdict, error) {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return cert.Verdict{}, ctx.Err()
	}, begun, ended
}

func honest(ctx context.Context, p circuit.Problem) (cert.Verdict, error) {
	r := engines.IC3{}.Engine().Check(ctx, verify.Task{Problem: p, Progress: func(verify.Progress) {}})
	return r.Verdict, r.Err
}

// sharedCluster is a cluster in this process, with the editors that ask it.
type sharedCluster struct {
	*testing.T
	server  *cluster.Server
	silence time.Duration // of the asker; 0 is that of every day
	mu      sync.Mutex
	warned  []string // guarded by mu
}

func newSharedCluster(t *testing.T) *sharedCluster {
	t.Helper()
	server, err := cluster.StartLocal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return &sharedCluster{T: t, server: server}
}

// node starts one, and returns its connection and what ends it.
func (s *sharedCluster) node(name string, e nodeEngine) (conn *cluster.Conn, end func()) {
	s.Helper()
	conn, err := cluster.Connect(s.Context(), cluster.Options{Server: s.server, Name: name})
	if err != nil {
		s.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.Context())
	var done sync.WaitGroup
	node := cluster.NewNode(conn, 2, func(engines.Spec) (verify.Engine, error) { return e.engine(), nil })
	done.Go(func() { node.Run(ctx) })
	end = sync.OnceFunc(func() {
		cancel()
		done.Wait()
		conn.Close()
	})
	s.Cleanup(end)
	return conn, end
}

func (s *sharedCluster) warnings() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.warned, "\n")
}

// set are settings with or without the cluster.
func set(on bool) map[string]any {
	if !on {
		return map[string]any{}
	}
	return map[string]any{"cluster": map[string]any{"url": "nats://in-this-process:4222"}}
}

// editor starts a server with a local engine, which has the settings; patience is how long
// before it asks the cluster.
func (s *sharedCluster) editor(e *slow, patience time.Duration, settings map[string]any) *bench {
	s.Helper()
	b := newBench(s.T, nil, func(o *Options) {
		o.Patience = patience
		o.Engine = func(engines.Spec) verify.Engine { return e.engine() }
		o.Cluster = func(_ offer.Address, tell func(offer.State), warn func(string)) offer.Link {
			return cluster.NewLink(cluster.Options{Server: s.server, Name: "editor", Silence: s.silence, Warn: func(text string) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.warned = append(s.warned, text)
				warn(text)
			}}, func(state cluster.LinkState) { tell(offer.State(state)) })
		}
	})
	client := map[string]any{
		"textDocument": map[string]any{"codeLens": map[string]any{}},
		"experimental": map[string]any{"aiglens": map[string]any{"status": true}},
	}
	b.Initialize(client, settings)
	return b
}

func (b *bench) tellSettings(settings map[string]any) {
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": settings}})
}

// awaitLens waits for a lens with a text in it.
func (b *bench) awaitLens(want string) {
	b.t.Helper()
	for end := time.Now().Add(60 * time.Second); !b.hasLens(want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("the lens is %q, expected %q", b.lens(), want)
		}
	}
}

// lens returns the first one; "" when there is none.
func (b *bench) lens() string {
	b.t.Helper()
	var lenses []struct{ Command struct{ Title string } }
	b.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": clusterFile}}, &lenses)
	if len(lenses) == 0 {
		return ""
	}
	return lenses[0].Command.Title
}

func (b *bench) hasLens(want string) bool {
	b.t.Helper()
	return strings.Contains(b.lens(), want)
}

func (b *bench) hoverOverBad() string {
	b.t.Helper()
	var hover struct{ Contents struct{ Value string } }
	b.MustCall("textDocument/hover", map[string]any{
		"textDocument": map[string]any{"uri": clusterFile}, "position": lsptest.Position{Line: 2},
	}, &hover)
	return hover.Contents.Value
}

const offerSoon = 20 * time.Millisecond // before a check is offered

// TestClusterAnswersFirst: a check that takes long here is answered by a node, which the hover
// names, and the run here ends.
func TestClusterAnswersFirst(t *testing.T) {
	for text, want := range map[string]string{toggling: "refuted at step 1", resting: "proved"} {
		s, local := newSharedCluster(t), newSlow()
		s.node("there", honest)
		b := s.editor(local, offerSoon, set(true))
		b.open(clusterFile, text)
		b.save(clusterFile)
		b.awaitLens(want)
		if hover := b.hoverOverBad(); !strings.Contains(hover, "found in the cluster, by there-") || !strings.Contains(hover, ", and checked here") {
			t.Errorf("%s: the hover says %q", want, hover)
		}
		if local.ended.Load() != 1 {
			t.Errorf("%s: %d runs have ended here", want, local.ended.Load())
		}
	}
}

// TestClusterIsSlower: it is said that a node is at work as well. The answer from here comes
// first, and the node stops.
func TestClusterIsSlower(t *testing.T) {
	s, local := newSharedCluster(t), newSlow()
	there, begun, ended := blocking()
	s.node("there", there)
	b := s.editor(local, offerSoon, set(true))
	b.open(clusterFile, toggling)
	b.save(clusterFile)
	<-begun
	b.awaitLens("checking · depth 7 · 0 lemmas · also on 1 node")
	close(local.free)
	b.awaitLens("refuted at step 1")
	if hover := b.hoverOverBad(); strings.Contains(hover, "cluster") {
		t.Errorf("the hover says %q", hover)
	}
	<-ended
}

// TestClusterLies: an answer whose certificate fails counts for nothing, and the one from here
// stands.
func TestClusterLies(t *testing.T) {
	t.Parallel()
	s, local := newSharedCluster(t), newSlow()
	s.silence = 100 * time.Millisecond // before the liar is asked again
	s.node("liar", func(context.Context, circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{}}, nil
	})
	b := s.editor(local, offerSoon, set(true))
	b.open(clusterFile, toggling)
	b.save(clusterFile)
	for end := time.Now().Add(60 * time.Second); strings.Count(s.warnings(), ": an answer is wrong") < 3; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the lies go unnoticed: %q", s.warnings())
		}
	}
	b.awaitLens("checking")
	close(local.free)
	b.awaitLens("refuted at step 1")
	if hover := b.hoverOverBad(); strings.Contains(hover, "cluster") {
		t.Errorf("the hover says %q", hover)
	}
}

// TestClusterLost: neither a node nor a server that is gone touches the run here, and the
// session ends as ever.
func TestClusterLost(t *testing.T) {
	s, local := newSharedCluster(t), newSlow()
	there, begun, _ := blocking()
	conn, _ := s.node("there", there)
	b := s.editor(local, offerSoon, set(true))
	b.open(clusterFile, toggling)
	b.save(clusterFile)
	<-begun
	b.awaitLens("also on 1 node")
	conn.Close()
	s.server.Close()
	b.sync()
	close(local.free)
	b.awaitLens("refuted at step 1")
	b.MustCall("shutdown", nil, nil)
	b.Notify("exit", nil)
	if err := b.Wait(); err != nil {
		t.Error(err)
	}
}

// TestClusterSetting: set while a check runs it is asked, taken away it is no longer asked, and
// what runs here goes on; in a folder that is not trusted there is none.
func TestClusterSetting(t *testing.T) {
	t.Parallel()
	s, local := newSharedCluster(t), newSlow()
	there, begun, ended := blocking()
	s.node("there", there)
	b := s.editor(local, offerSoon, set(false))
	b.open(clusterFile, toggling)
	b.save(clusterFile)
	<-local.begun
	b.awaitLens("checking")
	for range 2 {
		b.tellSettings(set(true))
		<-begun
		b.awaitLens("also on 1 node")
		b.tellSettings(set(false))
		<-ended
		b.awaitLens("checking · depth 7 · 0 lemmas")
	}
	close(local.free)
	b.awaitLens("refuted at step 1")
	if n := local.ended.Load(); n != 1 {
		t.Errorf("%d runs here", n)
	}
	untrusted := set(true)
	untrusted["trusted"] = false
	b.tellSettings(untrusted)
	b.sync()
	if url := b.server.session.checking.cluster.address.URL; url != "" {
		t.Errorf("%q is asked in a folder that is not trusted", url)
	}
}

// TestClusterShares: what one editor has found another one shows when it opens the file, once
// its certificate has passed, without a run of its own.
func TestClusterShares(t *testing.T) {
	s, first := newSharedCluster(t), newSlow()
	close(first.free)
	finder := s.editor(first, time.Hour, set(true))
	finder.open(clusterFile, toggling)
	finder.save(clusterFile)
	finder.awaitLens("refuted at step 1")
	local := newSlow()
	reader := s.editor(local, time.Hour, set(true))
	reader.open(clusterFile, toggling)
	// What was found is sent in the background: the file is opened again until it has arrived.
	for end := time.Now().Add(60 * time.Second); !reader.hasLens("refuted at step 1"); {
		if time.Now().After(end) {
			t.Fatal("the verdict is not shared")
		}
		reader.close(clusterFile)
		reader.open(clusterFile, toggling)
		for i := 0; i < 50 && !reader.hasLens("refuted at step 1"); i++ {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if hover := reader.hoverOverBad(); !strings.Contains(hover, "found earlier in the cluster, by editor, and checked here") {
		t.Errorf("the hover says %q", hover)
	}
	if len(local.begun) > 0 {
		t.Error("it was checked again")
	}
}
