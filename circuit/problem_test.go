package circuit_test

import (
	"encoding/hex"
	"errors"
	"testing"

	"aiglens/circuit"
)

// TestFingerprintOfSafety: verdicts on disk are found by it, so it stays what it was.
func TestFingerprintOfSafety(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetNext(l, b.And(in, m.Not()))
	b.SetNext(m, l)
	b.SetReset(m, circuit.True)
	b.Bad(b.And(l, m), 0)
	b.Constraint(b.Or(in, l), 0)
	cone, err := b.Build().Cone(bad0)
	if err != nil {
		t.Fatal(err)
	}
	const want = "7e71206d7f8e70cc140205c5e44cba2f62a39e57a4807da55492d94ce3236ba5"
	if got := hex.EncodeToString(cone.Fingerprint[:]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFingerprintOfLiveness: what a verdict on a justice property depends on is in its
// fingerprint, and nothing else.
func TestFingerprintOfLiveness(t *testing.T) {
	type change struct{ second, fairness, constraint, other, bad bool }
	build := func(x change) *circuit.Circuit {
		b := circuit.NewBuilder(0)
		in, l, m, other := b.Input(0), b.Latch(0), b.Latch(0), b.Latch(0)
		b.SetNext(l, in)
		b.SetNext(m, l)
		b.SetNext(other, in)
		lits := []circuit.Lit{l}
		if x.second {
			lits = append(lits, m)
		}
		if x.bad {
			b.Bad(l, 0)
		} else {
			b.Justice(lits, 0)
		}
		if x.fairness {
			b.Fairness(m, 0)
		}
		if x.constraint {
			b.Constraint(m, 0)
		}
		if x.other {
			b.Output(other, 0)
			b.Bad(other, 0)
			b.Justice([]circuit.Lit{other}, 0)
		}
		return b.Build()
	}
	fingerprintOf := func(x change) circuit.Fingerprint {
		t.Helper()
		p := circuit.Property{Kind: circuit.PropertyJustice}
		if x.bad {
			p.Kind = circuit.PropertyBad
		}
		cone, err := build(x).Cone(p)
		if err != nil {
			t.Fatal(err)
		}
		if cone.Property() != p || cone.Question != p.Kind.Question() {
			t.Errorf("the problem is %s of %s", cone.Question, cone.Property())
		}
		if got := cone.Circuit.Properties(); len(got) != 1 || got[0] != p {
			t.Errorf("the cone of %s has the properties %v", p, got)
		}
		return cone.Fingerprint
	}
	seen := map[circuit.Fingerprint]change{}
	for _, x := range []change{{}, {second: true}, {fairness: true}, {constraint: true}, {bad: true}} {
		f := fingerprintOf(x)
		if y, known := seen[f]; known {
			t.Errorf("%+v has the fingerprint of %+v", x, y)
		}
		if f == (circuit.Fingerprint{}) {
			t.Errorf("%+v has no fingerprint", x)
		}
		seen[f] = x
	}
	if fingerprintOf(change{other: true}) != fingerprintOf(change{}) {
		t.Error("what is outside the cone changes the fingerprint")
	}
}

func TestConeOfNothing(t *testing.T) {
	c := circuit.NewBuilder(0).Build()
	for _, kind := range []circuit.PropertyKind{circuit.PropertyBad, circuit.PropertyOutput, circuit.PropertyJustice} {
		for _, index := range []int{-1, 0} {
			if _, err := c.Cone(circuit.Property{Kind: kind, Index: index}); !errors.Is(err, circuit.ErrNoProperty) {
				t.Errorf("%s %d: %v", kind, index, err)
			}
		}
	}
}
