package worker

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// idleTime is how long a worker without a check is kept.
const idleTime = time.Minute

// Pool starts workers when they are needed and keeps them for the next check. It
// has as many as there are checks at a time: how many that are is for its users
// to say. Its methods may be called from any goroutine.
type Pool struct {
	dial func() (*Conn, error)

	mu     sync.Mutex // guards all below
	idle   []*process // the last one used is the next
	all    map[*process]bool
	keeps  int    // how many may be idle; less than 0: any number
	number uint64 // of the last request
	closed bool
	// processors are those that all checks together may use, 0 being any number, and
	// busy the workers with a check.
	processors int
	busy       map[*process]bool
}

// NewPool returns a pool of workers that dial starts; see Command.
func NewPool(dial func() (*Conn, error)) *Pool {
	return &Pool{dial: dial, all: map[*process]bool{}, keeps: -1, busy: map[*process]bool{}}
}

// Engine returns the engine that spec names, which runs in a worker.
func (p *Pool) Engine(spec engines.Spec) verify.Engine {
	a := asker{p, spec, cancelGrace}
	return a.engine(a.check)
}

// Keep bounds the number of workers that are kept without a check. What is too many
// ends at once.
func (p *Pool) Keep(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keeps = max(0, n)
	for len(p.idle) > p.keeps {
		w := p.idle[0]
		p.forget(w)
		w.retire()
	}
}

// Allow says how many processors all checks together may use from now on; each may use one
// in any case. Before it is called, each uses as many as it likes.
func (p *Pool) Allow(processors int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.processors = processors
	p.share()
}

// share tells each check its part of the processors.
func (p *Pool) share() {
	if p.processors == 0 {
		return
	}
	for w := range p.busy {
		w.allowed.Allow(max(1, p.processors/len(p.busy)))
	}
}

// setBusy says whether a worker has a check.
func (p *Pool) setBusy(w *process, busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if busy {
		p.busy[w] = true
	} else {
		delete(p.busy, w)
	}
	p.share()
}

// Close kills all workers and returns when they are gone. Checks under way end
// without an answer.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	all := make([]*process, 0, len(p.all))
	for w := range p.all {
		all = append(all, w)
	}
	p.mu.Unlock()
	for _, w := range all {
		w.kill()
	}
	for _, w := range all {
		<-w.ended
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.all)
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// acquire returns a worker that is not in use.
func (p *Pool) acquire(ctx context.Context) (*process, error) {
	w, err := p.find(ctx)
	if err == nil {
		p.setBusy(w, true)
	}
	return w, err
}

// find returns an idle worker or a new one.
func (p *Pool) find(ctx context.Context) (*process, error) {
	if w := p.takeIdle(); w != nil {
		return w, nil
	}
	w, err := p.start()
	if err != nil {
		return nil, &verify.RemoteError{Lost: true, Reason: fmt.Sprintf("cannot start a worker process: %v", err)}
	}
	late := time.NewTimer(startTime)
	defer late.Stop()
	select {
	case <-w.ready:
		return w, nil
	case <-w.ended:
		return nil, w.err
	case <-ctx.Done():
		w.kill()
		<-w.ended
		return nil, ctx.Err()
	case <-late.C:
		w.kill()
		<-w.ended
		return nil, &verify.RemoteError{Lost: true, Reason: "the worker process does not answer"}
	}
}

func (p *Pool) takeIdle() *process {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		w := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		w.idle.Stop()
		if w.isUsable() {
			return w
		}
	}
	return nil
}

// start starts a process. The pool is locked for that, so that Close sees it.
func (p *Pool) start() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("the server is shutting down")
	}
	conn, err := p.dial()
	if err != nil {
		return nil, err
	}
	w := newProcess(conn)
	p.all[w] = true
	go func() {
		<-w.ended
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.all, w)
		p.forget(w)
	}()
	return w, nil
}

// forget takes a worker out of the idle ones.
func (p *Pool) forget(w *process) {
	if i := slices.Index(p.idle, w); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		w.idle.Stop()
	}
}

// release takes back a worker after a check. One that cannot be used again is gone
// when it returns.
func (p *Pool) release(w *process) {
	p.setBusy(w, false)
	if !p.keep(w) {
		w.kill()
		<-w.ended
	}
}

// keep puts a worker with the idle ones, unless it cannot be used again.
func (p *Pool) keep(w *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !w.isUsable() || p.keeps >= 0 && len(p.idle) >= p.keeps {
		return false
	}
	w.idle = time.AfterFunc(idleTime, func() { p.discard(w) })
	p.idle = append(p.idle, w)
	return true
}

// discard ends a worker that no check uses.
func (p *Pool) discard(w *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.idle, w) {
		p.forget(w)
		w.retire()
	}
}

// nextNumber returns the number of a request.
func (p *Pool) nextNumber() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number++
	return p.number
}
