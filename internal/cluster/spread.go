package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// Bounds of how many engines a portfolio has that is not told how many.
const (
	// MostMembers is for a cluster that has as many places or more.
	MostMembers = 16
	// unknownMembers is for a cluster that has no node yet: as many as differ in more than
	// their seeds.
	unknownMembers = 8
)

// isSpread reports whether an engine is several, which run on as many nodes as there are.
func isSpread(s engines.Spec) bool {
	return s.Engine == engines.Portfolio && s.Variant == "" && s.Jobs != 1 && s.Member == 0
}

// spread is a verify.Queueing of several jobs, each for one engine of a portfolio. The first
// answer that passes its check ends the others. They are put into the queue in the order of
// the portfolio, so that the best ones run where there is not room for all.
type spread struct {
	asker *Asker
	spec  engines.Spec
	of    *portfolio.Portfolio
	all   []verify.Engine // of the Check under way

	mu    sync.Mutex // guards all below
	asked time.Time
	began time.Time   // the first of them; zero before
	late  *time.Timer // ends all; nil without a limit, and before
	nodes []string    // at work, by member; "" where it waits
}

var (
	_ verify.Queueing = (*spread)(nil)
	_ verify.Placed   = (*spread)(nil)
)

func newSpread(a *Asker, spec engines.Spec) *spread {
	s := &spread{asker: a, spec: spec}
	s.of = portfolio.New(spec.Answers, func(circuit.Problem) []verify.Engine { return s.all })
	return s
}

// Name implements verify.Engine.
func (s *spread) Name() string { return s.of.Name() }

// Answers implements verify.Engine.
func (s *spread) Answers(q circuit.Question) bool { return s.of.Answers(q) }

// Stats implements verify.StatsReporter.
func (s *spread) Stats() map[string]float64 { return s.of.Stats() }

// Fault implements verify.Faulty.
func (s *spread) Fault() error { return s.of.Fault() }

// Rejected implements verify.Remote.
func (s *spread) Rejected() { s.of.Rejected() }

// Place implements verify.Placed: the node that had the answer.
func (s *spread) Place() string { return s.of.Place() }

// Waited implements verify.Queueing.
func (s *spread) Waited() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		return time.Since(s.asked)
	}
	return s.began.Sub(s.asked)
}

// Check implements verify.Engine.
func (s *spread) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return s.CheckWithin(ctx, p, verify.Limits{}, progress)
}

// CheckWithin implements verify.Remote. The wall time counts from the beginning of the first
// engine on and is that of all; each has an equal part of the processor time, and all of
// the memory, which is that of its node.
func (s *spread) CheckWithin(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	s.mu.Lock()
	s.asked, s.began, s.late = time.Now(), time.Time{}, nil
	s.mu.Unlock()
	text, err := textOf(p) // once for all
	if err != nil {
		return cert.Verdict{}, err
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	s.members(ctx, text, limits, s.beginner(limits.Wall, cancel))
	v, err := s.of.Check(within, p, func(p verify.Progress) {
		p.Nodes = s.atWork()
		progress(p)
	})
	s.mu.Lock()
	if s.late != nil {
		s.late.Stop()
	}
	s.mu.Unlock()
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = &verify.RemoteError{Reason: verify.ReasonFor(ctx, context.DeadlineExceeded)}
	}
	return v, err
}

// beginner returns what an engine calls that begins. The first one starts the time for all.
func (s *spread) beginner(wall time.Duration, end func()) func() {
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.began.IsZero() {
			return
		}
		s.began = time.Now()
		if wall > 0 {
			s.late = time.AfterFunc(wall, end)
		}
	}
}

// atWork returns how many nodes have begun with some engine.
func (s *spread) atWork() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	different := map[string]bool{}
	for _, node := range s.nodes {
		different[node] = true
	}
	delete(different, "")
	return len(different)
}

// members makes the engines for one problem.
func (s *spread) members(ctx context.Context, text *circuitText, limits verify.Limits, begun func()) {
	spec := s.spec
	if spec.Jobs == 0 {
		spec.Jobs = s.asker.places(ctx)
	}
	if limits.CPU > 0 {
		limits.CPU = max(1, limits.CPU/time.Duration(spec.Jobs))
	}
	before := make(chan struct{})
	close(before)
	s.all = make([]verify.Engine, spec.Jobs)
	s.mu.Lock()
	s.nodes = make([]string, spec.Jobs)
	s.mu.Unlock()
	for i := range s.all {
		if spec.Jobs > 1 {
			spec.Member = i + 1
		}
		sent := make(chan struct{})
		one := &engine{asker: s.asker, spec: spec, text: text, on: events{begun, sync.OnceFunc(func() { close(sent) }), func(node string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.nodes[i] = node
		}}}
		s.all[i] = &member{one, limits, before}
		before = sent
	}
}

// places returns how many engines a portfolio has: as many as the nodes can do checks at a
// time, within bounds.
func (a *Asker) places(ctx context.Context) int {
	nodes, err := a.Nodes(ctx)
	places := 0
	for _, n := range nodes {
		if !a.isLeftOut(n.Name) && n.Protocol >= a.needs {
			places = min(MostMembers, places+min(MostMembers, n.Slots))
		}
	}
	if err != nil || places == 0 {
		return unknownMembers
	}
	return places
}

// member is one engine of several.
type member struct {
	*engine
	limits verify.Limits
	before <-chan struct{} // closed when the one before has been sent
}

// Check implements verify.Engine.
func (m *member) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	defer m.on.queued() // whatever came of it
	select {
	case <-m.before:
	case <-ctx.Done():
		return cert.Verdict{}, ctx.Err()
	}
	v, err := m.CheckWithin(ctx, p, m.limits, progress)
	if lost, ok := errors.AsType[*verify.RemoteError](err); ok && lost.Internal == nil && m.fault != nil {
		err = &verify.RemoteError{Reason: lost.Reason, Lost: lost.Lost, Internal: m.fault}
	}
	return v, err
}
