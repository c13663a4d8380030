package checks

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp/document"
	"aiglens/lsp/document/aigerdoc"
	"aiglens/lsp/ide"
)

// sample is a text and what there is to know of it.
type sample struct {
	doc   *document.Document
	all   []circuit.Property
	jobs  []Job
	known map[circuit.Property]Known // without those that have a fault
}

func (x *sample) fingerprint(p circuit.Property) (f circuit.Fingerprint, sound bool) {
	k, sound := x.known[p]
	if sound {
		f = k.Result.Fingerprint
	}
	return f, sound
}

// samples are texts of three latches with some properties, whose rows come, go and move
// from one to the other, and which seldom have a fault.
func samples(t *testing.T, n int) []*sample {
	t.Helper()
	r := rand.New(rand.NewSource(1))
	var all []*sample
	for range n {
		bads := r.Intn(5)
		var b strings.Builder
		fmt.Fprintf(&b, "aag 3 0 3 0 0 %d\n", bads)
		for i := 1; i <= 3; i++ {
			next := []int{2 * i, 2*i + 1, 2*(i%3) + 2, 0, 1}[r.Intn(5)]
			if r.Intn(20) == 0 {
				next = 99
			}
			fmt.Fprintf(&b, "%d %d\n", 2*i, next)
		}
		for range bads {
			fmt.Fprintf(&b, "%d\n", 2+r.Intn(6))
		}
		for i := range bads {
			if r.Intn(3) == 0 {
				fmt.Fprintf(&b, "b%d name%d\n", i, r.Intn(4))
			}
		}
		all = append(all, newSample(t, b.String()))
	}
	return all
}

func newSample(t *testing.T, text string) *sample {
	t.Helper()
	x := &sample{
		doc:   document.New("file:///w/a.aag", aigerdoc.Format, 1, source.NewText(text), document.Options{}),
		known: map[circuit.Property]Known{},
	}
	for _, p := range x.doc.Properties() {
		x.all = append(x.all, p.ID)
	}
	x.jobs = Prepare(t.Context(), x.doc, x.all)
	for _, j := range x.jobs {
		engine, err := engines.Default().New()
		if err != nil {
			t.Fatal(err)
		}
		j.Engine = engine
		r := verify.Run(t.Context(), j.Job, nil)
		k, ok := KnownFrom(t.Context(), x.doc, j.Property, r)
		if !ok || !r.Checked.Certified() || r.Fingerprint != j.Fingerprint {
			t.Fatalf("%s of %q: %v", j.Property, text, r)
		}
		x.known[j.Property] = k
	}
	return x
}

// world is what stands around a File: an editor with a user, background work, and a
// scheduler.
type world struct {
	pool    []*sample
	results map[circuit.Fingerprint]verify.Result
	log     func(string)
	failure error

	f         *File
	present   *sample
	analysing *analysing // the last one that was begun; nil when it is done
	saving    *preparing // likewise
	asking    map[Request]*preparing
	relating  []relating
	numbers   uint64
	closed    bool                      // no scheduler takes runs
	scheduled map[circuit.Property]held // what the scheduler has
	past      []Event                   // of runs that have ended
	wanted    map[*Slot]want            // what the user has asked for and not got yet
	history   []verify.Result           // that came; one without a fingerprint for ForgetUnknown
	stopped   bool                      // by the step
	saved     bool                      // likewise
}

type (
	analysing struct {
		x       *sample
		results map[circuit.Fingerprint]verify.Result
	}
	preparing struct {
		x    *sample
		text Text
		ids  []circuit.Property
	}
	relating struct {
		x      *sample
		text   Text
		effect Relate
	}
	held struct {
		run Run
		job Job
	}
	want struct {
		fingerprint circuit.Fingerprint
		text        Text
		answered    bool // before the present step
	}
)

func newWorld(pool []*sample, results map[circuit.Fingerprint]verify.Result, log func(string)) *world {
	w := &world{
		pool: pool, results: results, log: log, f: New(), asking: map[Request]*preparing{},
		scheduled: map[circuit.Property]held{}, wanted: map[*Slot]want{},
	}
	w.edit(pool[0])
	return w
}

func (w *world) fail(format string, values ...any) {
	if w.failure == nil {
		w.failure = fmt.Errorf(format, values...)
	}
}

