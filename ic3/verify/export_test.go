package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// What tests that need engines, and so stand outside, see of the inside.

// CPUTime is cpuTime.
var CPUTime = cpuTime

// FirstOfTurns is firstOfTurns.
const FirstOfTurns = firstOfTurns

// MinimiseWork is minimiseWork.
const MinimiseWork = minimiseWork

// Shorten is shorten.
func Shorten(ctx context.Context, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	return shorten(ctx, circuit.Problem{Circuit: c}, v)
}

// Resumed returns a job that has had a turn without an answer.
func (job Job) Resumed() Job {
	job.resumed = true
	return job
}

// IsMinimal reports whether the trace was made minimal.
func (r Result) IsMinimal() bool { return r.minimal }

// Claim returns the engine's verdict on the cone.
func (r Result) Claim() cert.Verdict { return r.claim }

// Effort returns what Seeds.Effort will be.
func (e *Earlier) Effort() int64 { return e.effort }

// Hits returns the number of properties that a run is kept for.
func (p *Common) Hits() int { return len(p.hits) }
