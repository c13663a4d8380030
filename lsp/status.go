package lsp

import (
	"context"
	"encoding/hex"
	"strings"
	"sync/atomic"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/horndesign"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
	"aiglens/lsp/queue"
	"aiglens/lsp/wire"
)

// statusInterval is the shortest time between two messages about one file; statusCost is
// added for each of its properties. A verdict waits for verdictRest only.
const (
	statusInterval = 100 * time.Millisecond
	verdictRest    = 10 * time.Millisecond
	statusCost     = 20 * time.Microsecond
)

// statusSender sends the status of properties. Like diagnosticsSender it computes from the
// newest snapshot.
type statusSender struct {
	*queue.Sender[uri.URI, newsOfFile]
	snapshot *atomic.Pointer[snapshot]
	send     func(*wire.StatusParams)
	reading  *reading
	patience time.Duration           // how long a text is waited for that is being analysed
	sent     map[uri.URI]*sentStatus // of Run
}

// newsOfFile says why a file is to be looked at.
type newsOfFile struct {
	since  time.Time
	atOnce bool // the user has stopped or closed something
	found  bool // there is a verdict, which waits for no news of other properties
	onDisk diskChange
}

// diskChange is what has become of a file that is not open.
type diskChange uint8

const (
	unchangedOnDisk diskChange = iota
	changedOnDisk
	goneFromDisk
)

// sentStatus is what the client has been told of a file.
type sentStatus struct {
	name       uri.URI
	version    *int32
	properties []wire.PropertyStatus
	without    *wire.NoProperties // where it is open and has none
	unwritten  string             // where it is open and announces some that have no row
	at         time.Time
}

func newStatusSender(c *core) *statusSender {
	t := &statusSender{
		snapshot: &c.snapshot, reading: newReading(c), patience: c.opts.LensWait, sent: map[uri.URI]*sentStatus{},
		send: func(p *wire.StatusParams) { c.deliver(c.ctx, wire.NotificationStatus.Name, p) },
	}
	t.Sender = queue.NewSender(queue.SenderConfig[uri.URI, newsOfFile]{
		Merge: newsOfFile.with,
		Rest:  t.rest,
		Send: func(_ context.Context, u uri.URI, news newsOfFile) {
			if v := t.snapshot.Load().views[u]; v != nil && !t.reading.isDone(u, v, func() { t.Mark(u, news) }) {
				return
			}
			c.guard("status", u, func() { t.report(u, news) })
		},
	})
	return t
}

// with is the news of a file of which there was some already. What is known last of
// the disk counts.
func (n newsOfFile) with(later newsOfFile) newsOfFile {
	n.atOnce, n.found = n.atOnce || later.atOnce, n.found || later.found
	if later.onDisk != unchangedOnDisk {
		n.onDisk = later.onDisk
	}
	return n
}

// request schedules a look at a file.
func (t *statusSender) request(u uri.URI, atOnce, found bool) {
	t.Mark(u, newsOfFile{since: time.Now(), atOnce: atOnce, found: found})
}

// outdated has the verdicts on a file that is not open shown as stale, or taken back
// when it is gone.
func (t *statusSender) outdated(u uri.URI, change diskChange) {
	t.Mark(u, newsOfFile{since: time.Now(), atOnce: true, onDisk: change})
}

// rest says how long a file waits: large ones longer, and one whose text is being
// analysed until patience ends, or every edit would show stale for a moment.
func (t *statusSender) rest(u uri.URI, news newsOfFile, now time.Time) time.Duration {
	if news.atOnce {
		return 0
	}
	var rest time.Duration
	if last := t.sent[u]; last != nil {
		rest = statusInterval
		if news.found {
			rest = verdictRest
		}
		rest += statusCost*time.Duration(len(last.properties)) - now.Sub(last.at)
	}
	if v := t.snapshot.Load().views[u]; v != nil && !v.isAnalysed() {
		rest = max(rest, t.patience-now.Sub(news.since))
	}
	return rest
}

// report sends what differs from what the client was told of a file.
func (t *statusSender) report(u uri.URI, news newsOfFile) {
	last, v := t.sent[u], t.snapshot.Load().views[u]
	outdated := news.onDisk == changedOnDisk
	next := &sentStatus{at: time.Now()}
	switch {
	case v == nil && last == nil:
		return
	case v != nil:
		next.name, next.properties = v.name, statusesOf(v)
		if !v.hidden {
			version := v.doc.Version
			next.version = &version
			if !v.outOfStep {
				next.lacks(v.doc)
			}
		}
	case outdated:
		next.name, next.properties = last.name, asStale(last.properties)
	default:
		next.name = last.name
	}
	if v == nil && !outdated {
		delete(t.sent, u)
	} else {
		t.sent[u] = next
	}
	if changed, whole := difference(last, next); whole || len(changed) > 0 {
		t.send(&wire.StatusParams{URI: next.name, Version: next.version, Whole: whole, Properties: changed, Without: next.without, Unwritten: next.unwritten})
	}
}

