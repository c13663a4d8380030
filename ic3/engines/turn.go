package engines

import (
	"context"
	"iter"

	"aiglens/internal/thread"
)

// turn is work beside IC3 that goes on while it has spent no more effort than it is allowed. Effort is
// counted, so that no clock decides.
type turn struct {
	allowed, spent int64
	rest           func() bool // gives the turn back; false when the work is to end
	resume         func() (struct{}, bool)
	end            func() // must be called
}

// prepare sets the work, which starts with the first call of resume.
func (t *turn) prepare(ctx context.Context, work func(ctx context.Context)) {
	t.resume, t.end = iter.Pull(func(yield func(struct{}) bool) {
		ctx, cancel := thread.WithCancel(ctx)
		defer cancel()
		t.rest = func() bool {
			if yield(struct{}{}) {
				return true
			}
			cancel()
			return false
		}
		work(ctx)
	})
}

// spend is called by the work with what it has spent so far, and rests while that is more than
// allowed.
func (t *turn) spend(effort int64) {
	t.spent = effort
	for t.spent > t.allowed && t.rest() {
	}
}
