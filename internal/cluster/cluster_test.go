package cluster

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/cluster/asking"
)

// TestAnswers: verdicts of nodes are those of a run here, and have passed their check.
func TestAnswers(t *testing.T) {
	p := newPlace(t)
	for _, name := range names(2) {
		p.node(name, 2, real)
	}
	a := p.asker("me")
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			c := counter(4, i%16, 9)
			want := "refuted"
			if i%16 > 9 {
				want = "proved"
			}
			r := verify.Run(t.Context(), a.job(c), nil)
			check(t, r, want)
			if !r.Checked.Certified() || r.Engine == "" || r.Elapsed <= 0 {
				t.Errorf("%d: %+v", i, r)
			}
		})
	}
	wait.Wait()
	eventually(t, "the queue is empty", func() bool {
		info, err := a.kept().jobs.Info(t.Context())
		return err == nil && info.State.Msgs == 0
	})
	if p.warnings() != "" {
		t.Errorf("warnings: %s", p.warnings())
	}
}

// TestShared: two askers of the same share one run. It goes on when one of them leaves, and
// ends when both have.
func TestShared(t *testing.T) {
	p := newPlace(t)
	engine, begun := blocked()
	var running atomic.Int64
	p.node("n", 4, engineOf(function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
		running.Add(1)
		defer running.Add(-1)
		return claimed(ctx, engine, x)
	})))
	first, second := p.asker("first"), p.asker("second")
	run := func(a *Asker) (leave func(), heard <-chan struct{}, result <-chan verify.Result) {
		ctx, cancel := context.WithCancel(t.Context())
		progress, done := make(chan struct{}, 1), make(chan verify.Result, 1)
		go func() {
			done <- verify.Run(ctx, a.job(counter(4, 15, 9)), func(verify.Progress) {
				select {
				case progress <- struct{}{}:
				default:
				}
			})
		}()
		return cancel, progress, done
	}
	leaveFirst, _, firstResult := run(first)
	<-begun
	leaveSecond, heard, secondResult := run(second)
	<-heard
	leaveFirst()
	check(t, <-firstResult, "unknown: cancelled")
	for range 20 { // beats of the run after that
		<-heard
	}
	if n := running.Load(); n != 1 || len(begun) > 0 {
		t.Errorf("%d runs, and %d more have begun", n, len(begun))
	}
	leaveSecond()
	check(t, <-secondResult, "unknown: cancelled")
	eventually(t, "the run ends", func() bool { return running.Load() == 0 })
}

// TestPurged: a check that waits is taken out of the queue when no asker wants it any more.
func TestPurged(t *testing.T) {
	p := newPlace(t)
	a := p.asker("me")
	cancelWaiting(t, a, a.job(counter(4, 15, 9)))
}

// cancelWaiting cancels a check once it waits in the queue, where it is to be the only one, and waits
// until it is gone from there.
func cancelWaiting(t *testing.T, a *Asker, job verify.Job) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(ctx, job, nil) }()
	waiting := func() uint64 {
		info, err := a.kept().jobs.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	eventually(t, "it waits", func() bool { return waiting() == 1 })
	cancel()
	check(t, <-done, "unknown: cancelled")
	eventually(t, "it is gone", func() bool { return waiting() == 0 })
}

// TestKept: what was answered is not computed again, whichever asker it is for.
func TestKept(t *testing.T) {
	p := newPlace(t)
	var runs atomic.Int64
	end := p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		runs.Add(1)
		return s.New()
	})
	check(t, verify.Run(t.Context(), p.asker("first").job(counter(4, 15, 9)), nil), "proved")
	end()
	check(t, verify.Run(t.Context(), p.asker("second").job(counter(4, 15, 9)), nil), "proved")
	if runs.Load() != 1 {
		t.Errorf("%d runs", runs.Load())
	}
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		runs.Add(1)
		return s.New()
	})
	a := p.asker("third")
	a.Fresh = true
	check(t, verify.Run(t.Context(), a.job(counter(4, 15, 9)), nil), "proved")
	if runs.Load() != 2 {
		t.Errorf("%d runs, expected a fresh one", runs.Load())
	}
}

// TestNodeLeaves: what a node leaves unfinished goes to another one.
func TestNodeLeaves(t *testing.T) {
	p := newPlace(t)
	engine, begun := blocked()
	end := p.node("first", 1, engineOf(engine))
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), p.asker("me").job(counter(4, 15, 9)), nil) }()
	<-begun
	p.node("second", 1, real)
	end()
	check(t, <-done, "proved")
}

