package verify_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestProvedAgain: after an edit the engine is asked exactly when the clauses of the earlier
// invariant are no certificate, when some of them have lost a latch, or under reset functions.
func TestProvedAgain(t *testing.T) {
	laborious := engines.NewAuto() // its proofs took so long that there is all time to check them
	check := laborious.Check
	laborious.Check = func(ctx context.Context, task verify.Task) verify.Report {
		r := check(ctx, task)
		r.Stats[verify.StatEffort] = 1 << 40
		return r
	}
	again, scratch, lost := 0, 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(43, seed))
		old := explicit.RandomCircuit(r, reuseShape)
		before := verify.Run(t.Context(), verify.Job{Circuit: old, Property: bad0, Engine: laborious}, nil)
		inv := before.Checked.Invariant()
		if before.Checked.Outcome() != cert.Proved || len(inv) == 0 || before.HasNoRun {
			continue
		}
		c := randomEdit(r, old)
		names := ownNames(r, c)
		loses := seed%5 == 0 || c.HasResetFunctions() // with which it is not tried
		if seed%5 == 0 {
			names.Latches[old.LatchIndex(inv[0][0].Var())] = ""
		}
		job := verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto(), Names: names,
			Earlier: []*verify.Earlier{before.Earlier(t.Context(), old, ownNames(r, old))}}
		asked := false
		check := job.Engine.Check
		job.Engine.Check = func(ctx context.Context, task verify.Task) verify.Report {
			asked = true
			return check(ctx, task)
		}
		got := verify.Run(t.Context(), job, nil)
		holds := explicit.FirstBadStep(c, bad0) == explicit.NotViolated
		if holds != (got.Checked.Outcome() == cert.Proved) || !got.Checked.Certified() || got.Internal != nil {
			t.Fatalf("seed %d: %s, internal error %v", seed, got.Checked, got.Internal)
		}
		cone, err := c.Cone(bad0)
		if err != nil {
			t.Fatal(err)
		}
		for _, clause := range inv {
			for _, l := range clause {
				loses = loses || !slices.Contains(cone.Latches, old.LatchIndex(l.Var()))
			}
		}
		still := !loses && explicit.Certifies(c, bad0, cert.Verdict{Outcome: cert.Proved, Invariant: moved(inv, old, c)})
		if still == asked || still && (got.Engine != "replay" || got.Reused != verify.ReusedLemmas) {
			t.Fatalf("seed %d: certificate %v, engine asked %v, by %s, reused %q", seed, still, asked, got.Engine, got.Reused)
		}
		switch {
		case still:
			again++
		case loses:
			lost++
		default:
			scratch++
		}
	}
	if min(again, scratch, lost) < 10 {
		t.Errorf("%d proofs again, %d from scratch, %d without a latch", again, scratch, lost)
	}
}

// moved returns clauses over the latches of a circuit as those over the latches of another one that stand
// at the same positions.
func moved(inv cert.Invariant, from, to *circuit.Circuit) cert.Invariant {
	clauses := make(cert.Invariant, len(inv))
	for i, clause := range inv {
		for _, l := range clause {
			clauses[i] = append(clauses[i], to.Latches()[from.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated()))
		}
	}
	return clauses
}
