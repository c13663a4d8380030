package lsp

import (
	"context"
	"maps"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/lsp/queue"
)

// lensInterval is the shortest time between two refreshes of the code lenses,
// each of which makes the client ask again for every open document.
const lensInterval = 100 * time.Millisecond

// lensRefresher sends the requests to ask for the code lenses again, one at a time.
// Every second one may come early, for the end of all checks of a file.
type lensRefresher struct {
	*queue.Sender[struct{}, refreshReason]
	// The fields below belong to Run.
	last     time.Time // when a request was answered
	early    time.Time // when one was sent that came early
	mayHurry bool      // the next one may come early
}

// refreshReason says why lenses are to be asked for again.
type refreshReason bool

const (
	lensChanged refreshReason = false
	allSettled  refreshReason = true // the last check of a file has ended: a refresh need not wait
)

func newLensRefresher(c *core) *lensRefresher {
	r := &lensRefresher{mayHurry: true}
	r.Sender = queue.NewSender(queue.SenderConfig[struct{}, refreshReason]{
		Merge: func(old, new refreshReason) refreshReason { return old || new },
		Rest:  r.rest,
		Send: func(ctx context.Context, _ struct{}, _ refreshReason) {
			if now := time.Now(); now.Sub(r.last) < lensInterval {
				r.early = now
			}
			// A client that fails to refresh asks again by itself at the next edit.
			_ = protocol.Call(ctx, c.conn, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
			r.last = time.Now()
			r.mayHurry = r.last.Sub(r.early) >= lensInterval
		},
	})
	return r
}

func (r *lensRefresher) rest(_ struct{}, reason refreshReason, now time.Time) time.Duration {
	if reason == allSettled && r.mayHurry {
		return 0
	}
	return lensInterval - now.Sub(r.last)
}

// askForLenses asks the client to ask for its code lenses again, soon.
func (pub *publishing) askForLenses(reason refreshReason) {
	if pub.client.refreshesLenses {
		pub.lenses.Mark(struct{}{}, reason)
	}
}

// lensesChanged reports whether the client may show other lenses than those of
// the present text: they differ from those of the text analysed before, or were
// asked for while the analysis was under way and not waited for.
func (pub *publishing) lensesChanged(f *file) bool {
	titles := map[circuit.Property]string{}
	for _, p := range f.doc.Properties() {
		titles[p.ID] = f.status(p.ID).String()
	}
	same := maps.Equal(titles, f.shown.titles)
	f.shown.titles = titles
	v := pub.snapshot.Load().views[uri.URI(f.doc.URI)]
	return !same || v != nil && v.early.Load()
}

// askForHints asks the client to ask for its hints again; the queue calls it. That
// waits for the snapshot to hold what has changed.
func (pub *publishing) askForHints() {
	if !pub.client.refreshesHints {
		return
	}
	pub.post(func() { pub.refreshes.Mark(protocol.MethodWorkspaceInlayHintRefresh, struct{}{}) })
}

// newRefresher returns what sends the requests, by method, to ask for something again, one
// at a time.
func newRefresher(c *core) *queue.Sender[string, struct{}] {
	return queue.NewSender(queue.SenderConfig[string, struct{}]{
		Merge: func(_, new struct{}) struct{} { return new },
		Send: func(ctx context.Context, method string, _ struct{}) {
			// A client that fails to refresh asks again by itself at the next edit.
			_ = protocol.Call(ctx, c.conn, method, nil, nil)
		},
	})
}
