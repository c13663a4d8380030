package cluster

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// longest is far above what takes no time, also on a machine that stops for some seconds; it ends a test
// that hangs.
const longest = 2 * time.Minute

func closeSoon(t *testing.T, l *Link) {
	t.Helper()
	begin := time.Now()
	l.Close()
	if took := time.Since(begin); took > callTime-time.Second {
		t.Errorf("the end of the link has taken %v", took)
	}
}

// TestLinkToNowhere: that no server answers is reported, and nothing waits for it.
func TestLinkToNowhere(t *testing.T) {
	states := make(chan LinkState, 100)
	l := NewLink(Options{URL: "nats://127.0.0.1:1"}, func(s LinkState) { states <- s })
	if s := <-states; s.Connected || s.Problem == "" {
		t.Errorf("%+v", s)
	}
	if _, ok := l.Engine(engines.Default()); ok {
		t.Error("there is an engine")
	}
	if _, ok := l.Cache(nil).Lookup(circuit.Fingerprint{}, circuit.Problem{}); ok {
		t.Error("there is a verdict")
	}
	l.Cache(nil).Store(circuit.Fingerprint{}, circuit.Problem{}, verify.Entry{})
	closeSoon(t, l)
}

// TestLinkToTheMute: a server that says nothing delays no caller, and its socket is closed at once.
func TestLinkToTheMute(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	l := NewLink(Options{URL: "nats://" + listener.Addr().String()}, nil)
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	closeSoon(t, l)
	_ = conn.SetReadDeadline(time.Now().Add(longest))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("the socket is open: %v", err)
	}
}

// TestLinkComesBack: a server that ends and comes back is told of and used again.
func TestLinkComesBack(t *testing.T) {
	options := ListenOptions{Address: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "cluster"), Insecure: true}
	server, err := Listen(options)
	if err != nil {
		t.Fatal(err)
	}
	options.Address = fmt.Sprintf("127.0.0.1:%d", server.Port)
	states := make(chan LinkState, 100)
	await := func(connected bool) {
		t.Helper()
		for end := time.After(longest); ; {
			select {
			case s := <-states:
				if s.Connected == connected {
					return
				}
			case <-end:
				t.Fatalf("not told: connected %v", connected)
			}
		}
	}
	l := NewLink(Options{URL: "nats://" + options.Address, Name: "me", times: quick}, func(s LinkState) { states <- s })
	await(true)
	server.Close()
	await(false)
	if _, ok := l.Engine(engines.Default()); ok {
		t.Error("there is an engine without a connection")
	}
	if server, err = Listen(options); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	await(true)
	var e verify.Engine
	eventually(t, "an engine", func() (ok bool) { e, ok = l.Engine(engines.Default()); return ok })
	conn, err := Connect(t.Context(), Options{URL: "nats://" + options.Address, Name: "n", times: quick})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	p := &place{T: t, server: server}
	p.run(NewNode(conn, 1, real))
	r := verify.Run(t.Context(), verify.Job{Circuit: counter(4, 15, 9), Property: bad0, Engine: e, Limits: verify.Limits{Wall: time.Minute}, Cache: l.Cache(nil)}, nil)
	if check(t, r, "proved"); plain(r.Place) != "n" || r.Cached {
		t.Errorf("found on %q, cached %v", r.Place, r.Cached)
	}
	// What has been found is there for the next one, with where that was.
	other := NewLink(Options{URL: "nats://" + options.Address, Name: "other", times: quick}, nil)
	defer closeSoon(t, other)
	eventually(t, "the verdict is kept", func() bool {
		job := verify.Job{Circuit: counter(4, 15, 9), Property: bad0, Engine: e, Cache: other.Cache(nil), Recall: true}
		r = verify.Run(t.Context(), job, nil)
		return r.Checked.Outcome() == cert.Proved
	})
	if plain(r.Place) != "n" || !r.Cached {
		t.Errorf("found on %q, cached %v", r.Place, r.Cached)
	}
	closeSoon(t, l)
}

// TestLinkAtOnce: what is looked up before there is a connection has the verdict that the cluster
// has.
func TestLinkAtOnce(t *testing.T) {
	server, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "cluster"), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	p := &place{T: t, server: server}
	p.node("n", 1, real)
	a := p.asker("me")
	job := a.job(counter(4, 15, 9))
	job.Cache = Verdicts{Asker: a}
	check(t, verify.Run(t.Context(), job, nil), "proved")
	l := NewLink(Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", server.Port), times: quick}, nil)
	defer closeSoon(t, l)
	l.settled = t.Context() // however long it takes
	job.Cache, job.Recall = l.Cache(nil), true
	if r := verify.Run(t.Context(), job, nil); r.Checked.Outcome() != cert.Proved || !r.Cached || plain(r.Place) != "n" {
		t.Errorf("%s, found on %q, cached %v", r, r.Place, r.Cached)
	}
}

// TestLinkToTheStalled: a server that reads no more, with much on its way to it, holds a check up no
// longer than one that has no answer.
func TestLinkToTheStalled(t *testing.T) {
	server, err := Listen(ListenOptions{Address: "127.0.0.1:0", Dir: filepath.Join(t.TempDir(), "cluster"), Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	stalled := make(chan struct{})
	go func() { // a way to the server that lets nothing through in the end
		from, err := listener.Accept()
		if err != nil {
			return
		}
		defer func() { _ = from.Close() }()
		to, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", server.Port))
		if err != nil {
			return
		}
		defer func() { _ = to.Close() }()
		go func() { _, _ = io.Copy(from, to) }()
		for buffer := make([]byte, 4096); ; {
			n, err := from.Read(buffer)
			if err != nil {
				return
			}
			select {
			case <-stalled:
				<-t.Context().Done()
				return
			default:
				_, _ = to.Write(buffer[:n])
			}
		}
	}()
	l := NewLink(Options{URL: "nats://" + listener.Addr().String(), Name: "me", times: quick}, nil)
	defer closeSoon(t, l)
	eventually(t, "a connection", func() bool { _, ok := l.Engine(engines.Default()); return ok })
	close(stalled)
	l.mu.Lock()
	nc := l.asker.nc
	l.mu.Unlock()
	var published atomic.Int64
	go func() {
		for nc.Publish("much", make([]byte, 1<<19)) == nil {
			published.Add(1)
		}
	}()
	for full := 0; full < 2; { // looks while the buffers of the system are full
		before, begin := published.Load(), time.Now()
		if _, ok := l.Cache(nil).Lookup(circuit.Fingerprint{}, circuit.Problem{}); ok {
			t.Error("there is a verdict")
		}
		if took := time.Since(begin); took > longest { // what waits for the stalled way waits for ever
			t.Fatalf("no verdict after %v", took)
		}
		if published.Load() == before {
			full++
		}
	}
}
