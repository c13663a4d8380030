package checks

import (
	"fmt"
	"reflect"
	"slices"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

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
	savedText Text                      // by the last step that saved
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
	found := &Analysis{doc: a.x.doc, faults: map[circuit.Property]fault{}, verdicts: map[circuit.Property]Known{}}
	for _, p := range a.x.all {
		if fingerprint, sound := a.x.fingerprint(p); !sound {
			found.faults[p] = fault{line: 1}
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
		w.saved, w.savedText = true, s.text
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
			return // else it would ask for an absent property
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
		if w.perform(w.f.On(p, Stopped{})); w.state(p) != Idle {
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
	before, status := w.state(p), w.f.Status(p)
	if effects := w.f.On(p, e); len(effects) > 0 || w.state(p) != before || !reflect.DeepEqual(w.f.Status(p), status) {
		w.fail("an earlier run changes %s: %T", p, e)
	}
}

func (w *world) state(p circuit.Property) State {
	if s := w.f.slots[p]; s != nil {
		return s.state
	}
	return Idle
}

func sortedPlaces(m map[circuit.Property]held) []circuit.Property {
	all := make([]circuit.Property, 0, len(m))
	for p := range m {
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b circuit.Property) int { return a.Index - b.Index })
	return all
}
