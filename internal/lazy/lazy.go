// Package lazy holds values that take long to work out: each is worked out once, when it
// is first asked for, and the work ends when no caller waits for it. The package does not
// know what is worked out.
package lazy

import (
	"context"
	"runtime/debug"
	"sync"

	"aiglens/internal/fault"
)

// Value is worked out when it is first asked for, and then kept. Callers that ask meanwhile
// share the work, each as long as its own context lives; when none is left the
// work ends, and the next caller starts it again.
type Value[T any] struct {
	find func(context.Context) (T, error)

	mu   sync.Mutex
	work *work[T] // under way or done; nil for none. Guarded by mu
}

type work[T any] struct {
	waiting int           // guarded by mu of the value
	cancel  func()        // ends the work
	ended   chan struct{} // closed after the fields below
	value   T
	err     error
	fault   *fault.Carried
}

// New returns a value that find works out. The only errors of find are those of its
// context.
func New[T any](find func(context.Context) (T, error)) *Value[T] { return &Value[T]{find: find} }

// Get returns the value. The error is that of ctx. A panic of the work reaches all
// callers, with the place where it was.
func (v *Value[T]) Get(ctx context.Context) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	w := v.join()
	select {
	case <-w.ended:
	case <-ctx.Done():
		v.leave(w)
		return none, ctx.Err()
	}
	if w.fault != nil {
		panic(w.fault)
	}
	return w.value, w.err
}

// Waiting returns how many wait for the work that is under way.
func (v *Value[T]) Waiting() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.work == nil {
		return 0
	}
	return v.work.waiting
}

// join starts the work if need be.
func (v *Value[T]) join() *work[T] {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.work == nil {
		ctx, cancel := context.WithCancel(context.Background())
		v.work = &work[T]{cancel: cancel, ended: make(chan struct{})}
		go v.work.run(ctx, v.find)
	}
	v.work.waiting++
	return v.work
}

// leave ends the work when no other caller waits for it.
func (v *Value[T]) leave(w *work[T]) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w.waiting--
	select {
	case <-w.ended: // it is kept
	default:
		if w.waiting == 0 {
			w.cancel()
			v.work = nil
		}
	}
}

func (w *work[T]) run(ctx context.Context, find func(context.Context) (T, error)) {
	defer close(w.ended)
	defer w.cancel()
	defer func() {
		if value := recover(); value != nil {
			w.fault = &fault.Carried{Value: value, Stack: debug.Stack()}
		}
	}()
	w.value, w.err = find(ctx)
}
