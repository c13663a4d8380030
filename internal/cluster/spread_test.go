package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster/asking"
	"aiglens/internal/explicit"
)

// several returns a portfolio of so many engines.
func several(jobs int) engines.Spec { return engines.Spec{Engine: engines.Portfolio, Jobs: jobs} }

// spread returns a job for a portfolio on the cluster.
func (a *Asker) spread(c *circuit.Circuit, jobs int) verify.Job {
	job := a.job(c)
	job.Engine = a.Engine(several(jobs))
	return job
}

// truth is what a search of all states says.
func truth(c *circuit.Circuit) string {
	if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
		return "proved"
	}
	return "refuted"
}

// long returns how many circuits a test takes: AIGLENS_LONG, when that is more than usual.
func long(usual int) uint64 {
	n, _ := strconv.Atoi(os.Getenv("AIGLENS_LONG"))
	return uint64(max(n, usual))
}

// isEmpty waits until nothing is in the queue.
func (p *place) isEmpty(a *Asker) {
	p.Helper()
	eventually(p.T, "the queue is empty", func() bool {
		info, err := a.kept().jobs.Info(p.Context())
		return err == nil && info.State.Msgs == 0
	})
}

// TestSpread: portfolios on three nodes answer as a search of all states does, by members
// on several of them, and leave nothing in the queue. AIGLENS_LONG is the number of circuits.
func TestSpread(t *testing.T) {
	p := newPlace(t)
	var mu sync.Mutex
	members, outcomes := map[string]int{}, map[string]int{} // by node, and by outcome
	for _, name := range names(3) {
		p.node(name, 2, func(s engines.Spec) (verify.Engine, error) {
			mu.Lock()
			defer mu.Unlock()
			if s.Jobs != 4 || s.Member < 1 || s.Member > 4 {
				t.Errorf("a job for %+v", s)
			}
			members[name]++
			return s.New()
		})
	}
	a := p.asker("me")
	var wait sync.WaitGroup
	atATime := make(chan struct{}, 4)
	for seed := range long(40) {
		wait.Go(func() {
			atATime <- struct{}{}
			defer func() { <-atATime }()
			c := classictest.Sample(rand.New(rand.NewPCG(47, seed)))
			r := verify.Run(t.Context(), a.spread(c, 4), nil)
			check(t, r, truth(c))
			mu.Lock()
			outcomes[r.Checked.Outcome().String()]++
			mu.Unlock()
			if !r.Checked.Certified() || r.Internal != nil || r.Fault != nil || r.Stats["members"] != 4 {
				t.Errorf("seed %d: %+v", seed, r)
			}
		})
	}
	wait.Wait()
	p.isEmpty(a)
	mu.Lock()
	defer mu.Unlock()
	t.Logf("members by node: %v; %v", members, outcomes)
	if len(members) < 2 {
		t.Errorf("members by node: %v", members)
	}
}

// TestSpreadFirstAnswer: the answer of one member ends the others, wherever they run or
// wait, and so does the end of its asker.
func TestSpreadFirstAnswer(t *testing.T) {
	p := newPlace(t)
	engine, begun := blocked()
	var running atomic.Int64
	var answers atomic.Bool
	proceed := make(chan struct{})
	var nodeOf2 atomic.Value
	three := make(chan struct{})
	say := sync.OnceFunc(func() { close(three) })
	for _, name := range names(3) {
		p.node(name, 1, func(s engines.Spec) (verify.Engine, error) {
			return function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
				running.Add(1)
				defer running.Add(-1)
				if s.Member == 2 && answers.Load() {
					nodeOf2.Store(name)
					<-proceed
					e, err := s.New()
					if err != nil {
						return cert.Verdict{}, err
					}
					return claimed(ctx, e, x)
				}
				return claimed(ctx, engine, x)
			}), nil
		})
	}
	a := p.asker("me")
	answers.Store(true)
	done := make(chan verify.Result, 1)
	go func() {
		done <- verify.Run(t.Context(), a.spread(counter(4, 15, 9), 5), func(p verify.Progress) {
			if p.Nodes == 3 {
				say()
			}
		})
	}()
	<-begun // members 1 and 3, while 4 and 5 wait
	<-begun
	<-three
	close(proceed)
	r := <-done
	check(t, r, "proved")
	if r.Stats["winner"] != 2 || r.Stats["members"] != 5 || nodeOf2.Load() != plain(r.Place) {
		t.Errorf("%s, stats %v", r.Place, r.Stats)
	}
	eventually(t, "the others end", func() bool { return running.Load() == 0 })
	p.isEmpty(a)

	answers.Store(false)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- verify.Run(ctx, a.spread(counter(4, 14, 9), 3), nil) }()
	for range 3 {
		<-begun
	}
	cancel()
	check(t, <-done, "unknown: cancelled")
	eventually(t, "all end", func() bool { return running.Load() == 0 })
	p.isEmpty(a)
}

