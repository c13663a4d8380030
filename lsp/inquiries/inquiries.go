// Package inquiries works on what a client asks for that takes long and is not a check: comparisons,
// searches, reductions. An inquiry runs on the goroutine of its request, beside the checks:
//
//	asked ──► waits for checks, if it is to ──► waits for its turn ──► works ──► answered
//	  │                                                                  │
//	  └── shown after a delay, with how far it is ◄──────────────────────┘
//
// Of each kind one works at a time. The user can end an inquiry where it is shown, the client by
// cancelling its request.
//
// The package knows neither the protocol nor what an inquiry is about.
package inquiries

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"aiglens/internal/thread"
)

// Kind says which inquiries wait for each other.
type Kind uint8

// The kinds.
const (
	Comparison Kind = iota // of two circuits
	Search                 // about a property: lemmas, other counterexamples, smaller circuits
	Reach                  // of a run in which a signal is 1
	Writing                // of a file; waits for no other
	numKinds
)

func (k Kind) String() string {
	return [numKinds]string{"comparisons", "searches", "searches for runs", "files to write"}[k]
}

// Inquiry is what a client asks for.
type Inquiry struct {
	Kind        Kind
	Title       string // of its progress
	AfterChecks bool   // it waits until no check is under way
}

// Progress is what a client is shown of one inquiry. Its methods are called by Config.Post and
// Config.Do.
type Progress interface {
	Say(message string)
	End()
}

// Config is what a queue is given to call.
type Config struct {
	Post    func(func())                               // runs a function where the state of progresses may change
	Do      func(func())                               // is Post, and returns when the function has run
	Begin   func(title string, cancel func()) Progress // shows a progress; nil when the client shows none
	IsQuiet func() bool                                // whether no check is under way; called by Do
	Delay   time.Duration                              // until an inquiry is shown
	Rest    time.Duration                              // the shortest time between two messages of one
}

// Queue has the inquiries of a client worked on. Its methods may be called from any goroutine.
type Queue struct {
	config Config
	turns  [numKinds]turns
}

// New returns a queue in which nothing waits.
func New(c Config) *Queue {
	q := &Queue{config: c}
	for k := range q.turns {
		q.turns[k].taken = make(chan struct{}, 1)
	}
	return q
}

// ErrCancelled says that the user or the client has ended an inquiry.
var ErrCancelled = errors.New("cancelled")

// Run works on an inquiry when its turn has come. What work says is shown. The error is
// ErrCancelled, or that of work, or says that too many inquiries of the kind wait.
func (q *Queue) Run(ctx context.Context, i Inquiry, work func(ctx context.Context, say func(string)) error) error {
	ctx, cancel := thread.WithCancel(ctx)
	defer cancel()
	s := q.show(i.Title, cancel)
	defer s.end()
	err := q.inTurn(ctx, i, s.say, work)
	if ctx.Err() != nil {
		return ErrCancelled
	}
	return err
}

func (q *Queue) inTurn(ctx context.Context, i Inquiry, say func(string), work func(context.Context, func(string)) error) error {
	if i.AfterChecks {
		say("waits for the checks under way")
		if err := q.whenQuiet(ctx); err != nil {
			return err
		}
	}
	if i.Kind == Writing {
		return work(ctx, say)
	}
	leave, err := q.turns[i.Kind].enter(ctx)
	if errors.Is(err, errTooMany) {
		return fmt.Errorf("too many %s are under way: wait until one ends, or cancel one", i.Kind)
	}
	if err != nil {
		return err
	}
	defer leave()
	return work(ctx, say)
}

// quietPoll is how often an inquiry that waits for checks looks whether one is under way.
const quietPoll = 100 * time.Millisecond

// whenQuiet returns when no check is under way. The error is that of ctx.
func (q *Queue) whenQuiet(ctx context.Context) error {
	tick := time.NewTicker(quietPoll)
	defer tick.Stop()
	for {
		quiet := true // nothing runs where Do does not
		q.config.Do(func() { quiet = q.config.IsQuiet() })
		if quiet {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// shown is how an inquiry is shown.
type shown struct {
	config *Config
	begin  *time.Timer

	mu   sync.Mutex
	last time.Time // of a message; guarded by mu

	// The fields below belong to the functions of Config.Post.
	over     bool
	progress Progress // nil while none is shown
	message  string   // the last one
}

// show shows an inquiry once the delay is over, until its end.
func (q *Queue) show(title string, cancel func()) *shown {
	s := &shown{config: &q.config}
	s.begin = time.AfterFunc(q.config.Delay, func() {
		q.config.Post(func() {
			if s.over {
				return
			}
			if s.progress = q.config.Begin(title, cancel); s.progress != nil && s.message != "" {
				s.progress.Say(s.message)
			}
		})
	})
	return s
}

// say shows how far the inquiry is, unless something has just been said. Engines that run at
// once call it from goroutines of their own.
func (s *shown) say(message string) {
	if !s.isDue(time.Now()) {
		return
	}
	s.config.Post(func() {
		s.message = message
		if s.progress != nil {
			s.progress.Say(message)
		}
	})
}

// isDue reports whether a message may be shown, and counts it as shown then.
func (s *shown) isDue(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.last) < s.config.Rest {
		return false
	}
	s.last = now
	return true
}

func (s *shown) end() {
	s.begin.Stop()
	s.config.Do(func() {
		s.over = true
		if s.progress != nil {
			s.progress.End()
		}
	})
}
