package lsp

import "sync"

// serial runs functions one after another, in the order in which they were
// put, on one goroutine. Putting never waits, so that neither a client that
// does not read nor a checker that reports can hold up anybody else.
type serial struct {
	after  func() // runs behind each function; may be nil
	mu     sync.Mutex
	queue  []func() // guarded by mu
	closed bool     // guarded by mu
	wake   chan struct{}
	done   chan struct{}
}

func newSerial(after func()) *serial {
	s := &serial{after: after, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go s.run()
	return s
}

// put appends f; it is dropped after close.
func (s *serial) put(f func()) {
	s.mu.Lock()
	if !s.closed {
		s.queue = append(s.queue, f)
	}
	s.mu.Unlock()
	s.signal()
}

// do runs f in turn and returns when it and what comes after it have run, or
// when they have been dropped. A panic of f goes to the caller.
func (s *serial) do(f func()) {
	var reason any
	ran := make(chan struct{})
	s.put(func() {
		defer func() { reason = recover() }()
		f()
	})
	s.put(func() { close(ran) })
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
	s.signal()
}

func (s *serial) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *serial) run() {
	defer close(s.done)
	for range s.wake {
		for _, f := range s.take() {
			f()
			if s.after != nil {
				s.after()
			}
		}
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
	}
}

func (s *serial) take() []func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.queue
	s.queue = nil
	return batch
}
