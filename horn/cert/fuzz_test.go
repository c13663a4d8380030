package cert_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// choices are random numbers that fuzzing chooses: 8 bytes each, then those of a generator.
type choices struct {
	data []byte
	then *rand.PCG
}

func (c *choices) Uint64() uint64 {
	if len(c.data) < 8 {
		return c.then.Uint64()
	}
	x := binary.LittleEndian.Uint64(c.data)
	c.data = c.data[8:]
	return x
}

// FuzzCheck makes a system and its answer, and changes the answer, as the bytes choose. The
// checker accepts it exactly if a search of all instances takes it for right.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(8) {
		data := make([]byte, 0, 400)
		r := rand.NewPCG(35, seed)
		for range 50 * seed {
			data = binary.LittleEndian.AppendUint64(data, r.Uint64())
		}
		f.Add(uint8(seed), data)
	}
	f.Fuzz(func(t *testing.T, changes uint8, data []byte) {
		r := rand.New(&choices{data, rand.NewPCG(36, uint64(len(data)))})
		s := randomSystem(r)
		a := solve(s)
		for range changes % 8 {
			a = mutate(r, s, a)
		}
		compare(t, s, a, "fuzzed")
	})
}
