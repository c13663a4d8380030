package lsp

import (
	"context"
	"sync"
	"sync/atomic"

	"go.lsp.dev/uri"

	"aiglens/internal/thread"
)

// orderKey is the key of a context under which the number of a request is: later ones have larger
// numbers, whenever they run.
type orderKey struct{}

// latest ends requests that newer ones of their kind have overtaken.
type latest struct {
	number atomic.Int64 // of the last request

	mu  sync.Mutex
	now map[asker]asked // guarded by mu
}

// asker is a view of a client with a document.
type asker struct {
	name uri.URI
	view string
	text bool // by the command that answers with a text
}

// asked is the newest request that runs.
type asked struct {
	number int64
	cancel context.CancelFunc
}

// numbered gives a request its number; it is called in the order of the requests.
func (l *latest) numbered(ctx context.Context) context.Context {
	return context.WithValue(ctx, orderKey{}, l.number.Add(1))
}

// begin ends the request before of the same asker. The context that it returns ends with a newer one,
// and at once where that has come already. end is called when the request is over.
func (l *latest) begin(ctx context.Context, a asker) (_ context.Context, end func()) {
	number, _ := ctx.Value(orderKey{}).(int64)
	ctx, cancel := thread.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch before, runs := l.now[a]; {
	case runs && before.number > number:
		cancel()
		return ctx, cancel
	case runs:
		before.cancel()
	case l.now == nil:
		l.now = map[asker]asked{}
	}
	l.now[a] = asked{number, cancel}
	return ctx, func() {
		cancel()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.now[a].number == number {
			delete(l.now, a)
		}
	}
}