func (w *world) edit(x *sample) {
	w.present = x
	w.f.Edited()
	w.analyse()
}

func (w *world) analyse() { w.analysing = &analysing{w.present, w.f.Results()} }

// analysed ends the analysis that is under way.
func (w *world) analysed() {
	a := w.analysing
	if a == nil {
		return
	}
	w.analysing = nil
	found := &Analysis{doc: a.x.doc, faults: map[circuit.Property]int{}, verdicts: map[circuit.Property]Known{}}
	for _, p := range a.x.all {
		if fingerprint, sound := a.x.fingerprint(p); !sound {
			found.faults[p] = 1
		} else if r, known := a.results[fingerprint]; known {
			found.verdicts[p] = w.known(a.x, p, r)
		}
	}
	w.perform(w.f.Analysed(found))
}

func (w *world) known(x *sample, p circuit.Property, r verify.Result) Known {
	if r.Checked.Certified() {
		return x.known[p]
	}
	return Known{Result: &r}
}

func (w *world) ask(ids []circuit.Property) {
	n, effects := w.f.Ask(w.present.doc.Properties(), ids)
	w.asking[n] = &preparing{x: w.present, ids: ids}
	for _, p := range ids {
		delete(w.wanted, w.f.slots[p])
		if fingerprint, sound := w.present.fingerprint(p); sound {
			w.wanted[w.f.slots[p]] = want{fingerprint: fingerprint, text: w.f.Text()}
		}
	}
	w.perform(effects)
}

// answer ends the preparation of a request.
func (w *world) answer(n Request) {
	var jobs []Job
	for _, j := range w.asking[n].x.jobs {
		if slices.Contains(w.asking[n].ids, j.Property) {
			jobs = append(jobs, j)
		}
	}
	delete(w.asking, n)
	w.perform(w.f.Answer(n, jobs, Nowhere))
}

func (w *world) save(open bool) {
	if s := w.saving; s != nil {
		w.saving = nil
		if open {
			w.perform(w.f.Open(s.text, s.x.doc.Properties(), slices.Clone(s.x.jobs)))
			return
		}
		w.saved = true
		w.perform(w.f.Save(s.text, s.x.doc.Properties(), slices.Clone(s.x.jobs), Nowhere))
	}
}

// relate ends what holds a verdict against a text.
func (w *world) relate(i int) {
	r := w.relating[i]
	w.relating = slices.Delete(w.relating, i, i+1)
	relation := Relation{Run: r.effect.Run, doc: r.x.doc}
	if fingerprint, sound := r.x.fingerprint(r.effect.Property); sound && fingerprint == r.effect.Result.Fingerprint {
		relation.Known, relation.Current = w.known(r.x, r.effect.Property, *r.effect.Result), true
	}
	w.past = append(w.past, Related{r.effect.Run})
	w.perform(w.f.Relate(r.text, r.effect.Property, relation))
}

func (w *world) finish(p circuit.Property, answers bool) {
	h := w.scheduled[p]
	delete(w.scheduled, p)
	r := unknown
	if answers {
		r = w.results[h.job.Fingerprint]
	}
	r.Fingerprint = h.job.Fingerprint
	if r.Checked.Certified() || !h.job.Recall {
		w.history = append(w.history, r)
	}
	done := Finished{h.run, r}
	w.past = append(w.past, done, Progressed{Run: h.run})
	w.perform(w.f.On(p, done))
}

func (w *world) perform(effects []Effect) {
	for _, effect := range effects {
		if w.log != nil {
			w.log(fmt.Sprintf("    %T %v", effect, effectPlace(effect)))
		}
		switch e := effect.(type) {
		case Submit:
			if !w.closed && w.f.IsDue(e.Property) {
				w.numbers++
				h := held{Run{1, w.numbers}, w.f.Job(e.Property)}
				w.scheduled[e.Property] = h
				w.perform(w.f.On(e.Property, Accepted{h.run}))
			}
		case Cancel:
			h, has := w.scheduled[e.Property]
			if !has {
				w.fail("nothing to cancel at %s", e.Property)
			}
			delete(w.scheduled, e.Property)
			w.past = append(w.past, Finished{h.run, unknown})
		case Relate:
			w.relating = append(w.relating, relating{w.present, w.f.Text(), e})
		case Analyse:
			w.analyse()
		case Abandon:
			if _, left := w.f.requests[e.Request]; left {
				w.fail("request %d is abandoned and waited for", e.Request)
			}
		}
	}
}

