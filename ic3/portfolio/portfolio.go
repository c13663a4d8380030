// Package portfolio runs several engines on one problem at the same time. The first
// answer whose certificate passes its check wins, and the others end.
//
// A portfolio depends on the clock: which member answers, and so the certificate and its
// size, may differ from run to run. The verdict may not. The package knows no engine by
// name and trusts none: whose certificate is rejected has not answered, and is reported
// as a fault. Check does not return before the goroutines of all members have ended.
package portfolio

import (
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
)

// Members returns engines for one problem, which the portfolio uses for that alone. They
// answer its question, and there is at least one.
type Members func(problem circuit.Problem) []verify.Engine

// Portfolio is a verify.Engine for one job.
type Portfolio struct {
	members Members
	answers func(circuit.Question) bool
	seeds   verify.Seeds

	mu      sync.Mutex // guards both below
	allowed int        // members that may work at a time; 0 is all
	gate    *gate      // of the Check under way, or nil

	won   verify.Engine // whose answer the last Check returned, or nil
	stats map[string]float64
	fault error
}

// New returns a portfolio that answers some questions.
func New(answers func(circuit.Question) bool, members Members) *Portfolio {
	return &Portfolio{answers: answers, members: members}
}

// Answers implements verify.Engine.
func (p *Portfolio) Answers(q circuit.Question) bool { return p.answers(q) }

// Name implements verify.Engine: that of the member whose answer the last Check returned.
func (p *Portfolio) Name() string {
	if p.won != nil {
		return p.won.Name()
	}
	return "portfolio"
}

// Seed implements verify.Seeded. The first member that takes clauses begins with them;
// the others begin from nothing, in case they lead nowhere.
func (p *Portfolio) Seed(s verify.Seeds) { p.seeds = s }

// Allow implements verify.Throttled. A member that is to rest does so when it next
// reports how far it has come.
func (p *Portfolio) Allow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = n
	if p.gate != nil {
		p.gate.allow(n)
	}
}

// newGate returns the gate of a Check.
func (p *Portfolio) newGate(members int) *gate {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate = newGate(members, p.allowed)
	return p.gate
}

// Fault implements verify.Faulty.
func (p *Portfolio) Fault() error { return p.fault }

// Rejected tells the member whose answer the last Check returned that its certificate has
// failed a later check; see verify.Remote.
func (p *Portfolio) Rejected() { reject(p.won) }

// Place implements verify.Placed: that of the member whose answer the last Check returned.
func (p *Portfolio) Place() string {
	if placed, ok := p.won.(verify.Placed); ok {
		return placed.Place()
	}
	return ""
}

func reject(e verify.Engine) {
	if remote, ok := e.(verify.Remote); ok {
		remote.Rejected()
	}
}

// Keys of Stats beside those of the member that has answered.
const (
	statMembers = "members"
	statWinner  = "winner" // its position among the members, from 1 on
	statEfforts = "effort_of_all"
)

// Stats implements verify.StatsReporter.
func (p *Portfolio) Stats() map[string]float64 { return p.stats }

// progressEvery is the time between two looks at how far the members have come.
const progressEvery = 50 * time.Millisecond

// Check implements verify.Engine.
func (p *Portfolio) Check(ctx context.Context, problem circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	p.won, p.stats, p.fault = nil, nil, nil
	engines := p.members(problem)
	p.seedOne(engines)
	within, stop := context.WithCancel(ctx)
	defer stop()
	members, ended := make([]*member, len(engines)), make(chan *member, len(engines))
	gate := p.newGate(len(engines))
	for i, e := range engines {
		members[i] = &member{Engine: e}
		go func() {
			members[i].run(within, problem, func() { gate.pass(within, i) })
			gate.end(i)
			ended <- members[i]
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
		case <-tick.C:
			progress(farthest(members))
		}
	}
	progress(farthest(members))
	return p.conclude(ctx, members, winner)
}

