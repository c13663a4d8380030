package queue

import (
	"sync"
)

// Serial runs functions one after another, in the order in which they were
// put, on one goroutine. Putting never waits, so that neither a client that
// does not read nor a checker that reports can hold up anybody else.
type Serial struct {
	// after runs once after the functions that were waiting, however many, and
	// before Do returns: a file with thousands of properties sends thousands of
	// events, and after looks at every property.
	after  func()
	mu     sync.Mutex
	queue  []serialEntry // guarded by mu
	closed bool          // guarded by mu
	wake   Signal
	done   chan struct{}
}

// serialEntry is a function, or a channel to close when what was put before it has
// run, after included.
type serialEntry struct {
	f   func()
	ran chan struct{}
}

// NewSerial starts the goroutine; after may be nil.
func NewSerial(after func()) *Serial {
	s := &Serial{after: after, wake: NewSignal(), done: make(chan struct{})}
	go s.run()
	return s
}

// Put appends f; it is dropped after Close.
func (s *Serial) Put(f func()) { s.add(serialEntry{f: f}) }

func (s *Serial) add(e ...serialEntry) {
	s.mu.Lock()
	if !s.closed {
		s.queue = append(s.queue, e...)
	}
	s.mu.Unlock()
	s.wake.Raise()
}

// Do runs f in turn and returns when it and what comes after it have run, or
// when they have been dropped. A panic of f goes to the caller.
func (s *Serial) Do(f func()) {
	var reason any
	ran := make(chan struct{})
	s.add(serialEntry{f: func() {
		defer func() { reason = recover() }()
		f()
	}}, serialEntry{ran: ran})
	select {
	case <-ran:
		if reason != nil {
			panic(reason)
		}
	case <-s.done:
	}
}

// Close drops what has not been run. It does not wait.
func (s *Serial) Close() {
	s.mu.Lock()
	s.closed, s.queue = true, nil
	s.mu.Unlock()
	s.wake.Raise()
}

// Wait returns when the goroutine has ended, after Close.
func (s *Serial) Wait() { <-s.done }

func (s *Serial) run() {
	defer close(s.done)
	for range s.wake {
		s.runAll(s.drain())
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
	}
}

func (s *Serial) runAll(batch []serialEntry) {
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

func (s *Serial) drain() []serialEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.queue
	s.queue = nil
	return batch
}
