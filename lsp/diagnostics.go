package lsp

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/address"
	"aiglens/internal/findings"
	"aiglens/internal/source"
	"aiglens/lsp/ide"
	"aiglens/lsp/queue"
	"aiglens/lsp/settings"
)

// maxDiagnostics bounds what is sent for one document: clients slow down, and
// no user reads more.
const maxDiagnostics = 1000

// maxRelatedLines bounds the lines of a message about related places, for a client that does not show these
// as such.
const maxRelatedLines = 20

// verdictInterval is the shortest time between two publications for one document
// of which the second tells verdicts while more are on their way.
const verdictInterval = 100 * time.Millisecond

// diagnosticsSender sends diagnostics. It computes them from the newest snapshot, so that what
// is sent is never older than what was sent before.
type diagnosticsSender struct {
	*queue.Sender[uri.URI, urgency]
	snapshot *atomic.Pointer[snapshot]
	send     func(*protocol.PublishDiagnosticsParams)
	reading  *reading
	marked   map[uri.URI]urgency         // of the queue
	sent     map[uri.URI]sentDiagnostics // of Run
	last     map[uri.URI]time.Time       // of Run; when a document was looked at
}

// urgency says whether the diagnostics of a document may wait for others to share a
// publication with.
type urgency bool

const (
	soon   urgency = false
	atOnce urgency = true
)

// sentDiagnostics is what a client has for one document.
type sentDiagnostics struct {
	name    uri.URI
	version int32
	content string
}

func newDiagnosticsSender(c *core) *diagnosticsSender {
	p := &diagnosticsSender{
		snapshot: &c.snapshot, reading: newReading(c),
		send: func(p *protocol.PublishDiagnosticsParams) {
			c.deliver(c.ctx, protocol.MethodTextDocumentPublishDiagnostics, p)
		},
		marked: map[uri.URI]urgency{}, sent: map[uri.URI]sentDiagnostics{}, last: map[uri.URI]time.Time{},
	}
	p.Sender = queue.NewSender(queue.SenderConfig[uri.URI, urgency]{
		Merge: func(old, new urgency) urgency { return old || new },
		Rest:  p.rest,
		Send: func(ctx context.Context, u uri.URI, mark urgency) {
			if v := p.snapshot.Load().views[u]; v != nil && !p.reading.isDone(u, v, func() { p.Mark(u, mark) }) {
				return
			}
			p.last[u] = time.Now()
			c.guard("diagnostics", u, func() { p.publish(ctx, u) })
		},
	})
	return p
}

// request marks a document; it is for the queue only. What is marked becomes
// due with deliver, once the snapshot has been brought up to date: otherwise the
// sender could take the mark and look at the snapshot before.
func (p *diagnosticsSender) request(u uri.URI) { p.marked[u] = atOnce }

// requestSoon is request for what others of its kind are expected to follow:
// they share a publication when they come within verdictInterval.
func (p *diagnosticsSender) requestSoon(u uri.URI) { p.marked[u] = p.marked[u] || soon }

// deliver makes due what is marked.
func (p *diagnosticsSender) deliver() {
	p.MarkAll(p.marked)
	clear(p.marked)
}

func (p *diagnosticsSender) rest(u uri.URI, mark urgency, now time.Time) time.Duration {
	if mark == atOnce {
		return 0
	}
	return verdictInterval - now.Sub(p.last[u])
}

// publish sends the diagnostics of one document when they are news.
func (p *diagnosticsSender) publish(ctx context.Context, u uri.URI) {
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
	if now := p.snapshot.Load().views[u]; ctx.Err() != nil || now == nil || now.doc != v.doc || now.outOfStep != v.outOfStep {
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
	if !v.outOfStep && !v.hidden { // else the editor's version is another, and it might drop what is about this one
		params.Version = protocol.NewOptional(v.doc.Version)
	}
	p.send(params)
}

const emptyList = "[]"

// diagnostics are those of the text and the verdicts.
func (snap *snapshot) diagnostics(v *view) []protocol.Diagnostic {
	if v.outOfStep {
		return []protocol.Diagnostic{v.diagnostic(source.Diagnostic{Severity: source.Error, Code: codeOutOfStep, Message: outOfStepMessage}, false)}
	}
	proved := snap.settings.Proved == settings.ShowOn || snap.settings.Proved == settings.ShowAuto && !snap.client.codeLens
	found := slices.Concat(findings.Folded(v.doc.Text, v.findings()), ide.Verdicts(v.doc, v.shownStatus(), ide.VerdictOptions{Proved: proved}), ide.QueryVerdicts(v.doc, v.queries.status, ide.VerdictOptions{Proved: proved}), v.remarks.diagnostics(snap.settings.Facts))
	all := make([]protocol.Diagnostic, 0, min(len(found), maxDiagnostics))
	for _, severity := range []source.Severity{source.Error, source.Warning, source.Information, source.Hint} {
		for _, d := range found {
			if d.Severity == severity && len(all) < maxDiagnostics {
				out := v.diagnostic(d, snap.client.related)
				snap.describe(&out, v.doc.Kind.Name, d.Code)
				all = append(all, out)
			}
		}
	}
	if more := len(found) - len(all); more > 0 {
		sayMore(all, more)
	}
	return all
}

// sayMore says on the last diagnostic that lists of problems show, which hints are not
// among, how many are left out.
func sayMore(all []protocol.Diagnostic, more int) {
	last := &all[len(all)-1]
	for i := range all {
		if all[i].Severity != protocol.DiagnosticSeverityHint {
			last = &all[i]
		}
	}
	if text, ok := last.Message.(protocol.String); ok {
		last.Message = text + protocol.String(fmt.Sprintf(" (and %d more, which are not shown)", more))
	}
}

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
	for i, r := range d.Related {
		if !related && i == maxRelatedLines {
			message += fmt.Sprintf("\nand %d more places", len(d.Related)-i)
			break
		}
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

// describe links a diagnostic to the explanation of its code, for clients that
// show links. The place in the file is written as VS Code reads it; others open
// the file at its start.
func (snap *snapshot) describe(d *protocol.Diagnostic, format string, code source.Code) {
	if snap.explain == nil || !snap.client.describesCodes {
		return
	}
	if path, line, ok := snap.explain(format, string(code)); ok {
		d.CodeDescription.Href = uri.URI(fmt.Sprintf("%s#L%d", address.URI(path), line))
	}
}

// findings are those of the text and of its circuit, of which those of an earlier one stand
// in as far as it is not known.
func (v *view) findings() []source.Diagnostic {
	if v.earlier == nil {
		return findings.Union(v.doc.Diagnostics(), v.faults)
	}
	linted, isLinted := v.doc.Linted()
	if !isLinted {
		linted = v.earlier.linted
	}
	return findings.Union(v.doc.TextDiagnostics(), append(linted[:len(linted):len(linted)], v.earlier.faults...))
}

// shownStatus is status for diagnostics.
func (v *view) shownStatus() ide.Statuses {
	if v.earlier == nil {
		return v.status
	}
	return v.earlier.status(v.status)
}
