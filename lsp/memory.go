package lsp

import (
	"context"
	"runtime/debug"
	"time"
	"weak"

	"aiglens/design"
)

// worthReturning is the length of a text from which the memory of its document goes back to the
// system at once when it is closed: that is some seven times as much. The runtime collects it in
// minutes otherwise, because a server at rest allocates nothing.
const worthReturning = 4 << 20

// Work on the document that is under way ends soon; memory is given back again until it has.
const (
	returnWait  = time.Second // doubled each time
	returnTries = 6
)

// giveBack returns the memory of a document that is closed. It is called on the queue, and what
// the queue holds of the document goes after that.
func (t *texts) giveBack(d *design.Design) {
	if d.Text.Len() < worthReturning {
		return
	}
	closed := weak.Make(d)
	t.background(func(ctx context.Context) {
		t.queue.Do(func() {})
		wait := returnWait
		for range returnTries {
			debug.FreeOSMemory()
			if closed.Value() == nil {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			wait *= 2
		}
	})
}
