package btor2test

import (
	"math/rand/v2"
	"testing"
)

// TestRandom: random texts are sound to the reader, and tiny ones can be searched.
func TestRandom(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, shape := range []Shape{Tiny, Wide} {
			Simulate(Random(seed, shape), 4, func(_ int, _ int64, s Sort) Value { return RandomValue(r, s) })
		}
		if _, ok := Search(Random(seed, Tiny), 1<<10); !ok {
			t.Fatalf("seed %d cannot be searched", seed)
		}
	}
}