// TestNodeDies: a node that gives no sign of life any more is replaced; the third one is the
// last.
func TestNodeDies(t *testing.T) {
	p := newPlace(t)
	p.times = mortal
	engine, begun := blocked()
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), p.asker("me").job(counter(4, 15, 9)), nil) }()
	for _, name := range names(asking.MaxDeaths) {
		c := p.connect(name)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go NewNode(c, 1, engineOf(engine)).Run(ctx)
		<-begun
		c.Close() // as kill −9 has it
	}
	check(t, <-done, "unknown: 3 nodes have failed to end this check: the last one was node-2")
	if n := strings.Count(p.warnings(), "does not respond"); n != asking.MaxDeaths {
		t.Errorf("%d warnings: %s", n, p.warnings())
	}
}

// TestLies: a certificate that fails costs another attempt, and three of them cost the node
// its work. The verdict is that of an honest one.
func TestLies(t *testing.T) {
	p := newPlace(t)
	lie := function(func(_ context.Context, x circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
	})
	p.node("liar", 1, engineOf(lie))
	a := p.asker("me")
	results := make(chan verify.Result)
	for i := range 6 {
		go func() { results <- verify.Run(t.Context(), a.job(counter(4, i+1, 9)), nil) }()
	}
	eventually(t, "it is left out", func() bool { return a.hasLeftOut("liar") })
	p.node("honest", 1, real)
	for range 6 {
		r := <-results
		check(t, r, "refuted")
		if r.Internal != nil {
			t.Error(r.Internal)
		}
	}
	if s := p.warnings(); strings.Count(s, "node liar: an answer is wrong") < 3 || strings.Count(s, "no longer asked") != 1 {
		t.Error(s)
	}
}

// TestManyLiars: wrong answers under ever new names cost attempts, and no verdict.
func TestManyLiars(t *testing.T) {
	p := newPlace(t)
	lie := function(func(_ context.Context, x circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
	})
	for i := range 12 {
		p.node(fmt.Sprint("liar-", i), 1, engineOf(lie))
	}
	a := p.asker("me")
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.job(counter(4, 3, 9)), nil) }()
	eventually(t, "there are many wrong answers", func() bool { return strings.Count(p.warnings(), "is wrong") > 6 })
	p.node("honest", 1, real)
	check(t, <-done, "refuted")
	// From now on only the honest one is asked, as soon as it is known that others lie.
	for i := range 2 {
		check(t, verify.Run(t.Context(), a.job(counter(4, 4+i, 9)), nil), "refuted")
	}
	if got := plainNames(a.reliable()); !slices.Equal(got, []string{"honest"}) {
		t.Errorf("reliable are %q", got)
	}
}

// TestLiesOnce: the only node there is asked again.
func TestLiesOnce(t *testing.T) {
	p := newPlace(t)
	p.times = mortal
	lies := 0
	p.node("only", 1, func(s engines.Spec) (verify.Engine, error) {
		if lies++; lies > 1 {
			return s.New()
		}
		return function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
			return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
		}), nil
	})
	check(t, verify.Run(t.Context(), p.asker("me").job(counter(4, 3, 9)), nil), "refuted")
}

// TestReliableGone: when the nodes that have proven reliable are gone, others are asked again.
func TestReliableGone(t *testing.T) {
	p := newPlace(t)
	p.times = mortal
	a := p.asker("me")
	a.proved("gone")
	lie := function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
		return cert.Verdict{Outcome: cert.Proved, Depth: 1}, nil
	})
	for i := range asking.Wary {
		p.node(fmt.Sprint("liar-", i), 1, engineOf(lie))
	}
	done := make(chan verify.Result, 1)
	go func() { done <- verify.Run(t.Context(), a.job(counter(4, 3, 9)), nil) }()
	eventually(t, "all lie", func() bool { return strings.Count(p.warnings(), "is wrong") == asking.Wary })
	p.node("honest", 1, real)
	check(t, <-done, "refuted")
}