// lacks has the status say which properties a document does not have.
func (s *sentStatus) lacks(d *design.Design) {
	none := d.NoProperties()
	s.unwritten = none.Unwritten
	if len(s.properties) == 0 {
		s.without = &wire.NoProperties{Why: none.Why, Setting: none.Setting}
	}
}

// asStale is what is known of properties once the file has changed.
func asStale(properties []wire.PropertyStatus) []wire.PropertyStatus {
	all := make([]wire.PropertyStatus, len(properties))
	for i, p := range properties {
		words := ide.Words{State: ide.State(p.Freshness), Lens: p.Text, Verdict: p.Message}.AsStale()
		p.Freshness, p.Text, p.Message = wire.Freshness(words.State), words.Lens, words.Verdict
		p.Steps, p.Loop, p.Circuit = 0, 0, ""
		all[i] = p
	}
	return all
}

// difference returns the properties to be sent, all of them where they are others
// than before. That a file without any is read from disk is no news.
func difference(last, next *sentStatus) (changed []wire.PropertyStatus, whole bool) {
	changed = []wire.PropertyStatus{}
	if last == nil {
		return append(changed, next.properties...), len(next.properties) > 0 || next.without != nil || next.unwritten != ""
	}
	if len(last.properties) != len(next.properties) || !sameReason(last.without, next.without) || last.unwritten != next.unwritten {
		return append(changed, next.properties...), true
	}
	for i, p := range next.properties {
		switch before := last.properties[i]; {
		case before.Property != p.Property:
			return append([]wire.PropertyStatus{}, next.properties...), true
		case before != p:
			changed = append(changed, p)
		}
	}
	return changed, false
}

func sameReason(a, b *wire.NoProperties) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// statusesOf returns the status of all properties in text order; of a text
// that is out of step none.
func statusesOf(v *view) []wire.PropertyStatus {
	if v.outOfStep {
		return nil
	}
	if queries := horndesign.Queries(v.doc); queries != nil {
		return queryStatusesOf(v, queries)
	}
	properties := v.doc.Properties()
	all := make([]wire.PropertyStatus, len(properties))
	for i, p := range properties {
		all[i] = statusOf(v, p)
	}
	return all
}

// queryStatusesOf returns the status of queries of Horn clauses in the words of properties.
func queryStatusesOf(v *view, queries []horndesign.Query) []wire.PropertyStatus {
	all := make([]wire.PropertyStatus, len(queries))
	for i, q := range queries {
		all[i] = queryStatusOf(v, q)
	}
	return all
}

func queryStatusOf(v *view, q horndesign.Query) wire.PropertyStatus {
	s := v.queries.status(q)
	outcome, standing, state := s.Outcome()
	out := wire.PropertyStatus{
		Property: propertyID(q.Property), Name: q.Name, Range: v.mapper.SpanRange(q.Row), Verdict: wire.Verdict(outcome),
		Standing: standings[standing], Freshness: wire.Freshness(state), Text: s.String(), Message: s.Verdict(),
	}
	if s.Progress != nil {
		out.Depth = s.Progress.Level
	}
	return out
}

// standings are those of verify in the words of the wire.
var standings = [...]wire.Standing{
	verify.Open: wire.StandingOpen, verify.Passed: wire.StandingPassed,
	verify.Failed: wire.StandingFailed, verify.Useless: wire.StandingUseless,
}

// statusOf returns a status that outlives the text: names are copied, because a part of a
// text keeps all of it.
func statusOf(v *view, p design.Property) wire.PropertyStatus {
	s := v.status(p.ID)
	words := s.Words()
	out := wire.PropertyStatus{
		Property: propertyID(p.ID), Name: strings.Clone(p.Name), Range: v.mapper.SpanRange(p.Row),
		Verdict: wire.Verdict(words.Outcome), Standing: standings[s.Standing()], Freshness: wire.Freshness(words.State), Text: words.Lens, Message: words.Verdict,
	}
	if s.Result != nil {
		out.Seconds, out.Depth, out.Cached = s.Result.Took().Seconds(), s.Result.Checked.Depth(), s.Result.Cached
		out.Place = strings.Clone(s.Result.Place)
		if s.Freshness == ide.Fresh {
			out.Circuit = circuitID(s.Result.Fingerprint)
		}
	}
	if s.Counterexample != nil {
		out.Steps, out.Loop = s.Counterexample.Steps(), s.Counterexample.LoopSteps()
	}
	if s.Activity == ide.Checking {
		out.Depth, out.Nodes = s.Progress.Depth, s.Progress.Nodes
	}
	return out
}

// circuitID names the logic that a verdict is about, short enough for every status.
func circuitID(f circuit.Fingerprint) string { return hex.EncodeToString(f[:8]) }
