package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// Bounds of the number of engines of a portfolio for which none is given.
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

// spread is several jobs, each for one engine of a portfolio. The first
// answer that passes its check ends the others. They are put into the queue in the order of
// the portfolio, so that the best ones run where there is not room for all.
type spread struct {
	asker *Asker
	asked time.Time

	mu    sync.Mutex  // guards all below
	began time.Time   // the first of them; zero before
	late  *time.Timer // ends all; nil without a limit, and before
	nodes []string    // at work, by member; "" where it waits
}

// waited returns how long it took until the first of them began.
func (s *spread) waited() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		return time.Since(s.asked)
	}
	return s.began.Sub(s.asked)
}

// askAll gives a task to nodes, for a portfolio. The wall time counts from the beginning of the first
// engine on and is that of all; each has an equal part of the processor time, and all of
// the memory, which is that of its node.
func (a *Asker) askAll(ctx context.Context, t verify.Task, spec engines.Spec) (r verify.Report) {
	s := &spread{asker: a, asked: time.Now()}
	defer func() { r.Waited = s.waited() }()
	text, err := textOf(t.Problem) // once for all
	if err != nil {
		return verify.Report{Err: err}
	}
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	if spec.Jobs == 0 {
		spec.Jobs = a.places(ctx, t.Problem.Question.String())
	}
	members := s.members(spec, text, s.beginner(t.Limits.Wall, cancel))
	progress := t.Progress
	t.Progress = func(p verify.Progress) {
		p.Nodes = s.atWork()
		progress(p)
	}
	if t.Limits.CPU > 0 {
		t.Limits.CPU = max(1, t.Limits.CPU/time.Duration(spec.Jobs))
	}
	r = portfolio.Check(within, t, members)
	s.mu.Lock()
	if s.late != nil {
		s.late.Stop()
	}
	s.mu.Unlock()
	if r.Err != nil && within.Err() != nil && ctx.Err() == nil {
		r.Err = &verify.RemoteError{Reason: verify.ReasonFor(ctx, context.DeadlineExceeded)}
	}
	return r
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

// members returns the engines for one problem. Each waits until the one before has been sent.
func (s *spread) members(spec engines.Spec, text *circuitText, begun func()) []verify.Engine {
	before := make(chan struct{})
	close(before)
	all := make([]verify.Engine, spec.Jobs)
	s.nodes = make([]string, spec.Jobs)
	for i := range all {
		if spec.Jobs > 1 {
			spec.Member = i + 1
		}
		sent := make(chan struct{})
		m := member{s.asker, spec, text, before, events{begun, sync.OnceFunc(func() { close(sent) }), func(node string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.nodes[i] = node
		}}}
		all[i] = s.asker.engine(spec, m.check)
		before = sent
	}
	return all
}

// places returns how many engines a portfolio has: as many as the nodes can do checks at a
// time, within bounds.
func (a *Asker) places(ctx context.Context, question string) int {
	nodes, err := a.Nodes(ctx)
	places := 0
	for _, n := range nodes {
		if !n.IsLeaving && takes(n.Only, question) && !a.isLeftOut(n.Name) && n.Protocol >= a.needs {
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
	asker  *Asker
	spec   engines.Spec
	text   *circuitText
	before <-chan struct{} // closed when the one before has been sent
	on     events
}

func (m member) check(ctx context.Context, t verify.Task) verify.Report {
	defer m.on.queued() // whatever came of it
	select {
	case <-m.before:
	case <-ctx.Done():
		return verify.Report{Err: ctx.Err()}
	}
	r := m.asker.ask(ctx, t, m.spec, m.text, m.asker.Urgent, m.on)
	if lost, ok := errors.AsType[*verify.RemoteError](r.Err); ok && lost.Internal == nil && r.Fault != nil {
		r.Err = &verify.RemoteError{Reason: lost.Reason, Lost: lost.Lost, Internal: r.Fault}
	}
	return r
}
