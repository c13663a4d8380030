//go:build unix

package worker

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// killOne ends a process of the pool by SIGKILL, and says whether there was one.
func (p *Pool) killOne() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.all {
		w.conn.Kill()
		return true
	}
	return false
}

// truth is what a search of all states says.
func truth(c *circuit.Circuit) cert.Outcome {
	if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
		return cert.Proved
	}
	return cert.Refuted
}

// settle waits until there are no more goroutines than before.
func settle(t *testing.T, before int) {
	t.Helper()
	for polls := 0; runtime.NumGoroutine() > before; polls++ {
		if polls == 10_000_000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

// TestPortfolio: engines in two to five processes that exchange lemmas answer as a search
// of all states does, also when one of them is killed at any moment, no fault is reported,
// and neither a process nor a goroutine is left. AIGLENS_LONG is the number of circuits.
func TestPortfolio(t *testing.T) {
	circuits := 300
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		circuits = max(circuits, n)
	}
	before := runtime.NumGoroutine()
	p := processes(t)
	count, killed := map[cert.Outcome]int{}, 0
	received, taken := 0.0, 0.0
	for seed := range uint64(circuits) {
		r := rand.New(rand.NewPCG(43, seed))
		c := classictest.Sample(r)
		var killer sync.WaitGroup
		begun := make(chan struct{})
		tell := sync.OnceFunc(func() { close(begun) })
		if seed%5 == 0 {
			turns := r.IntN(2000)
			killer.Go(func() {
				<-begun
				for range turns {
					runtime.Gosched()
				}
				if p.killOne() {
					killed++
				}
			})
		}
		job := verify.Job{Circuit: c, Property: bad0, Engine: p.Portfolio(engines.Spec{Engine: engines.Portfolio, Jobs: 2 + int(seed%4)})}
		result := verify.Run(context.Background(), job, func(verify.Progress) { tell() })
		tell()
		killer.Wait()
		if want := truth(c); result.Checked.Outcome() != want || !result.Checked.Certified() || result.Internal != nil || result.Fault != nil {
			t.Fatalf("seed %d: %s by %s, want %s; %v, %v", seed, result, result.Engine, want, result.Internal, result.Fault)
		}
		count[result.Checked.Outcome()]++
		received += result.Stats["received"]
		taken += result.Stats["taken"]
		if n := p.size(); n > 5 {
			t.Fatalf("seed %d: %d processes", seed, n)
		}
	}
	t.Logf("%v, %d processes killed; %g lemmas of other processes received by those that won, %g taken", count, killed, received, taken)
	if min(count[cert.Proved], count[cert.Refuted])*8 < circuits || killed*8 < circuits {
		t.Error("too few proofs, counterexamples or ends of processes")
	}
	p.Close()
	if n := p.size(); n > 0 {
		t.Errorf("%d processes are left", n)
	}
	settle(t, before)
}

// TestPortfolioOfLiveness: engines of liveness have nothing to exchange, and answer.
func TestPortfolioOfLiveness(t *testing.T) {
	p := processes(t)
	for name, want := range map[bool]cert.Outcome{false: cert.Refuted, true: cert.Proved} {
		c := rises(name)
		job := verify.Job{Circuit: c, Property: c.Properties()[0], Engine: p.Portfolio(engines.Spec{Engine: engines.Portfolio, Jobs: 4})}
		expect(t, verify.Run(context.Background(), job, nil), want)
	}
}

// TestKilledMember: lemmas go from process to process, the death of one is not a fault and
// ends no other, and the answer ends one that does not listen.
func TestKilledMember(t *testing.T) {
	for _, digits := range []string{"12", "213"} {
		p := processes(t)
		for _, c := range []*circuit.Circuit{toggle(), ring(5)} {
			ids, done := make(chan int, 1), make(chan verify.Result, 1)
			job := verify.Job{Circuit: c, Property: bad0, Engine: p.Portfolio(rolesOf(digits))}
			go func() {
				done <- verify.Run(context.Background(), job, func(now verify.Progress) {
					if now.Depth > 0 {
						select {
						case ids <- now.Depth:
						default:
						}
					}
				})
			}()
			id := <-ids
			if err := syscall.Kill(id, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			r := <-done
			if expect(t, r, truth(c)); r.Fault != nil {
				t.Error(r.Fault)
			}
			if n := p.size(); n != 1 {
				t.Errorf("%s: %d processes are left, want 1", digits, n)
			}
		}
	}
}

// TestAllKilled: without any process there is no answer, which says nothing about the property.
func TestAllKilled(t *testing.T) {
	p := processes(t)
	begun := make(chan struct{})
	tell := sync.OnceFunc(func() { close(begun) })
	done := make(chan verify.Result, 1)
	job := verify.Job{Circuit: toggle(), Property: bad0, Engine: p.Portfolio(rolesOf("111"))}
	go func() {
		done <- verify.Run(context.Background(), job, func(now verify.Progress) {
			if now.Depth > 0 {
				tell()
			}
		})
	}()
	<-begun
	var r verify.Result
	for ended := false; !ended; {
		p.killOne() // those too that are started only now
		select {
		case r = <-done:
			ended = true
		default:
			runtime.Gosched()
		}
	}
	if expectUnknown(t, r, reasonEnded); !r.Lost || r.Internal != nil || r.Fault != nil {
		t.Errorf("lost %v, %v, %v", r.Lost, r.Internal, r.Fault)
	}
}

// TestLyingMember: whatever a process tells the others, they answer as a search of all
// states does.
func TestLyingMember(t *testing.T) {
	p := pipes(t, honest)
	received, taken := 0.0, 0.0
	for seed := range uint64(200) {
		c := classictest.Sample(rand.New(rand.NewPCG(47, seed)))
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: p.Portfolio(rolesOf("400"))}, nil)
		if expect(t, r, truth(c)); t.Failed() {
			t.Fatalf("seed %d, %v", seed, r.Fault)
		}
		received += r.Stats["received"]
		taken += r.Stats["taken"]
	}
	t.Logf("%g received, %g taken", received, taken)
}
