package btor2_test

import (
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestTrackedAgainstSearch: with no array as bits, what is proved of random texts holds by a search of all their states, and
// each counterexample that the replay takes is one. With AIGLENS_LONG these are 20,000.
func TestTrackedAgainstSearch(t *testing.T) {
	counts := map[string]int{}
	for seed := range numTexts() {
		text := btor2test.Random(seed, btor2test.Arrays)
		_, e := elaborate(t, text, btor2.Options{MaxArrayGates: -1})
		var want btor2test.Answers
		for i := range e.Circuit.Bads() {
			p := circuit.Property{Kind: circuit.PropertyBad, Index: i}
			if !e.IsFollowed(p) {
				continue
			}
			if want.Bads == nil {
				var ok bool
				if want, ok = btor2test.Search(text, 1<<10); !ok {
					break
				}
			}
			violated := want.Bads[i] != btor2test.NotViolated
			result := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto()}, nil)
			outcome := result.Checked.Outcome()
			if outcome == cert.Unknown {
				if counts["unknown"]++; violated {
					counts["unknown, and violated"]++
				}
				if result.Internal != nil {
					t.Errorf("seed %d: %s: %v\n%s", seed, p, result.Internal, text)
				}
				continue
			}
			if counts[outcome.String()]++; violated != (outcome == cert.Refuted) {
				t.Fatalf("seed %d: %s is %v, by the reference in %d\n%s", seed, p, outcome, want.Bads[i], text)
			}
			if violated {
				checkFollowed(t, seed, text, e, p, result.Checked)
			}
		}
	}
	if t.Log(counts); counts["proved"] == 0 || counts["refuted"] == 0 || counts["unknown"] > counts["proved"] {
		t.Error("few verdicts were compared")
	}
}

// checkFollowed has the evaluator replay the witness of a counterexample.
func checkFollowed(t *testing.T, seed uint64, text string, e *btor2.Elaboration, p circuit.Property, checked cert.Checked) {
	t.Helper()
	written, err := trace.Written(t.Context(), e.Circuit, checked.Trace(), -1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.WitnessFromTrace(written, p).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	read, wrong := btor2.ReadWitnesses(data)
	if len(wrong) > 0 || len(read) != 1 {
		t.Fatalf("seed %d: %v\n%s", seed, wrong, data)
	}
	run := replay(t, text, read[0])
	for step, s := range run {
		if !s.IsAllowed() {
			t.Errorf("seed %d: %s: a constraint does not hold in step %d\n%s\n%s", seed, p, step, text, data)
		}
	}
	if !run[len(run)-1].Bads[p.Index] {
		t.Errorf("seed %d: %s is not violated\n%s\n%s", seed, p, text, data)
	}
	back, d := e.TraceFromWitness(read[0])
	if d != nil {
		t.Fatalf("seed %d: %s\n%s", seed, d.Message, data)
	}
	bad, _ := e.Circuit.Bad(p)
	if _, _, err := trace.Violation(t.Context(), e.Circuit, bad, back); err != nil {
		t.Errorf("seed %d: %s: %v\n%s\n%s", seed, p, err, text, data)
	}
}

// TestTrackedFingerprint: what a run of the text may depend on, and the name of a large array, tells circuits apart that are the
// same. Numbers, comments and what no bad depends on do not.
func TestTrackedFingerprint(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 40\n3 sort array 2 2\n4 state 3 mem\n6 input 2 at\n7 read 2 4 6\n8 redor 1 7\n9 bad 8\n10 next 3 4 4\n"
	of := func(text string) circuit.Fingerprint {
		_, e := elaborate(t, text, btor2.Options{})
		if !e.IsFollowed(circuit.Property{}) {
			t.Fatal(text)
		}
		cone, err := e.Circuit.ConeContext(t.Context(), circuit.Property{})
		if err != nil {
			t.Fatal(err)
		}
		return cone.Fingerprint
	}
	for name, test := range map[string]struct {
		old, new string
		isSame   bool
	}{
		"comment":      {"6 input", "; of\n6 input", true},
		"number":       {"8 redor 1 7\n9 bad 8\n10", "18 redor 1 7\n19 bad 18\n20", true},
		"input":        {" at\n", " place\n", true},
		"another row":  {"9 bad 8\n", "9 bad 8\n11 input 2\n", true},
		"array":        {" mem\n", " ram\n", false},
		"no next":      {"10 next 3 4 4\n", "", false},
		"other values": {"10 next 3 4 4\n", "10 write 3 4 6 6\n11 next 3 4 10\n", false},
	} {
		if other := strings.Replace(text, test.old, test.new, 1); (of(other) == of(text)) != test.isSame || other == text {
			t.Errorf("%s: the same: %t", name, !test.isSame)
		}
	}
}
