package life

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTriggers: the settings that say when a check starts hold at once.
func TestTriggers(t *testing.T) {
	e := start(t, options{settings: check(map[string]any{"trigger": "manual"})})
	f := e.open("file:///w/quick.aag", quick())
	e.save(f)
	e.agree(f)
	if !f.hasTexts("check", "check") {
		t.Errorf("manual, and saved: %+v", f.statuses)
	}
	e.execute("check", f.about("bad:1"), nil)
	e.awaitTexts(f, "check", "proved…")

	e.configure(check(map[string]any{"trigger": "onType", "delay": 0}))
	e.edit(f, quick()+"c\n")
	e.awaitTexts(f, "refuted at step 2", "proved…")
	e.edit(f, replaced(quick(), 5, "8 8 1"))
	e.awaitTexts(f, "refuted at step 2", "refuted at step 3")
	e.agree(f)
	e.expectRuns(f, 3)

	e.configure(check(map[string]any{"trigger": "onType", "delay": 3_600_000}))
	e.edit(f, replaced(quick(), 2, "2 2 0"))
	e.awaitTexts(f, "stale · refuted at step 2", "proved…")
	e.agree(f)
	e.expectRuns(f, 3)

	e.configure(check(map[string]any{"trigger": "onSave"}))
	e.edit(f, replaced(quick(), 3, "4 4 0"))
	e.agree(f)
	e.expectRuns(f, 3)
	e.save(f)
	e.awaitTexts(f, "proved…", "proved…")
	e.agree(f)
	e.expectRuns(f, 4)
}

// TestTypingChecks: onType a check starts when typing rests, not before.
func TestTypingChecks(t *testing.T) {
	e := start(t, options{settings: check(map[string]any{"trigger": "onType", "delay": 300})})
	f := e.open("file:///w/quick.aag", quick())
	text := quick() + "c\n"
	for range 20 {
		text += "x"
		e.edit(f, text)
		time.Sleep(5 * time.Millisecond)
	}
	e.awaitTexts(f, "refuted at step 2", "proved…")
	for _, h := range e.history(f) {
		if h.Version != f.version {
			t.Errorf("version %d was checked, the last one is %d: too slow a machine?", h.Version, f.version)
		}
	}
	e.agree(f)
}

// TestRunSettings: limits, engine, solver and the number of workers hold for checks
// that are under way, which start over where they must.
func TestRunSettings(t *testing.T) {
	e := start(t, options{settings: oneWorker})
	f := e.open("file:///w/hard.aag", hards(2))
	e.save(f)
	e.awaitTexts(f, "checking…", "queued")
	e.configure(check(map[string]any{"workers": 2}))
	e.awaitTexts(f, "checking…", "checking…")
	e.busyWorkers(2)
	e.configure(check(map[string]any{"workers": 2, "engine": "ic3", "solver": "gini"}))
	e.until("a new start", func() bool {
		return slices.ContainsFunc(f.statuses, func(s status) bool { return s.Freshness == "queued" || s.Depth < 3 })
	})
	e.awaitTexts(f, "checking…", "checking…")
	e.configure(check(map[string]any{"workers": 2, "timeout": 0.5}))
	e.awaitTexts(f, "unknown: timeout…", "unknown: timeout…")
	e.agree(f)
	e.awaitIdle(time.Now())
	e.configure(check(map[string]any{"workers": 1}))
	e.save(f) // the verdicts of another limit count for nothing
	e.awaitTexts(f, "checking…", "queued")
	e.until("one worker", func() bool { return len(e.workers()) <= 1 })
	e.execute("stop", map[string]any{}, nil)
	e.agree(f)
	for _, h := range e.history(f) {
		if !strings.HasPrefix(h.Message, "unknown: timeout") {
			t.Errorf("%+v", h)
		}
	}
}

// TestProvedDiagnostics are shown and taken back as the user wants.
func TestProvedDiagnostics(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/quick.aag", quick())
	e.save(f)
	e.awaitTexts(f, "refuted at step 2", "proved…")
	e.agree(f) // auto: a client with lenses needs none
	for _, on := range []bool{true, false, true} {
		word := map[bool]string{true: "on", false: "off"}[on]
		e.configure(map[string]any{"diagnostics": map[string]any{"proved": word}})
		e.showsProved = on
		e.agree(f)
	}
	e.expectRuns(f, 2)
}

// TestSettingsWhileChecking changes the settings of a check over and over. It never
// has two workers, and its end is the right one.
func TestSettingsWhileChecking(t *testing.T) {
	e := start(t, options{})
	f := e.open("file:///w/hard.aag", hard())
	e.save(f)
	e.awaitTexts(f, "checking…")
	most := 0
	for i := range 30 {
		e.configure(check(map[string]any{
			"workers": 1 + i%3, "timeout": 100 + i%4, "engine": []string{"auto", "ic3"}[i%2], "solver": []string{"core", "gini"}[i/2%2],
		}))
		for range 5 {
			time.Sleep(4 * time.Millisecond)
			most = max(most, len(e.workers()))
		}
		e.take()
	}
	if most > 1 {
		t.Errorf("%d workers at once for one property", most)
	}
	e.awaitTexts(f, "checking…")
	e.agree(f)
	n := &netlist{}
	n.bad(n.shift(3, 1), "full")
	e.edit(f, n.String())
	e.save(f)
	e.awaitTexts(f, "refuted at step 2")
	e.agree(f)
	e.expectRuns(f, 1)
}
