package measure_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/measure"
	"aiglens/internal/explicit"
)

func of(t *testing.T, c *circuit.Circuit) *measure.Stats {
	t.Helper()
	s, err := measure.Of(context.Background(), c, c.Properties(), func(circuit.Lit) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// reaches returns which latches the next state of each depends on, in any number of steps.
func reaches(c *circuit.Circuit) [][]bool {
	n := len(c.Latches())
	reach := make([][]bool, n)
	for i, l := range c.Latches() {
		reach[i] = make([]bool, n)
		_, leaves := c.Logic(l.Next)
		for _, v := range leaves {
			if j := c.LatchIndex(v); j >= 0 {
				reach[i][j] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

func componentsBySearch(c *circuit.Circuit) measure.Components {
	reach := reaches(c)
	var out measure.Components
	for i := range reach {
		size, isFirst := 0, true
		for j := range reach {
			if i == j || reach[i][j] && reach[j][i] {
				size++
				isFirst = isFirst && j >= i
			}
		}
		out.Largest = max(out.Largest, size)
		if isFirst {
			out.Count++
			if reach[i][i] {
				out.Cycles++
			}
		}
	}
	return out
}

// levelsBySearch goes all ways down from what is used.
func levelsBySearch(c *circuit.Circuit) int {
	var level func(l circuit.Lit) int
	level = func(l circuit.Lit) int {
		left, right, ok := c.Operands(l.Var())
		if !ok {
			return 0
		}
		return 1 + max(level(left), level(right))
	}
	top := 0
	for _, l := range c.Latches() {
		top = max(top, level(l.Next), level(l.Reset))
	}
	for _, s := range append(append(append(append([]circuit.Signal(nil), c.Outputs()...), c.Bads()...), c.Constraints()...), c.Fairness()...) {
		top = max(top, level(s.Lit))
	}
	for _, j := range c.Justice() {
		for _, l := range j.Lits {
			top = max(top, level(l))
		}
	}
	return top
}

// TestRandomCircuits compares the measures of random circuits with those of plain searches,
// and cones with those that engines get.
func TestRandomCircuits(t *testing.T) {
	cycles := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 20))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 1 + r.IntN(4), Latches: 1 + r.IntN(9), Gates: r.IntN(25), MoreBads: r.IntN(100), Constraints: r.IntN(2),
			Justice: r.IntN(3), Fairness: r.IntN(2), FreeLatches: true, OneResets: true, Constants: r.IntN(2) == 0, ResetFunctions: r.IntN(2) == 0,
		})
		s := of(t, c)
		if want := componentsBySearch(c); s.Components != want {
			t.Errorf("seed %d: components %+v, by search %+v", seed, s.Components, want)
		}
		if want := levelsBySearch(c); s.Levels != want {
			t.Errorf("seed %d: %d levels, by search %d", seed, s.Levels, want)
		}
		cycles += s.Components.Cycles
		if sum := s.Resets.Zero + s.Resets.One + s.Resets.Free + s.Resets.Function; sum != s.Latches {
			t.Errorf("seed %d: %d resets of %d latches", seed, sum, s.Latches)
		}
		for _, k := range s.Cones {
			cone, err := c.Cone(k.Property)
			if err != nil {
				t.Fatal(err)
			}
			want := measure.Cone{Property: k.Property, Inputs: len(cone.Inputs), Latches: len(cone.Latches), Gates: cone.Circuit.NumGates()}
			if k != want {
				t.Errorf("seed %d: cone %+v, engines get %+v", seed, k, want)
			}
		}
	}
	if cycles < 100 {
		t.Errorf("only %d cycles in all circuits: the test looks at too little", cycles)
	}
}

// TestShapes recognises what a builder makes.
func TestShapes(t *testing.T) {
	b := circuit.NewBuilder(0)
	x, y, z := b.Input(0), b.Input(0), b.Input(0)
	b.Output(b.Xor(x, y), 0)
	b.Output(b.Mux(x, y, z), 0)
	b.Output(b.And(x, z), 0)
	s := of(t, b.Build())
	// The xor has x ∧ ¬y and ¬x ∧ y, the multiplexer x ∧ y and ¬x ∧ z: nothing is shared.
	want := measure.Shapes{Xors: 1, Muxes: 1, XorGates: 3, MuxGates: 3, Ands: 1}
	if s.Shapes != want {
		t.Errorf("%+v, expected %+v", s.Shapes, want)
	}
	if s.FanOut.Max != 5 || s.FanOut.Of != x.Var() {
		t.Errorf("fan-out %+v, expected 5 of x", s.FanOut)
	}
}

// TestLongChains takes circuits that are deep in gates and in latches, on which a search
// that calls itself, or one that looks anything up by walking, would not end.
func TestLongChains(t *testing.T) {
	const n = 300_000
	b := circuit.NewBuilder(2 * n)
	in := b.Input(0)
	deep := in
	var chain []circuit.Lit
	for range n {
		l := b.Latch(0)
		deep = b.And(deep, l).Not()
		chain = append(chain, l)
	}
	for i, l := range chain {
		b.SetNext(l, chain[(i+1)%n])
	}
	for range 200 {
		b.Bad(deep, 0)
	}
	s := of(t, b.Build())
	if s.Levels != n || s.Components != (measure.Components{Count: 1, Cycles: 1, Largest: n}) {
		t.Errorf("%d levels, components %+v", s.Levels, s.Components)
	}
	if k := s.Cones[199]; k.Inputs != 1 || k.Latches != n || k.Gates != n {
		t.Errorf("cone %+v", k)
	}
}

// TestEnds gives up with its context, and refuses a property that does not exist.
func TestEnds(t *testing.T) {
	b := circuit.NewBuilder(0)
	b.Bad(b.Latch(0), 0)
	c := b.Build()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := measure.Of(ctx, c, nil, func(circuit.Lit) bool { return false }); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	if _, err := measure.Of(context.Background(), c, []circuit.Property{{Kind: circuit.PropertyJustice}}, func(circuit.Lit) bool { return false }); err != circuit.ErrNoProperty {
		t.Errorf("error %v", err)
	}
}
