package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
)

// wholeLog keeps what the server says of itself.
type wholeLog struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (l *wholeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *wholeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

const (
	fuzzedAIGER = "aag 3 1 1 0 1 1\n2\n4 6 1\n6\n6 4 2\ni0 request\nl0 busy\nb0 failed\n"
	fuzzedBTOR2 = "1 sort bitvec 1\n2 sort bitvec 3\n3 input 1 go\n4 zero 2\n5 state 2 q\n6 init 2 5 4\n7 inc 2 5\n8 ite 2 3 7 5\n9 next 2 5 8\n10 redand 1 5\n11 bad 10 full\n"
	fuzzedBLIF  = ".model m\n.inputs a b\n.outputs bad\n.subckt n i=a o=x\n.latch x q 1\n.names q b bad\n11 1\n.end\n.model n\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n"
)

// anyParams has the members that the messages of the protocol look for.
const anyParams = `{"textDocument":{"uri":"file:///f.blif","version":2},"position":{"line":4,"character":5},"positions":[{"line":1,"character":1}],
"range":{"start":{"line":1,"character":0},"end":{"line":5,"character":3}},"context":{"includeDeclaration":true,"triggerKind":1,"diagnostics":[]},
"contentChanges":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"text":"x"}],"newName":"x","name":"q","query":"q","ch":"\n",
"options":{"tabSize":1,"insertSpaces":true},"uri":"file:///f.blif","property":{"kind":"bad","index":0},"command":"aiglens.check","arguments":["file:///f.blif"],
"item":{"name":"q","kind":1,"uri":"file:///f.blif","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}}`

// FuzzMessages sends any message to a server that has files open. It answers each
// request once, no feature breaks, and it serves the next request.
func FuzzMessages(f *testing.F) {
	for name := range methods {
		f.Add(name, anyParams, true)
		f.Add(name, strings.ReplaceAll(anyParams, "f.blif", "f.aag"), false)
		f.Add(name, strings.ReplaceAll(anyParams, "f.blif", "f.btor2"), true)
	}
	f.Add("textDocument/didChange", `{"textDocument":{"uri":"file:///f.aag","version":-1},"contentChanges":[{"range":{"start":{"line":9999999,"character":4294967295},"end":{"line":0,"character":0}},"text":"\u0000"}]}`, false)
	f.Add("$/cancelRequest", `{"id":[1]}`, false)
	f.Add("workspace/didChangeConfiguration", `{"settings":{"aiglens":{"check":{"timeout":-1}}}}`, false)
	f.Add("", `[]`, true)
	f.Fuzz(func(t *testing.T, method, params string, isCall bool) {
		switch method {
		case "exit", "shutdown", "initialize":
			return
		}
		if !json.Valid([]byte(params)) || method != strings.ToValidUTF8(method, "") {
			return // FuzzStream of package rpc is about these
		}
		log := &wholeLog{}
		b := newBench(t, func(context.Context, *circuit.Circuit, func(verify.Progress)) (cert.Verdict, error) {
			return cert.Verdict{Reason: "no engine"}, nil
		}, func(o *Options) { o.Log = log })
		b.Initialize(capable, nil)
		b.open("file:///f.aag", fuzzedAIGER)
		b.openAs("blif", "file:///f.blif", fuzzedBLIF)
		b.openAs("btor2", "file:///f.btor2", fuzzedBTOR2)
		if isCall {
			var refused *lsptest.Error
			if err := b.Call(method, json.RawMessage(params), nil); err != nil && !errors.As(err, &refused) {
				t.Error(err)
			}
		} else {
			b.Notify(method, json.RawMessage(params))
		}
		b.sync()
		b.MustCall("shutdown", nil, nil)
		if text := log.String(); strings.Contains(text, "panic") || strings.Contains(text, "internal error") {
			t.Errorf("%s %s\n%s", method, params, text)
		}
	})
}
