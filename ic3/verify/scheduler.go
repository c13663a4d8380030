package verify

import (
	"context"

	"aiglens/circuit"
)

// ID names a slot of the scheduler: one property of one document. Two jobs
// never run in the same slot at once.
type ID struct {
	Document string
	Property circuit.Property
}

// State is where a run stands.
type State uint8

// The states, in the order in which a run passes them. Every run ends with
// exactly one Done.
const (
	Queued State = iota
	Running
	Done
)

// Event reports on one run.
type Event struct {
	ID       ID
	Run      uint64 // as returned by Submit
	State    State
	Progress Progress
	Result   Result // when Done; a cancelled run is unknown with reason "cancelled"
}

// Scheduler runs jobs in the background, at most so many at once, in the order
// of submission. Its methods may be called from any goroutine.
type Scheduler struct {
	ctx context.Context
}
