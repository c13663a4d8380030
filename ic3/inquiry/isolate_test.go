package inquiry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/internal/explicit"
)

func isolateTerms() inquiry.Terms {
	return inquiry.Terms{Engine: engines.NewAuto()}
}

// TestIsolateRandom: what is proved with latches left free is so in a search of all states of the
// circuit as it is, with an invariant that a search accepts, too.
func TestIsolateRandom(t *testing.T) {
	seeds := uint64(200)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 5000
	}
	proved, open := 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(59, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 5, Gates: 18, Constraints: 1, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: seed%4 == 0})
		groups, err := inquiry.LatchGroups(t.Context(), c, bad0, nil)
		if err != nil {
			t.Fatal(err)
		}
		tries, err := inquiry.Isolate(t.Context(), c, bad0, groups, isolateTerms(), nil)
		if err != nil || len(tries) != len(groups) {
			t.Fatalf("seed %d: %d tries of %d groups: %v", seed, len(tries), len(groups), err)
		}
		isSafe := explicit.FirstBadStep(c, bad0) == explicit.NotViolated
		for _, x := range tries {
			switch {
			case x.Whole == nil:
				open++
				continue
			case !isSafe:
				t.Errorf("seed %d: proved with %v free, but it fails", seed, x.Group)
			case !explicit.Certifies(c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: x.Whole.Checked.Invariant()}):
				t.Errorf("seed %d: with %v free: the invariant does not prove it", seed, x.Group)
			}
			proved++
		}
	}
	t.Logf("%d proved, %d not", proved, open)
	if proved < 100 || open < 100 {
		t.Error("too little is asked")
	}
}

// TestIsolatePart: what a property depends on in vain is found, and the rest of its latches is not.
func TestIsolatePart(t *testing.T) {
	b := circuit.NewBuilder(60)
	x, y := b.Latch(0), b.Latch(0) // never both
	b.SetReset(x, circuit.True)
	b.SetNext(x, y)
	b.SetNext(y, x)
	names := []string{"x", "y"}
	carry := b.Input(0)
	for i := range 6 {
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		names = append(names, fmt.Sprintf("count[%d]", i))
	}
	b.Bad(b.And(b.And(x, y), carry), 0)
	c := b.Build()
	groups, err := inquiry.LatchGroups(t.Context(), c, bad0, names)
	if err != nil || len(groups) != 3 || !slices.Equal(groups[2], []int{2, 3, 4, 5, 6, 7}) {
		t.Fatalf("groups %v: %v", groups, err)
	}
	var told []inquiry.FreedGroup
	tries, err := inquiry.Isolate(t.Context(), c, bad0, groups, isolateTerms(), func(t inquiry.FreedGroup) { told = append(told, t) })
	if err != nil || len(told) != 3 {
		t.Fatalf("told of %d: %v", len(told), err)
	}
	for i, x := range tries {
		if isProved := x.Whole != nil; isProved != (i == 2) {
			t.Errorf("with %v free: %v", x.Group, x.Freed.Checked)
		}
	}
}

func TestIsolateEnds(t *testing.T) {
	b := circuit.NewBuilder(8)
	x := b.Latch(0)
	b.SetNext(x, b.Input(0))
	b.Bad(x, 0)
	c := b.Build()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if tries, err := inquiry.Isolate(ctx, c, bad0, [][]int{{0}}, isolateTerms(), nil); len(tries) != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v, %v", tries, err)
	}
	if _, err := inquiry.Isolate(t.Context(), c, circuit.Property{Kind: circuit.PropertyJustice}, nil, isolateTerms(), nil); !errors.Is(err, circuit.ErrNoBad) {
		t.Errorf("of no property: %v", err)
	}
}
