package reduce

import (
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
)

// TestRules: one example of each rule, on inputs a, b, c.
func TestRules(t *testing.T) {
	w := newRewriter(16, true)
	a, b, c := w.input(0), w.input(0), w.input(0)
	ab, ac, bc := w.and(a, b), w.and(a, c), w.and(b, c)
	aNotB, notAC := w.and(a, b.Not()), w.and(a.Not(), c)
	for _, test := range []struct {
		name        string
		left, right circuit.Lit
		want        circuit.Lit
		isGate      bool // another one when the operands are exchanged
	}{
		{"contradiction with an operand", ab, a.Not(), circuit.False, false},
		{"contradiction of two operands", ab, notAC, circuit.False, false},
		{"subsumption by an operand", ab.Not(), b.Not(), b.Not(), false},
		{"subsumption of two gates", ab.Not(), notAC, notAC, false},
		{"idempotence", ab, b, ab, false},
		{"resolution", ab.Not(), aNotB.Not(), a.Not(), false},
		{"substitution by an operand", ab.Not(), a, aNotB, true},
		{"substitution of two gates", ab.Not(), ac, w.and(ac, b.Not()), true},
		{"shared operand", ab, bc, w.and(a, bc), true},
	} {
		if got := w.and(test.left, test.right); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
		if got := w.and(test.right, test.left); got != test.want && !test.isGate {
			t.Errorf("%s, exchanged: %d, want %d", test.name, got, test.want)
		}
	}
}

// TestRewriting builds random gates over four inputs with and without rules:
// same truth tables, and all in all fewer gates.
func TestRewriting(t *testing.T) {
	inputs := []uint64{0xaaaa, 0xcccc, 0xf0f0, 0xff00}
	var with, without int
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		rules, plain := tabled{newRewriter(64, true), []uint64{0}}, tabled{newRewriter(64, false), []uint64{0}}
		var made [][2]circuit.Lit // with rules and without
		for _, table := range inputs {
			made = append(made, [2]circuit.Lit{rules.input(0), plain.input(0)})
			rules.tables, plain.tables = append(rules.tables, table), append(plain.tables, table)
		}
		for range 40 {
			left, right := made[rng.IntN(len(made))], made[rng.IntN(len(made))]
			m, n := rng.IntN(2) == 1, rng.IntN(2) == 1
			g := rules.and(left[0].NotIf(m), right[0].NotIf(n))
			h := plain.and(left[1].NotIf(m), right[1].NotIf(n))
			if got, want := rules.table(g), plain.table(h); got != want {
				t.Fatalf("seed %d: %04x, want %04x", seed, got, want)
			}
			made = append(made, [2]circuit.Lit{g, h})
		}
		with, without = with+len(rules.operands), without+len(plain.operands)
	}
	if with >= without {
		t.Errorf("%d variables with rules, %d without", with, without)
	}
	t.Logf("%d variables with rules, %d without", with, without)
}

// tabled is a rewriter with the truth tables of its variables.
type tabled struct {
	rewriter
	tables []uint64
}

func (w *tabled) table(l circuit.Lit) uint64 {
	of := func(l circuit.Lit) uint64 { return (w.tables[l.Var()] ^ -uint64(l&1)) & 0xffff }
	for v := len(w.tables); v < len(w.operands); v++ {
		w.tables = append(w.tables, of(w.operands[v][0])&of(w.operands[v][1]))
	}
	return of(l)
}

// TestRefine: members part by key, each part under its first member.
func TestRefine(t *testing.T) {
	p := newPartition(7)
	for v := circuit.Var(1); v < 7; v++ {
		p.join(v, 0, v == 3)
	}
	keys := []uint64{0, 5, 0, 5, 7, 5, 0}
	separated := p.refine(func(v circuit.Var) uint64 { return keys[v] })
	if len(separated) != 4 || len(p.members) != 4 {
		t.Errorf("separated %v, members %v", separated, p.members)
	}
	for v, want := range []circuit.Lit{0, 2, 0, 3, 8, 2, 0} {
		if got := p.literal(circuit.Var(v)); got != want {
			t.Errorf("literal of %d: %d, want %d", v, got, want)
		}
	}
	if again := p.refine(func(v circuit.Var) uint64 { return keys[v] }); again != nil {
		t.Errorf("separated again: %v", again)
	}
}
