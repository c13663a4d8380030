package ic3

import (
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/explicit"
)

// keptStep is a step as models should remember it.
type keptStep struct {
	now, then cube
	inputs    []circuit.Lit
	lowest    int // level whose frame holds its state
}

// answers reports whether the step leads from outside of the cube into it.
func (k keptStep) answers(c cube) bool {
	outside := false
	for _, l := range c {
		if !k.then.contains(l) {
			return false
		}
		outside = outside || k.now.contains(l.Not())
	}
	return outside
}

// TestModels compares models with a list of steps that is searched one by one, until long
// after the first ones are replaced.
func TestModels(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 0))
	var c *circuit.Circuit
	for c == nil || len(c.Latches()) < 9 || len(c.Inputs()) == 0 {
		c = explicit.RandomCircuit(random, explicit.Shape{Inputs: 3, Latches: 12, Gates: 40, OneResets: true})
	}
	m := newModels(c)
	m.open()
	kept := map[int]keptStep{}
	found, missed := 0, 0
	randomCube := func(n int) cube {
		var lits []circuit.Lit
		for _, i := range random.Perm(len(c.Latches()))[:n] {
			lits = append(lits, c.Latches()[i].Lit.NotIf(random.IntN(2) == 0))
		}
		return newCube(lits)
	}
	for range 4 * maxModels {
		switch random.IntN(20) {
		case 0:
			if m.levels < 6 {
				m.open()
			}
		case 1:
			lemma, level := randomCube(5), random.IntN(m.levels)
			m.exclude(lemma, level)
			for i, k := range kept {
				if lemma.subsumes(k.now) {
					k.lowest = max(k.lowest, level+1)
					kept[i] = k
				}
			}
		default:
			var isTrue []circuit.Lit
			known := map[circuit.Lit]bool{circuit.True: true}
			for v := 1; v < c.NumVars(); v++ {
				if random.IntN(3) > 0 {
					l := circuit.Var(v).Lit().NotIf(random.IntN(2) == 0)
					isTrue, known[l] = append(isTrue, l), true
				}
			}
			k := keptStep{lowest: random.IntN(m.levels)}
			for _, in := range c.Inputs() {
				for _, l := range []circuit.Lit{in.Lit, in.Lit.Not()} {
					if known[l] {
						k.inputs = append(k.inputs, l)
					}
				}
			}
			for _, latch := range c.Latches() {
				for _, isNegated := range []bool{false, true} {
					if known[latch.Lit.NotIf(isNegated)] {
						k.now = append(k.now, latch.Lit.NotIf(isNegated))
					}
					if known[latch.Next.NotIf(isNegated)] {
						k.then = append(k.then, latch.Lit.NotIf(isNegated))
					}
				}
			}
			k.now, k.then = newCube(k.now), newCube(k.then)
			i := m.keep(isTrue, k.lowest)
			kept[i] = k
			if !equal(m.state(i), k.now) || !equal(m.successor(i), k.then) || !equal(newCube(m.appendInputs(nil, i)), newCube(k.inputs)) {
				t.Fatalf("kept %v, %v and %v, not %v", m.state(i), m.successor(i), m.appendInputs(nil, i), k)
			}
		}
		question, level := randomCube(7), random.IntN(m.levels)
		if i, ok := m.find(question, level); ok {
			found++
			if k := kept[i]; k.lowest > level || !k.answers(question) {
				t.Fatalf("%v in F_%d is answered by %v", question, level, k)
			}
			continue
		}
		missed++
		if missed%100 != 0 {
			continue
		}
		for i, k := range kept {
			if k.lowest <= level && k.answers(question) {
				t.Fatalf("%v in F_%d is not answered by %d, %v", question, level, i, k)
			}
		}
	}
	if len(kept) != maxModels || min(found, missed) < 1000 {
		t.Errorf("%d models, %d found, %d missed", len(kept), found, missed)
	}
}

func equal(a, b cube) bool { return len(a) == len(b) && a.subsumes(b) }

// TestModelsShrink: models that become large in the place of small ones leave room for fewer.
func TestModelsShrink(t *testing.T) {
	const latches = 4_000
	b := circuit.NewBuilder(0)
	var whole []circuit.Lit
	for range latches {
		l := b.Latch(0)
		b.SetNext(l, l)
		whole = append(whole, l)
	}
	b.Bad(whole[0], 0)
	m := newModels(b.Build())
	m.open()
	for range maxModels {
		m.keep(whole[:1], 0)
	}
	if len(m.blocks) != maxModels/blockModels {
		t.Fatalf("%d blocks of small models", len(m.blocks))
	}
	most := 0
	for range maxModels {
		i := m.keep(whole, 0)
		if most = max(most, m.bytes()); !m.holds(i, whole[latches-1]) {
			t.Fatalf("model %d is not kept", i)
		}
	}
	of := 4 * 2 * latches * blockModels // the marks of a block
	if most > 2*maxModelBytes+of || m.bytes() < maxModelBytes/2 {
		t.Errorf("at most %d bytes, then %d", most, m.bytes())
	}
	marks := 0
	for _, b := range m.blocks {
		for i := range b.marks {
			marks += len(b.marks[i]) + len(b.inputs[i])
		}
	}
	if marks != m.marks {
		t.Errorf("%d marks, counted %d", marks, m.marks)
	}
}
