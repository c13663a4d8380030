package queue

import (
	"context"
	"sync"
	"time"
)

// Sender collects marks by key and sends for each of them once it is due. What changes often is
// marked: a document whose diagnostics are old, a file whose status is news. Run takes what is due
// and has it computed from whatever is newest by then. So several marks of a key become one
// message, and no message is older than the one before it:
//
//	Mark ──► due ──(rest over)──► send ──► idle callbacks
//	          ▲ │
//	          └─┘ looked at again when the shortest rest is over
//
// The marks and their rest belong to the caller.
//
// Marks may come from any goroutine. Run sends on the one that calls it, so what only
// the functions of Config touch needs no lock.
type Sender[K comparable, M any] struct {
	config SenderConfig[K, M]
	wake   Signal

	mu  sync.Mutex
	due marked[K, M] // guarded by mu
}

// SenderConfig says what a sender does with its marks. Run calls the functions, Rest with
// the sender locked.
type SenderConfig[K comparable, M any] struct {
	// Merge returns the mark for a key that had one already. It is called by Mark.
	Merge func(old, new M) M
	// Rest returns how long a mark still has to wait, 0 or less when it is due. A nil
	// Rest lets nothing wait.
	Rest func(key K, mark M, now time.Time) time.Duration
	// Send computes what there is to say about a key, and says it.
	Send func(ctx context.Context, key K, mark M)
}

// NewSender returns a sender, which sends nothing until Run is called.
func NewSender[K comparable, M any](config SenderConfig[K, M]) *Sender[K, M] {
	if config.Rest == nil {
		config.Rest = func(K, M, time.Time) time.Duration { return 0 }
	}
	return &Sender[K, M]{config: config, wake: NewSignal(), due: marked[K, M]{marks: map[K]M{}}}
}

// Mark schedules key for sending.
func (s *Sender[K, M]) Mark(key K, mark M) {
	s.mu.Lock()
	s.due.mark(key, mark, s.config.Merge)
	s.mu.Unlock()
	s.wake.Raise()
}

// MarkAll marks several keys at once.
func (s *Sender[K, M]) MarkAll(marks map[K]M) {
	if len(marks) == 0 {
		return
	}
	s.mu.Lock()
	for key, mark := range marks {
		s.due.mark(key, mark, s.config.Merge)
	}
	s.mu.Unlock()
	s.wake.Raise()
}

// Idle calls f once everything marked so far has been sent. That waits for no rest.
func (s *Sender[K, M]) Idle(f func()) {
	s.mu.Lock()
	s.due.waiting = append(s.due.waiting, f)
	s.mu.Unlock()
	s.wake.Raise()
}

// Run sends until ctx ends.
func (s *Sender[K, M]) Run(ctx context.Context) {
	later := time.NewTimer(time.Hour)
	defer later.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-later.C:
		}
		s.mu.Lock()
		due, waiting, wait := s.due.drain(time.Now(), s.config.Rest)
		s.mu.Unlock()
		for key, mark := range due {
			s.config.Send(ctx, key, mark)
		}
		for _, f := range waiting {
			f()
		}
		if wait > 0 {
			later.Reset(wait)
		}
	}
}