// seedOne gives the earlier clauses to one member.
func (p *Portfolio) seedOne(engines []verify.Engine) {
	for _, e := range engines {
		if s, ok := e.(verify.Seeded); ok && len(p.seeds.Clauses)+len(p.seeds.Lemmas) > 0 {
			s.Seed(p.seeds)
			return
		}
	}
}

// conclude returns what Check does when all members have ended.
func (p *Portfolio) conclude(ctx context.Context, members []*member, winner *member) (cert.Verdict, error) {
	var faults []error
	var lost error // of members whose process has ended
	depth, reason := 0, ""
	for _, m := range members {
		faults = append(faults, m.fault)
		depth = max(depth, m.verdict.Depth, m.last().Depth)
		e, isRemote := errors.AsType[*verify.RemoteError](m.err)
		switch {
		case isRemote && e.Lost:
			lost = e
		case m.err != nil:
			reason = m.err.Error()
		case m.verdict.Reason != "":
			reason = m.verdict.Reason
		}
	}
	p.fault = errors.Join(faults...)
	p.count(members, winner)
	switch {
	case winner != nil:
		p.won = winner.Engine
		return winner.verdict, nil
	case ctx.Err() != nil:
		return cert.Verdict{Depth: depth, Reason: "cancelled"}, ctx.Err()
	case p.fault != nil:
		return cert.Verdict{Depth: depth}, errors.New("internal error, every member of the portfolio failed or gave up")
	case reason == "" && lost != nil:
		return cert.Verdict{Depth: depth}, lost
	}
	return cert.Verdict{Depth: depth, Reason: reason}, nil
}

// count fills the counters: those of the winner, and what all have spent, unless one of them
// does not say.
func (p *Portfolio) count(members []*member, winner *member) {
	p.stats = map[string]float64{}
	effort, isKnown := 0.0, true
	for i, m := range members {
		s, ok := m.Engine.(verify.StatsReporter)
		if !ok {
			continue
		}
		stats := s.Stats()
		isKnown = isKnown && stats != nil
		effort += stats[verify.StatEffort]
		if m == winner {
			maps.Copy(p.stats, stats)
			p.stats[statWinner] = float64(i + 1)
		}
	}
	p.stats[statMembers] = float64(len(members))
	if isKnown {
		p.stats[statEfforts] = effort
	}
}

// member is an engine at work.
type member struct {
	verify.Engine
	// What it came to; nobody else looks before it has ended.
	verdict cert.Verdict
	err     error // of the context
	fault   error // of this program: a panic, or a certificate that was rejected

	mu  sync.Mutex
	now verify.Progress // guarded by mu
}

// isAnswer reports whether a member that has ended has decided the property.
func (m *member) isAnswer() bool {
	return m.err == nil && m.fault == nil && m.verdict.Outcome != cert.Unknown
}

// run has the engine judge a problem, and its certificate checked. It calls rest when it
// may have to.
func (m *member) run(ctx context.Context, problem circuit.Problem, rest func()) {
	defer func() {
		if value := recover(); value != nil {
			m.fault = fmt.Errorf("%s: panic: %v\n%s", m.Name(), value, debug.Stack())
		}
	}()
	rest()
	m.verdict, m.err = m.Check(ctx, problem, func(p verify.Progress) {
		m.mu.Lock()
		m.now = p
		m.mu.Unlock()
		rest()
	})
	if e, ok := errors.AsType[*verify.RemoteError](m.err); ok && e.Internal != nil {
		m.fault = fmt.Errorf("%s: %w", m.Name(), e.Internal)
	}
	if m.err != nil || m.verdict.Outcome == cert.Unknown {
		return
	}
	_, err := cert.Check(ctx, problem.Circuit, problem.Property(), m.verdict)
	if _, isRejected := errors.AsType[*cert.RejectedError](err); isRejected {
		m.fault = fmt.Errorf("%s: %w", m.Name(), err)
		reject(m.Engine)
		return
	}
	m.err = err
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
