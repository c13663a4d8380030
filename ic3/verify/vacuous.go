package verify

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/vacuity"
)

// What processor time may be spent to find out why a property holds vacuously, for each
// question: a share of the run, and no less than after a short one. Questions about small
// cones have their answers within that.
const (
	vacuityShare = 10
	vacuityLeast = 50 * time.Millisecond
	vacuitySmall = 200 * time.Millisecond
	smallCone    = 500 // variables
)

// findVacuity finds out why a proved property holds vacuously, if it does, on its cone.
func (r *run) findVacuity(ctx context.Context) {
	if _, isQueued := r.Job.Engine.(Queueing); isQueued || !r.FindVacuity || r.Checked.Outcome() != cert.Proved {
		return
	}
	least := vacuityLeast
	if r.cone.Circuit.NumVars() <= smallCone {
		least = vacuitySmall
	}
	limits := Limits{CPU: max(least, time.Since(r.begin)/vacuityShare), Memory: r.Limits.Memory}
	_, isRemote := r.Job.Engine.(Remote)
	prove := func(ctx context.Context, c *circuit.Circuit) bool {
		if isRemote && r.Cached { // no process is started for what is known already
			return false
		}
		found := Run(ctx, Job{Circuit: c, Property: c.Properties()[0], Engine: r.Job.Engine, Limits: limits}, nil)
		return found.Checked.Outcome() == cert.Proved
	}
	r.claimVacuity, _ = vacuity.Of(ctx, r.cone.Circuit, r.cone.Property(), prove)
	r.Vacuity = liftVacuity(r.cone, r.claimVacuity)
	r.Vacuous = r.Vacuous || r.Vacuity != nil
}

// liftVacuity translates what was found about a cone to the circuit that it was taken from.
// The constraints of a cone are all that there are, in their order.
func liftVacuity(cone *circuit.Cone, f *vacuity.Finding) *vacuity.Finding {
	if f == nil {
		return nil
	}
	lifted := *f
	lifted.Condition = nil
	for _, l := range f.Condition {
		lifted.Condition = append(lifted.Condition, cone.LitFrom(l))
	}
	return &lifted
}