func effectPlace(effect Effect) any {
	switch e := effect.(type) {
	case Relate:
		return e.Property
	case Submit, Cancel, Show, Report, Touch, Abandon, Carried:
		return e
	}
	return ""
}

// act takes one step.
func (w *world) act(x step) {
	w.stopped, w.saved = false, false
	places := sortedPlaces(w.scheduled)
	p := bad(x.a % 4)
	switch x.kind {
	case 0, 1, 2:
		w.say("edit %d", x.a%len(w.pool))
		w.edit(w.pool[x.a%len(w.pool)])
	case 3, 4:
		w.say("analysed")
		w.analysed()
	case 5, 6:
		w.say("save")
		w.saving = &preparing{x: w.present, text: w.f.Text()}
	case 7:
		w.say("saved")
		w.save(false)
	case 8:
		w.say("opened")
		w.save(true)
	case 9:
		w.say("ask for all")
		w.ask(w.present.all)
	case 10, 11:
		if x.b%8 > 0 && !slices.Contains(w.present.all, p) {
			return // or somebody asks for what is not there
		}
		w.say("ask for %s", p)
		w.ask([]circuit.Property{p})
	case 12, 13:
		if n := Request(x.a % 5); w.asking[w.f.lastRequest-n] != nil {
			w.say("answer")
			w.answer(w.f.lastRequest - n)
		}
	case 14:
		if len(places) > 0 {
			p := places[x.a%len(places)]
			w.say("progress of %s", p)
			w.perform(w.f.On(p, Progressed{Run: w.scheduled[p].run}))
		}
	case 15, 16, 17:
		if len(places) > 0 {
			p := places[x.a%len(places)]
			w.say("end of %s", p)
			w.finish(p, x.b%4 > 0)
		}
	case 18, 19:
		if len(w.relating) > 0 {
			w.say("related")
			w.relate(x.a % len(w.relating))
		}
	case 20:
		w.say("stop %s", p)
		w.stopped = true
		if w.perform(w.f.On(p, Stopped{})); w.f.State(p) != Idle {
			w.fail("%s has been stopped, and is not idle", p)
		}
	case 21:
		w.say("stop all")
		w.stopped = true
		if w.perform(w.f.All(Stopped{})); w.f.IsBusy() {
			w.fail("all has been stopped, and something is busy")
		}
	case 22:
		w.say("scheduler replaced")
		w.closed = true
		for _, h := range w.scheduled {
			w.past = append(w.past, Finished{h.run, unknown})
		}
		clear(w.scheduled)
		w.perform(w.f.All(SchedulerReplaced{}))
	case 23, 24:
		w.say("scheduler ready")
		w.closed = false
		w.perform(w.f.All(SchedulerReady{}))
	case 25:
		w.say("renewed")
		w.perform(w.f.All(Renewed{}))
		w.f.ForgetUnknown()
		w.history = append(w.history, verify.Result{})
	case 26:
		if len(w.past) > 0 {
			w.earlier(p, w.past[x.b%len(w.past)])
		}
	}
	w.check()
}

func (w *world) say(format string, values ...any) {
	if w.log != nil {
		w.log(fmt.Sprintf(format, values...))
	}
}

// earlier delivers what an earlier run has to say.
func (w *world) earlier(p circuit.Property, e Event) {
	before, status := w.f.State(p), w.f.Status(p)
	if effects := w.f.On(p, e); len(effects) > 0 || w.f.State(p) != before || w.f.Status(p) != status {
		w.fail("an earlier run changes %s: %T", p, e)
	}
}

func sortedPlaces(m map[circuit.Property]held) []circuit.Property {
	all := make([]circuit.Property, 0, len(m))
	for p := range m {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b circuit.Property) int { return a.Index - b.Index })
	return all
}

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
	for _, p := range w.f.Properties() {
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

// checkWanted: what the user has asked for is being prepared, runs, or has come, unless
// somebody has stopped it, or edited its row since, or saved something else while it ran.
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
		case came, w.stopped, w.saved && asked.answered:
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
