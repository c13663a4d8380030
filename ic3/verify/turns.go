package verify

import (
	"context"
	"time"

	"aiglens/internal/thread"
)

// Turns are how the jobs about one circuit share out their time: easy ones have their
// answers before the hard ones have spent theirs, and leave what they have found to these.
// A turn starts the run again, and may take turnFactor times as long as the one before, so
// that what is done again is a small part. An engine that takes no seeds has but one turn,
// since nothing that others find would help it. One with Waiting alone is for a job that has
// had no turn.
type Turns struct {
	// Waiting reports whether another job waits for the end of a turn, which else goes on. It
	// may be called from any goroutine.
	Waiting func() bool

	taken int
	wall  time.Duration // of all turns so far
	cpu   time.Duration // likewise, of the whole process
}

const (
	// firstOfTurns is what most properties need at most.
	firstOfTurns = 100 * time.Millisecond
	firstRemote  = time.Second // which may begin with the start of a process
	turnFactor   = 4
	// longestStart is how long the others wait for a lemma of which no progress is known:
	// its process may have to be started on a busy machine. From the first report on they
	// wait as long as a turn takes.
	longestStart = 10 * time.Second
)

// errTurn ends a turn.
const errTurn = errLimit("turn")

// Run gives a job its next turn. When done is false there is nothing but how far it came,
// and another turn to follow.
func (t *Turns) Run(ctx context.Context, job Job, progress func(Progress)) (r Result, done bool) {
	begin, beginCPU := time.Now(), cpuTime()
	spent := func() time.Duration { return time.Since(begin) - r.waited }
	defer func() {
		t.taken++
		t.wall += spent()
		t.cpu += cpuTime() - beginCPU
	}()
	job.resumed = t.taken > 0
	allowed := job.Limits
	job.Limits.Wall = t.left(allowed.Wall, t.wall)
	if job.Engine.Where == Here {
		job.Limits.CPU = t.left(allowed.CPU, t.cpu)
	}
	job.turn = t
	r = Run(ctx, job, progress)
	if r.Checked.Reason() == string(errTurn) {
		return r, false
	}
	r.Allowed = allowed
	if job.Then != nil {
		// The turn that has just ended counts yet.
		job.Limits.Wall = t.left(allowed.Wall, t.wall+spent())
		job.Limits.CPU = t.left(allowed.CPU, t.cpu+cpuTime()-beginCPU)
		ctx, stop := WithLimits(ctx, job.Limits)
		defer stop()
		job.Then(ctx, r)
	}
	return r, true
}

// left returns what is left of a limit, 0 for none.
func (t *Turns) left(limit, spent time.Duration) time.Duration {
	if limit == 0 {
		return 0
	}
	return max(limit-spent, 1)
}

// bound ends a context, that of an engine, with the turn: the check of what it claims is
// never cut off. Where a limit on processor time counts, turns are in its measure.
func (t *Turns) bound(ctx context.Context, job Job) (context.Context, func()) {
	if t == nil {
		return ctx, func() {}
	}
	begin := time.Now()
	limit, now := job.Limits.Wall, func() time.Duration { return time.Since(begin) }
	length := firstRemote
	if job.Engine.Where == Here {
		length = firstOfTurns
		if job.Limits.CPU > 0 {
			limit, now = job.Limits.CPU, cpuTime
		}
	}
	for range t.taken {
		length *= turnFactor
	}
	// A turn that would leave little is the last one.
	if !job.Engine.TakesSeeds || job.Recall || limit > 0 && limit <= 2*length {
		return ctx, func() {}
	}
	ctx, cancel := thread.WithCancelCause(ctx)
	end := now() + length
	go func() {
		tick := time.NewTicker(limitPoll)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if now() >= end && t.Waiting() {
				cancel(errTurn)
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
