// Package checks keeps the life of the checks of one file: what is asked for, what
// runs, what has been found, and which of it holds for the present text.
//
// It is a function of state and event. A Slot stands for one property:
//
//	                asked
//	┌──────┐ ─────────────────▶ ┌───────────┐   answered, saved
//	│ Idle │                    │ Preparing │ ─────────────────┐
//	└──────┘ ◀───────────────── └───────────┘                  │
//	 │ │  ▲        refused                                     ▼
//	 │ │  │                   saved                       ┌────────┐
//	 │ └──┼─────────────────────────────────────────────▶ │ Queued │ ◀─┐ renewed,
//	 │    │ nothing found             answered, saved     └────────┘   │ moved,
//	 │    │        ┌─────────────────────────▲───▲             │       │ scheduler
//	 │ opened      │                             │    progress │       │ replaced
//	 ▼    │        │                    another  │             ▼       │
//	┌──────────┐ ──┘                    cone     │        ┌─────────┐  │
//	│ Recalled │                                 └─────── │ Running │ ─┘
//	└──────────┘                                          └─────────┘
//	      │ finished, with an answer                           │ finished
//	      └───────────────────▶ ┌──────────┐ ◀─────────────────┘
//	                            │ Relating │
//	                            └──────────┘
//	                                  │ related, moved
//	                                  ▼
//	                                Idle
//
// Stopped leads from everywhere to Idle, outdated from every run. While a request of
// the user is being prepared, which may be so in every state but Idle, Preparing takes
// the place of Idle: a request ends with its answer, its refusal or a stop, and with
// nothing else.
//
// A File holds the slots of one file: their rows, which move (rows.go), the verdicts
// that are remembered over versions (verdicts.go), what earlier runs leave for later
// ones (learnt.go), and what the circuit of the present text says of all that
// (analysis.go), from which it tells the status of a property (status.go).
//
// The package starts no goroutine, reads no clock, waits for nothing, sends nothing,
// and knows neither schedulers nor the protocol: what is to be done comes back as
// effects, in their order, and what came of it goes in as events.
package checks

import (
	"aiglens/circuit"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
)

// State says where the check of a property stands.
type State uint8

// The states. Those from Recalled on have a run.
const (
	Idle      State = iota
	Preparing       // the user has asked: its cone is being looked at
	Recalled        // the cache is being asked, and nothing else
	Queued          // a run waits for a worker, or for a scheduler
	Running         // a worker is at it
	Relating        // a verdict is there, and is being held against the present text
)

func (s State) String() string {
	return [...]string{"idle", "preparing", "recalled", "queued", "running", "relating"}[s]
}

// Run is the number of a run: that of its scheduler, and the one that the scheduler
// has given. It is never given twice. The zero Run is none.
type Run struct {
	Scheduler int
	Number    uint64
}

// Request is the number of a check that the user has asked for; 0 is none.
type Request int

// Slot is what is known of one property beyond the text. In formulas run ≠ 0 stands
// for run ≠ Run{}.
type Slot struct {
	place circuit.Property // row of the text that the File's slots refer to
	state State
	// request is one of the user's that is being prepared.
	// state = Preparing ⇒ request ≠ 0; state = Idle ⇒ request = 0.
	request Request
	// run is what the scheduler has. Idle, Preparing ⇒ run = 0; Running, Relating ⇒
	// run ≠ 0. Recalled and Queued with run = 0 wait for a scheduler.
	run Run
	// job is what the run is about. Idle, Preparing ⇔ job is zero: it holds a circuit of
	// a version that may be long gone. Recalled ⇒ job.Recall; Queued, Running ⇒ ¬job.Recall.
	job      Job
	found    *verify.Result  // by the run: ≠ nil ⇔ state = Relating
	progress verify.Progress // zero unless Running

	last   *verify.Result    // the last verdict, of whatever version
	trace  *ide.EarlierTrace // the last counterexample that was shown
	learnt []learnt          // by runs about other cones
}

// Activity says what the user sees of the state. A question to the cache alone is not
// shown, because the user did not request it.
func (s *Slot) Activity() ide.Activity {
	switch s.state {
	case Preparing, Queued:
		return ide.Queued
	case Running:
		return ide.Checking
	case Relating:
		if !s.job.Recall {
			return ide.Checking
		}
	}
	if s.request != 0 {
		return ide.Queued
	}
	return ide.Idle
}

func (s *Slot) hasRun() bool { return s.state >= Recalled }

// isActive reports whether the user waits for the run.
func (s *Slot) isActive() bool { return s.hasRun() && !s.job.Recall }

// isActiveAfter reports whether the user waits for the run since a text later than another.
func (s *Slot) isActiveAfter(text Text) bool { return s.isActive() && s.job.text > text }

// isScheduled reports whether the scheduler has, or is to be given, the run.
func (s *Slot) isScheduled() bool { return s.hasRun() && s.state != Relating }

// On handles an event and returns what is to be done, in this order. What changes in
// the sight of the user is shown.
func (s *Slot) On(event Event) []Effect {
	before := s.Activity()
	effects := s.handle(event)
	if s.Activity() != before {
		effects = append(effects, Show{Property: s.place})
	}
	return effects
}

