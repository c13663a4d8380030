// Package serial runs functions one after another: it is how a goroutine owns state that
// others want something of. It knows nothing of the state.
package serial

import (
	"sync"

	"aiglens/lsp/push"
)

// Queue runs functions one after another, in the order in which they were
// put, on one goroutine. Putting never waits, so that neither a client that
// does not read nor a checker that reports can hold up anybody else.
type Queue struct {
	// after runs once behind the functions that were waiting, however many, and
	// before Do returns: a file with thousands of properties sends thousands of
	// events, and after looks at every property.
	after  func()
	mu     sync.Mutex
	queue  []entry // guarded by mu
	closed bool    // guarded by mu
	wake   push.Signal
	done   chan struct{}
}

// entry is a function, or a channel to close when what was put before it has
// run, after included.
type entry struct {
	f   func()
	ran chan struct{}
}

// New starts the goroutine; after may be nil.
func New(after func()) *Queue {
	s := &Queue{after: after, wake: push.NewSignal(), done: make(chan struct{})}
	go s.run()
	return s
}

// Put appends f; it is dropped after Close.
func (s *Queue) Put(f func()) { s.add(entry{f: f}) }

func (s *Queue) add(e ...entry) {
	s.mu.Lock()
	if !s.closed {
		s.queue = append(s.queue, e...)
	}
	s.mu.Unlock()
	s.wake.Raise()
}

// Do runs f in turn and returns when it and what comes after it have run, or
// when they have been dropped. A panic of f goes to the caller.
func (s *Queue) Do(f func()) {
	var reason any
	ran := make(chan struct{})
	s.add(entry{f: func() {
		defer func() { reason = recover() }()
		f()
	}}, entry{ran: ran})
	select {
	case <-ran:
		if reason != nil {
			panic(reason)
		}
	case <-s.done:
	}
}

// Close drops what has not been run. It does not wait.
func (s *Queue) Close() {
	s.mu.Lock()
	s.closed, s.queue = true, nil
	s.mu.Unlock()
	s.wake.Raise()
}

// Wait returns when the goroutine has ended, after Close.
func (s *Queue) Wait() { <-s.done }

func (s *Queue) run() {
	defer close(s.done)
	for range s.wake {
		s.runAll(s.take())
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
	}
}

func (s *Queue) runAll(batch []entry) {
	after := s.after
	if after == nil {
		after = func() {}
	}
	for _, e := range batch {
		if e.ran == nil {
			e.f()
			continue
		}
		after()
		close(e.ran)
	}
	after()
}

func (s *Queue) take() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.queue
	s.queue = nil
	return batch
}
