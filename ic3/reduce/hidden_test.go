package reduce_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
	"aiglens/internal/explicit"
)

// TestHidden: with hidden constraints uncovered a circuit has the verdict and the first bad step
// that explicit search finds on the original, where certificates pass, also with signals merged;
// and clauses of each of the circuits hold in the other.
func TestHidden(t *testing.T) {
	perShape := 300
	if s := os.Getenv("AIGLENS_LONG"); s != "" {
		perShape, _ = strconv.Atoi(s)
	}
	count := map[string]int{}
	for i, shape := range hiddenShapes {
		for seed := range perShape {
			c := explicit.RandomCircuit(rand.New(rand.NewPCG(uint64(200+i), uint64(seed))), shape)
			for name, o := range ablations {
				if name != "all" && seed%10 != 0 {
					continue
				}
				r := mustReduce(t, c, o)
				if r.Stats.Hidden == 0 {
					continue
				}
				want := explicit.FirstBadStep(c, property)
				if got := explicit.FirstBadStep(r.Circuit, r.Property); got != want {
					t.Fatalf("shape %d, seed %d, %s: first bad step %d, in the original %d", i, seed, name, got, want)
				}
				all := []*reduce.Reduced{r}
				if merged := mergeSignals(t, r, 1); merged != nil {
					all = append(all, merged)
					count["merged"]++
				}
				for _, r := range all {
					v, err := solve(context.Background(), c, property, r)
					if err != nil || (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
						t.Fatalf("shape %d, seed %d, %s: %s, %v, first bad step by search %d", i, seed, name, v.Outcome, err, want)
					}
					count[v.Outcome.String()]++
					if want == explicit.NotViolated {
						hasNoRun := len(v.Invariant) == 1 && len(v.Invariant[0]) == 0
						if isPossible := hasInitialState(t, c); hasNoRun == isPossible {
							t.Fatalf("shape %d, seed %d, %s: a run is possible: %t, and the invariant is %v", i, seed, name, isPossible, v.Invariant)
						} else if hasNoRun {
							count["without a run"]++
						}
					}
				}
				if name == "all" {
					checkClauses(t, c, r, count)
				}
			}
		}
	}
	t.Log(count)
	for _, kind := range []string{"proved", "refuted", "merged", "without a run", "lifted", "not lifted", "lowered"} {
		if count[kind] < perShape/20 {
			t.Errorf("too few %s", kind)
		}
	}
}

// TestHiddenAtFirst: a clause that only some initial states violate, which violate a hidden
// constraint, lets these in.
func TestHiddenAtFirst(t *testing.T) {
	b := circuit.NewBuilder(0)
	free, first, seen, violated := b.Latch(0), b.Latch(0), b.Latch(0), b.Latch(0)
	b.SetReset(free, free)
	b.SetNext(free, free)
	b.SetReset(first, circuit.True)
	b.SetNext(first, circuit.False)
	b.SetNext(seen, b.Or(seen, b.And(free, first.Not())))
	b.SetNext(violated, b.Or(violated, b.And(free, first)))
	b.Bad(b.And(seen, violated.Not()), 0)
	c := b.Build()
	v, err := solve(context.Background(), c, property, mustReduce(t, c, reduce.Options{}))
	if err != nil || v.Outcome != cert.Proved {
		t.Fatalf("%s, %v", v.Outcome, err)
	}
	if !slices.ContainsFunc(v.Invariant, func(clause []circuit.Lit) bool {
		return slices.Contains(clause, free.Not()) && slices.Contains(clause, first)
	}) {
		t.Errorf("%v lets no initial state in", v.Invariant)
	}
}

// hasInitialState reports whether some initial state meets the constraints of a circuit.
func hasInitialState(t *testing.T, c *circuit.Circuit) bool {
	t.Helper()
	b := circuit.NewBuilder(c.NumVars())
	circuit.CopyConstrained(c, b)
	b.Bad(circuit.True, 0)
	return explicit.FirstBadStep(b.Build(), property) == 0
}

// checkClauses tests clauses of proofs of the one circuit in the other: those lifted by
// themselves hold in all reachable states, and those of the original are an invariant of the
// reduced circuit when they are lowered.
func checkClauses(t *testing.T, c *circuit.Circuit, r *reduce.Reduced, count map[string]int) {
	t.Helper()
	v, _, err := ic3.Check(context.Background(), r.Circuit, ic3.Options{}, nil)
	if err != nil || v.Outcome != cert.Proved {
		return
	}
	for _, clause := range v.Invariant {
		lifted, ok, err := r.LiftClause(clause)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			count["not lifted"]++
			continue
		}
		count["lifted"]++
		if !holds(c, lifted) {
			t.Fatalf("clause %d, lifted to %d, does not hold in the original", clause, lifted)
		}
	}
	own, _, err := ic3.Check(context.Background(), c, ic3.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := ic3.Check(context.Background(), r.Circuit, ic3.Options{Lemmas: r.Lower(own.Invariant)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cert.Check(context.Background(), r.Circuit, r.Property, again); err != nil {
		t.Fatal(err)
	}
	count["lowered"]++
}

// holds reports whether no reachable state violates a clause.
func holds(c *circuit.Circuit, clause []circuit.Lit) bool {
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	violated := circuit.True
	for _, l := range clause {
		violated = b.And(violated, to(l).Not())
	}
	b.Bad(violated, 0)
	return explicit.FirstBadStep(b.Build(), property) == explicit.NotViolated
}
