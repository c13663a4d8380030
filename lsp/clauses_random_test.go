package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design/horndesign"
	"aiglens/lsp/wire"
)

// clauseNumbers are those of a counter in clauses: it begins with first and counts while it is below limit; query 0 is
// that it is more than bound, and query 1 that it is less than 0.
type clauseNumbers struct{ first, limit, bound int }

func (c clauseNumbers) text(comment string) string {
	return fmt.Sprintf(`(set-logic HORN) ;%s
(declare-fun P (Int) Bool)
(assert (P %d))
(assert (forall ((x Int)) (=> (and (P x) (< x %d)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x %d)) false)))
(assert (forall ((x Int)) (=> (and (P x) (< x 0)) false)))
`, comment, c.first, c.limit, c.bound)
}

// isReached reports whether query 0 is reached.
func (c clauseNumbers) isReached() bool { return max(c.first, c.limit) > c.bound }

// words are those of a step of a derivation with so many.
func (c clauseNumbers) words(step, steps int) string {
	if step == steps {
		return fmt.Sprintf("step %d of %d: false", step, steps)
	}
	return fmt.Sprintf("step %d of %d: P(%d)", step, steps, c.first+step-1)
}

// TestClausesChangeAtRandom: whatever is typed, undone and checked, a verdict is fresh when the clauses were checked as
// they are now, and stale otherwise. The step that is shown is one of the text, in its hints and where the client is told.
func TestClausesChangeAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 7))
	now := clauseNumbers{0, 4, 2}
	w, address := inFolder(t, explicit, map[string]string{"count.smt2": now.text("")})
	u := address("count.smt2")
	w.openAs("smt2", u, now.text(""))
	checked := map[clauseNumbers]bool{}
	history := []clauseNumbers{now}
	about := wire.PropertyParams{URI: uri.URI(u), Property: "bad:0"}
	isShown, step := false, 0 // once it is, it is shown wherever there is a derivation
	fresh, stale := 0, 0
	for version := int32(2); version <= 201; version++ {
		switch next := now; r.IntN(6) {
		case 0: // a comment alone
		case 1, 2: // undo
			now, history = history[len(history)-1], history[:max(1, len(history)-1)]
		default:
			*[]*int{&next.first, &next.limit, &next.bound}[r.IntN(3)] = r.IntN(6)
			history, now = append(history, now), next
		}
		w.replace(u, int(version), now.text(fmt.Sprint(version)))
		// At once, before anything is known to have settled.
		titles := w.titles(u)
		if areFresh(titles) != checked[now] {
			t.Fatalf("%+v: lenses %q, checked: %v", now, titles, checked[now])
		}
		if !checked[now] {
			stale++
			if hints := w.labels(u); len(hints) > 0 {
				t.Fatalf("%+v: steps %q of other clauses", now, hints)
			}
		}
		if !checked[now] && r.IntN(2) == 0 {
			w.save(u)
			checked[now] = true
			w.awaitTitles(u, "verdicts", areFresh)
		}
		if !checked[now] {
			w.expect(u, "none stale", "none stale")
			w.awaitStep(u, func(s wire.ShownStep) bool { return s.Property == "" })
			continue
		}
		fresh++
		if !now.isReached() {
			w.expect(u, "proved fresh", "proved fresh")
			w.awaitStep(u, func(s wire.ShownStep) bool { return s.Property == "" })
			continue
		}
		w.expect(u, "refuted fresh", "proved fresh")
		var shown wire.ShownStep
		if isShown {
			hints := w.labels(u)
			shown = w.awaitStep(u, func(s wire.ShownStep) bool {
				return s.Property != "" && strings.HasPrefix(s.Words, hints[len(hints)-1])
			})
			if shown.Step != min(step, shown.Steps) {
				t.Fatalf("%+v: %+v, it was step %d", now, shown, step)
			}
		}
		if !isShown || r.IntN(3) == 0 {
			to := []wire.Move{wire.MoveFirst, wire.MoveLast, wire.MoveNext, wire.MovePrevious}[r.IntN(4)]
			w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: about, To: to}), &shown)
			isShown = true
		}
		step = shown.Step
		want := now.words(shown.Step, shown.Steps)
		hints := w.labels(u)
		if !strings.HasPrefix(shown.Words, want) || !strings.HasPrefix(hints[len(hints)-1], want) || now.first+shown.Steps-2 <= now.bound {
			t.Fatalf("%+v: %+v, hints %q, expected %q", now, shown, hints, want)
		}
	}
	if fresh < 50 || stale < 30 {
		t.Errorf("%d fresh, %d stale", fresh, stale)
	}
}