// TestSpreadOrder: where there is one place the members run in the order of the portfolio,
// one that gives up leaves its place to the next, and where all do the reason is that of the first.
func TestSpreadOrder(t *testing.T) {
	p := newPlace(t)
	var mu sync.Mutex
	var order []int
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, s.Member)
		return function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
			return cert.Verdict{Depth: s.Member, Reason: fmt.Sprintf("%d has had enough", s.Member)}, nil
		}), nil
	})
	r := verify.Run(t.Context(), p.asker("me").spread(counter(4, 15, 9), 6), nil)
	check(t, r, "unknown: 1 has had enough")
	if !slices.Equal(order, []int{1, 2, 3, 4, 5, 6}) || r.Checked.Depth() != 6 {
		t.Errorf("order %v, depth %d", order, r.Checked.Depth())
	}
}

// TestSpreadLimits: the wall time is that of all, from the first beginning on; processor
// time is divided, and each has the memory.
func TestSpreadLimits(t *testing.T) {
	p := newPlace(t)
	engine, begun := blocked()
	a := p.asker("me")
	question := a.spread(counter(4, 15, 9), 4)
	question.Limits = verify.Limits{Wall: 300 * time.Millisecond, CPU: time.Hour, Memory: 1 << 30}
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), question, nil) }()
	eventually(t, "all wait", func() bool {
		info, err := a.kept().jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 4
	})
	m, err := a.kept().jobs.GetMsg(t.Context(), 4)
	var last job
	if err != nil || read(m.Data, &last) != nil || last.CPU != 15*time.Minute || last.Memory != 1<<30 || last.Engine.Member != 4 {
		t.Errorf("%v: %+v", err, last)
	}
	p.node("n", 2, engineOf(engine))
	<-begun
	r := <-done
	check(t, r, "unknown: timeout")
	if limit, ok := r.TimeLimit(); !ok || limit != 300*time.Millisecond {
		t.Errorf("limit %v, %v", limit, ok)
	}
	p.isEmpty(a)
}

// TestSpreadLies: a member whose node lies is asked elsewhere, and the verdict is right.
func TestSpreadLies(t *testing.T) {
	p := newPlace(t)
	lie := function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
	})
	p.node("liar", 2, engineOf(lie))
	a := p.asker("me")
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.spread(counter(4, 7, 9), 3), nil) }()
	eventually(t, "it is left out", func() bool { return a.hasLeftOut("liar") })
	p.node("honest", 1, real)
	r := <-done
	check(t, r, "refuted")
	if s := p.warnings(); !strings.Contains(s, "node liar: an answer is wrong") {
		t.Error(s)
	}
}

// failing is an engine that reports a fault of the program.
var failing = verify.Engine{Name: "test", Safety: true, Where: verify.InWorker, Check: func(context.Context, verify.Task) verify.Report {
	return verify.Report{Err: &verify.RemoteError{Reason: "it has failed", Internal: errors.New("a fault")}}
}}

