package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// interrupted checks property 0 of a circuit and cancels the check at the n-th report.
func interrupted(t *testing.T, c *circuit.Circuit, engine verify.Engine, n int) verify.Result {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return verify.Run(ctx, verify.Job{Circuit: c, Property: bad0, Engine: engine}, func(verify.Progress) {
		if n--; n <= 0 {
			cancel()
		}
	})
}

// violatedIn returns the first step in which a clause may be false.
func violatedIn(c *circuit.Circuit, clause []circuit.Lit) int {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(to(s.Lit), s.Origin)
	}
	all := circuit.True
	for _, l := range clause {
		all = b.And(all, to(l).Not())
	}
	b.Bad(all, 0)
	return explicit.FirstBadStep(b.Build(), bad0)
}

// TestUnfinished compares with explicit search: what a run without an answer leaves holds in
// the steps that it refers to, and a run that begins with it comes to the right verdict.
func TestUnfinished(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 8, Gates: 30, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: true}
	left, later, reused := 0, 0, 0
	for seed := range uint64(1500) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(61, seed)), shape)
		auto := engines.Auto()
		auto.NoReduce = seed%2 == 0
		r := interrupted(t, c, auto.Engine(), 3+int(seed%5))
		if r.Checked.Outcome() != cert.Unknown {
			if r.HasUnfinished() {
				t.Fatalf("seed %d: an answer leaves clauses", seed)
			}
			continue
		}
		clauses := r.Unfinished(t.Context(), c, bad0)
		if len(clauses) == 0 {
			continue
		}
		left++
		for _, clause := range clauses {
			at := violatedIn(c, clause)
			if c.HasResetFunctions() && at == 0 {
				continue // it refers to the steps from 1 on
			}
			if at != explicit.NotViolated && at < r.Checked.Depth() {
				t.Fatalf("seed %d: %v is false in step %d, depth %d", seed, clause, at, r.Checked.Depth())
			}
			if at != explicit.NotViolated {
				later++
			}
		}
		again := checkEarlier(t, c, []*verify.Earlier{r.Earlier(t.Context(), c, positionNames(c))}, positionNames(c), seed)
		if again.Reused == verify.ReusedLemmas {
			reused++
		}
		other := explicit.RandomCircuit(rand.New(rand.NewPCG(62, seed)), shape)
		cone, err := other.Cone(bad0)
		if err != nil {
			t.Fatal(err)
		}
		if cone.Fingerprint != r.Fingerprint && r.Unfinished(t.Context(), other, bad0) != nil {
			t.Fatalf("seed %d: clauses for another circuit", seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d left clauses, %d false later, %d reused", left, later, reused)
	if min(left, reused) < 20 || later == 0 {
		t.Errorf("%d left clauses, %d false later, %d reused", left, later, reused)
	}
}
