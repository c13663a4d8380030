package circuit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// TestRepetition: along random runs of random circuits, the literal of a Repetition is 1 in the
// steps in which the last of the goals of a round is 1.
func TestRepetition(t *testing.T) {
	rounds := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%2 == 0})
		b := circuit.NewBuilder(0)
		lit := base.CopyTo(b)
		var goals []circuit.Lit
		pick := func() circuit.Lit { return lit(circuit.Lit(r.IntN(2 * base.NumVars()))) }
		for range r.IntN(4) {
			goals = append(goals, pick())
		}
		b.Justice(goals, 7)
		for range r.IntN(3) {
			goals = append(goals, pick())
			b.Fairness(goals[len(goals)-1], 0)
		}
		c := b.Build()
		m, err := c.Repetition(circuit.Property{Kind: circuit.PropertyJustice})
		if err != nil {
			t.Fatal(err)
		}
		if want := len(goals); want < 2 && m.Seen() != 0 || want >= 2 && m.Seen() != want || m.Circuit.HasResetFunctions() {
			t.Fatalf("seed %d: %d latches for %d goals", seed, m.Seen(), want)
		}
		rounds += compareRounds(t, r, c, m, goals, fmt.Sprint("seed ", seed))
	}
	if rounds < 500 {
		t.Errorf("only %d rounds", rounds)
	}
}

func compareRounds(t *testing.T, r *rand.Rand, c *circuit.Circuit, m *circuit.Repetition, goals []circuit.Lit, name string) (rounds int) {
	t.Helper()
	const steps = 20
	original, monitored := circuit.NewParallel(c), circuit.NewParallel(m.Circuit)
	free := make([]uint64, len(c.Latches()))
	for i := range free {
		free[i] = r.Uint64()
	}
	original.Reset(func(i int) uint64 { return free[i] })
	monitored.Reset(func(i int) uint64 { return free[i] })
	met := make([]uint64, len(goals))
	for step := range steps {
		inputs := make([]uint64, len(c.Inputs()))
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		original.Eval(inputs)
		monitored.Eval(inputs)
		want := ^uint64(0)
		for i, l := range goals {
			met[i] |= original.Value(l)
			want &= met[i]
		}
		if got := monitored.Value(m.Round()); got != want {
			t.Fatalf("%s: step %d: %x, want %x", name, step, got, want)
		}
		for i := range met {
			met[i] &^= want
		}
		if want != 0 && len(goals) > 1 {
			rounds++
		}
		original.Advance()
		monitored.Advance()
	}
	return rounds
}

// TestRepetitionsOfOneCircuit: the Repetitions of a circuit, which share what they can, are
// those of circuits that were asked for no other, and asking for more changes none.
func TestRepetitionsOfOneCircuit(t *testing.T) {
	for seed := range uint64(50) {
		fresh := func() *circuit.Circuit {
			r := rand.New(rand.NewPCG(seed, 2))
			base := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%2 == 0, Fairness: 1})
			b := circuit.NewBuilder(0)
			lit := base.CopyTo(b)
			base.CopyRoles(b, lit)
			for n := range 4 { // of literals
				var goals []circuit.Lit
				for range n {
					goals = append(goals, lit(circuit.Lit(r.IntN(2*base.NumVars()))))
				}
				b.Justice(goals, circuit.Origin(n))
			}
			return b.Build()
		}
		repetition := func(c *circuit.Circuit, i int) *circuit.Repetition {
			r, err := c.Repetition(circuit.Property{Kind: circuit.PropertyJustice, Index: i})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		shared := fresh()
		var all []*circuit.Repetition
		for i := range shared.Justice() {
			all = append(all, repetition(shared, i))
			all[i].AsSafety()
		}
		for i, got := range all {
			if want := repetition(fresh(), i); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: justice %d differs from that of a circuit of its own", seed, i)
			}
			compareRounds(t, rand.New(rand.NewPCG(seed, 3)), shared, got, shared.Goals(i), fmt.Sprintf("seed %d, justice %d", seed, i))
		}
	}
}

// TestRepetitionContext: what is left out at the end of a context is made up for later.
func TestRepetitionContext(t *testing.T) {
	for _, resetFunctions := range []bool{false, true} {
		b := circuit.NewBuilder(0)
		g, latch := b.Input(0), b.Latch(0)
		for range 20_000 {
			g = b.And(g, b.Input(0))
		}
		b.SetNext(latch, g)
		if resetFunctions {
			b.SetReset(latch, g)
		}
		b.Justice([]circuit.Lit{latch, latch.Not()}, 0)
		c, p := b.Build(), circuit.Property{Kind: circuit.PropertyJustice}
		const most = 1000
		end := 1
		for ; end < most; end++ {
			r, err := c.RepetitionContext(shared.NewPolls(end), p)
			if err == nil {
				break
			}
			if r != nil || err != context.Canceled {
				t.Fatalf("%v after look %d", err, end)
			}
		}
		if end < 5 || end == most {
			t.Errorf("reset functions %v: done after %d looks", resetFunctions, end)
		}
		again := shared.NewPolls(0)
		r, err := c.RepetitionContext(again, p)
		if err != nil || again.Looks > 1 || r.Seen() != 2 || r.First != resetFunctions {
			t.Errorf("the second time: %v after %d looks", err, again.Looks)
		}
	}
}
