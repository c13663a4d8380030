package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"aiglens/internal/source"
	"aiglens/lsp/rpc"
	"aiglens/lsp/wire"
)

// TestFeaturesHeedCancel asks for every feature that may take long with a request that
// has been taken back: none computes an answer from then on.
func TestFeaturesHeedCancel(t *testing.T) {
	b := newBench(t, explicit)
	var over atomic.Bool
	methods := map[string]rpc.Method{}
	for name, m := range b.server.dispatcher.Methods {
		methods[name] = func(ctx context.Context, s protocol.Server, params []byte) (any, error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			if over.Load() {
				cancel()
			}
			return m(ctx, s, params)
		}
	}
	b.server.dispatcher.Methods = methods // before the first message
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.save(doc)
	b.expectTitles(refutedAt1, provedT)

	file := map[string]any{"uri": doc}
	latch := protocol.Position{Line: 1}
	whole := protocol.Range{End: protocol.Position{Line: 7}}
	item := map[string]any{"name": "flip", "kind": 8, "uri": doc, "range": whole, "selectionRange": protocol.Range{Start: latch, End: latch}}
	property := wire.PropertyParams{URI: doc, Property: "bad:0"}
	for _, request := range []struct {
		name, method string
		params       any
	}{
		{"hover", "textDocument/hover", map[string]any{"textDocument": file, "position": latch}},
		{"hints", "textDocument/inlayHint", map[string]any{"textDocument": file, "range": whole}},
		{"tokens", "textDocument/semanticTokens/full", map[string]any{"textDocument": file}},
		{"tokens of a range", "textDocument/semanticTokens/range", map[string]any{"textDocument": file, "range": whole}},
		{"lenses", "textDocument/codeLens", map[string]any{"textDocument": file}},
		{"actions", "textDocument/codeAction", map[string]any{"textDocument": file, "range": whole, "context": map[string]any{"diagnostics": []any{}}}},
		{"references", "textDocument/references", map[string]any{"textDocument": file, "position": latch, "context": map[string]any{"includeDeclaration": true}}},
		{"highlights", "textDocument/documentHighlight", map[string]any{"textDocument": file, "position": latch}},
		{"outline", "textDocument/documentSymbol", map[string]any{"textDocument": file}},
		{"completion", "textDocument/completion", map[string]any{"textDocument": file, "position": latch}},
		{"links", "textDocument/documentLink", map[string]any{"textDocument": file}},
		{"incoming calls", "callHierarchy/incomingCalls", map[string]any{"item": item}},
		{"outgoing calls", "callHierarchy/outgoingCalls", map[string]any{"item": item}},
		{"why", "workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: property})},
		{"trace", "workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: property})},
		{"latches", "workspace/executeCommand", command(wire.CommandLatches.Name, property)},
		{"export", "workspace/executeCommand", command(wire.CommandExportTrace.Name, wire.ExportParams{PropertyParams: property, Format: wire.FormatVCD})},
		{"place", wire.RequestAt.Name, wire.AtParams{URI: doc, Position: latch}},
		{"place as a text", "workspace/executeCommand", command(wire.CommandPlaceText.Name, wire.AtParams{URI: doc, Position: latch})},
		{"step", "workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:0", Position: &latch}, To: wire.MoveNextChange})},
		{"cause", "workspace/executeCommand", command(wire.CommandGoToCause.Name, wire.GoToCauseParams{PropertyParams: property, Signal: 2})},
	} {
		over.Store(false)
		if err := b.Call(request.method, request.params, nil); err != nil {
			t.Errorf("%s: %v", request.name, err)
		}
		over.Store(true)
		expectError(t, request.name, b.Call(request.method, request.params, nil), jsonrpc2.Code(protocol.CodeRequestCancelled))
	}
	over.Store(false)
}

// endingContext ends after it has been asked some times whether it has.
type endingContext struct {
	context.Context
	left *atomic.Int32
}

func (c endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestPromptly: a request ends when it is cancelled, whatever its computation is at, of which few run at
// once; one that breaks is an error.
func TestPromptly(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.settled(doc)
	s := b.server.session
	v := s.snapshot.Load().views[doc]
	gate, begun := make(chan struct{}), make(chan struct{})
	for range maxChoosing {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		_, err := promptly(ctx, s, v, func() (int, error) {
			begun <- struct{}{}
			<-gate
			return 1, nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := promptly(ctx, s, v, func() (int, error) { panic("one too many") }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while others run: %v", err)
	}
	close(gate)
	if n, err := promptly(t.Context(), s, v, func() (int, error) { return 2, nil }); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := promptly(t.Context(), s, v, func() (int, error) { panic("broken") }); !errors.Is(err, errBroken) {
		t.Errorf("broken: %v", err)
	}
}

// TestResolveHeedsCancel: whenever the request for the edit of an action is taken back, it is
// answered as that, not as one that cannot be done.
func TestResolveHeedsCancel(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.settled(doc)
	s := &server{session: b.server.session}
	snap := s.snapshot.Load()
	v := snap.views[doc]
	all := v.doc.Changes(context.Background(), source.Span{}, true)
	if len(all) == 0 {
		t.Fatal("nothing is offered")
	}
	cancelled := 0
	for _, c := range all {
		if _, err := c.Edits(); err != nil {
			continue // it cannot be done
		}
		data, _ := json.Marshal(wire.ApplyActionParams{URI: doc, Version: v.doc.Version, ID: c.ID, File: true})
		for n := range int32(10) {
			left := new(atomic.Int32)
			left.Store(n)
			ctx := endingContext{withSnapshot(context.Background(), snap), left}
			_, err := s.CodeActionResolve(ctx, &protocol.CodeAction{Data: data})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, taken back after %d questions: %v", c.ID, n, err)
			}
			if err != nil {
				cancelled++
			}
		}
	}
	if cancelled == 0 {
		t.Error("nothing has been taken back")
	}
}
