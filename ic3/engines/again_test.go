package engines

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestAgain: a run in many small turns comes to a verdict that is right and on the
// whole circuit, whether it can be used at once or only reduced, and can be given up
// at any time.
func TestAgain(t *testing.T) {
	bad0 := circuit.Property{Kind: circuit.PropertyBad}
	shape := explicit.Shape{Inputs: 3, Latches: 7, Gates: 40, Constraints: 1, FreeLatches: true, OneResets: true}
	turns, given, outcomes := 0, 0, map[cert.Outcome]int{}
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(61, seed))
		c := explicit.RandomCircuit(r, shape)
		var clauses cert.Invariant
		for range 12 {
			var clause []circuit.Lit
			for range 1 + r.IntN(3) {
				clause = append(clause, c.Latches()[r.IntN(len(c.Latches()))].Lit.NotIf(r.IntN(2) == 0))
			}
			clauses = append(clauses, clause)
		}
		a := newAgain(context.Background(), c, ic3.Options{}, verify.Seeds{Clauses: clauses})
		a.first = 0
		var reduced *reduce.Reduced
		if seed%2 == 0 {
			var err error
			if reduced, err = reduce.Reduce(context.Background(), c, bad0, reduce.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		end := int64(1 << 24)
		if seed%5 == 0 {
			end = r.Int64N(1 << 18)
		}
		for effort := int64(0); effort < end && !a.advance(effort); effort += 1 << 12 {
			turns++
			if effort < 1<<14 {
				continue
			}
			if reduced != nil {
				a.reduce(context.Background(), reduced.Circuit, reduced)
			} else {
				a.reduce(context.Background(), c, nil)
			}
		}
		a.close()
		if !a.found {
			given++ // also when none of the clauses is inductive
			continue
		}
		outcomes[a.verdict.Outcome]++
		if _, err := cert.Check(context.Background(), c, bad0, a.verdict); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if safe := explicit.FirstBadStep(c, bad0) == explicit.NotViolated; safe != (a.verdict.Outcome == cert.Proved) {
			t.Fatalf("seed %d: %s", seed, a.verdict.Outcome)
		}
	}
	if turns < 1000 || min(given, outcomes[cert.Proved], outcomes[cert.Refuted]) < 20 {
		t.Errorf("%d turns, given up %d, %v", turns, given, outcomes)
	}
}

// TestAskedTwice: what an engine was asked before, and how it had the answer, leaves no mark
// on the next one.
func TestAskedTwice(t *testing.T) {
	shape := explicit.Shape{Inputs: 4, Latches: 8, Gates: 40, FreeLatches: true, OneResets: true}
	again, e := 0, NewAuto()
	for seed := range uint64(200) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(31, seed)), shape)
		ask := func(lemmas cert.Invariant) verify.Report {
			task := verify.Task{Problem: circuit.Problem{Circuit: c}, Seeds: verify.Seeds{Lemmas: lemmas}, Progress: func(verify.Progress) {}}
			r := e.Check(t.Context(), task)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if _, err := cert.Check(t.Context(), c, task.Problem.Property(), r.Verdict); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return r
		}
		first := ask(nil)
		if r := ask(first.Verdict.Invariant); r.Stats["queries"] == 0 && r.Stats[verify.StatReused] > 0 {
			again++
		}
		if last := ask(nil); !maps.Equal(last.Stats, first.Stats) || last.Engine != first.Engine {
			t.Errorf("seed %d: by %s at first, then by %s; %v, then %v", seed, first.Engine, last.Engine, first.Stats, last.Stats)
		}
	}
	if again == 0 {
		t.Errorf("%d runs rest on lemmas alone", again)
	}
}
