package checks

import (
	"context"
	"maps"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
)

// check holds the file against its invariants.
func (w *world) check() {
	active, busy, waiting := 0, false, map[Request]int{}
	for p, s := range w.f.slots {
		if err := s.broken(); err != nil {
			w.fail("%s: %w", p, err)
		}
		if s.place != p {
			w.fail("the slot of %s says that it is that of %s", p, s.place)
		}
		h, has := w.scheduled[p]
		if given := s.isScheduled() && s.run != (Run{}); given != has || has && h.run != s.run {
			w.fail("%s, but the scheduler has %v at %s", s.describe(), h.run, p)
		}
		if s.isActive() {
			active++
		}
		if s.request != 0 {
			waiting[s.request]++
		}
		busy = busy || s.Activity() != ide.Idle
	}
	for p := range w.scheduled {
		if w.f.slots[p] == nil {
			w.fail("a run at %s, where nothing is", p)
		}
	}
	if active != w.f.Active() || busy != w.f.IsBusy() {
		w.fail("%d are active, busy is %t: the file says %d, %t", active, busy, w.f.Active(), w.f.IsBusy())
	}
	for n, r := range w.f.requests {
		if r.waiting == 0 || r.waiting != waiting[n] {
			w.fail("%d wait for request %d: the file says %d", waiting[n], n, r.waiting)
		}
		delete(waiting, n)
	}
	if len(waiting) > 0 {
		w.fail("requests that the file does not know: %v", waiting)
	}
	w.checkVerdicts()
	w.checkWanted()
}

// checkVerdicts: a verdict that counts as fresh is one on a cone of the present text.
func (w *world) checkVerdicts() {
	if len(w.f.order) != len(w.f.results) {
		w.fail("%d verdicts in an order of %d", len(w.f.results), len(w.f.order))
	}
	for p := range w.f.Properties() {
		status := w.f.Status(p)
		if status.Freshness != ide.Fresh {
			continue
		}
		fingerprint, sound := w.present.fingerprint(p)
		if !sound || status.Result.Fingerprint != fingerprint || !w.f.IsAnalysed() {
			w.fail("%s is fresh of another text", p)
		}
		if x := status.Counterexample; x != nil && x.Property != p {
			w.fail("the counterexample of %s is one of %s", p, x.Property)
		}
	}
}

// checkWanted: a check that the user requested is being prepared, runs, or has its verdict,
// unless it was stopped, its row was edited since, or something else was saved while it ran.
func (w *world) checkWanted() {
	for s, asked := range w.wanted {
		here := w.f.slots[s.place] == s
		waits := here && (s.request != 0 || s.isActive() && s.job.Fingerprint == asked.fingerprint)
		came := here && s.last != nil && s.last.Fingerprint == asked.fingerprint
		switch {
		case waits:
			asked.answered = s.request == 0
			w.wanted[s] = asked
			continue
		case came, w.stopped, w.saved && asked.answered && w.savedText >= asked.text:
		case !here && w.f.placed > asked.text:
		default:
			w.fail("what was asked for %s is lost: %s", s.place, s.describe())
		}
		delete(w.wanted, s)
	}
}

// remembered is the naive twin of the verdicts: it looks for each in all that has come.
func (w *world) remembered() map[circuit.Fingerprint]cert.Outcome {
	all := map[circuit.Fingerprint]cert.Outcome{}
	for i, r := range w.history {
		if r.Fingerprint == (circuit.Fingerprint{}) || all[r.Fingerprint] != cert.Unknown {
			continue
		}
		all[r.Fingerprint] = r.Checked.Outcome()
		forgotten := slices.ContainsFunc(w.history[i:], func(r verify.Result) bool { return r.Fingerprint == circuit.Fingerprint{} })
		if forgotten && r.Checked.Outcome() == cert.Unknown {
			delete(all, r.Fingerprint)
		}
	}
	return all
}

// rest ends all that is under way.
func (w *world) rest() {
	w.stopped, w.saved, w.closed = false, false, false
	w.perform(w.f.All(SchedulerReady{}))
	w.check()
	for w.failure == nil && (w.analysing != nil || w.saving != nil || len(w.asking)+len(w.relating)+len(w.scheduled) > 0) {
		w.save(false)
		w.check()
		w.saved = false
		w.analysed()
		for _, n := range slices.Sorted(maps.Keys(w.asking)) {
			w.answer(n)
		}
		w.check()
		for len(w.relating) > 0 {
			w.relate(0)
			w.check()
		}
		for _, p := range sortedPlaces(w.scheduled) {
			w.finish(p, true)
			w.check()
		}
	}
}

