package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/uri"

	"aiglens/design"
)

// reading reads documents in the background for callers that must not wait for a disk: the
// text of one may need the models of files that have not been read. It reads one text of a file at
// a time, because that cannot be interrupted.
type reading struct {
	background func(func(context.Context))

	mu   sync.Mutex
	busy map[uri.URI]*readingOf // guarded by mu
}

// readingOf is the reading of one text.
type readingOf struct {
	doc   *design.Design
	ended chan struct{}
}

func newReading(c *core) *reading {
	return &reading{background: c.background, busy: map[uri.URI]*readingOf{}}
}

// isDone reports whether the document of a view can be asked without waiting for a disk.
// If not, again is called when it can, or when an earlier text could be.
func (r *reading) isDone(key uri.URI, v *view, again func()) bool {
	if !v.doc.HasModels() || v.isAnalysed() || v.read.Load() {
		return true
	}
	r.begin(key, v, again)
	return false
}

// wait returns when the document of a view, which may not be the latest, can be asked
// without waiting for a disk, when reading it has broken, or when ctx has ended.
func (r *reading) wait(ctx context.Context, key uri.URI, v *view) {
	for v.doc.HasModels() && !v.read.Load() && ctx.Err() == nil {
		under := r.begin(key, v, func() {})
		select {
		case <-under.ended:
			if under.doc == v.doc {
				return
			}
		case <-ctx.Done():
		}
	}
}

// begin reads the document of a view and calls then, unless a text of the file is being
// read. It returns what is under way.
func (r *reading) begin(key uri.URI, v *view, then func()) *readingOf {
	r.mu.Lock()
	defer r.mu.Unlock()
	if under := r.busy[key]; under != nil {
		return under
	}
	under := &readingOf{v.doc, make(chan struct{})}
	r.busy[key] = under
	r.background(func(context.Context) {
		defer then()
		defer close(under.ended)
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			delete(r.busy, key)
		}()
		v.doc.Properties()
		v.read.Store(true)
	})
	return under
}

// whenRead runs f on the queue with an open file whose text has been read, and whose
// verdicts are not in doubt, unless its checks are stopped meanwhile. A request waits for
// the disk, if it must; the queue never does.
func (t *texts) whenRead(ctx context.Context, key uri.URI, f func(*file)) {
	var read *design.Design
	stops := -1 // when it was asked for
	for ctx.Err() == nil {
		var now *design.Design
		var sure chan struct{}
		t.queue.Do(func() {
			file := t.files[key]
			if file != nil && stops < 0 {
				stops = file.work.stops
			}
			switch {
			case file == nil || file.work.stops != stops:
			case t.isInDoubt(file):
				sure = t.doubt.sure
			case file.doc == read:
				f(file)
			default:
				now = file.doc
			}
		})
		switch {
		case sure != nil:
			select {
			case <-ctx.Done():
			case <-sure:
			}
		case now != nil:
			now.Properties()
			read = now
		default:
			return
		}
	}
}

// awaitText waits until the pinned text has been read that parameters are about. It reports
// whether that may use models of other files.
func (t *texts) awaitText(ctx context.Context, params []byte) (hasModels bool) {
	key := documentOf(params)
	v, ok := snapshotFrom(ctx).views[key]
	if !ok || !v.doc.HasModels() {
		return false
	}
	t.reading.wait(ctx, key, v)
	return true
}
