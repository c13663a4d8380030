// Package thread makes contexts for work that may take long. In a browser they let messages and timers have their turn,
// as there is only one thread: what is slow asks its context all the time whether it is to end. Elsewhere they are
// contexts like any other.
//
// A context that is derived from one of these without this package does not do so: work would then keep the thread to
// its end, and not notice its cancellation. Contexts of one session derive from one context: then messages have one turn
// in 20 ms, whatever the number of contexts. Where one is to outlive another, context.WithoutCancel keeps
// the turns.
package thread

import (
	"context"
	"time"
)

// WithCancel is context.WithCancel for such work.
func WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	return Sharing(ctx), cancel
}

// WithCancelCause is context.WithCancelCause for such work.
func WithCancelCause(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return Sharing(ctx), cancel
}

// WithTimeout is context.WithTimeout for such work.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return WithTimeoutCause(ctx, limit, nil)
}

// WithTimeoutCause is context.WithTimeoutCause for such work.
func WithTimeoutCause(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, cause)
	return Sharing(ctx), cancel
}
