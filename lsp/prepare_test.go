package lsp

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/checks"
	"aiglens/lsp/wire"
)

// TestRowsMoveWhileChecksArePrepared: a check belongs to its row, wherever that is once
// the check begins.
func TestRowsMoveWhileChecksArePrepared(t *testing.T) {
	inserted := strings.NewReplacer("0 2\n", "0 3\n", "4 4\n2\n", "4 4\n5\n2\n").Replace(toggle)
	removed := strings.NewReplacer("0 2\n", "0 1\n", "4 4\n2\n", "4 4\n").Replace(toggle)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a row in front":      {inserted, []string{"none stale", "refuted fresh", "proved fresh"}},
		"the first row taken": {removed, []string{"proved fresh"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, asked := range []bool{false, true} {
				b := newBench(t, explicit)
				b.Initialize(toldClient(), nil)
				w := newBoard(b)
				b.open(doc, toggle)
				b.settled(doc)
				s := b.server.session
				var submit func()
				s.queue.Do(func() { submit = s.prepared(t.Context(), asked) })
				b.replace(doc, 2, c.text)
				b.settled(doc)
				s.queue.Do(submit)
				w.expect(doc, c.want...)
			}
		})
	}
}

// prepared prepares a check of doc and returns what begins it.
func (s *session) prepared(ctx context.Context, asked bool) (submit func()) {
	f := s.texts.files[uri.URI(doc)]
	var ids []circuit.Property
	for _, p := range f.doc.Properties() {
		ids = append(ids, p.ID)
	}
	jobs, text, rows := s.checking.onTerms(checks.Prepare(ctx, f.doc, ids)), f.checks.Text(), f.doc.Properties()
	if !asked {
		return func() { s.checking.perform(f, f.checks.Save(text, rows, jobs, checks.Nowhere)) }
	}
	request, effects := f.checks.Ask(rows, ids)
	f.work.requests[request] = func() {}
	s.checking.perform(f, effects)
	return func() { s.checking.perform(f, f.checks.Answer(request, jobs, checks.Nowhere)) }
}

// TestSecondTryIsKept: what a second run finds, after one without an answer, goes into
// the cache.
func TestSecondTryIsKept(t *testing.T) {
	cache := &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
	b := newBench(t, func(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) (cert.Verdict, error) {
		return cert.Verdict{}, errors.New("no answer")
	}, func(o *Options) {
		o.Cache = cache
		first := o.Engine
		o.Engine = func(e engines.Spec) verify.Engine {
			if e.Solver == "gini" {
				return fakeEngine(explicit, new(atomic.Int32))
			}
			return first(e)
		}
	})
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	b.save(doc)
	w.expect(doc, "unknown fresh", "unknown fresh")
	b.server.session.queue.Do(func() { b.server.session.settings.Run.Engine.Solver = "gini" })
	b.checkAll()
	w.expect(doc, "refuted fresh", "proved fresh")
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if len(cache.entries) != 2 {
		t.Errorf("%d entries, expected 2", len(cache.entries))
	}
}

// TestVerdictOnAnotherPropertyOfTheCone: a save shows what was found for another
// property with the same cone.
func TestVerdictOnAnotherPropertyOfTheCone(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, edited(5, "2"))
	w.expect(doc, "none stale", "none stale")
	b.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: doc, Property: "bad:1"}), nil)
	w.expect(doc, "none stale", "refuted fresh")
	b.save(doc)
	w.expect(doc, "refuted fresh", "refuted fresh")
	b.expectRuns(1)
}

// TestNoCacheAnyMore: a check under way keeps nothing once the user wants no cache.
func TestNoCacheAnyMore(t *testing.T) {
	cache := &memoryCache{entries: map[circuit.Fingerprint]verify.Entry{}}
	g := newGate()
	b := newBench(t, g.behind(explicit), func(o *Options) { o.Cache = cache })
	b.Initialize(toldClient(), nil)
	w := newBoard(b)
	b.open(doc, toggle)
	b.save(doc)
	<-g.started
	<-g.started
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"check": map[string]any{"cache": false}}}})
	b.sync()
	g.open <- struct{}{}
	g.open <- struct{}{}
	w.expect(doc, "refuted fresh", "proved fresh")
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if len(cache.entries) > 0 {
		t.Errorf("%d entries, expected none", len(cache.entries))
	}
}
