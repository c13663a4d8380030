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

// WithVacuityOf returns the result with what is known, or will be, of another proof of the same cone:
// why a property holds vacuously does not depend on how it was proved.
func (r Result) WithVacuityOf(other Result) Result {
	if r.vacuity != nil && other.vacuity != nil && r.Fingerprint == other.Fingerprint && !r.vacuity.asked.Load() {
		r.vacuity = other.vacuity
	}
	return r
}

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
	question := Job{Engine: e, Limits: Limits{CPU: vacuityTime(cone, r.Took()), Memory: memory}}
	return r.vacuity.find(ctx, cone, func(ctx context.Context, c *circuit.Circuit) bool {
		return question.about(ctx, c).Checked.Outcome() == cert.Proved
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

// about runs a job about the only property of another circuit.
func (job Job) about(ctx context.Context, c *circuit.Circuit) Result {
	job.Circuit, job.Property, job.Engine = c, c.Properties()[0], job.Engine.alone()
	return Run(ctx, job, nil)
}

// findVacuity is FindVacuity as part of a run. What it comes to does not depend on where the
// engine runs, or whether the proof is from the cache, which knows what was proved for it before.
func (r *run) findVacuity(ctx context.Context) {
	if r.Property.Kind == circuit.PropertyCover {
		return // that it is never reached is bad enough, for whatever reason
	}
	if !r.Job.FindVacuity || r.AskedVacuity() || r.Checked.Outcome() != cert.Proved {
		return
	}
	took := r.Took()
	asked := r.Job.Engine
	if asked.Room != nil {
		r.away() // another check may be asked, and this one waits
		r.Job.Engine.Room = asked.Room.proofs
		if _, err := r.back(ctx); err != nil {
			return
		}
	}
	limits := Limits{CPU: vacuityTime(r.cone, took), Memory: r.Limits.Memory}
	if r.Job.Engine.Where == InCluster {
		limits.Wall = r.Limits.Wall // from its beginning on
	}
	question := Job{Engine: asked, Limits: limits, Cache: r.Cache}
	r.vacuity.find(ctx, r.cone, func(ctx context.Context, c *circuit.Circuit) bool {
		found := question.about(ctx, c)
		r.waited += found.waited
		return found.Checked.Outcome() == cert.Proved
	})
}
