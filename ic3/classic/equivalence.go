package classic

import (
	"encoding/binary"
	"math/rand/v2"

	"aiglens/circuit"
)

// simulatedSteps is the length of the 64 runs that candidates are taken from.
const simulatedSteps = 32

// withEquivalences adds the propagation of candidate latch equivalences (Bradley
// 2011, section 7): two latch literals that had equal values, or one that was
// constant, in all states that simulation met. Latches that start with either value are left out: initiation
// is judged latch by latch.
func (b *bradley) withEquivalences() *bradley {
	seen := map[string]circuit.Lit{}
	// Constants stand in the class of the literal 0.
	runs := b.simulate()
	seen[string(make([]byte, 8*simulatedSteps))] = circuit.False
	for i, l := range b.c.Latches() {
		if l.IsFree() {
			continue
		}
		lit, key := l.Lit.NotIf(l.Reset == circuit.True), runs[i]
		other, known := seen[key]
		if !known {
			seen[key] = lit
			continue
		}
		if other == circuit.False {
			b.candidates = append(b.candidates, candidate{cubes: []cube{newCube([]circuit.Lit{lit})}})
			continue
		}
		b.candidates = append(b.candidates, candidate{cubes: []cube{
			newCube([]circuit.Lit{lit, other.Not()}),
			newCube([]circuit.Lit{lit.Not(), other}),
		}})
	}
	return b
}

// simulate returns, for each latch, its values in 64 random runs, inverted when
// it starts as 1, so that equal ones and opposite ones look the same. A run ends
// where it breaks a constraint; it counts as 0 from there on.
func (b *bradley) simulate() []string {
	random := rand.New(rand.NewPCG(b.options.Seed, 2))
	sim := circuit.NewParallel(b.c)
	sim.Reset(func(int) uint64 { return random.Uint64() })
	alive := ^uint64(0)
	inputs := make([]uint64, len(b.c.Inputs()))
	values := make([][]byte, len(b.c.Latches()))
	for range simulatedSteps {
		for i, l := range b.c.Latches() {
			lit := l.Lit.NotIf(l.Reset == circuit.True)
			values[i] = binary.LittleEndian.AppendUint64(values[i], sim.Value(lit)&alive)
		}
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		sim.Eval(inputs)
		for _, c := range b.constraints {
			alive &= sim.Value(c)
		}
		sim.Advance()
	}
	keys := make([]string, len(values))
	for i, v := range values {
		keys[i] = string(v)
	}
	return keys
}
