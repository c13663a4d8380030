package classictest_test

import (
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/classic/classictest"
	"aiglens/internal/explicit"
)

// TestSample: the table agrees with explicit search, and the samples are as deep
// as promised.
func TestSample(t *testing.T) {
	deep, holds, n := 0, 0, 1000
	for seed := range n {
		c := classictest.Sample(rand.New(rand.NewPCG(1, uint64(seed))))
		table := classictest.NewTable(c)
		first := table.FirstBad()
		if want := explicit.FirstBadStep(c, circuit.Property{}); first != want {
			t.Fatalf("seed %d: first bad step %d, explicit search says %d", seed, first, want)
		}
		switch {
		case first >= 3:
			deep++
		case first < 0 && table.BackwardDepth() >= 5:
			holds++
		}
	}
	if deep < n*3/10 || holds < n*3/10 {
		t.Errorf("of %d circuits %d are violated in step 3 or later and %d hold in depth: too few", n, deep, holds)
	}
}
