package picture_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/internal/explicit"
)

// TestBoxes closes boxes of random circuits. What is left computes what the circuit does, nothing that
// lies inside is drawn, and exactly the literals enter and leave a box that do where the boxes are open.
func TestBoxes(t *testing.T) {
	closed := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(31, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 5, Latches: 8, Gates: 60, OneResets: true, ResetFunctions: seed%3 == 0})
		scope := make([]int, c.NumVars())
		for v := range scope {
			if c.Kind(circuit.Var(v)) != circuit.KindInput {
				scope[v] = r.IntN(4)
			}
		}
		open := map[int]bool{1: r.IntN(3) == 0}
		roots := []circuit.Lit{c.Bads()[0].Lit, c.Latches()[0].Next}
		o := picture.SchematicOptions{Limit: 10_000, Scope: func(v circuit.Var) int { return scope[v] }}
		whole := of(t, c, roots, o)
		o.Box = func(v circuit.Var) int {
			if open[scope[v]] {
				return 0
			}
			return scope[v]
		}
		asWritten := map[circuit.Var]bool{}
		for v := range scope {
			asWritten[circuit.Var(v)] = r.IntN(3) == 0 // ports that are called after the negation
		}
		o.Pin = func(_ int, l circuit.Lit, _ bool) (key, bit int, at circuit.Lit) {
			return int(l.Var()), 0, l.Var().Lit().NotIf(asWritten[l.Var()])
		}
		g := of(t, c, roots, o).Bundled(nil)
		if got, want := crossing(g, o.Box), crossing(whole, o.Box); !maps.Equal(got, want) {
			t.Fatalf("seed %d: %v cross boxes that are closed, and %v do where they are open", seed, got, want)
		}
		for _, n := range g.Nodes {
			if n.Kind == picture.Instance {
				closed++
			} else if n.Kind != picture.Root && n.Lit.Var() != 0 && o.Box(n.Lit.Var()) > 0 {
				t.Fatalf("seed %d: literal %d is drawn, which lies inside of a closed box", seed, n.Lit)
			}
		}
		expectValues(t, r, c, g)
	}
	if closed < 400 {
		t.Errorf("only %d closed boxes: the test shows little", closed)
	}
}

// crossing returns what enters and leaves boxes, by variable.
func crossing(g *picture.Schematic, box func(circuit.Var) int) map[string]bool {
	all := map[string]bool{}
	of := func(n *picture.Node) int {
		if n.Kind == picture.Root || n.Lit.Var() == 0 {
			return 0
		}
		return box(n.Lit.Var())
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, w := range n.Operands {
			source := &g.Nodes[w.Node]
			v, from, to := source.Lit.Var(), of(source), of(n)
			if w.Pin > 0 {
				v = source.Pins[w.Pin-1].Lits[0].Var()
			}
			if from > 0 && from != to {
				all[fmt.Sprintf("%d leaves %d", v, from)] = true
			}
			if to > 0 && from != to {
				all[fmt.Sprintf("%d:%v enters %d", v, v == 0 && source.Lit == circuit.True, to)] = true
			}
		}
	}
	return all
}

// expectValues computes each gate that is drawn, and each pin where wires enter, from what enters it.
func expectValues(t *testing.T, r *rand.Rand, c *circuit.Circuit, g *picture.Schematic) {
	t.Helper()
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	for i := range inputs {
		inputs[i] = r.Uint64()
	}
	for i := range c.Latches() {
		sim.SetLatch(i, r.Uint64())
	}
	sim.Eval(inputs)
	carried := func(w picture.Operand) uint64 {
		v := sim.Value(g.Nodes[w.Node].Lit)
		if w.Pin > 0 {
			v = sim.Value(g.Nodes[w.Node].Pins[w.Pin-1].Lits[0])
		}
		if w.Negated {
			v = ^v
		}
		return v
	}
	for _, n := range g.Nodes {
		and, or, xor := ^uint64(0), uint64(0), uint64(0)
		for _, w := range n.Operands {
			v := carried(w)
			and, or, xor = and&v, or|v, xor^v
			if p := w.To; p > 0 && v != sim.Value(n.Pins[p-1].Lits[0]) {
				t.Fatalf("pin %d of box %d has another value than its wire", p, n.Box)
			}
		}
		want := sim.Value(n.Lit)
		switch {
		case n.Kind == picture.And && and != want, n.Kind == picture.Or && or != want, (n.Kind == picture.Xor || n.Kind == picture.Root) && xor != want:
			t.Fatalf("%s %d has another value than what enters it", n.Kind, n.Lit)
		case n.Kind == picture.Mux:
			s, a, b := carried(n.Operands[0]), carried(n.Operands[1]), carried(n.Operands[2])
			if s&a|^s&b != want {
				t.Fatalf("multiplexer %d has another value than what enters it", n.Lit)
			}
		case n.Kind == picture.Latch:
			if l := c.Latches()[c.LatchIndex(n.Lit.Var())]; carried(n.Operands[0]) != sim.Value(l.Next) {
				t.Fatalf("latch %d has another next value", n.Lit)
			}
		}
	}
}