// areFresh reports whether lenses have verdicts on the present text.
func areFresh(titles []string) bool {
	return len(titles) > 0 && !slices.ContainsFunc(titles, func(title string) bool {
		return strings.HasPrefix(title, "check") || strings.HasPrefix(title, "stale")
	})
}

// labels returns the hints of a file.
func (w *board) labels(u string) (all []string) {
	w.t.Helper()
	var hints []struct{ Label string }
	w.MustCall("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": u}, "range": protocol.Range{End: protocol.Position{Line: 1000}}}, &hints)
	for _, h := range hints {
		all = append(all, h.Label)
	}
	return all
}

// awaitStep waits until the step that the client was told last fits, which is none before the first.
func (w *board) awaitStep(u string, fits func(wire.ShownStep) bool) (last wire.ShownStep) {
	w.t.Helper()
	w.await(func() bool {
		last = wire.ShownStep{}
		for _, m := range w.Received(0) {
			var told wire.ShownStep
			if m.Method == wire.NotificationStepShown.Name && json.Unmarshal(m.Params, &told) == nil && string(told.URI) == u {
				last = told
			}
		}
		return fits(last)
	})
	return last
}

// TestClausesInserted: a query that is written before others leaves them their words and the step that is shown.
func TestClausesInserted(t *testing.T) {
	counter := clauseNumbers{0, 4, 2}
	text := counter.text("")
	w, address := inFolder(t, explicit, map[string]string{"count.smt2": text})
	u := address("count.smt2")
	w.openAs("smt2", u, text)
	w.save(u)
	w.awaitTitles(u, "verdicts", areFresh)
	var shown wire.ShownStep
	w.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{
		PropertyParams: wire.PropertyParams{URI: uri.URI(u), Property: "bad:0"}, To: wire.MoveLast,
	}), &shown)
	const inserted = "(assert (forall ((x Int)) (=> (and (P x) (> x 1000)) false)))\n"
	at := strings.Index(text, "(assert (forall ((x Int)) (=> (and (P x) (> x 2))")
	w.replace(u, 2, text[:at]+inserted+text[at:])
	titles := w.awaitTitles(u, "words of queries that were there", func(titles []string) bool {
		return len(titles) >= 3 && strings.HasPrefix(titles[1], "stale · reached") && strings.HasPrefix(titles[2], "stale · safe")
	})
	if strings.HasPrefix(titles[0], "stale") {
		t.Errorf("a new query has words: %q", titles)
	}
	w.awaitStep(u, func(s wire.ShownStep) bool { return s.Property == "" })
	w.save(u)
	w.awaitTitles(u, "verdicts", areFresh)
	if s := w.awaitStep(u, func(s wire.ShownStep) bool { return s.Property != "" }); s.Property != "bad:1" || s.Words[:14] != shown.Words[:14] {
		t.Errorf("the step is %+v, it was %+v", s, shown)
	}
}

// TestWordsOfOneQuery: of two verdicts on what has become one query, that of the text that was checked last stays.
func TestWordsOfOneQuery(t *testing.T) {
	own := horndesign.Fingerprint{1}
	bad := func(i int) circuit.Property { return circuit.Property{Kind: circuit.PropertyBad, Index: i} }
	for range 20 { // a map has its members in any order
		var none *queryChecks
		checks := none.changed()
		checks.say(ownKey{own, bad(1)}, "safe")    // after a query was written before it
		checks.say(ownKey{own, bad(0)}, "reached") // by a check that began before
		checks = checks.following([]horndesign.Query{{Own: horndesign.Fingerprint{2}, Property: bad(0)}, {Own: own, Property: bad(1)}})
		want := map[ownKey]string{{horndesign.Fingerprint{2}, bad(0)}: "", {own, bad(1)}: "reached"}
		if len(checks.last) != len(want) {
			t.Fatalf("words %v", checks.last)
		}
		for key, words := range want {
			if checks.last[key].words != words {
				t.Fatalf("words %v", checks.last)
			}
		}
	}
}
