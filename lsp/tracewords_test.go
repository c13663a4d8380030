package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/lsp/wire"
)

// described says the words of a trace: name[high:low], the scopes, and the values that its bits
// have in the first steps.
func described(t *wire.Trace) (all []string) {
	for _, w := range t.Words {
		s := fmt.Sprintf("%s %s[%d:%d] in %s:", w.Group, w.Name, w.High, w.Low, strings.Join(w.Scope, "."))
		for _, b := range w.Bits {
			switch {
			case b.Missing:
				s += " -"
			case b.Signal < 0:
				s += " x"
			default:
				s += " " + t.Signals[b.Signal].Name
			}
		}
		all = append(all, s)
	}
	return all
}

// TestWordsOfTraces: words are sent with the signals; of a run that changes once, as what its
// signals are called.
func TestWordsOfTraces(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counted)
	b.save(doc)
	b.expectTitles("refuted at step 5", "refuted at step 3")
	trace := func(p wire.PropertyID) (a wire.Trace) {
		t.Helper()
		b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc, Property: p}}), &a)
		return a
	}
	of := func(a wire.Trace) []string { return described(&a) }
	if got := of(trace("bad:0")); !slices.Equal(got, []string{"latches count[2:0] in : count[2] count[1] count[0]"}) {
		t.Errorf("%q", got)
	}
	if got := of(trace("bad:1")); !slices.Equal(got, []string{"latches count[2:0] in : x count[1] count[0]"}) {
		t.Errorf("where the cone has a part: %q", got)
	}
	a := b.play(wire.PlayParams{Property: "bad:0"})
	if got := described(a.Trace); len(got) != 1 {
		t.Errorf("of a run: %q", got)
	}
	if again := b.play(wire.PlayParams{Run: &a.Run, Listed: a.List}); len(again.Trace.Words) != 0 || again.Values == nil {
		t.Errorf("what the client has is sent again: %+v", again.Trace.Words)
	}
}

// TestScopesOfTraces: words and signals of instances have the scopes.
func TestScopesOfTraces(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.openAs("blif", doc, `.model top
.inputs a
.outputs bad
.subckt twice d=a s=l0 t=l1
.subckt twice d=l0 s=r0 t=r1
.names r0 r1 l1 bad
111 1
.end
.model twice
.inputs d
.outputs s t
.latch d q[0] 0
.latch q[0] q[1] 0
.latch d z 0
.names q[0] s
1 1
.names q[1] z t
11 1
.end
`)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	var a wire.Trace
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}}), &a)
	got := described(&a)
	slices.Sort(got)
	if want := []string{"latches l0/q[1:0] in l0: l0/q[1] l0/q[0]", "latches r0/q[1:0] in r0: r0/q[1] r0/q[0]"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	for _, s := range a.Signals {
		if s.Group == wire.GroupLatches && (len(s.Scope) != 1 || s.Name != s.Scope[0]+"/"+s.Local) {
			t.Errorf("%s is %s in %q", s.Name, s.Local, s.Scope)
		}
	}
}
