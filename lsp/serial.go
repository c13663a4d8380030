package lsp

import (
	"sync"

	"aiglens/lsp/push"
)

// serial runs functions one after another, in the order in which they were
// put, on one goroutine. Putting never waits, so that neither a client that
// does not read nor a checker that reports can hold up anybody else.
type serial struct {
	// after runs once behind the functions that were waiting, however many, and
	// before do returns: a file with thousands of properties sends thousands of
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

// newSerial starts the goroutine; after may be nil.
func newSerial(after func()) *serial {
	s := &serial{after: after, wake: push.NewSignal(), done: make(chan struct{})}
	go s.run()
	return s
}

// put appends f; it is dropped after close.
func (s *serial) put(f func()) { s.add(entry{f: f}) }

func (s *serial) add(e ...entry) {
	s.mu.Lock()
	if !s.closed {
		s.queue = append(s.queue, e...)
	}
	s.mu.Unlock()
	s.wake.Raise()
}

// do runs f in turn and returns when it and what comes after it have run, or
// when they have been dropped. A panic of f goes to the caller.
func (s *serial) do(f func()) {
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

// close drops what has not been run. It does not wait.
func (s *serial) close() {
	s.mu.Lock()
	s.closed, s.queue = true, nil
	s.mu.Unlock()
	s.wake.Raise()
}

func (s *serial) run() {
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

func (s *serial) runAll(batch []entry) {
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

func (s *serial) take() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.queue
	s.queue = nil
	return batch
}
