package engines_test

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

// TestUpTo compares bounded questions with a search of all states: the bounded engine refutes
// exactly what fails in the first steps, and no engine calls a step clean in which the property can fail.
func TestUpTo(t *testing.T) {
	p := circuit.Property{Kind: circuit.PropertyBad}
	shape := explicit.Shape{Inputs: 3, Latches: 8, Gates: 40, Constraints: 1, FreeLatches: true, OneResets: true}
	specs := []engines.Spec{{Engine: "bmc"}, {Engine: "auto"}, {Engine: "ic3"}, {Engine: "kind"}, {Engine: "bdd"}, {Engine: engines.Portfolio, Jobs: 2}}
	within, beyond, reports := 0, 0, 0
	for seed := range uint64(600) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(21, seed)), shape)
		first := explicit.FirstBadStep(c, p)
		fails := func(steps int) bool { return first != explicit.NotViolated && first < steps }
		steps := 1 + int(seed%7)
		for _, spec := range specs[:min(len(specs), 1+int(seed%11))] { // the portfolio costs most
			engine := mustNew(t, spec)
			if spec.Engine == "bmc" {
				engine = engine.UpTo(steps)
			}
			r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: p, Engine: engine}, func(now verify.Progress) {
				reports++
				if fails(now.CleanSteps()) {
					t.Errorf("seed %d: %s calls %d steps clean, and step %d is bad", seed, spec.Engine, now.CleanSteps(), first)
				}
			})
			outcome := r.Checked.Outcome()
			switch {
			case r.Internal != nil:
				t.Fatalf("seed %d: %v", seed, r.Internal)
			case outcome == cert.Unknown && fails(r.Checked.Depth()):
				t.Errorf("seed %d: %s is unknown after %d steps, and step %d is bad", seed, spec.Engine, r.Checked.Depth(), first)
			case spec.Engine != "bmc":
			case fails(steps) != (outcome == cert.Refuted):
				t.Errorf("seed %d: %s in %d steps, and step %d is bad: %s", seed, outcome, steps, first, r.Checked.Reason())
			case outcome == cert.Refuted:
				within++
			case r.Checked.Depth() < steps:
				t.Errorf("seed %d: unknown after %d of %d steps: %s", seed, r.Checked.Depth(), steps, r.Checked.Reason())
			case first != explicit.NotViolated:
				beyond++
			}
		}
	}
	if within < 100 || beyond < 20 || reports < 1000 {
		t.Errorf("%d refuted, %d fail after the bound, %d reports of progress", within, beyond, reports)
	}
}
