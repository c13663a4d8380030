package verify

import (
	"context"
	"sync/atomic"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/proof"
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

// vacuityAnswer is what was found about the proof of a cone, once that was requested. All
// copies of a Result share it.
type vacuityAnswer struct {
	asked   atomic.Bool
	finding atomic.Pointer[proof.Vacuity] // in terms of the cone; set before asked
}

// Vacuity says why a property is proved for a reason that means little; nil without
// FindVacuity, or when nothing was found. The literals of its condition are those of the
// cone; VacuousCondition has them in terms of a circuit.
func (r Result) Vacuity() *proof.Vacuity {
	if r.vacuity == nil {
		return nil
	}
	return r.vacuity.finding.Load()
}

// VacuousCondition returns the literals of the circuit that are never 1 at once, where that is why
// property p of it, with the cone of the result, holds vacuously; else nil.
func (r Result) VacuousCondition(c *circuit.Circuit, p circuit.Property) []circuit.Lit {
	bad, ok := c.Bad(p)
	if f := r.Vacuity(); !ok || f == nil || f.Kind != proof.VacuousAntecedent {
		return nil
	}
	return proof.ConditionOf(c, bad)
}

// IsVacuous reports whether a property is proved for a reason that means little, as far as is
// known: see Vacuity; or because no initial state meets the constraints.
func (r Result) IsVacuous() bool { return r.HasNoRun || r.Vacuity() != nil }

// AskedVacuity reports whether FindVacuity has nothing more to find.
func (r Result) AskedVacuity() bool { return r.vacuity == nil || r.vacuity.asked.Load() }

// FindVacuity looks for the reason why a property is proved vacuously, and reports whether it
// has found one that Vacuity did not know of. The result is one for property p of the circuit.
// It takes a share of the time of the run, in which an engine answers questions;
// their memory is bounded. When ctx ends first it may be asked again.
func (r Result) FindVacuity(ctx context.Context, c *circuit.Circuit, p circuit.Property, e Engine, memory int64) bool {
	if r.AskedVacuity() || r.Checked.Outcome() != cert.Proved {
		return false
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return false
	}
	limits := Limits{CPU: vacuityTime(cone, r.Took()), Memory: memory}
	return r.vacuity.find(ctx, cone, func(ctx context.Context, c *circuit.Circuit) bool {
		return isProved(ctx, c, e, limits)
	})
}

// find asks once. It reports whether something was found.
func (a *vacuityAnswer) find(ctx context.Context, cone *circuit.Cone, prove proof.Prove) bool {
	f, err := proof.FindVacuity(ctx, cone.Circuit, cone.Property(), prove)
	if f != nil {
		a.finding.Store(f)
	}
	if f != nil || err == nil && ctx.Err() == nil {
		a.asked.Store(true)
	}
	return f != nil
}

func vacuityTime(cone *circuit.Cone, took time.Duration) time.Duration {
	least := vacuityLeast
	if cone.Circuit.NumVars() <= smallCone {
		least = vacuitySmall
	}
	return max(least, took/vacuityShare)
}

// isProved reports whether an engine proves the only property of a circuit.
func isProved(ctx context.Context, c *circuit.Circuit, e Engine, limits Limits) bool {
	found := Run(ctx, Job{Circuit: c, Property: c.Properties()[0], Engine: e, Limits: limits}, nil)
	return found.Checked.Outcome() == cert.Proved
}

// findVacuity is FindVacuity as part of a run.
func (r *run) findVacuity(ctx context.Context) {
	if r.Property.Kind == circuit.PropertyCover {
		return // that it is never reached is bad enough, for whatever reason
	}
	if r.Job.Engine.Where == InCluster || !r.Job.FindVacuity || r.AskedVacuity() || r.Checked.Outcome() != cert.Proved {
		return
	}
	limits := Limits{CPU: vacuityTime(r.cone, time.Since(r.begin)), Memory: r.Limits.Memory}
	r.vacuity.find(ctx, r.cone, func(ctx context.Context, c *circuit.Circuit) bool {
		if r.Job.Engine.Where != Here && r.Cached { // no process is started for what is known already
			return false
		}
		return isProved(ctx, c, r.Job.Engine, limits)
	})
}