// TestLosesAll: the server loses its data repeatedly; no check is lost.
func TestLosesAll(t *testing.T) {
	p := newPlace(t)
	a := p.asker("me")
	p.node("n", 2, real)
	results := make(chan verify.Result)
	for i := range 10 {
		go func() { results <- verify.Run(t.Context(), a.job(counter(4, 10+i%6, 9)), nil) }()
		if i%3 == 0 {
			for _, name := range []string{"aiglens_jobs", "KV_aiglens_claims", "KV_aiglens_answers", "aiglens_blobs"} {
				_ = a.js.DeleteStream(t.Context(), name) // it may be gone
			}
		}
	}
	for range 10 {
		check(t, <-results, "proved")
	}
}

// TestCallerPanics: a check whose caller has panicked is no longer wanted, and its node stops.
func TestCallerPanics(t *testing.T) {
	p := newPlace(t)
	ended := make(chan struct{})
	p.node("n1", 1, engineOf(function(func(ctx context.Context, _ circuit.Problem) (cert.Verdict, error) {
		<-ctx.Done()
		close(ended)
		return cert.Verdict{}, ctx.Err()
	})))
	e := p.asker("a").Engine(engines.Default())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the caller was lost")
			}
		}()
		problem := circuit.Problem{Circuit: counter(3, 5, 7)}
		e.Check(t.Context(), verify.Task{Problem: problem, Progress: func(p verify.Progress) {
			if p.Nodes > 0 {
				panic("broken")
			}
		}})
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the node works on for a caller that is gone")
	}
}

// TestUnknown: what a node cannot answer is unknown, with its reason.
func TestUnknown(t *testing.T) {
	p := newPlace(t)
	var made atomic.Int64
	p.node("n", 1, func(s engines.Spec) (verify.Engine, error) {
		switch made.Add(1) {
		case 1:
			return verify.Engine{}, fmt.Errorf("engine: there is none")
		case 2:
			return function(func(context.Context, circuit.Problem) (cert.Verdict, error) { panic("at the disco") }), nil
		}
		engine, _ := blocked()
		return engine, nil
	})
	a := p.asker("me")
	check(t, verify.Run(t.Context(), a.job(counter(4, 15, 9)), nil), "unknown: engine: there is none")
	job := a.job(counter(4, 14, 9))
	job.Limits.Wall = 1
	r := verify.Run(t.Context(), job, nil)
	check(t, r, "unknown: timeout")
	if limit, ok := r.TimeLimit(); !ok || limit != 1 {
		t.Errorf("limit %v, %v", limit, ok)
	}
}

// remembered are the times of tests in which no node may be forgotten.
var remembered = times{beat: time.Second, silence: time.Minute, wanted: 20 * time.Millisecond, ackWait: time.Minute}

// TestEarlyUnknown: a node that says unknown at once swallows no queue: what it has taken is
// answered elsewhere, it is named, and no longer asked.
func TestEarlyUnknown(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	var taken atomic.Int64
	p.node("hasty", 2, engineOf(function(func(context.Context, circuit.Problem) (cert.Verdict, error) {
		taken.Add(1)
		return cert.Verdict{Reason: "it is too hard"}, nil
	})))
	a := p.asker("me")
	results := make(chan verify.Result)
	const checks = 20
	ask := func(from int) {
		for i := range checks {
			go func() { results <- verify.Run(t.Context(), a.job(still(from+i)), nil) }()
		}
	}
	p.node("honest", 1, real)
	eventually(t, "both are there", func() bool {
		nodes, err := a.Nodes(t.Context())
		return err == nil && len(nodes) == 2
	})
	ask(0)
	for range checks {
		check(t, <-results, "proved")
	}
	if !a.hasLeftOut("hasty") {
		t.Errorf("the node is asked on: it has taken %d", taken.Load())
	}
	before := taken.Load()
	ask(checks)
	for range checks {
		check(t, <-results, "proved")
	}
	if taken.Load() != before {
		t.Errorf("a node that is left out has taken %d", taken.Load()-before)
	}
	s := p.warnings()
	line := regexp.MustCompile(`node hasty: a check was unknown after \d+\.\d s \(it is too hard\), and node honest has an answer`)
	if len(line.FindAllString(s, -1)) != 2 || strings.Count(s, "no longer asked") != 1 {
		t.Error(s)
	}
}

