package inquiries

import (
	"context"
	"errors"
	"sync"
)

// maxWaiting bounds the inquiries of a kind that wait for their turn.
const maxWaiting = 16

var errTooMany = errors.New("too many wait")

// turns has one inquiry of a kind work at a time.
type turns struct {
	taken chan struct{} // holds an element while one works

	mu      sync.Mutex
	waiting int // guarded by mu; ≤ maxWaiting
}

// enter waits for the turn, which lasts until leave is called. The error is errTooMany or that of
// ctx; there is nothing to leave then.
func (t *turns) enter(ctx context.Context) (leave func(), err error) {
	if !t.count(+1) {
		return nil, errTooMany
	}
	defer t.count(-1)
	select {
	case t.taken <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil { // select takes either when both are there
		<-t.taken
		return nil, err
	}
	return func() { <-t.taken }, nil
}

// count counts those that wait; ok is false when there are too many.
func (t *turns) count(by int) (ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if by > 0 && t.waiting >= maxWaiting {
		return false
	}
	t.waiting += by
	return true
}