// TestSpreadFault: a member that takes down every node keeps no other one from answering. When
// all members fail the fault is told.
func TestSpreadFault(t *testing.T) {
	p := newPlace(t)
	var deaths atomic.Int64
	end := p.node("n", 2, func(s engines.Spec) (verify.Engine, error) {
		return function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
			if s.Member == 1 {
				deaths.Add(1)
				panic("at the disco")
			}
			for deaths.Load() < asking.MaxDeaths {
				time.Sleep(time.Millisecond)
			}
			e, err := s.New()
			if err != nil {
				return cert.Verdict{}, err
			}
			return claimed(ctx, e, x)
		}), nil
	})
	a := p.asker("me")
	check(t, verify.Run(t.Context(), a.spread(counter(4, 15, 9), 2), nil), "proved")
	end()
	p.node("n", 2, engineOf(failing))
	r := verify.Run(t.Context(), a.spread(counter(4, 14, 9), 2), nil)
	check(t, r, "unknown: internal error")
	if r.Internal == nil || strings.Count(plain(r.Internal.Error()), "node n: a fault") != 2 {
		t.Errorf("internal: %v", r.Internal)
	}
}

// TestSpreadJobs: a portfolio that is not told how many engines it has takes as many as the
// nodes have places, and one with a single place is the default engine.
func TestSpreadJobs(t *testing.T) {
	p := newPlace(t)
	a := p.asker("me")
	if n := a.places(t.Context(), "safety"); n != unknownMembers {
		t.Errorf("%d places without a node", n)
	}
	var last atomic.Value
	remember := func(s engines.Spec) (verify.Engine, error) {
		last.Store(s)
		return s.New()
	}
	p.node("first", 1, remember)
	eventually(t, "it is there", func() bool { return a.places(t.Context(), "safety") == 1 })
	check(t, verify.Run(t.Context(), a.spread(counter(4, 15, 9), 0), nil), "proved")
	if s := last.Load().(engines.Spec); s.Jobs != 1 || s.Member != 0 {
		t.Errorf("%+v", s)
	}
	p.node("second", 2, remember)
	eventually(t, "it is there", func() bool { return a.places(t.Context(), "safety") == 3 })
	check(t, verify.Run(t.Context(), a.spread(counter(4, 14, 9), 0), nil), "proved")
	if s := last.Load().(engines.Spec); s.Jobs != 3 || s.Member == 0 {
		t.Errorf("%+v", s)
	}
	p.node("third", 1000, real)
	eventually(t, "it is there", func() bool { return a.places(t.Context(), "safety") == MostMembers })
}

// TestSpreadStatus: the members show as jobs of their nodes.
func TestSpreadStatus(t *testing.T) {
	p := newPlace(t)
	engine, begun := blocked()
	for _, name := range names(2) {
		p.node(name, 1, engineOf(engine))
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(ctx, p.asker("me").spread(counter(4, 15, 9), 2), nil) }()
	<-begun
	<-begun
	other := p.connect("status")
	eventually(t, "both show", func() bool {
		s, err := other.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Jobs) < 2 {
			return false
		}
		a, b := s.Jobs[0], s.Jobs[1]
		if a.Member+b.Member != 3 || a.Members != 2 || a.Node == b.Node || a.Circuit != b.Circuit || !isHash(a.Circuit) || a.Progress.Depth != 3 {
			t.Errorf("%+v", s.Jobs)
		}
		return true
	})
	cancel()
	<-done
}

// TestVersions: a node that is too old for a job leaves it, the asker says so when there is
// no other one, and a newer one takes it.
func TestVersions(t *testing.T) {
	p := newPlace(t)
	p.node("old", 1, real)
	a := p.asker("me")
	a.needs = Protocol + 1
	for _, job := range []verify.Job{a.job(counter(4, 15, 9)), a.spread(counter(4, 14, 9), 2)} {
		r := verify.Run(t.Context(), job, nil)
		check(t, r, "unknown: no node can check it: no longer asked because of their answers: 0, older than this program: 1")
		if !r.Lost {
			t.Error("the fault lies not with the property")
		}
	}
	done := make(chan verify.Result, 1)
	n := NewNode(p.connect("new"), 2, real)
	n.protocol = Protocol + 1
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.Run(ctx)
	}()
	go func() { done <- verify.Run(t.Context(), a.spread(counter(4, 13, 9), 3), nil) }()
	check(t, <-done, "proved")
	cancel()
	<-ended
	// What needs no more than the old one has it takes.
	check(t, verify.Run(t.Context(), p.asker("other").spread(counter(4, 12, 9), 3), nil), "proved")
}
