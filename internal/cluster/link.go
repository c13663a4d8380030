package cluster

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"aiglens/circuit"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// Link is a connection that is made in the background, and made again when it is lost, for
// callers that must never wait for a network. Its methods may be called from any goroutine.
type Link struct {
	opts Options
	tell func(LinkState)
	ctx  context.Context
	end  context.CancelFunc
	done chan struct{}
	kept chan keeping
	// tried is closed when the first try to connect has ended, and settled when no caller is to
	// wait for that any more.
	tried   chan struct{}
	settled context.Context

	mu    sync.Mutex // guards all below; its holder never asks the connection
	asker *Asker     // nil before the first connection
	slow  time.Time  // until when the cluster is not asked for verdicts
}

// LinkState is how a link stands.
type LinkState struct {
	Connected bool
	Nodes     int    // that work; known while it is connected
	Problem   string // why it is not connected, for people; "" before the first try has ended
}

// keeping is a verdict on its way into the cluster.
type keeping struct {
	fingerprint circuit.Fingerprint
	problem     circuit.Problem
	entry       verify.Entry
}

// Times and bounds of a link.
const (
	linkRetry  = 2 * time.Second  // between two tries to connect
	linkLooks  = 10 * time.Second // between two looks at the nodes
	linkWaits  = time.Second      // for a verdict that the cluster may have, and for the first connection
	linkRests  = 10 * time.Second // without asking for verdicts, after one that took too long
	maxKeeping = 256              // verdicts on their way; more are not kept
)

// NewLink begins to connect, and returns at once. It tells every change of its state, one at a
// time, from goroutines of its own; tell may be nil.
func NewLink(opts Options, tell func(LinkState)) *Link {
	if tell == nil {
		tell = func(LinkState) {}
	}
	l := &Link{opts: opts, tell: tell, done: make(chan struct{}), kept: make(chan keeping, maxKeeping), tried: make(chan struct{})}
	l.ctx, l.end = context.WithCancel(context.Background())
	var stop context.CancelFunc
	l.settled, stop = context.WithTimeout(l.ctx, linkWaits)
	context.AfterFunc(l.settled, stop)
	l.opts.dialer = dialer{l.ctx}
	go l.run()
	return l
}

// Close ends the link. It does not wait for the network: sockets are closed at once.
func (l *Link) Close() {
	l.end()
	<-l.done
}

// Engine returns an engine whose checks some node does, or false while there has not been
// a connection.
func (l *Link) Engine(spec engines.Spec) (e verify.Engine, ok bool) {
	l.mu.Lock()
	a := l.asker
	l.mu.Unlock()
	if a == nil || !a.nc.IsConnected() {
		return e, false
	}
	return a.Engine(spec), true
}

// run connects as often as it takes.
func (l *Link) run() {
	defer close(l.done)
	tried := sync.OnceFunc(func() { close(l.tried) })
	for l.ctx.Err() == nil {
		lost := make(chan struct{}, 1)
		l.opts.changed = func() {
			select {
			case lost <- struct{}{}:
			default:
			}
		}
		conn, err := Connect(l.ctx, l.opts)
		if err == nil {
			l.serve(conn, lost, tried)
			conn.Close()
		} else if l.ctx.Err() == nil {
			l.tell(LinkState{Problem: err.Error()})
		}
		tried()
		select {
		case <-l.ctx.Done():
		case <-time.After(linkRetry):
		}
	}
}

// serve works with a connection until it cannot come back: the library makes it again for
// anything but a refusal. It calls begun when the connection can be used.
func (l *Link) serve(conn *Conn, changed <-chan struct{}, begun func()) {
	a := NewAsker(conn)
	a.Urgent = true
	l.mu.Lock()
	l.asker = a
	l.mu.Unlock()
	begun()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asker = nil
	}()
	// A call to the server that does not heed the context ends with the connection.
	defer context.AfterFunc(l.ctx, conn.Close)()
	ctx, stop := context.WithCancel(l.ctx)
	var keeper sync.WaitGroup
	keeper.Go(func() { l.keep(ctx, Verdicts{Asker: a}) })
	defer keeper.Wait()
	defer conn.Close() // ends what the keeper waits for
	defer stop()
	looks := time.NewTicker(linkLooks)
	defer looks.Stop()
	var last *LinkState
	for {
		var s LinkState
		if s.Connected = conn.nc.IsConnected(); s.Connected {
			if nodes, err := conn.Nodes(ctx); err == nil {
				s.Nodes = len(nodes)
			} else if last != nil {
				s.Nodes = last.Nodes
			}
		} else {
			s.Problem = reasonOf(conn.nc)
		}
		if ctx.Err() != nil {
			return
		}
		if last == nil || *last != s {
			l.tell(s)
			last = &s
		}
		if conn.nc.IsClosed() {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-looks.C:
		}
	}
}

