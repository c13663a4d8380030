package engines_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

func portfolioOf(t testing.TB, jobs int, seed uint64) verify.Engine {
	t.Helper()
	e, err := engines.Spec{Engine: "portfolio", Jobs: jobs, Seed: int64(seed)}.New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// several returns a portfolio, or the default engine with others that join it.
func several(t *testing.T, jobs int, seed uint64) verify.Engine {
	if seed%3 == 0 {
		return engines.JoinedBySeveral(jobs, time.Microsecond)
	}
	return portfolioOf(t, jobs, seed)
}

// TestPortfolio: two to ten engines together answer as a search of all states does,
// for both questions, no certificate of any member is rejected, and no goroutine is left.
// AIGLENS_LONG is the number of circuits.
func TestPortfolio(t *testing.T) {
	circuits := 300
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		circuits = max(circuits, n)
	}
	before := runtime.NumGoroutine()
	live, by := &found{by: map[string]int{}}, map[string]int{}
	proved, refuted, taken := 0, 0, 0.0
	for seed := range uint64(circuits) {
		jobs := 2 + int(seed%9)
		if seed%4 == 0 {
			if r := live.judge(t, seed, randomJustice(seed), several(t, jobs, seed)); r.Fault != nil {
				t.Fatalf("seed %d: %v", seed, r.Fault)
			}
			continue
		}
		c := classictest.Sample(rand.New(rand.NewPCG(29, seed)))
		if seed%4 == 3 {
			c = explicit.RandomCircuit(rand.New(rand.NewPCG(53, seed)), explicit.Shape{
				Inputs: 3, Latches: 6, Gates: 40, FreeLatches: true, OneResets: true, Hidden: 2,
			})
		}
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: several(t, jobs, seed)}, nil)
		first := explicit.FirstBadStep(c, bad0)
		want := cert.Refuted
		if first == explicit.NotViolated {
			want = cert.Proved
		}
		if r.Internal != nil || r.Fault != nil || !r.Checked.Certified() || r.Checked.Outcome() != want || want == cert.Refuted && r.Checked.Depth() > first {
			t.Fatalf("seed %d, %d jobs: %s by %s, first bad step by search %d; %v, %v", seed, jobs, r, r.Engine, first, r.Internal, r.Fault)
		}
		taken += r.Stats["taken"]
		if by[r.Engine]++; want == cert.Proved {
			proved++
		} else {
			refuted++
		}
	}
	t.Logf("%d proved, %d refuted, by %v; %d live, %d not, by %v; %g lemmas of others in those that won", proved, refuted, by, live.proved, live.refuted, live.by, taken)
	if min(proved, refuted)*8 < circuits || taken == 0 {
		t.Error("too few proofs, counterexamples or lemmas")
	}
	for polls := 0; runtime.NumGoroutine() > before; polls++ {
		if polls == 1_000_000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

// TestPortfolioOfOne: with one job a portfolio is the default engine, and runs as it does.
func TestPortfolioOfOne(t *testing.T) {
	for seed := range uint64(20) {
		c := classictest.Sample(rand.New(rand.NewPCG(31, seed)))
		var stats []map[string]float64
		for _, e := range []verify.Engine{portfolioOf(t, 1, 0), engines.NewAuto()} {
			r := e.Check(context.Background(), verify.Task{Problem: circuit.Problem{Circuit: c}, Progress: func(verify.Progress) {}})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			stats = append(stats, r.Stats)
		}
		for _, key := range []string{verify.StatEffort, "queries", "lemmas", "frames"} {
			if stats[0][key] != stats[1][key] {
				t.Errorf("seed %d: %s is %g and %g", seed, key, stats[0][key], stats[1][key])
			}
		}
	}
}

// TestWithOthers: until others join it, the default engine runs as it does alone.
func TestWithOthers(t *testing.T) {
	e := engines.JoinedBySeveral(3, time.Hour)
	for seed := range uint64(20) {
		p := circuit.Problem{Circuit: classictest.Sample(rand.New(rand.NewPCG(43, seed)))}
		var stats []map[string]float64
		for _, e := range []verify.Engine{e, engines.NewAuto()} {
			r := e.Check(context.Background(), verify.Task{Problem: p, Progress: func(verify.Progress) {}})
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			stats = append(stats, r.Stats)
		}
		for _, key := range []string{verify.StatEffort, "queries", "lemmas", "frames"} {
			if stats[0][key] != stats[1][key] {
				t.Errorf("seed %d: %s is %g and %g", seed, key, stats[0][key], stats[1][key])
			}
		}
	}
}

// TestMembers: the engines of a portfolio, each made alone and told where the others are,
// answer together as a search of all states does, and there are no others.
func TestMembers(t *testing.T) {
	taken := 0.0
	for seed := range uint64(100) {
		c := classictest.Sample(rand.New(rand.NewPCG(37, seed)))
		jobs := 2 + int(seed%8)
		var members []verify.Engine
		for i := range jobs {
			e, err := engines.Spec{Engine: "portfolio", Jobs: jobs, Member: i + 1, Seed: int64(seed)}.New()
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, e)
		}
		p := verify.Engine{Name: "portfolio", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
			return portfolio.Check(ctx, t, members)
		}}
		r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: bad0, Engine: p}, nil)
		want := cert.Refuted
		if explicit.FirstBadStep(c, bad0) == explicit.NotViolated {
			want = cert.Proved
		}
		if r.Checked.Outcome() != want || r.Internal != nil || r.Fault != nil || r.Stats[verify.StatEffort] == 0 && r.Engine == "ic3" {
			t.Fatalf("seed %d: %s by %s, want %s; %v, %v, %v", seed, r, r.Engine, want, r.Internal, r.Fault, r.Stats)
		}
		taken += r.Stats["taken"]
	}
	t.Logf("%g lemmas taken by those that won", taken)
	for _, s := range []engines.Spec{
		{Engine: "portfolio", Jobs: 2, Member: 3}, {Engine: "portfolio", Jobs: 2, Member: -1},
		{Engine: "portfolio", Member: 1}, {Engine: "ic3", Member: 1}, {Engine: "auto", Jobs: 2, Member: 1},
	} {
		if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), "member: ") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestMemberAlone: one engine of a portfolio is the one that runs there, for both questions.
