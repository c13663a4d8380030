package checks

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
)

// sequences is how many random sequences of events each test of this file tries.
const sequences = 100_000

// step is one event of a random sequence, or what leads to several: what it means
// depends on what has come before, so that steps can be left out of a sequence.
type step struct{ kind, a, b int }

// tryAll runs random sequences and reports the shortest part of the first one that
// fails. try returns what is wrong; it tells log what it does, unless that is nil.
func tryAll(t *testing.T, kinds int, try func(steps []step, log func(string)) error) {
	t.Helper()
	n := sequences
	if testing.Short() {
		n /= 10
	}
	for seed := range int64(n) {
		r := rand.New(rand.NewSource(seed))
		steps := make([]step, 10+r.Intn(30))
		for i := range steps {
			steps[i] = step{r.Intn(kinds), r.Intn(1000), r.Intn(1000)}
		}
		if try(steps, nil) != nil {
			steps = shrink(steps, func(part []step) bool { return try(part, nil) != nil })
			var log []string
			err := try(steps, func(line string) { log = append(log, line) })
			t.Fatalf("sequence %d, %v:\n%s", seed, err, strings.Join(log, "\n"))
		}
	}
}

// shrink leaves out steps as long as the rest fails.
func shrink(steps []step, fails func([]step) bool) []step {
	for length := len(steps) / 2; length > 0; {
		shorter := false
		for at := 0; at+length <= len(steps); at++ {
			part := slices.Concat(steps[:at], steps[at+length:])
			if fails(part) {
				steps, shorter = part, true
				break
			}
		}
		if !shorter {
			length /= 2
		}
		length = min(length, len(steps))
	}
	return steps
}

// flags is the naive twin of a Slot: no states, but a flag for each thing that may be
// so, which every event sets or clears by a rule of its own.
type flags struct {
	asked              Request
	runs, recall       bool
	about              circuit.Fingerprint
	number             Run
	started, delivered bool // progress has come; the result has
	verdict            bool
}

func (w *flags) begin(j Job, recall bool) {
	*w = flags{asked: w.asked, verdict: w.verdict, runs: true, recall: recall, about: j.Fingerprint}
}

func (w *flags) end() { *w = flags{asked: w.asked, verdict: w.verdict} }

// same reports whether the user waits for a run about a job.
func (w *flags) same(j Job) bool { return w.runs && !w.recall && w.about == j.Fingerprint }

func (w *flags) on(event Event) {
	numbered := func(r Run) bool { return w.runs && w.number != Run{} && w.number == r }
	switch e := event.(type) {
	case Asked:
		w.asked = e.Request
	case Answered:
		if w.asked == e.Request {
			if w.asked = 0; !w.same(e.Job) {
				w.begin(e.Job, false)
			}
		}
	case Refused:
		if w.asked == e.Request {
			w.asked = 0
		}
	case Saved:
		if !w.same(e.Job) {
			w.begin(e.Job, false)
		}
	case Outdated:
		w.end()
	case Opened:
		if !w.runs && w.asked == 0 && !w.verdict {
			w.begin(e.Job, true)
		}
	case Accepted:
		if w.runs && !w.delivered && w.number == (Run{}) {
			w.number = e.Run
		}
	case Progressed:
		w.started = w.started || numbered(e.Run) && !w.recall && !w.delivered
	case Finished:
		switch {
		case !numbered(e.Run) || w.delivered:
		case w.recall && !e.Result.Checked.Certified():
			w.end()
		default:
			w.delivered = true
		}
	case Related:
		if numbered(e.Run) && w.delivered {
			w.verdict = true
			w.end()
		}
	case Stopped:
		w.asked = 0
		w.end()
	case Moved:
		if w.delivered {
			w.verdict = true
			w.end()
		}
		w.number, w.started = Run{}, false
	case SchedulerReplaced:
		if !w.delivered {
			w.number, w.started = Run{}, false
		}
	case Renewed:
		if !w.delivered && w.number != (Run{}) {
			w.number, w.started = Run{}, false
		}
	}
}

func (w *flags) activity() ide.Activity {
	switch {
	case w.runs && !w.recall && (w.started || w.delivered):
		return ide.Checking
	case w.runs && !w.recall || w.asked != 0:
		return ide.Queued
	}
	return ide.Idle
}

