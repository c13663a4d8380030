package verify

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"aiglens/circuit"
)

// Room bounds the circuits of checks that wait elsewhere: hundreds may wait, and each cone of a large
// file can be as large as the file. A check is in the room while its cone is in memory: until it is
// sent, and again from its answer on.
type Room struct {
	gates *semaphore.Weighted
	all   int64
	// proofs is the room of those that wait for their vacuity question, whose circuit is made from the cone.
	// The question itself takes its place in the room above, in which nothing waits for this one.
	proofs *Room
}

// NewRoom returns one for so many gates.
func NewRoom(gates int) *Room {
	n := int64(gates)
	return &Room{semaphore.NewWeighted(n), n, &Room{semaphore.NewWeighted(n), n, nil}}
}

// enter waits until there is room for the cone, which is at most the circuit.
func (r *run) enter(ctx context.Context, c *circuit.Circuit) error {
	room := r.Job.Engine.Room
	if room == nil {
		return nil
	}
	gates, begin := min(int64(c.NumVars()), room.all), time.Now()
	if err := room.gates.Acquire(ctx, gates); err != nil {
		return err
	}
	r.waited += time.Since(begin)
	r.takes = gates
	return nil
}

// leave gives up the room but for a cone that is kept, which may be nil.
func (r *run) leave(kept *circuit.Cone) {
	gates := int64(0)
	if kept != nil {
		gates = min(int64(kept.Circuit.NumVars()), r.takes)
	}
	if r.takes > gates {
		r.Job.Engine.Room.gates.Release(r.takes - gates)
		r.takes = gates
	}
}

// away gives up the cone while the check waits elsewhere.
func (r *run) away() {
	r.cone, r.asked = nil, asked{Problem: circuit.Problem{Question: r.asked.Question}}
	r.granted.asked = r.asked
	r.leave(nil)
}

// back makes the cone again.
func (r *run) back(ctx context.Context) (circuit.Problem, error) {
	if r.cone != nil {
		return r.granted.Problem, nil
	}
	if err := r.enter(ctx, r.Circuit); err != nil {
		return circuit.Problem{}, err
	}
	cone, err := r.Circuit.ConeContext(ctx, r.Property)
	r.leave(cone)
	if err != nil {
		return circuit.Problem{}, err
	}
	r.cone, r.asked = cone, ask(cone)
	r.granted = r.granted.about(r.asked)
	return r.granted.Problem, nil
}