// reasonOf says why a connection is lost.
func reasonOf(nc *nats.Conn) string {
	return lostFor(nc.LastError())
}

func lostFor(err error) string {
	if err != nil {
		return "the connection to the cluster is lost: " + explained(err).Error()
	}
	return "the connection to the cluster is lost"
}

// keep puts verdicts into the cluster, one after the other.
func (l *Link) keep(ctx context.Context, v Verdicts) {
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-l.kept:
			v.Store(k.fingerprint, k.problem, k.entry)
		}
	}
}

// Cache returns what askers of the cluster have found, as Verdicts does, after another cache,
// which may be nil. Nothing is waited for but a second for an answer, and after one that took
// longer the cluster is not asked for some time; what is stored is sent later. In the first
// second of the link the end of the first try to connect is waited for: a file that an editor
// opens at its start is looked up as any other.
func (l *Link) Cache(next verify.Cache) verify.Cache { return linkCache{l, next} }

type linkCache struct {
	*Link
	next verify.Cache
}

// verdicts returns those of the cluster, where it is to be asked at present.
func (c linkCache) verdicts() (v Verdicts, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Verdicts{Asker: c.asker, Wait: linkWaits}, c.asker != nil && !time.Now().Before(c.slow)
}

// Lookup implements verify.Cache.
func (c linkCache) Lookup(fingerprint circuit.Fingerprint, problem circuit.Problem) (verify.Entry, bool) {
	if c.next != nil {
		if e, ok := c.next.Lookup(fingerprint, problem); ok {
			return e, true
		}
	}
	select {
	case <-c.tried:
	case <-c.settled.Done():
	}
	v, ok := c.verdicts()
	if !ok {
		return verify.Entry{}, false
	}
	// On its own goroutine, because the library holds up even the question whether there is a
	// connection while it writes to a server that does not read.
	type found struct {
		entry verify.Entry
		ok    bool
		panic any
	}
	begin, answer := time.Now(), make(chan found, 1)
	go func() {
		var f found
		defer func() {
			f.panic = recover()
			answer <- f
		}()
		f.entry, f.ok = v.Lookup(fingerprint, problem)
	}()
	late := time.NewTimer(linkWaits)
	defer late.Stop()
	var f found
	select {
	case f = <-answer:
	case <-late.C:
	}
	if f.panic != nil {
		panic(f.panic) // for the guard of the check
	}
	if !f.ok && time.Since(begin) >= linkWaits {
		c.mu.Lock()
		c.slow = time.Now().Add(linkRests)
		c.mu.Unlock()
	}
	return f.entry, f.ok
}

// Store implements verify.Cache.
func (c linkCache) Store(fingerprint circuit.Fingerprint, problem circuit.Problem, e verify.Entry) {
	if c.next != nil {
		c.next.Store(fingerprint, problem, e)
	}
	select {
	case c.kept <- keeping{fingerprint, problem, e}:
	default: // it is found again
	}
}

// Drop implements verify.Cache.
func (c linkCache) Drop(fingerprint circuit.Fingerprint) {
	if c.next != nil {
		c.next.Drop(fingerprint)
	}
	if v, ok := c.verdicts(); ok {
		go v.Drop(fingerprint)
	}
}

// dialer connects until a context ends, and closes what it has connected with it: the library
// would wait for a server that does not read.
type dialer struct{ ctx context.Context }

var errNoLink = errors.New("the connection is no longer wanted")

// Dial implements nats.CustomDialer.
func (d dialer) Dial(network, address string) (net.Conn, error) {
	if d.ctx.Err() != nil {
		return nil, errNoLink
	}
	nd := net.Dialer{Timeout: callTime}
	conn, err := nd.DialContext(d.ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &endingConn{conn, context.AfterFunc(d.ctx, func() { _ = conn.Close() })}, nil
}

// endingConn forgets the context when it is closed.
type endingConn struct {
	net.Conn
	forget func() bool
}

func (c *endingConn) Close() error {
	c.forget()
	return c.Conn.Close()
}
