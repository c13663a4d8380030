package live_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/live"
	"aiglens/internal/explicit"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

// partNamed returns one of the parts.
func partNamed(t *testing.T, name string) live.Part {
	t.Helper()
	i := slices.IndexFunc(live.Parts(), func(p live.Part) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("there is no part %q", name)
	}
	return live.Parts()[i]
}

// bounded returns the part with no more turns than it may have.
func bounded(p live.Part, effort int64) live.Part {
	run := p.Run
	p.Run = func(ctx context.Context, r *circuit.Repetition, o live.Options, turn live.Turn) (live.Claim, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		claim, err := run(ctx, r, o, func(now live.Progress) error {
			if err := turn(now); err != nil {
				return err
			}
			if now.Effort > effort {
				stop()
			}
			return ctx.Err()
		})
		if err == context.Canceled {
			return live.Claim{}, nil
		}
		return claim, err
	}
	return p
}

// randomProblem returns a random circuit with one justice property, as engines see it.
func randomProblem(seed uint64) circuit.Problem {
	r := rand.New(rand.NewPCG(seed, 7))
	c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 2 + r.IntN(5), Gates: 10 + r.IntN(25), Justice: 2, Fairness: r.IntN(2),
		Constraints: r.IntN(3), FreeLatches: r.IntN(2) == 0, OneResets: true, Constants: r.IntN(8) == 0, ResetFunctions: r.IntN(3) == 0})
	if len(c.Justice()) == 0 {
		return randomProblem(seed + 1<<40)
	}
	if c.HasResetFunctions() {
		c, _ = c.ConstantResets()
	}
	return circuit.Problem{Circuit: c, Question: circuit.Liveness}
}

// answers counts what a part has answered.
type answers struct{ proved, refuted, openProofs, openLassos, ranks, monotone, ordered int }

// compare runs a part on random circuits and compares its answers with a search of all
// states; their certificates pass.
func compare(t *testing.T, p live.Part, circuits uint64) (n answers) {
	t.Helper()
	for seed := range circuits {
		problem := randomProblem(seed)
		v, _, err := live.Check(context.Background(), problem, live.Options{Parts: []live.Part{p}, NoReduce: seed%2 == 0}, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		violated := explicit.Violated(problem.Circuit, justice0)
		switch {
		case v.Outcome != cert.Unknown:
		case violated:
			n.openLassos++
			continue
		default:
			n.openProofs++
			continue
		}
		if violated != (v.Outcome == cert.Refuted) {
			t.Fatalf("seed %d: %+v; by search violated: %v", seed, v, violated)
		}
		if _, err := cert.Check(context.Background(), problem.Circuit, justice0, v); err != nil {
			t.Fatalf("seed %d: %v: %+v", seed, err, v)
		}
		if v.Outcome == cert.Refuted {
			n.refuted++
			continue
		}
		n.proved++
		if len(v.Ranking.Ranks) > 1 {
			n.ranks++
		}
		if len(v.Ranking.Monotone) > 0 {
			n.monotone++
		}
		if len(v.Ranking.Monotone) > 1 {
			n.ordered++
		}
	}
	t.Logf("%+v", n)
	return n
}

// TestKLiveness: k-liveness proves what holds, whatever the number of rounds, and nothing
// else.
func TestKLiveness(t *testing.T) {
	n := compare(t, bounded(partNamed(t, live.KLiveness), 30_000), 3000)
	if n.refuted > 0 || n.proved < 1000 || n.openProofs > 20 || n.ranks < 25 || n.monotone < 300 || n.ordered < 100 {
		t.Errorf("%+v", n)
	}
}

// TestRLive: rlive proves and refutes.
func TestRLive(t *testing.T) {
	n := compare(t, bounded(partNamed(t, live.RLive), 100_000), 3000)
	if n.refuted < 800 || n.proved < 1000 || n.openProofs > 5 || n.openLassos > 5 || n.ranks < 40 {
		t.Errorf("%+v", n)
	}
}

// TestMonotoneEffort: a query about one more monotone signal costs more the more there are, as
// each is a root of it. A part that prepares takes its turns by that.
func TestMonotoneEffort(t *testing.T) {
	const latches = 1000
	b := circuit.NewBuilder(0)
	before := b.Input(0)
	for range latches {
		l := b.Latch(0)
		b.SetNext(l, b.Or(l, b.And(before, b.Input(0))))
		before = l
	}
	b.Justice([]circuit.Lit{before}, 0)
	r, err := b.Build().Repetition(justice0)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{live.KLiveness, live.RLive} {
		ctx, stop := context.WithCancel(t.Context())
		var effort []int64 // by turn: one for each latch
		_, _ = partNamed(t, name).Run(ctx, r, live.Options{}, func(p live.Progress) error {
			if effort = append(effort, p.Effort); len(effort) == latches {
				stop()
			}
			return ctx.Err()
		})
		if len(effort) < latches {
			t.Fatalf("%s: %d turns", name, len(effort))
		}
		early, late := effort[200]-effort[100], effort[latches-1]-effort[latches-101]
		if late < early+100*600 {
			t.Errorf("%s: 100 latches are counted as %d, later as %d", name, early, late)
		}
	}
}

// TestLassoEffort: what the search for lassos says it has spent never becomes less, also
// where its first steps cost more than it may spend when the simulation begins.
func TestLassoEffort(t *testing.T) {
	b := circuit.NewBuilder(0)
	all, never := circuit.True, b.Latch(0)
	for range 10_000 {
		l := b.Latch(0)
		b.SetNext(l, b.Input(0))
		all = b.And(all, l)
	}
	b.SetNext(never, b.And(never, all))
	b.Justice([]circuit.Lit{never}, 0)
	r, err := b.Build().Repetition(justice0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	turns, last := 0, live.Progress{}
	_, _ = partNamed(t, live.Lasso).Run(ctx, r, live.Options{}, func(p live.Progress) error {
		if turns++; p.Effort < last.Effort {
			t.Errorf("turn %d: an effort of %d after %d", turns, p.Effort, last.Effort)
		}
		if last = p; p.Effort > 2_500_000 {
			stop()
		}
		return ctx.Err()
	})
	if last.Effort <= 2_500_000 {
		t.Errorf("%d turns, %+v", turns, last)
	}
}
