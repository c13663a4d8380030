package lsp

import (
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/internal/fault"
	"aiglens/internal/source"
)

// guard keeps a fault in f, which is about a document or none, to f.
func (c *core) guard(where string, about uri.URI, f func()) {
	defer func() {
		if value := recover(); value != nil {
			c.panicked(where, about, value)
		}
	}()
	f()
}

// guardText is guard for a text that requests may not see yet, or no more.
func (c *core) guardText(where string, doc *design.Design, f func()) {
	defer func() {
		if value := recover(); value != nil {
			c.panickedOn(where, fault.HashOf(doc.Text.Content()), value)
		}
	}()
	f()
}

// codeFault is that of the diagnostic on a text whose analysis has broken.
const codeFault source.Code = "server-fault"

// noAnalysis says that a fault has cost the analysis of a text.
func noAnalysis() source.Diagnostic {
	return source.Diagnostic{Severity: source.Warning, Code: codeFault, Message: "an internal error of the server stopped the analysis of this text: its properties are unknown until the next edit; see the log of the server"}
}

// handlerPanicked is panicked for the handler of a message.
func (c *core) handlerPanicked(method string, params []byte, value any) {
	c.panicked(method, documentOf(params), value)
}

// panicked is panickedOn for the text that requests see of a document, or of none.
func (c *core) panicked(where string, about uri.URI, value any) {
	text := ""
	if v := c.snapshot.Load().views[about]; v != nil {
		text = fault.HashOf(v.doc.Text.Content())
	}
	c.panickedOn(where, text, value)
}

// panickedOn logs what a deferred function has recovered from, leaves a report, and tells
// the user once where. Neither log nor report holds anything of the text but a hash.
func (c *core) panickedOn(where, text string, value any) {
	r := fault.Of(value, where, text)
	path, err := c.opts.Faults.Keep(r)
	c.log.Error("panic", zap.String("in", where), zap.String("kind", r.Kind), zap.String("text", text),
		zap.String("report", path), zap.NamedError("no report", err), zap.ByteString("stack", r.Stack))
	if path != "" && c.toldOfFault.CompareAndSwap(false, true) {
		c.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
			Type: protocol.MessageTypeError, Message: fmt.Sprintf("aiglens: an internal error of the server: one request (%s) has no answer; everything else continues. %s says where in the program it happened and contains nothing of your files: please attach it to your report.", where, path),
		})
	}
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