func TestMemberAlone(t *testing.T) {
	for i, want := range []string{"ic3", "ic3", "bmc", "ic3", "kind", "ic3", "bmc", "ic3", "ic3"} {
		e, err := engines.Spec{Engine: "portfolio", Jobs: 9, Member: i + 1}.New()
		if err != nil {
			t.Fatal(err)
		}
		c := classictest.Sample(rand.New(rand.NewPCG(31, 1)))
		r := e.Check(context.Background(), verify.Task{Problem: circuit.Problem{Circuit: c}, Progress: func(verify.Progress) {}})
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if r.Engine != want && !(want == "ic3" && r.Engine == "bmc") {
			t.Errorf("member %d is %s, want %s", i+1, r.Engine, want)
		}
	}
}

// TestFrugal: a member that ends at its own limit of memory has no answer, whatever it was about to say.
func TestFrugal(t *testing.T) {
	check := engines.Frugal(func(ctx context.Context, _ verify.Task) verify.Report {
		<-ctx.Done()
		return verify.Report{Verdict: cert.Verdict{Outcome: cert.Proved, Depth: 4}, Err: ctx.Err()}
	})
	r := check(t.Context(), verify.Task{Limits: verify.Limits{Memory: 2}})
	if r.Err != nil || r.Verdict.Outcome != cert.Unknown || r.Verdict.Depth != 4 || !strings.Contains(r.Verdict.Reason, "memory") {
		t.Errorf("%+v, error %v", r.Verdict, r.Err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := check(ctx, verify.Task{}); !errors.Is(r.Err, context.Canceled) {
		t.Errorf("error %v after the end of the context", r.Err)
	}
}
