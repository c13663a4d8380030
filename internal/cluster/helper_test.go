package cluster

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// quick are times for tests: what happens again and again does so soon, and no node is taken for dead on a
// machine that stops for some seconds.
var quick = times{beat: 20 * time.Millisecond, silence: time.Minute, wanted: 20 * time.Millisecond, ackWait: time.Minute, share: time.Millisecond}

// mortal are times of tests that wait until one who says nothing is taken for dead.
var mortal = times{beat: 20 * time.Millisecond, silence: 2 * time.Second, wanted: 20 * time.Millisecond, ackWait: 4 * time.Second, share: time.Millisecond}

// place is a cluster in this process.
type place struct {
	*testing.T
	server *Server
	times  times

	mu     sync.Mutex
	warned []string // texts; guarded by mu
}

func newPlace(t *testing.T) *place {
	t.Helper()
	s, err := StartLocal()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &place{T: t, server: s, times: quick}
}

func (p *place) warn(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warned = append(p.warned, text)
}

func (p *place) warnings() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return plain(strings.Join(p.warned, "\n"))
}

var ofKeys = regexp.MustCompile(`-[A-Z2-7]{6}\b`)

// plain returns a text with the names of nodes as they were given.
func plain(text string) string { return ofKeys.ReplaceAllString(text, "") }

// plainNames returns the names of nodes as they were given.
func plainNames(nodes []string) (names []string) {
	for _, n := range nodes {
		names = append(names, plain(ShownName(n)))
	}
	return names
}

// hasLeftOut reports whether an asker no longer asks a node.
func (a *Asker) hasLeftOut(name string) bool {
	return slices.Contains(plainNames(a.leftOut(nil)), name)
}

func (p *place) connect(name string) *Conn {
	p.Helper()
	c, err := Connect(p.Context(), Options{Server: p.server, Name: name, Warn: p.warn, times: p.times})
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(c.Close)
	return c
}

// node starts a node, and returns what ends it and waits for that.
func (p *place) node(name string, slots int, newEngine func(engines.Spec) (verify.Engine, error)) (end func()) {
	p.Helper()
	return p.run(NewNode(p.connect(name), slots, newEngine))
}

// run has a node work, and returns what ends it and waits for that.
func (p *place) run(n *Node) (end func()) {
	ctx, cancel := context.WithCancel(p.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.Run(ctx)
	}()
	end = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	p.Cleanup(end)
	return end
}

func (p *place) asker(name string) *Asker { return NewAsker(p.connect(name)) }

// real makes the engine that a job names.
func real(s engines.Spec) (verify.Engine, error) { return s.New() }

// engineOf makes the same engine for every job.
func engineOf(e verify.Engine) func(engines.Spec) (verify.Engine, error) {
	return func(engines.Spec) (verify.Engine, error) { return e, nil }
}

// function returns an engine that is made of a function.
func function(check func(ctx context.Context, p circuit.Problem) (cert.Verdict, error)) verify.Engine {
	return verify.Engine{Name: "test", Safety: true, Liveness: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
		t.Progress(verify.Progress{Depth: 3})
		r.Verdict, r.Err = check(ctx, t.Problem)
		return r
	}}
}

// claimed returns what an engine says of a problem.
func claimed(ctx context.Context, e verify.Engine, p circuit.Problem) (cert.Verdict, error) {
	r := e.Check(ctx, verify.Task{Problem: p, Progress: func(verify.Progress) {}})
	return r.Verdict, r.Err
}

// blocked returns an engine that says that it has begun, and never ends by itself.
func blocked() (e verify.Engine, begun chan struct{}) {
	begun = make(chan struct{}, 100)
	return function(func(ctx context.Context, _ circuit.Problem) (cert.Verdict, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return cert.Verdict{}, ctx.Err()
	}), begun
}

// counter returns a circuit that counts to 2ⁿ − 1 and has a bad at a value: it is refuted
// after so many steps, or proved when the value is beyond the limit at which it stops.
func counter(bits, bad, limit int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	latches := make([]circuit.Lit, bits)
	for i := range latches {
		latches[i] = b.Latch(0)
	}
	equal := func(value int) circuit.Lit {
		all := circuit.True
		for i, l := range latches {
			all = b.And(all, l.NotIf(value>>i&1 == 0))
		}
		return all
	}
	stop, carry := equal(limit), circuit.True
	for i, l := range latches {
		sum := b.Xor(l, carry)
		carry = b.And(carry, l)
		b.SetNext(latches[i], b.Mux(stop, l, sum))
	}
	b.Bad(equal(bad), 0)
	return b.Build()
}

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

// job returns a job for the cluster.
func (a *Asker) job(c *circuit.Circuit) verify.Job {
	return verify.Job{Circuit: c, Property: bad0, Engine: a.Engine(engines.Default()), Limits: verify.Limits{Wall: time.Hour}}
}

// check compares what comes of a job, in words.
func check(t *testing.T, r verify.Result, want string) {
	t.Helper()
	got := r.Checked.Outcome().String()
	if reason := r.Checked.Reason(); reason != "" {
		got += ": " + reason
	}
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s (internal: %v), expected %s", got, r.Internal, want)
	}
}

// eventually waits for something that follows from what has been done.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(longest); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it does not come to that", what)
		}
	}
}

func names(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("node-%d", i)
	}
	return all
}

// still returns a circuit that keeps a number, and another one for each number; it is proved.
func still(number int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	bad := circuit.True
	for i := range 20 {
		l := b.Latch(0)
		if number>>i&1 == 1 {
			b.SetReset(l, circuit.True)
		}
		b.SetNext(l, l)
		bad = b.And(bad, l.NotIf(number>>i&1 == 1))
	}
	b.Bad(bad, 0)
	return b.Build()
}

// setting returns the number that a variable of the environment has.
func setting(t *testing.T, name string, otherwise float64) float64 {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || value <= 0 {
		t.Fatalf("%s: %q", name, text)
	}
	return value
}
