package auto

import (
	"cmp"
	"context"
	"errors"
	"iter"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/ic3/horn"
	"aiglens/ic3/horn/simplify"
	"aiglens/ic3/horn/verify"
	"aiglens/internal/thread"
)

// member is a variant that works on a simplified system.
type member struct {
	variant horn.Variant
	small   *simplify.Simplified

	answer  horn.Answer
	checked cert.Checked // of the answer, taken back
	spent   int64        // queries
	share   int64        // of all queries, beside the shares of others
	allowed int64        // queries until which it may go on
	isEnded bool
	resume  func() (struct{}, bool)
	stop    func()
}

// firstTurn is how many queries a member may ask in its first turn. Later turns are a quarter of what it has spent.
const (
	firstTurn = 500
	turnPart  = 4
)

// turns has members work by turns, on one core.
type turns struct {
	ctx      context.Context
	system   *chc.System
	progress func(verify.Progress)

	reason   string // why the last one has no answer
	undone   error  // why an answer was not taken back, or nil
	internal error
}

// take returns the first member whose answer is certified; nil when none has one. The member that has spent the least
// for its share comes next.
func (t *turns) take(members []*member) *member {
	for _, m := range members {
		t.start(m)
		defer m.stop()
	}
	for {
		var next *member
		for _, m := range members {
			if !m.isEnded && (next == nil || m.spent/m.share < next.spent/next.share) {
				next = m
			}
		}
		if next == nil || t.ctx.Err() != nil {
			return nil
		}
		next.allowed = next.spent + max(firstTurn, next.spent/turnPart)
		if _, goesOn := next.resume(); goesOn {
			continue
		}
		next.isEnded = true
		if t.certify(next) {
			return next
		}
	}
}

// start makes a member ready to work: on a goroutine of its own, but never at the same time as its owner.
func (t *turns) start(m *member) {
	m.resume, m.stop = iter.Pull(func(yield func(struct{}) bool) {
		ctx, cancel := thread.WithCancel(t.ctx)
		defer cancel()
		m.answer = horn.Solve(ctx, m.small.System, horn.Options{Variant: m.variant, Progress: func(p horn.Progress) {
			if t.progress != nil {
				t.progress(verify.Progress{Level: p.Level, Lemmas: p.Lemmas})
			}
			for m.spent = p.Queries; m.spent >= m.allowed && ctx.Err() == nil; {
				if !yield(struct{}{}) {
					cancel()
				}
			}
		}})
	})
}

// certify takes the answer of a member back, and checks it.
func (t *turns) certify(m *member) bool {
	a := m.answer.Answer
	var err error
	switch a.Outcome {
	case cert.Unknown:
		t.reason = a.Reason
		return false
	case cert.Sat:
		if a.Model, err = m.small.Model(t.ctx, a.Model); err == nil {
			a.Model, err = horn.WithRefutations(t.ctx, t.system, a.Model)
		}
	case cert.Unsat:
		a.Derivation = m.small.Derivation(a.Derivation)
	}
	if err != nil {
		t.undone, t.reason = err, err.Error()
		return false
	}
	checked, reason, fault := verify.Certify(t.ctx, t.system, a)
	t.reason, t.internal = cmp.Or(reason, t.reason), errors.Join(t.internal, fault)
	m.checked = checked
	return checked.Outcome() != cert.Unknown
}
