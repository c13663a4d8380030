package live_test

import (
	"context"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/live"
)

// TestParts: the parts take turns by effort, one that ends does not keep the others
// waiting, and the first claim ends them all.
func TestParts(t *testing.T) {
	turns := map[string]int{}
	ended := 0
	counting := func(name string, perTurn int64, claim bool) live.Part {
		return live.Part{Name: name, Share: 1, Run: func(ctx context.Context, r *circuit.Repetition, o live.Options, turn live.Turn) (live.Claim, error) {
			defer func() { ended++ }()
			for effort := int64(0); effort < 10_000_000; effort += perTurn {
				if err := turn(live.Progress{Effort: effort}); err != nil {
					return live.Claim{}, err
				}
				turns[name]++
			}
			if !claim {
				return live.Claim{}, nil
			}
			return live.Claim{Ranking: &cert.Ranking{}}, nil
		}}
	}
	silent := live.Part{Name: "silent", Share: 1, Run: func(context.Context, *circuit.Repetition, live.Options, live.Turn) (live.Claim, error) {
		return live.Claim{}, nil
	}}
	b := circuit.NewBuilder(0)
	b.Justice([]circuit.Lit{b.Input(0)}, 0)
	problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
	o := live.Options{Parts: []live.Part{silent, counting("small steps", 1000, true), counting("large steps", 100_000, false)}}
	v, stats, err := live.Check(context.Background(), problem, o, nil)
	if err != nil || v.Outcome != cert.Proved || stats.By != "small steps" {
		t.Errorf("%+v, %+v, %v", v, stats, err)
	}
	if turns["small steps"] != 10_000 || turns["large steps"] < 70 || turns["large steps"] > 100 || ended != 2 {
		t.Errorf("%v, %d have ended", turns, ended)
	}
	if !stats.Parts[0].Ended || stats.Parts[1].Ended || stats.Parts[2].Ended {
		t.Errorf("%+v", stats.Parts)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, _, err = live.Check(ctx, problem, o, func(s live.Stats) {
		if s.Parts[2].Turns > 0 {
			cancel()
		}
	})
	if err != context.Canceled || ended != 4 {
		t.Errorf("%v, %d have ended", err, ended)
	}
	if v, _, err := live.Check(context.Background(), problem, live.Options{Parts: []live.Part{silent}}, nil); err != nil || v.Outcome != cert.Unknown {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestLassoOfSafety: a counter that is free to stay is brought round by liveness to safety.
func TestLassoOfSafety(t *testing.T) {
	b := circuit.NewBuilder(0)
	count, wait := b.Latch(0), b.Input(0)
	b.SetNext(count, b.Xor(count, wait.Not()))
	b.Justice([]circuit.Lit{count, count.Not()}, 0)
	problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
	v, _, err := live.Check(context.Background(), problem, live.Options{}, nil)
	if err != nil || v.Outcome != cert.Refuted || v.Lasso.Steps() != 2 || v.Lasso.Loop != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestOnlyRefutes: what only refutes says so where there is nothing to refute.
func TestOnlyRefutes(t *testing.T) {
	b := circuit.NewBuilder(0)
	b.Justice([]circuit.Lit{circuit.False}, 0)
	problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
	for _, part := range live.Parts() {
		if part.Name != live.LivenessToSafety {
			continue
		}
		v, _, err := live.Check(context.Background(), problem, live.Options{Parts: []live.Part{part}}, nil)
		if err != nil || v.Outcome != cert.Unknown || v.Reason != "l2s found no counterexample, and cannot prove that there is none" {
			t.Errorf("%+v, %v", v, err)
		}
	}
}

// counter adds a counter that always goes on, and returns its bits.
func counter(b *circuit.Builder, bits int) []circuit.Lit {
	var all []circuit.Lit
	carry := circuit.True
	for range bits {
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		all = append(all, l)
	}
	return all
}

// TestLassoOfReduced: what the reduction leaves out comes round, too, where that is soon;
// else it is left open.
func TestLassoOfReduced(t *testing.T) {
	for _, test := range []struct{ bits, steps int }{{3, 8}, {14, 1}} {
		b := circuit.NewBuilder(0)
		bits, never, in := counter(b, test.bits), b.Latch(0), b.Input(0)
		last := circuit.True
		for _, l := range bits {
			last = b.And(last, l)
		}
		b.SetNext(never, b.And(never, in))
		b.Justice([]circuit.Lit{b.Or(in, b.And(last, never))}, 0)
		problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
		v, stats, err := live.Check(context.Background(), problem, live.Options{}, nil)
		if err != nil || v.Outcome != cert.Refuted || stats.Again || v.Lasso.Steps()-v.Lasso.Loop != test.steps {
			t.Errorf("%d bits: %+v, %v", test.bits, v, err)
			continue
		}
		if _, err := cert.Check(context.Background(), problem.Circuit, problem.Property(), v); err != nil {
			t.Errorf("%d bits: %v", test.bits, err)
		}
	}
}

// TestConstantGoal: the proof of a long justice property one of whose literals is never 1 refers to that
// literal alone, because its check takes time for each clause.
func TestConstantGoal(t *testing.T) {
	const literals, at = 400, 150
	for _, isLatch := range []bool{false, true} {
		b := circuit.NewBuilder(0)
		never, goals := circuit.False, []circuit.Lit(nil)
		if isLatch {
			never = b.Latch(0)
			b.SetNext(never, never)
		}
		for range 10 {
			l := b.Latch(0)
			b.SetNext(l, l.Not())
			goals = append(goals, l)
		}
		for i := len(goals); i < literals; i++ {
			goals = append(goals, goals[i%10].NotIf(i/10%2 == 1))
		}
		goals[at] = never
		b.Justice(goals, 0)
		problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
		v, _, err := live.Check(t.Context(), problem, live.Options{}, nil)
		if err != nil || v.Outcome != cert.Proved {
			t.Fatalf("%+v, %v", v, err)
		}
		if _, err := cert.Check(t.Context(), problem.Circuit, problem.Property(), v); err != nil {
			t.Error(err)
		}
		if n := len(v.Ranking.Ranks[0]); n > 2 {
			t.Errorf("the proof has %d clauses", n)
		}
	}
}
