package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/thread"
)

// questions asks IC3 one question after another for a part, in its turns.
type questions struct {
	ctx     context.Context
	stop    context.CancelFunc
	options ic3.Options
	turn    Turn
	turnErr error
	spent   int64 // by the questions that have been answered
	depth   int   // how far the part has come
}

func newQuestions(ctx context.Context, o Options, turn Turn) *questions {
	q := &questions{options: o.IC3, turn: turn}
	// They refer to another circuit than the questions do.
	q.options.Lemmas, q.options.Guesses = nil, nil
	q.ctx, q.stop = thread.WithCancel(ctx)
	return q
}

// rest waits for the next turn, with what was spent besides IC3.
func (q *questions) rest(spent int64) error {
	q.spent += spent
	return q.turn(Progress{Effort: q.spent, Depth: q.depth})
}

// check asks whether bad 0 of c can be 1, from some frames on. The error is that of the
// context or of the turn.
func (q *questions) check(c *circuit.Circuit, frames ic3.Frames) (cert.Verdict, ic3.Frames, error) {
	v, reached, stats, err := ic3.CheckFrom(q.ctx, c, frames, q.options, func(p ic3.Progress) {
		if q.turnErr != nil {
			return
		}
		q.turnErr = q.turn(Progress{Effort: q.spent + p.Effort, Depth: q.depth, Lemmas: p.Lemmas, Obligations: p.Obligations})
		if q.turnErr != nil {
			q.stop()
		}
	})
	q.spent += stats.Effort + ic3.EncodeEffort(c)
	if q.turnErr != nil {
		err = q.turnErr
	}
	return v, reached, err
}
