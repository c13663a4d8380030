package circuit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/randcircuit"
)

// TestRepetition: along random runs of random circuits, the literal of a Repetition is 1 in the
// steps in which the last of the goals of a round is 1.
func TestRepetition(t *testing.T) {
	rounds := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		base := randcircuit.New(r, randcircuit.Shape{Inputs: 3, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%2 == 0})
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
