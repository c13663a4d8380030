package lsp

import (
	"context"
	"maps"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/lsp/document"
	"aiglens/lsp/ide"
	"aiglens/lsp/push"
)

// CodeLens shows the state of every property.
func (s *server) CodeLens(ctx context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	v, ok := s.settledView(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	lenses, err := ide.Lenses(ctx, v.doc, v.status)
	if err != nil {
		return nil, err
	}
	all := []protocol.CodeLens{}
	for _, lens := range lenses {
		all = append(all, protocol.CodeLens{
			Range:   v.mapper.SpanRange(lens.Span),
			Command: actionCommand(v, lens.Title, ide.Action{Command: lens.Command, Property: lens.Property}, protocol.Position{}),
		})
	}
	return all, ctx.Err()
}

// settledView waits a moment until it is known which verdicts hold for the
// pinned text. When the text changes meanwhile, the pinned view is good enough:
// the client will ask again.
func (s *server) settledView(ctx context.Context, u uri.URI) (*view, bool) {
	v, ok := viewFrom(ctx, u)
	if !ok {
		return nil, false
	}
	select {
	case <-ctx.Done():
	case <-time.After(s.lensWait(v.doc)):
		v.early.Store(true)
	case <-v.analysed:
		s.owner.Do(func() {}) // the snapshot follows the function that closed it
	}
	if now := s.snapshot.Load().views[u]; now != nil && now.doc == v.doc {
		return now, !now.outOfStep
	}
	return v, true
}

// lensWait returns how long to wait for the circuit of a document: not at all
// when it is not even begun before the wait is over.
func (s *session) lensWait(d *document.Document) time.Duration {
	if d.Text.Len() >= largeText && s.opts.LensWait <= s.debounce() {
		return 0
	}
	return s.opts.LensWait
}

// lensesChanged reports whether the client may show other lenses than those of
// the present text: they differ from those of the text analysed before, or were
// asked for while the analysis was under way and not waited for.
func (s *session) lensesChanged(f *file) bool {
	titles := map[circuit.Property]string{}
	for _, p := range f.doc.Properties() {
		titles[p.ID] = f.status(p.ID).String()
	}
	same := maps.Equal(titles, f.titles)
	f.titles = titles
	v := s.snapshot.Load().views[uri.URI(f.doc.URI)]
	return !same || v != nil && v.early.Load()
}

// lensInterval is the shortest time between two refreshes of the code lenses,
// each of which makes the client ask again for every open document.
const lensInterval = 100 * time.Millisecond

// lensRefresher sends the requests to ask for the code lenses again, one at a time.
// Every second one may come early, for the end of all checks of a file.
type lensRefresher struct {
	*push.Sender[struct{}, refreshReason]
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

func newLensRefresher(s *session) *lensRefresher {
	r := &lensRefresher{mayHurry: true}
	r.Sender = push.New(push.Config[struct{}, refreshReason]{
		Merge: func(old, new refreshReason) refreshReason { return old || new },
		Rest:  r.rest,
		Send: func(ctx context.Context, _ struct{}, _ refreshReason) {
			if now := time.Now(); now.Sub(r.last) < lensInterval {
				r.early = now
			}
			// A client that fails to refresh asks again by itself at the next edit.
			_ = protocol.Call(ctx, s.conn, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
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

// askForLenses has the client ask for its code lenses again, soon.
func (s *session) askForLenses(reason refreshReason) {
	if s.client.refreshesLenses {
		s.lenses.Mark(struct{}{}, reason)
	}
}
