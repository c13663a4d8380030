package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
	"aiglens/lsp/ide"
)

// maxDiagnostics bounds what is sent for one document: clients slow down, and
// nobody reads on.
const maxDiagnostics = 1000

// verdictInterval is the shortest time between two publications for one document
// of which the second tells verdicts while more are on their way.
const verdictInterval = 100 * time.Millisecond

// publisher sends diagnostics. It computes on a goroutine of its own from the
// newest snapshot, so that it is never older than what was sent before, and
// requests that come meanwhile are one.
type publisher struct {
	snapshot *atomic.Pointer[snapshot]
	send     func(*protocol.PublishDiagnosticsParams)
	guard    func(func())
	marked   map[uri.URI]bool // of the owner; true when at once
	mu       sync.Mutex
	due      map[uri.URI]bool // guarded by mu; true when at once
	waiting  []func()         // guarded by mu
	wake     chan struct{}
	sent     map[uri.URI]sentDiagnostics // of run
	last     map[uri.URI]time.Time       // of run; when a document was looked at
}

// sentDiagnostics is what a client has for one document.
type sentDiagnostics struct {
	name    uri.URI
	version int32
	content string
}

func newPublisher(s *session) *publisher {
	return &publisher{
		snapshot: &s.snapshot, guard: s.guard,
		send: func(p *protocol.PublishDiagnosticsParams) {
			s.notify(protocol.MethodTextDocumentPublishDiagnostics, p)
		},
		marked: map[uri.URI]bool{}, due: map[uri.URI]bool{}, wake: make(chan struct{}, 1), sent: map[uri.URI]sentDiagnostics{}, last: map[uri.URI]time.Time{},
	}
}

// request marks a document; it is for the owner only. What is marked becomes
// due with deliver, once the snapshot has been brought up to date: otherwise the
// publisher could take the mark and look at the snapshot before.
func (p *publisher) request(u uri.URI) { p.marked[u] = true }

// requestSoon is request for what others of its kind are expected to follow:
// they share a publication when they come within verdictInterval.
func (p *publisher) requestSoon(u uri.URI) {
	if !p.marked[u] {
		p.marked[u] = false
	}
}

// deliver wakes the publisher when something is marked.
func (p *publisher) deliver() {
	if len(p.marked) == 0 {
		return
	}
	p.mu.Lock()
	for u, now := range p.marked {
		p.due[u] = p.due[u] || now
	}
	p.mu.Unlock()
	clear(p.marked)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

func (p *publisher) run(ctx context.Context) {
	later := time.NewTimer(verdictInterval)
	defer later.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.wake:
		case <-later.C:
		}
		due, waiting, wait := p.take(time.Now())
		for _, u := range due {
			p.last[u] = time.Now()
			p.guard(func() { p.publish(ctx, u) })
		}
		for _, f := range waiting {
			f()
		}
		if wait > 0 {
			later.Reset(wait)
		}
	}
}

// take returns the documents to publish now, and after how long to come back
// for the others; 0 is never. Who waits for all waits for none.
func (p *publisher) take(now time.Time) (due []uri.URI, waiting []func(), wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting, p.waiting = p.waiting, nil
	for u, atOnce := range p.due {
		rest := verdictInterval - now.Sub(p.last[u])
		if !atOnce && rest > 0 && len(waiting) == 0 {
			wait = rest // one of them is enough: then there is another look
			continue
		}
		due = append(due, u)
		delete(p.due, u)
	}
	return due, waiting, wait
}

// publish sends the diagnostics of one document when they are news.
func (p *publisher) publish(ctx context.Context, u uri.URI) {
	snap := p.snapshot.Load()
	v := snap.views[u]
	last, had := p.sent[u]
	if v == nil {
		delete(p.sent, u)
		delete(p.last, u)
		if had && last.content != emptyList {
			p.send(&protocol.PublishDiagnosticsParams{URI: last.name, Diagnostics: []protocol.Diagnostic{}})
		}
		return
	}
	diagnostics := snap.diagnostics(v)
	if now := p.snapshot.Load().views[u]; ctx.Err() != nil || now == nil || now.doc != v.doc || now.lost != v.lost {
		return // the text has changed meanwhile, and a new request is on its way
	}
	content, err := protocol.Marshal(diagnostics)
	if err != nil {
		return
	}
	// An editor moves the marks along with the text that is typed, so marks that
	// are the same in a new version must be sent again; no marks cannot move.
	same := had && last.name == v.name && last.content == string(content)
	if same && (last.version == v.doc.Version || last.content == emptyList) {
		return
	}
	p.sent[u] = sentDiagnostics{v.name, v.doc.Version, string(content)}
	params := &protocol.PublishDiagnosticsParams{URI: v.name, Diagnostics: diagnostics}
	if !v.lost && !v.hidden { // else the editor's version is another, and it might drop what is about this one
		params.Version = protocol.NewOptional(v.doc.Version)
	}
	p.send(params)
}

const emptyList = "[]"

// diagnostics are those of the text and the verdicts.
func (snap *snapshot) diagnostics(v *view) []protocol.Diagnostic {
	if v.lost {
		return []protocol.Diagnostic{v.diagnostic(source.Diagnostic{Severity: source.Error, Code: codeOutOfStep, Message: outOfStep}, false)}
	}
	proved := snap.settings.proved == showOn || snap.settings.proved == showAuto && !snap.client.codeLens
	found := slices.Concat(v.doc.Diagnostics(), ide.Verdicts(v.doc, v.status, ide.VerdictOptions{Proved: proved}))
	all := make([]protocol.Diagnostic, 0, min(len(found), maxDiagnostics+1))
	for _, severity := range []source.Severity{source.Error, source.Warning, source.Information, source.Hint} {
		for _, d := range found {
			if d.Severity == severity && len(all) < maxDiagnostics {
				out := v.diagnostic(d, snap.client.related)
				snap.describe(&out, d.Code)
				all = append(all, out)
			}
		}
	}
	if more := len(found) - len(all); more > 0 {
		all = append(all, v.diagnostic(source.Diagnostic{Severity: source.Information, Code: codeMore, Message: fmt.Sprintf("%d more diagnostics are not shown", more)}, false))
	}
	return all
}

// codeMore is that of the diagnostic that stands for those left out.
const codeMore source.Code = "more-diagnostics"

// diagnostic converts one finding. What a client does not show as related
// information goes into the message.
func (v *view) diagnostic(d source.Diagnostic, related bool) protocol.Diagnostic {
	message := d.Message
	out := protocol.Diagnostic{
		Range:    v.mapper.SpanRange(d.Span),
		Severity: protocol.DiagnosticSeverity(d.Severity),
		Code:     protocol.String(d.Code),
		Source:   protocol.NewOptional("aiglens"),
	}
	for _, r := range d.Related {
		if related {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: v.name, Range: v.mapper.SpanRange(r.Span)}, Message: r.Message,
			})
			continue
		}
		line, _ := v.doc.Text.LineColumn(r.Span.Start)
		message += fmt.Sprintf("\n%s (line %d)", r.Message, line)
	}
	if d.Unnecessary {
		out.Tags = protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary)
	}
	out.Message = protocol.String(message)
	return out
}

// idle calls f once everything requested so far has been sent.
func (p *publisher) idle(f func()) {
	p.mu.Lock()
	p.waiting = append(p.waiting, f)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