// TestSlotAndItsTwin compares a slot with its twin over random sequences of events, and
// what it asks for with a scheduler that knows one run of the property at a time.
func TestSlotAndItsTwin(t *testing.T) {
	tryAll(t, 20, func(steps []step, log func(string)) (err error) {
		s, twin := &Slot{place: bad(0)}, &flags{}
		scheduled := map[circuit.Property]Run{} // what the scheduler has
		numbers, requests, open := uint64(0), Request(0), true
		var send func(Event)
		send = func(e Event) {
			if err != nil {
				return
			}
			before := *s
			effects := s.On(e)
			twin.on(e)
			if log != nil {
				log(fmt.Sprintf("%T %s: %s%s", e, shortly(e), s.describe(), effectsString(effects)))
			}
			err = s.differs(twin)
			if early := isEarlier(e, numbers); err == nil && early && (len(effects) > 0 || s.state != before.state || s.last != before.last) {
				err = fmt.Errorf("an earlier run changes something")
			}
			for _, effect := range effects {
				switch effect := effect.(type) {
				case Cancel:
					if _, has := scheduled[effect.Property]; !has && err == nil {
						err = fmt.Errorf("nothing to cancel at %s", effect.Property)
					}
					delete(scheduled, effect.Property)
				case Submit:
					if open {
						numbers++
						scheduled[effect.Property] = Run{1, numbers}
						send(Accepted{Run{1, numbers}})
					}
				}
			}
			if done, is := e.(Finished); is && slices.Contains(slices.Collect(maps.Values(scheduled)), done.Run) {
				clear(scheduled)
			}
			if err == nil && len(scheduled) > 1 {
				err = fmt.Errorf("%d runs of one property", len(scheduled))
			}
			if err == nil && (len(scheduled) == 1) != (s.isScheduled() && s.run != Run{}) {
				err = fmt.Errorf("the scheduler has %v", scheduled)
			}
		}
		for _, step := range steps {
			send(randomEvent(step, s, &requests, numbers))
			switch step.kind {
			case 17:
				clear(scheduled)
				open = false
				send(SchedulerReplaced{})
			case 18, 19:
				open = true
				send(SchedulerReady{})
			}
			if err != nil {
				break
			}
		}
		return err
	})
}

// randomEvent returns the event of a step.
func randomEvent(x step, s *Slot, requests *Request, numbers uint64) Event {
	job, number := jobAbout(x.a%2), Run{1, numbers}
	if x.a%5 == 0 {
		number.Number -= min(numbers, uint64(1+x.b%3)) // an earlier one
	}
	result := proof
	if x.b%2 == 0 {
		result = unknown
	}
	switch x.kind {
	case 0, 1:
		*requests++
		return Asked{*requests}
	case 2, 3:
		return Answered{max(1, *requests-Request(x.a%4/3)), job}
	case 4:
		return Refused{max(1, *requests-Request(x.a%4/3))}
	case 5, 6, 7:
		return Saved{job}
	case 8:
		return Outdated{}
	case 9:
		return Opened{job}
	case 10, 11:
		return Progressed{Run: number}
	case 12, 13:
		return Finished{number, result}
	case 14, 15:
		return Related{number}
	case 16:
		if x.a%3 == 0 {
			return Renewed{verify.Limits{}}
		}
		return Moved{bad(x.b % 5)}
	}
	return Stopped{}
}

// isEarlier reports whether an event is one of a run before the last one.
func isEarlier(event Event, last uint64) bool {
	switch e := event.(type) {
	case Progressed:
		return e.Run.Number < last
	case Finished:
		return e.Run.Number < last
	case Related:
		return e.Run.Number < last
	}
	return false
}

// shortly leaves out of an event what is not readable.
func shortly(event Event) string {
	switch e := event.(type) {
	case Finished:
		return fmt.Sprint(e.Run, e.Result.Checked.Outcome())
	case Saved:
		return e.Job.Name
	case Opened:
		return e.Job.Name
	case Answered:
		return fmt.Sprint(e.Request, e.Job.Name)
	}
	return fmt.Sprint(event)
}

// differs compares a slot with its twin.
func (s *Slot) differs(twin *flags) error {
	same := flags{
		asked: s.request, runs: s.hasRun(), number: s.run, about: s.job.Fingerprint, recall: s.job.Recall,
		verdict: s.last != nil, started: twin.started, delivered: s.state == Relating,
	}
	switch {
	case same != *twin:
		return fmt.Errorf("the twin says %+v, the slot %+v", *twin, same)
	case s.Activity() != twin.activity():
		return fmt.Errorf("the twin says %v, the slot %v", twin.activity(), s.Activity())
	}
	return nil
}