// TestUnknownTwice: what two nodes cannot answer is unknown, and counts against neither of them.
func TestUnknownTwice(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	a := p.asker("me")
	var mu sync.Mutex
	taken := map[string]int{}
	for _, name := range names(2) {
		p.node(name, 1, func(engines.Spec) (verify.Engine, error) {
			mu.Lock()
			defer mu.Unlock()
			taken[name]++
			return verify.Engine{}, fmt.Errorf("engine: there is none")
		})
	}
	eventually(t, "both are there", func() bool {
		nodes, err := a.Nodes(t.Context())
		return err == nil && len(nodes) == 2
	})
	for i := range 4 {
		check(t, verify.Run(t.Context(), a.job(still(i)), nil), "unknown: engine: there is none")
	}
	if taken["node-0"] != 4 || taken["node-1"] != 4 || p.warnings() != "" {
		t.Errorf("taken %v, warnings: %s", taken, p.warnings())
	}
}

// TestDrain: a node that is drained ends what it has, with its answer, and takes nothing more.
func TestDrain(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	begun, proceed := make(chan struct{}, 10), make(chan struct{})
	n := NewNode(p.connect("drained"), 1, func(s engines.Spec) (verify.Engine, error) {
		e, err := s.New()
		return function(func(ctx context.Context, x circuit.Problem) (cert.Verdict, error) {
			begun <- struct{}{}
			<-proceed
			return claimed(ctx, e, x)
		}), err
	})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.Run(t.Context())
	}()
	a := p.asker("me")
	first, second := make(chan verify.Result, 1), make(chan verify.Result, 1)
	go func() { first <- verify.Run(t.Context(), a.job(still(1)), nil) }()
	<-begun
	n.Drain()
	eventually(t, "it says so", func() bool {
		all, err := a.Nodes(t.Context())
		return err == nil && len(all) == 1 && all[0].IsLeaving
	})
	if a.places(t.Context(), "safety") != unknownMembers {
		t.Error("a node that is drained is a place for a portfolio")
	}
	go func() { second <- verify.Run(t.Context(), a.job(still(2)), nil) }()
	close(proceed)
	check(t, <-first, "proved")
	<-ended
	p.node("other", 1, real)
	r := <-second
	if check(t, r, "proved"); plain(r.Place) != "other" {
		t.Errorf("the second check was done by %s", r.Place)
	}
	if len(begun) > 0 || p.warnings() != "" {
		t.Errorf("it has begun %d more; %s", len(begun), p.warnings())
	}
}

// TestMemoryOfNode: a check that the memory of a node ends is tried on another one, however long it
// took; where there is none, the reason says whose limit it was.
func TestMemoryOfNode(t *testing.T) {
	p := newPlace(t)
	p.times = remembered
	var now sync.Map // by node, the limit of its last check
	engine := func(name string) func(engines.Spec) (verify.Engine, error) {
		return func(s engines.Spec) (verify.Engine, error) {
			e, err := s.New()
			return verify.Engine{Name: "test", Safety: true, Check: func(ctx context.Context, t verify.Task) (r verify.Report) {
				now.Store(name, t.Limits.Memory)
				if t.Limits.Memory == 0 {
					return e.Check(ctx, t)
				}
				r.Verdict.Reason = verify.ReasonMemory
				return r
			}}, err
		}
	}
	a := p.asker("me")
	small := NewNode(p.connect("small"), 1, engine("small"))
	small.Memory = 1 << 30
	p.run(small)
	check(t, verify.Run(t.Context(), a.job(still(1)), nil), "unknown: memory limit of the node: 1024 MB")
	p.node("large", 1, engine("large"))
	eventually(t, "both are there", func() bool {
		nodes, err := a.Nodes(t.Context())
		return err == nil && len(nodes) == 2
	})
	for i := range 8 {
		check(t, verify.Run(t.Context(), a.job(still(i)), nil), "proved")
	}
	if a.hasLeftOut("small") || p.warnings() != "" {
		t.Errorf("a node is no longer asked for its limit: %s", p.warnings())
	}
	job := a.job(still(9))
	job.Limits.Memory = 1 << 20
	check(t, verify.Run(t.Context(), job, nil), "unknown: memory limit")
	if g := (&given{answer: answer{Elapsed: time.Hour, IsOwn: true}}); g.Took() != 0 {
		t.Errorf("what the memory of a node has ended is early after %v", g.Took())
	}
	if limit, _ := now.Load("small"); limit != int64(1<<20) && limit != int64(1<<30) {
		t.Errorf("the limit on the small node is %v", limit)
	}
}
