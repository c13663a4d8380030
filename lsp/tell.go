package lsp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/lsp/document"
	"aiglens/lsp/ide"
)

// methodStatus tells a client that asked for it what is known of properties; see
// docs/protocol.md.
const methodStatus = "aiglens/status"

type statusParams struct {
	URI        uri.URI          `json:"uri"`
	Version    *int32           `json:"version"` // nil for a file that is not open
	Whole      bool             `json:"whole"`
	Properties []propertyStatus `json:"properties"`
}

type propertyStatus struct {
	Property  string         `json:"property"`
	Name      string         `json:"name"`
	Range     protocol.Range `json:"range"`
	Verdict   string         `json:"verdict"`
	Freshness string         `json:"freshness"`
	Text      string         `json:"text"`
	Message   string         `json:"message"`
	Seconds   float64        `json:"seconds,omitempty"`
	Depth     int            `json:"depth,omitempty"`
	Cached    bool           `json:"cached,omitempty"`
}

// tellInterval is the shortest time between two messages about one file; tellCost is
// added for each of its properties.
const (
	tellInterval = 100 * time.Millisecond
	tellCost     = 20 * time.Microsecond
)

// teller sends the status of properties. Like the publisher it computes on a
// goroutine of its own from the newest snapshot.
type teller struct {
	snapshot *atomic.Pointer[snapshot]
	send     func(*statusParams)
	guard    func(func())
	patience time.Duration // how long a text is waited for that is being analysed

	mu      sync.Mutex
	due     map[uri.URI]*dueStatus // guarded by mu
	waiting []func()               // guarded by mu
	wake    chan struct{}

	told map[uri.URI]*told // of run
}

// dueStatus says why a file is to be looked at.
type dueStatus struct {
	since    time.Time
	atOnce   bool // the user has stopped or closed something
	outdated bool // the file is not open, and has changed
}

// told is what the client knows of a file.
type told struct {
	name       uri.URI
	version    *int32
	properties []propertyStatus
	at         time.Time
}

func newTeller(s *session) *teller {
	return &teller{
		snapshot: &s.snapshot, guard: s.guard, patience: s.opts.LensWait,
		send: func(p *statusParams) { s.notify(methodStatus, p) },
		due:  map[uri.URI]*dueStatus{}, wake: make(chan struct{}, 1), told: map[uri.URI]*told{},
	}
}

// request has a file looked at.
func (t *teller) request(u uri.URI, atOnce bool) {
	t.mark(u, func(d *dueStatus) { d.atOnce = d.atOnce || atOnce })
}

// outdated has the verdicts on a file that is not open shown as stale, or taken back
// when it is gone.
func (t *teller) outdated(u uri.URI, gone bool) {
	t.mark(u, func(d *dueStatus) { d.atOnce, d.outdated = true, !gone })
}

func (t *teller) mark(u uri.URI, f func(*dueStatus)) {
	t.mu.Lock()
	d := t.due[u]
	if d == nil {
		d = &dueStatus{since: time.Now()}
		t.due[u] = d
	}
	f(d)
	t.mu.Unlock()
	t.signal()
}

func (t *teller) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// idle calls f once what is due has been sent.
func (t *teller) idle(f func()) {
	t.mu.Lock()
	t.waiting = append(t.waiting, f)
	t.mu.Unlock()
	t.signal()
}

func (t *teller) run(ctx context.Context) {
	later := time.NewTimer(tellInterval)
	defer later.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.wake:
		case <-later.C:
		}
		due, waiting, wait := t.take(time.Now())
		for u, d := range due {
			t.guard(func() { t.tell(u, d) })
		}
		for _, f := range waiting {
			f()
		}
		if wait > 0 {
			later.Reset(wait)
		}
	}
}

// take returns the files to look at now, and after how long to come back for the
// others; 0 is never.
func (t *teller) take(now time.Time) (due map[uri.URI]*dueStatus, waiting []func(), wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting, t.waiting = t.waiting, nil
	due = map[uri.URI]*dueStatus{}
	views := t.snapshot.Load().views
	for u, d := range t.due {
		var rest time.Duration
		if last := t.told[u]; last != nil {
			rest = tellInterval + tellCost*time.Duration(len(last.properties)) - now.Sub(last.at)
		}
		if v := views[u]; v != nil && !v.isAnalysed() {
			rest = max(rest, t.patience-now.Sub(d.since)) // or every edit would show stale for a moment
		}
		if rest > 0 && !d.atOnce && len(waiting) == 0 {
			if wait == 0 || rest < wait {
				wait = rest
			}
			continue
		}
		due[u] = d
		delete(t.due, u)
	}
	return due, waiting, wait
}

// isAnalysed reports whether verdicts have been related to the text.
func (v *view) isAnalysed() bool {
	select {
	case <-v.analysed:
		return true
	default:
		return false
	}
}

// tell sends what differs from what the client was told of a file.
func (t *teller) tell(u uri.URI, d *dueStatus) {
	last, v := t.told[u], t.snapshot.Load().views[u]
	next := &told{at: time.Now()}
	switch {
	case v == nil && last == nil:
		return
	case v != nil:
		next.name, next.properties = v.name, v.propertyStatuses()
		if !v.hidden {
			version := v.doc.Version
			next.version = &version
		}
	case d.outdated:
		next.name, next.properties = last.name, asStale(last.properties)
	default:
		next.name = last.name
	}
	if v == nil && !d.outdated {
		delete(t.told, u)
	} else {
		t.told[u] = next
	}
	if changed, whole := difference(last, next); whole || len(changed) > 0 {
		t.send(&statusParams{next.name, next.version, whole, changed})
	}
}

func asStale(properties []propertyStatus) []propertyStatus {
	all := make([]propertyStatus, len(properties))
	for i, p := range properties {
		if p.Freshness == "fresh" {
			p.Freshness, p.Text, p.Message = "stale", "stale · "+p.Text, "stale · "+p.Message
		}
		all[i] = p
	}
	return all
}

// difference returns the properties to be sent, all of them where they are others
// than before. The first time a file without any is no news.
func difference(last, next *told) (changed []propertyStatus, whole bool) {
	changed = []propertyStatus{}
	if last == nil {
		return append(changed, next.properties...), len(next.properties) > 0
	}
	if len(last.properties) != len(next.properties) {
		return append(changed, next.properties...), true
	}
	for i, p := range next.properties {
		switch before := last.properties[i]; {
		case before.Property != p.Property:
			return append([]propertyStatus{}, next.properties...), true
		case before != p:
			changed = append(changed, p)
		}
	}
	return changed, false
}

// propertyStatuses returns the status of all properties in text order; of a text
// that is out of step none.
func (v *view) propertyStatuses() []propertyStatus {
	if v.lost {
		return nil
	}
	properties := v.doc.Properties()
	all := make([]propertyStatus, len(properties))
	for i, p := range properties {
		all[i] = v.propertyStatus(p)
	}
	return all
}

func (v *view) propertyStatus(p document.Property) propertyStatus {
	s := v.status(p.ID)
	out := propertyStatus{
		Property: p.ID.String(), Name: p.Name, Range: v.mapper.SpanRange(p.Row),
		Verdict: s.Outcome(), Freshness: s.State(), Text: s.String(), Message: s.Verdict(),
	}
	if s.Result != nil {
		out.Seconds, out.Depth, out.Cached = s.Result.Took().Seconds(), s.Result.Checked.Depth(), s.Result.Cached
	}
	if s.Activity == ide.Checking {
		out.Depth = s.Progress.Depth
	}
	return out
}