func (s *Slot) handle(event Event) []Effect {
	switch e := event.(type) {
	case Asked:
		return s.asked(e.Request)
	case Answered:
		return s.answered(e)
	case Refused:
		s.refused(e.Request)
	case Saved:
		return s.want(e.Job)
	case Outdated:
		return s.outdated()
	case Opened:
		return s.opened(e.Job)
	case Accepted:
		s.accepted(e.Run)
	case Progressed:
		return s.progressed(e)
	case Finished:
		return s.finished(e)
	case Related:
		if s.state == Relating && s.run == e.Run {
			return s.settle()
		}
	case Stopped:
		s.request = 0
		return s.outdated()
	case Moved:
		return s.moved(e.To)
	case SchedulerReplaced:
		s.withdraw()
	case SchedulerReady:
		return s.submit()
	case Renewed:
		return s.renewed(e.Limits)
	}
	return nil
}

func (s *Slot) asked(r Request) []Effect {
	s.request = r
	if s.state == Idle {
		s.state = Preparing
	}
	return nil
}

func (s *Slot) answered(e Answered) []Effect {
	if e.Request == 0 || s.request != e.Request {
		return nil
	}
	s.request = 0
	return s.want(e.Job)
}

func (s *Slot) refused(r Request) {
	if r == 0 || s.request != r {
		return
	}
	s.request = 0
	if s.state == Preparing {
		s.state = Idle
	}
}

// want begins a run unless the one that is under way is about the same problem, and has the
// lemmas that there are or an answer without them.
func (s *Slot) want(j Job) []Effect {
	if s.isActive() && s.job.isAbout(j) {
		if s.job.hasLemmas(j.Lemmas) || s.found != nil && s.found.Checked.Certified() {
			s.job.text = max(s.job.text, j.text)
			return nil
		}
		if s.job.hasOwnLimit && !j.hasOwnLimit {
			j.Limits.Wall, j.Limits.CPU, j.hasOwnLimit = s.job.Limits.Wall, s.job.Limits.CPU, true
		}
	}
	s.rest()
	s.state, s.job = Queued, j
	return []Effect{Submit{s.place}, Begun{}}
}

func (s *Slot) opened(j Job) []Effect {
	if s.state != Idle || s.last != nil {
		return nil
	}
	j.Recall = true
	s.state, s.job = Recalled, j
	return []Effect{Submit{s.place}}
}

// outdated ends the run, if there is one.
func (s *Slot) outdated() []Effect {
	var effects []Effect
	if s.isScheduled() && s.run != (Run{}) {
		effects = append(effects, Cancel{s.place})
	}
	s.rest()
	return effects
}

// rest leaves a run behind, whatever became of it.
func (s *Slot) rest() {
	s.run, s.job, s.found, s.progress = Run{}, Job{}, nil, verify.Progress{}
	s.state = Idle
	if s.request != 0 {
		s.state = Preparing
	}
}

func (s *Slot) accepted(r Run) {
	if s.isDue() {
		s.run = r
	}
}

func (s *Slot) progressed(e Progressed) []Effect {
	if s.run != e.Run || s.state != Queued && s.state != Running {
		return nil
	}
	s.progress = e.Progress
	if s.state == Running {
		return []Effect{Report{s.place}}
	}
	s.state = Running
	return nil
}

// finished handles the result of a run. Until it is known what that means for the
// present text the run counts as not finished, so that a good verdict is never shown as
// stale for a moment.
func (s *Slot) finished(e Finished) []Effect {
	if !s.awaits(e.Run) {
		return nil
	}
	if s.state == Recalled && !e.Result.Checked.Certified() {
		s.rest() // nothing is known, and no check was requested
		return nil
	}
	r := e.Result
	s.state, s.found, s.progress = Relating, &r, verify.Progress{}
	return []Effect{Relate{s.place, s.run, s.found}}
}

// awaits reports whether a result of a run would be taken in.
func (s *Slot) awaits(r Run) bool { return s.isScheduled() && s.run != (Run{}) && s.run == r }

// settle ends a run with its verdict. One from the cache, whose run was never shown,
// is followed by others of its kind.
func (s *Slot) settle() []Effect {
	s.last = s.found
	effects := []Effect{Record{s.job.Property, s.job.Name, s.job.Version, s.last}}
	if s.job.Recall {
		effects = append(effects, Show{s.place, true})
	}
	s.rest()
	return effects
}

// moved makes a slot follow its row. A run starts over, for schedulers know it by its
// place. A verdict that is there settles: that its row has moved means that the text is
// another, whose analysis knows it.
func (s *Slot) moved(to circuit.Property) []Effect {
	from := s.place
	s.place = to
	switch {
	case s.state == Relating:
		return s.settle()
	case !s.hasRun() || s.run == (Run{}):
		return nil
	}
	s.withdraw()
	return append([]Effect{Cancel{from}}, s.submit()...)
}

// withdraw makes a run wait for a scheduler.
func (s *Slot) withdraw() {
	if !s.isScheduled() {
		return
	}
	s.run, s.progress = Run{}, verify.Progress{}
	if s.state == Running {
		s.state = Queued
	}
}

// isDue reports whether there is a run that no scheduler has.
func (s *Slot) isDue() bool { return s.isScheduled() && s.run == (Run{}) }

// submit asks for a scheduler to be given a run that none has.
func (s *Slot) submit() []Effect {
	if s.isDue() {
		return []Effect{Submit{s.place}}
	}
	return nil
}

// renewed restarts a run with other limits, and with the engine of the present
// settings. One that no scheduler has is about to be submitted anyhow.
func (s *Slot) renewed(l verify.Limits) []Effect {
	if !s.isScheduled() {
		return nil
	}
	if s.job.hasOwnLimit {
		l.Wall, l.CPU = s.job.Limits.Wall, s.job.Limits.CPU
	}
	s.job.Limits = l
	if s.run == (Run{}) {
		return nil
	}
	s.withdraw()
	return s.submit()
}
