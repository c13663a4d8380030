package live

import (
	"context"
	"iter"

	"aiglens/circuit"
	"aiglens/internal/thread"
)

// runner is a part under way. It runs on a goroutine of its own, but never at the same
// time as its owner: it is resumed, and runs until it has spent what it may.
type runner struct {
	part    Part
	stats   PartStats
	allowed int64 // effort until which it may go on
	before  int64 // effort of its earlier runs, part of stats
	claim   Claim
	err     error
	ended   bool
	resume  func() (struct{}, bool)
	stop    func() // must be called
}

func newRunner(ctx context.Context, p Part, r *circuit.Repetition, o Options, before PartStats) *runner {
	u := &runner{part: p, stats: before, before: before.Effort, allowed: before.Effort}
	u.resume, u.stop = iter.Pull(func(yield func(struct{}) bool) {
		ctx, cancel := thread.WithCancel(ctx)
		defer cancel()
		u.claim, u.err = p.Run(ctx, r, o, func(now Progress) error {
			now.Effort += u.before
			for u.stats.Progress = now; now.Effort >= u.allowed && ctx.Err() == nil; {
				if !yield(struct{}{}) {
					cancel()
				}
			}
			return ctx.Err()
		})
	})
	return u
}

// advance goes on until about the given effort is spent in all.
func (u *runner) advance(effort int64) {
	u.stats.Turns++
	u.allowed = effort
	if _, goesOn := u.resume(); !goesOn {
		u.ended = true
	}
}

const (
	// firstTurn is what a part may spend in a turn for each unit of its share at first.
	firstTurn = 20_000
	// longestTurn bounds it later, when a turn is a part of what was spent before.
	longestTurn = 2_000_000
	turnPart    = 4
)

// takeTurns runs parts on r until one has a claim, and returns which; −1 when none has
// anything more to say. The part that has spent the least for its share comes next. The
// error is that of ctx.
func takeTurns(ctx context.Context, r *circuit.Repetition, o Options, parts []Part, stats *Stats, report func()) (by int, claim Claim, err error) {
	runners := make([]*runner, len(parts))
	for i, p := range parts {
		runners[i] = newRunner(ctx, p, r, o, stats.Parts[i])
		defer runners[i].stop()
	}
	for {
		next := -1
		for i, u := range runners {
			if !u.ended && (next < 0 || u.isBehind(runners[next])) {
				next = i
			}
		}
		if next < 0 {
			return -1, Claim{}, nil
		}
		u := runners[next]
		spent := u.stats.Effort
		u.advance(spent + u.part.Share*min(longestTurn, max(firstTurn, spent/u.part.Share/turnPart)))
		u.stats.Ended = u.ended && u.err == nil && u.claim.IsZero()
		if u.stats.Effort == spent {
			u.stats.Effort++ // one that counts nothing must not keep the others waiting
		}
		stats.Parts[next] = u.stats
		if report(); u.err != nil {
			return -1, Claim{}, u.err
		}
		if !u.claim.IsZero() {
			return next, u.claim, nil
		}
		if err := ctx.Err(); err != nil {
			return -1, Claim{}, err
		}
	}
}

// isBehind reports whether u has spent less than v for its share.
func (u *runner) isBehind(v *runner) bool {
	return u.stats.Effort/u.part.Share < v.stats.Effort/v.part.Share
}
