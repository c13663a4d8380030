package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/wire"
)

// TestVerdictComesBeforeVacuity holds up the search for the reason of a proof while its verdict is
// looked at. What it finds follows, and stays over edits of other rows.
func TestVerdictComesBeforeVacuity(t *testing.T) {
	const implication = "aag 3 1 1 0 1 1\n2\n4 4\n6\n6 4 3\nc\ntext\n" // latch 4 is never 1
	var runs atomic.Int32
	gate := make(chan struct{})
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		if runs.Add(1) > 1 {
			select {
			case <-gate:
			case <-ctx.Done():
				return cert.Verdict{}, ctx.Err()
			}
		}
		return explicit(ctx, c, progress)
	}, func(o *Options) { o.ExplainProofs = true })
	b.Initialize(capable, nil)
	b.open(doc, implication)
	b.save(doc)
	b.awaitTitles(doc, "the verdict", func(titles []string) bool {
		if strings.Contains(strings.Join(titles, " "), "vacuous") {
			t.Fatalf("lenses %q before the reason was looked for", titles)
		}
		return strings.HasPrefix(titles[0], "proved")
	})
	b.await(func() bool { return runs.Load() > 1 })
	close(gate)
	isWarned := func(p published) bool { return places(p.Diagnostics, "vacuous") != "" }
	b.awaitDiagnostics("the reason", 0, isWarned)
	b.awaitTitles(doc, "the reason", func(titles []string) bool { return strings.Contains(titles[0], "vacuous") })

	before := runs.Load()
	mark := b.Mark()
	b.replace(doc, 2, strings.Replace(implication, "text", "another text", 1))
	b.awaitDiagnostics("the reason after an edit", mark, func(p published) bool { return p.Version == 2 && isWarned(p) })
	if after := runs.Load(); after != before {
		t.Errorf("%d more questions to the engine after an edit of a comment", after-before)
	}
}

// TestVacuityWhileCheckedAgain: a property that is checked again does not lose the reason of its proof
// for a moment. It is not looked for again, either.
func TestVacuityWhileCheckedAgain(t *testing.T) {
	const implication = "aag 3 1 1 0 1 1\n2\n4 4\n6\n6 4 3\n" // latch 4 is never 1
	var runs atomic.Int32
	gate := make(chan struct{}, 1)
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		runs.Add(1)
		select {
		case <-gate:
		case <-ctx.Done():
			return cert.Verdict{}, ctx.Err()
		}
		return explicit(ctx, c, progress)
	}, func(o *Options) { o.ExplainProofs = true })
	b.Initialize(capable, nil)
	b.open(doc, implication)
	b.save(doc)
	gate <- struct{}{} // for the check
	gate <- struct{}{} // for the reason
	isWarned := func(p published) bool { return places(p.Diagnostics, "vacuous") != "" }
	b.awaitDiagnostics("the reason", 0, isWarned)
	b.awaitTitles(doc, "the reason", func(titles []string) bool { return strings.Contains(titles[0], "vacuous") })
	b.sync()
	mark := b.Mark()
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "bad:0"}), nil)
	b.awaitTitles(doc, "the second check", func(titles []string) bool { return strings.HasPrefix(titles[0], "checking") })
	gate <- struct{}{}
	b.awaitTitles(doc, "the second verdict", func(titles []string) bool {
		if strings.HasPrefix(titles[0], "proved") && !strings.Contains(titles[0], "vacuous") {
			t.Fatalf("lens %q: the reason is lost", titles[0])
		}
		return strings.HasPrefix(titles[0], "proved")
	})
	b.sync()
	for _, m := range b.Received(mark) {
		var p published
		if m.Method == "textDocument/publishDiagnostics" && (json.Unmarshal(m.Params, &p) != nil || !isWarned(p)) {
			t.Errorf("the warning goes away: %+v", p.Diagnostics)
		}
	}
	if n := runs.Load(); n != 3 {
		t.Errorf("%d questions to the engine, want 3", n)
	}
}

// TestVacuityOfALaterProof: what is proved while the reason of another proof is looked for is not
// forgotten.
func TestVacuityOfALaterProof(t *testing.T) {
	const two = "aag 5 1 2 0 2 2\n2\n4 4\n6 6\n8\n10\n8 4 3\n10 6 3\n" // latches 4 and 6 are never 1
	var runs atomic.Int32
	gate := make(chan struct{})
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		if runs.Add(1) == 2 {
			select {
			case <-gate:
			case <-ctx.Done():
				return cert.Verdict{}, ctx.Err()
			}
		}
		return explicit(ctx, c, progress)
	}, func(o *Options) { o.ExplainProofs = true })
	b.Initialize(capable, map[string]any{"check": map[string]any{"trigger": "manual"}})
	b.open(doc, two)
	b.sync()
	check := func(p wire.PropertyID) {
		b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: p}), nil)
	}
	check("bad:0")
	b.await(func() bool { return runs.Load() > 1 })
	check("bad:1")
	b.awaitTitles(doc, "both verdicts", func(titles []string) bool { return strings.HasPrefix(titles[1], "proved") })
	close(gate)
	b.awaitTitles(doc, "both reasons", func(titles []string) bool {
		return strings.Contains(titles[0], "vacuous") && strings.Contains(titles[1], "vacuous")
	})
	b.awaitDiagnostics("the facts of both", 0, func(p published) bool {
		facts := said(p, "fact")
		return strings.Contains(facts, "2: always 0") && strings.Contains(facts, "3: always 0")
	})
}

// TestVacuousFromCache: what a cache knows to be proved is said to be vacuous by the next server, too.
func TestVacuousFromCache(t *testing.T) {
	const implication = "aag 3 1 1 0 1 1\n2\n4 4\n6\n6 4 3\n" // latch 4 is never 1
	cache := &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
	for _, isKnown := range []bool{false, true} {
		b := newBench(t, explicit, func(o *Options) { o.Cache, o.ExplainProofs = cache, true })
		b.Initialize(capable, nil)
		b.open(doc, implication)
		b.save(doc)
		b.awaitTitles(doc, "the reason", func(titles []string) bool { return strings.Contains(titles[0], "vacuous") })
		var known []wire.PropertyStatus
		if err := b.Call("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: doc}), &known); err != nil || known[0].Cached != isKnown {
			t.Errorf("%+v, %v; want cached %t", known, err, isKnown)
		}
	}
}

// TestManyVacuous finds the reason for each of many properties.
func TestManyVacuous(t *testing.T) {
	b := newBench(t, explicit, func(o *Options) { o.ExplainProofs = true })
	b.Initialize(capable, nil)
	const n = maxSmallProofs + 6
	var inputs, bads, gates strings.Builder
	for i := range n { // bad: latch 2, which is never 1, and not an input
		in, bad := 4+2*i, 4+2*(n+i)
		fmt.Fprintln(&inputs, in)
		fmt.Fprintln(&bads, bad)
		fmt.Fprintln(&gates, bad, in+1, 2)
	}
	b.open(doc, fmt.Sprintf("aag %d %d 1 0 %d %d\n%s2 2\n%s%s", 2*n+1, n, n, n, &inputs, &bads, &gates))
	b.save(doc)
	b.awaitTitles(doc, "all reasons", func(titles []string) bool {
		vacuous := 0
		for _, title := range titles {
			if strings.Contains(title, "vacuous") {
				vacuous++
			}
		}
		return vacuous == n
	})
}
