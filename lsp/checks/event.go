package checks

import (
	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// Event is something that has happened to a property.
type Event interface{ isEvent() }

// The events of a Slot.
type (
	// Asked: the user wants it checked, whatever is known.
	Asked struct{ Request Request }
	// Answered: a request has been prepared.
	Answered struct {
		Request Request
		Job     Job
	}
	// Refused: a request cannot be answered, because the property has a fault or is gone.
	Refused struct{ Request Request }
	// Saved: a text was saved in which it has no verdict.
	Saved struct{ Job Job }
	// Outdated: a text was saved about which the run says nothing.
	Outdated struct{}
	// Opened: the file was opened, and the cache may know a verdict.
	Opened struct{ Job Job }
	// Accepted: a scheduler has been given the run.
	Accepted struct{ Run Run }
	// Progressed: a worker has begun with a run, or has come farther.
	Progressed struct {
		Run      Run
		Progress verify.Progress
	}
	// Finished: a run has a result.
	Finished struct {
		Run    Run
		Result verify.Result
	}
	// Related: it is known what the result of a run means for the present text.
	Related struct{ Run Run }
	// Stopped: the user wants nothing of it.
	Stopped struct{}
	// Moved: its row stands elsewhere, as another property.
	Moved struct{ To circuit.Property }
	// SchedulerReplaced: no scheduler has any run, until SchedulerReady.
	SchedulerReplaced struct{}
	// SchedulerReady: there is a scheduler to be given runs.
	SchedulerReady struct{}
	// Renewed: runs are to start over, with other limits or another engine.
	Renewed struct{ Limits verify.Limits }
)

func (Asked) isEvent()             {}
func (Answered) isEvent()          {}
func (Refused) isEvent()           {}
func (Saved) isEvent()             {}
func (Outdated) isEvent()          {}
func (Opened) isEvent()            {}
func (Accepted) isEvent()          {}
func (Progressed) isEvent()        {}
func (Finished) isEvent()          {}
func (Related) isEvent()           {}
func (Stopped) isEvent()           {}
func (Moved) isEvent()             {}
func (SchedulerReplaced) isEvent() {}
func (SchedulerReady) isEvent()    {}
func (Renewed) isEvent()           {}

// Effect is something that is to be done.
type Effect interface{ isEffect() }

// The effects of a Slot.
type (
	// Submit: a scheduler is to be given File.Job, in place of what it has for the
	// property, if that is due; Accepted follows. While there is none to be given
	// anything, this does nothing, and SchedulerReady asks once more.
	Submit struct{ Property circuit.Property }
	// Cancel: the scheduler is to end what it has for the property.
	Cancel struct{ Property circuit.Property }
	// Begun: one more run counts in the progress of the file.
	Begun struct{}
	// Relate: a verdict is to be held against the present text, and File.Relate to be
	// told. The zero Run is none: the verdict comes from another property, or version.
	Relate struct {
		Property circuit.Property
		Run      Run
		Result   *verify.Result
	}
	// Record: a verdict goes into the history, under the name and the row of the text
	// that was checked.
	Record struct {
		Property circuit.Property
		Name     string
		Version  int32
		Result   *verify.Result
	}
	// Show: the user is to see what has changed; Soon will do where others of the kind
	// follow.
	Show struct {
		Property circuit.Property
		Soon     bool
	}
	// Report: a run has come farther.
	Report struct{ Property circuit.Property }
)

// The further effects of a File.
type (
	// Touch: the knowledge about the property has changed. The receiver informs the
	// user.
	Touch struct{ Property circuit.Property }
	// Analyse: the analysis that is under way does not know a verdict, and is to begin
	// again.
	Analyse struct{}
	// Learn: it is to be found out what a result leaves for later runs, and Slot.Learn
	// to be told.
	Learn struct {
		Slot    *Slot
		Circuit *circuit.Circuit // that the result is about
		Names   verify.Names     // of Circuit
		Result  verify.Result
	}
	// Abandon: nothing waits for what is being prepared for a request.
	Abandon struct{ Request Request }
	// Settled: of the file's checks the last one that the user waits for has ended.
	Settled struct{}
	// Carried: rows have moved. To is Nowhere where the place is one of another property
	// of which something is known.
	Carried struct {
		To map[circuit.Property]circuit.Property
	}
)

func (Submit) isEffect()  {}
func (Cancel) isEffect()  {}
func (Begun) isEffect()   {}
func (Relate) isEffect()  {}
func (Record) isEffect()  {}
func (Show) isEffect()    {}
func (Report) isEffect()  {}
func (Touch) isEffect()   {}
func (Analyse) isEffect() {}
func (Learn) isEffect()   {}
func (Abandon) isEffect() {}
func (Settled) isEffect() {}
func (Carried) isEffect() {}
