// Package portfolio runs several engines on one problem at the same time. The first
// answer whose certificate passes its check wins, and the others end.
//
// A portfolio depends on the clock: which member answers, and so the certificate and its
// size, may differ from run to run. The verdict may not. The package knows no engine by
// name and trusts none: whose certificate is rejected has not answered, and is reported
// as a fault. Check does not return before the goroutines of all members have ended.
package portfolio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
)

// progressEvery is the time between two looks at how far the members have come.
const progressEvery = 50 * time.Millisecond

// Name is what a portfolio without an answer is called; with one it is the member that had it.
const Name = "portfolio"

// Check has members work on a task at the same time. They answer its question, there is at
// least one, and they exchange lemmas among themselves. The first member that takes
// seeds begins with those of the task; the others begin from nothing, in case they lead nowhere.
// The members that may work at a time are as many as the task has processors; a member that is
// to rest does so when it next reports how far it has come.
func Check(ctx context.Context, t verify.Task, engines []verify.Engine) verify.Report {
	return CheckLate(ctx, t, engines, 0)
}

// CheckLate is Check with members that join the first one when it has worked for a time and has
// no answer.
func CheckLate(ctx context.Context, t verify.Task, engines []verify.Engine, after time.Duration) verify.Report {
	within, stop := thread.WithCancel(ctx)
	defer stop()
	members, ended := make([]*member, len(engines)), make(chan *member, len(engines))
	gate := newGate(len(engines), t.Processors, after > 0)
	join := time.NewTimer(after)
	defer join.Stop()
	for i, own := range tasks(t, engines) {
		m := &member{engine: engines[i]}
		members[i] = m
		go func() {
			m.run(within, own, func() { gate.pass(within, i) })
			if !m.isAnswer() { // an answer ends the others, and leaves its place to none
				gate.end(i)
			}
			ended <- m
		}()
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	var winner *member
	for running := len(members); running > 0; {
		select {
		case m := <-ended:
			running--
			if winner == nil && m.isAnswer() {
				winner = m
				stop()
			}
		case n := <-t.Processors:
			gate.allow(n)
		case <-join.C:
			gate.admitAll()
		case <-tick.C:
			t.Progress(farthest(members))
		}
	}
	t.Progress(farthest(members))
	return conclude(ctx, members, winner)
}

// tasks returns what each of the members is to do.
func tasks(t verify.Task, engines []verify.Engine) []verify.Task {
	hub, seeds := &Hub{}, t.Seeds
	t.Exchange, t.Processors = hub.Join, nil
	all := make([]verify.Task, len(engines))
	for i, e := range engines {
		t.Seeds = verify.Seeds{}
		if e.TakesSeeds {
			t.Seeds, seeds = seeds, verify.Seeds{}
		}
		all[i] = t
	}
	return all
}

// conclude returns what Check does when all members have ended.
func conclude(ctx context.Context, members []*member, winner *member) verify.Report {
	r := verify.Report{Engine: Name, Stats: counters(members, winner)}
	var faults []error
	var lost error // of members whose process has ended
	reason := ""
	for _, m := range members {
		faults = append(faults, m.fault)
		if r.Unfinished == nil {
			r.Unfinished = m.report.Unfinished
		}
		r.Verdict.Depth = max(r.Verdict.Depth, m.report.Verdict.Depth, m.last().Depth)
		e, isRemote := errors.AsType[*verify.RemoteError](m.report.Err)
		switch {
		case isRemote && e.Lost:
			lost = e
		case m.report.Err != nil:
			reason = cmp.Or(reason, m.report.Err.Error())
		default:
			reason = cmp.Or(reason, m.report.Verdict.Reason)
		}
	}
	r.Fault = errors.Join(faults...)
	switch {
	case winner != nil:
		won := winner.report
		r.Unfinished = nil
		r.Verdict, r.Engine, r.Place, r.Rejected = won.Verdict, cmp.Or(won.Engine, winner.engine.Name), won.Place, won.Rejected
	case ctx.Err() != nil:
		r.Verdict.Reason, r.Err = "cancelled", ctx.Err()
	case r.Fault != nil:
		r.Err = errors.New("internal error, every member of the portfolio failed or gave up")
	case reason == "" && lost != nil:
		r.Err = lost
	default:
		r.Verdict.Reason = reason
	}
	return r
}

// Keys of Stats beside those of the member that has answered.
const (
	statMembers = "members"
	statWinner  = "winner" // its position among the members, from 1 on
	statEfforts = "effort_of_all"
)

// counters returns those of the winner, and what all have spent, unless one of them does not
// say.
func counters(members []*member, winner *member) map[string]float64 {
	stats := map[string]float64{}
	effort, isKnown := 0.0, true
	for i, m := range members {
		isKnown = isKnown && m.report.Stats != nil
		effort += m.report.Stats[verify.StatEffort]
		if m == winner {
			maps.Copy(stats, m.report.Stats)
			stats[statWinner] = float64(i + 1)
		}
	}
	stats[statMembers] = float64(len(members))
	if isKnown {
		stats[statEfforts] = effort
	}
	return stats
}

// member is an engine at work.
type member struct {
	engine verify.Engine
	// Its result; no other goroutine reads it before it has ended.
	report verify.Report
	fault  error // of this program: a panic, or a certificate that was rejected

	mu  sync.Mutex
	now verify.Progress // guarded by mu
}

// isAnswer reports whether a member that has ended has decided the property.
func (m *member) isAnswer() bool {
	return m.report.Err == nil && m.fault == nil && m.report.Verdict.Outcome != cert.Unknown
}

// run makes the engine do its task, and checks its certificate. It calls rest when it
// may have to.
func (m *member) run(ctx context.Context, t verify.Task, rest func()) {
	defer func() {
		if value := recover(); value != nil {
			m.fault = fmt.Errorf("%s: panic: %v\n%s", m.engine.Name, value, debug.Stack())
		}
	}()
	if rest(); ctx.Err() != nil { // the context has ended while it waited
		m.report.Err, m.report.Stats = ctx.Err(), map[string]float64{verify.StatEffort: 0}
		return
	}
	t.Progress = func(p verify.Progress) {
		m.mu.Lock()
		m.now = p
		m.mu.Unlock()
		rest()
	}
	m.report = m.engine.Check(ctx, t)
	m.checkAnswer(ctx, t.Problem)
}

// checkAnswer checks the certificate of an answer.
func (m *member) checkAnswer(ctx context.Context, problem circuit.Problem) {
	name := cmp.Or(m.report.Engine, m.engine.Name)
	if e, ok := errors.AsType[*verify.RemoteError](m.report.Err); ok && e.Internal != nil {
		m.fault = fmt.Errorf("%s: %w", name, e.Internal)
	}
	if m.report.Err != nil || m.report.Verdict.Outcome == cert.Unknown {
		return
	}
	_, err := verify.CheckCertificate(ctx, problem.Circuit, problem.Property(), m.report.Verdict)
	if _, isRejected := errors.AsType[*cert.RejectedError](err); isRejected {
		m.fault = fmt.Errorf("%s: %w", name, err)
		m.report.Reject()
		return
	}
	m.report.Err = err
}

func (m *member) last() verify.Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// farthest is how far the members have come together.
func farthest(members []*member) verify.Progress {
	var far verify.Progress
	for _, m := range members {
		now := m.last()
		far.Depth, far.Bound = max(far.Depth, now.Depth), max(far.Bound, now.Bound)
		far.Lemmas += now.Lemmas
		far.Obligations += now.Obligations
	}
	return far
}