// TestFileInItsWorld does at random what can be done to a file. In the end what was asked
// for is there, and a save brings all verdicts.
func TestFileInItsWorld(t *testing.T) {
	pool := samples(t, 40)
	results := map[circuit.Fingerprint]verify.Result{}
	for _, x := range pool {
		for _, k := range x.known {
			results[k.Result.Fingerprint] = *k.Result
		}
	}
	tryAll(t, 27, func(steps []step, log func(string)) error {
		w := newWorld(pool, results, log)
		for _, x := range steps {
			if w.act(x); w.failure != nil {
				return w.failure
			}
		}
		w.say("rest")
		w.rest()
		if len(w.wanted) > 0 || w.f.IsBusy() {
			w.fail("%d requests and %d runs are left", len(w.wanted), w.f.Active())
		}
		remembered := w.remembered()
		if len(remembered) != len(w.f.results) {
			w.fail("%d verdicts are remembered, expected %d", len(w.f.results), len(remembered))
		}
		for fingerprint, outcome := range remembered {
			if got := w.f.results[fingerprint].Checked.Outcome(); got != outcome {
				w.fail("%s is remembered as %v, expected %v", fingerprint, got, outcome)
			}
		}
		w.say("save")
		w.saving = &preparing{x: w.present, text: w.f.Text()}
		w.rest()
		for p, k := range w.present.known {
			status := w.f.Status(p)
			if status.Freshness != ide.Fresh || status.Activity != ide.Idle || status.Result.Checked.Certified() && status.Result.Checked.Outcome() != k.Result.Checked.Outcome() {
				w.fail("%s is %v after a save", p, status)
			}
		}
		return w.failure
	})
}

// TestAnalyseDocument compares the analysis that the tests above make up with the real one.
func TestAnalyseDocument(t *testing.T) {
	pool := samples(t, 40)
	for _, x := range pool {
		w := newWorld([]*sample{x}, nil, nil)
		for _, k := range x.known {
			w.f.remember(*k.Result, 100)
		}
		w.analyse()
		w.analysed()
		real := AnalyseDocument(t.Context(), x.doc, w.f.Results(), nil)
		if len(real.verdicts) != len(w.f.analysis.verdicts) || len(real.faults) != len(w.f.analysis.faults) {
			t.Fatalf("%d verdicts, %d faults; expected %d, %d", len(real.verdicts), len(real.faults), len(w.f.analysis.verdicts), len(w.f.analysis.faults))
		}
		for p, k := range real.verdicts {
			if got, want := k.Result.Checked.Outcome(), x.known[p].Result.Checked.Outcome(); got != want || (k.Counterexample != nil) != (want == cert.Refuted) {
				t.Errorf("%s: %v, expected %v", p, got, want)
			}
			relation := RelationOf(t.Context(), x.doc, Relate{p, Run{1, 1}, x.known[p].Result})
			if !relation.Current || relation.Known.Result.Checked.Outcome() != k.Result.Checked.Outcome() {
				t.Errorf("%s: %v", p, relation)
			}
		}
		done, cancel := context.WithCancel(t.Context())
		cancel()
		if AnalyseDocument(done, x.doc, nil, nil) != nil || Prepare(done, x.doc, x.all) != nil {
			t.Error("something is found after the end of the context")
		}
	}
}

// TestRefusedBeforeAnalysis: what no engine answers is fresh once the text is analysed, and
// not before: there may be an error in it.
func TestRefusedBeforeAnalysis(t *testing.T) {
	f, p := New(), circuit.Property{Kind: circuit.PropertyJustice}
	f.slot(p).last = &verify.Result{Unsupported: true}
	if got := f.Status(p).Freshness; got != ide.Stale {
		t.Errorf("%v without an analysis", got)
	}
	f.analysis = &Analysis{}
	if got := f.Status(p).Freshness; got != ide.Fresh {
		t.Errorf("%v after it", got)
	}
	f.analysis.faults = map[circuit.Property]fault{p: {line: 3}}
	if got := f.Status(p).Freshness; got != ide.Stale {
		t.Errorf("%v beside an error", got)
	}
}
