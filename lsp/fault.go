package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/internal/fault"
	"aiglens/internal/source"
	"aiglens/lsp/queue"
)

// guard keeps a fault in f, which is about a document or none, to f.
func (s *session) guard(where string, about uri.URI, f func()) {
	defer func() {
		if value := recover(); value != nil {
			s.panicked(where, about, value)
		}
	}()
	f()
}

// guardText is guard for a text that requests may not see yet, or no more.
func (s *session) guardText(where string, doc *design.Design, f func()) {
	defer func() {
		if value := recover(); value != nil {
			s.panickedOn(where, fault.HashOf(doc.Text.Content()), value)
		}
	}()
	f()
}

// codeFault is that of the diagnostic on a text whose analysis has broken.
const codeFault source.Code = "server-fault"

// noAnalysis says that a fault has cost the analysis of a text.
func noAnalysis() source.Diagnostic {
	return source.Diagnostic{Severity: source.Warning, Code: codeFault, Message: "a fault of the server has cost the analysis of this text: nothing is known of its properties until it is edited; the log of the server says more"}
}

// handlerPanicked is panicked for the handler of a message.
func (s *session) handlerPanicked(method string, params []byte, value any) {
	s.panicked(method, documentOf(params), value)
}

// panicked is panickedOn for the text that requests see of a document, or of none.
func (s *session) panicked(where string, about uri.URI, value any) {
	text := ""
	if v := s.snapshot.Load().views[about]; v != nil {
		text = fault.HashOf(v.doc.Text.Content())
	}
	s.panickedOn(where, text, value)
}

// panickedOn logs what a deferred function has recovered from, leaves a report, and tells
// the user once where. Neither log nor report holds anything of the text but a hash.
func (s *session) panickedOn(where, text string, value any) {
	r := fault.Of(value, where, text)
	path, err := s.opts.Faults.Keep(r)
	s.log.Error("panic", zap.String("in", where), zap.String("kind", r.Kind), zap.String("text", text),
		zap.String("report", path), zap.NamedError("no report", err), zap.ByteString("stack", r.Stack))
	if path != "" && s.toldOfFault.CompareAndSwap(false, true) {
		s.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
			Type: protocol.MessageTypeError, Message: fmt.Sprintf("aiglens: a fault of the server cost one answer (%s); everything else goes on. %s says where in the program it was, and nothing of your files: please attach it when you report the fault.", where, path),
		})
	}
}

// logLines are lines of the log for the client. Of many that come while it does not read
// the first are kept, and how many more there were.
type logLines struct {
	lines   []protocol.LogMessageParams
	dropped int
}

const maxLogLines = 100

func (l logLines) with(more logLines) logLines {
	fit := min(len(more.lines), maxLogLines-len(l.lines))
	return logLines{append(l.lines, more.lines[:fit]...), l.dropped + more.dropped + len(more.lines) - fit}
}

// newLogSender returns what sends the log to the client.
func newLogSender(s *session) *queue.Sender[struct{}, logLines] {
	return queue.NewSender(queue.SenderConfig[struct{}, logLines]{
		Merge: logLines.with,
		Send: func(ctx context.Context, _ struct{}, l logLines) {
			for _, line := range l.lines {
				s.deliver(ctx, protocol.MethodWindowLogMessage, &line)
			}
			if l.dropped > 0 {
				s.deliver(ctx, protocol.MethodWindowLogMessage, &protocol.LogMessageParams{
					Type: protocol.MessageTypeWarning, Message: fmt.Sprintf("%d more lines are in the log on standard error", l.dropped),
				})
			}
		},
	})
}

// documentOf returns the document that the parameters of a message are about, or "".
func documentOf(params []byte) uri.URI {
	type about struct {
		URI          uri.URI
		TextDocument struct{ URI uri.URI }
	}
	var p struct {
		about
		Arguments  []about
		Item, Data about // of a call hierarchy; of an action or a completion that is resolved
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	for _, a := range append([]about{p.about, p.Item, p.Data}, p.Arguments...) {
		if u := a.URI + a.TextDocument.URI; u != "" {
			return u
		}
	}
	return ""
}
