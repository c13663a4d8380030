package btor2_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// TestAbstractionAgainstSearch: with no array as bits, what is proved of random texts holds by a search of all their states, and
// each counterexample that the replay takes is one. With AIGLENS_LONG these are 20,000.
func TestAbstractionAgainstSearch(t *testing.T) {
	counts := map[string]int{}
	for seed := range numTexts() {
		shape := btor2test.Arrays
		shape.Liveness = seed%3 == 0
		text := btor2test.Random(seed, shape)
		_, e := elaborate(t, text, btor2.Options{MaxArrayGates: -1})
		var want btor2test.Answers
		for _, p := range e.Circuit.Properties() {
			if !e.IsCheckedByAbstraction(p) {
				continue
			}
			if want.Bads == nil {
				var ok bool
				if want, ok = btor2test.Search(text, 1<<10); !ok {
					break
				}
			}
			isJustice := p.Kind == circuit.PropertyJustice
			violated := isJustice && want.Justice[p.Index] || !isJustice && want.Bads[p.Index] != btor2test.NotViolated
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
			if isJustice {
				counts["justice "+outcome.String()]++
			} else {
				counts[outcome.String()]++
			}
			if violated != (outcome == cert.Refuted) {
				t.Fatalf("seed %d: %s is %v, by the reference %t\n%s", seed, p, outcome, violated, text)
			}
			if violated {
				checkCounterexample(t, seed, text, e, p, result.Checked)
			}
		}
	}
	if t.Log(counts); counts["justice proved"] == 0 || counts["justice refuted"] > 0 || counts["proved"] == 0 || counts["refuted"] == 0 || counts["unknown"] > counts["proved"] {
		t.Error("few verdicts were compared")
	}
}

// checkCounterexample has the evaluator replay the witness of a counterexample.
func checkCounterexample(t *testing.T, seed uint64, text string, e *btor2.Elaboration, p circuit.Property, checked cert.Checked) {
	t.Helper()
	written, err := trace.Written(t.Context(), e.Circuit, checked.Trace(), -1)
	if err != nil {
		t.Fatal(err)
	}
	data := appendWitness(t, e, written, p)
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
	back, d, err := e.TraceFromWitness(t.Context(), read[0])
	if d != nil || err != nil {
		t.Fatalf("seed %d: %v, %v\n%s", seed, d, err, data)
	}
	bad, _ := e.Circuit.Bad(p)
	if _, _, err := trace.Violation(t.Context(), e.Circuit, bad, back); err != nil {
		t.Errorf("seed %d: %s: %v\n%s\n%s", seed, p, err, text, data)
	}
}

// TestAbstractionFingerprint: what a run of the text may depend on, and the name of a large array, tells circuits apart that are the
// same. Numbers, comments and what no bad depends on do not.
func TestAbstractionFingerprint(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 40\n3 sort array 2 2\n4 state 3 mem\n6 input 2 at\n7 read 2 4 6\n8 redor 1 7\n9 bad 8\n10 next 3 4 4\n"
	of := func(text string) circuit.Fingerprint {
		_, e := elaborate(t, text, btor2.Options{})
		if !e.IsCheckedByAbstraction(circuit.Property{}) {
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

// verdictOf checks the only bad of a text with no array as bits.
func verdictOf(t *testing.T, text string) cert.Checked {
	t.Helper()
	_, e := elaborate(t, text, btor2.Options{MaxArrayGates: -1})
	p := circuit.Property{}
	if !e.IsCheckedByAbstraction(p) {
		t.Fatalf("the property does not depend on an abstraction\n%s", text)
	}
	result := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto()}, nil)
	if result.Internal != nil {
		t.Errorf("%v\n%s", result.Internal, text)
	}
	if result.Checked.Outcome() == cert.Refuted {
		checkCounterexample(t, 0, text, e, p, result.Checked)
	}
	return result.Checked
}

// TestAbstractionWithLateInits: an init may name a row after its state.
func TestAbstractionWithLateInits(t *testing.T) {
	const sorts = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n"
	reads := strings.Builder{} // at more constants than there are prophecies
	reads.WriteString(sorts + "5 state 3 mem\n6 zero 2\n7 init 3 5 6\n8 next 3 5 5\n9 constd 2 5\n10 zero 1\n")
	id := 11
	for i := range 8 {
		fmt.Fprintf(&reads, "%d constd 2 %d\n%d read 2 5 %d\n%d eq 1 %d 9\n%d or 1 %d %d\n", id, 10+i, id+1, id, id+2, id+1, id+3, id-1, id+2)
		id += 4
	}
	fmt.Fprintf(&reads, "%d bad %d five\n", id, id-1)
	for name, test := range map[string]struct {
		text string
		want cert.Outcome
		why  string
	}{
		"array": {reads.String(), cert.Proved, ""},
		"word": {sorts + "4 state 2 i\n5 one 2\n6 init 2 4 5\n7 state 3 mem\n8 inc 2 4\n9 next 2 4 8\n10 next 3 7 7\n11 read 2 7 4\n12 eq 1 11 4\n13 bad 12 hit\n",
			cert.Refuted, ""},
		"sum": {sorts + "5 zero 2\n6 state 3 mem\n7 one 2\n8 init 3 6 7\n9 next 3 6 6\n10 state 2 i\n11 init 2 10 5\n12 inc 2 10\n13 next 2 10 12\n14 read 2 6 10\n" +
			"15 state 2 sum\n16 init 2 15 5\n17 add 2 15 14\n18 next 2 15 17\n19 neq 1 15 10\n20 bad 19 differs\n", cert.Unknown, "the counterexample found is spurious: the array mem of 2^32 × 32 bits is abstracted to some addresses (the text violates nothing in "},
		"sorts": {"1 sort bitvec 1\n2 sort bitvec 32\n3 sort bitvec 8\n4 sort bitvec 16\n5 sort array 2 3\n6 sort array 2 4\n7 zero 3\n8 zero 4\n9 state 5 m\n10 init 5 9 7\n" +
			"11 next 5 9 9\n12 state 6 k\n13 init 6 12 8\n14 next 6 12 12\n15 input 2 i\n16 read 3 9 15\n17 read 4 12 15\n18 redor 1 16\n19 redor 1 17\n20 or 1 18 19\n21 bad 20\n",
			cert.Proved, ""},
	} {
		if got := verdictOf(t, test.text); got.Outcome() != test.want || !strings.Contains(got.Reason(), test.why) {
			t.Errorf("%s: %v, expected %v", name, got, test.want)
		}
	}
}

// TestAbstractionIsBounded: many sorts with wide indices, and many bads over one deep cone, take little.
func TestAbstractionIsBounded(t *testing.T) {
	var wide strings.Builder
	wide.WriteString("1 sort bitvec 200000\n")
	for i := range 60 {
		fmt.Fprintf(&wide, "%d sort bitvec %d\n%d sort array 1 %d\n%d state %d\n%d next %d %d %d\n", 10*i+10, i+1, 10*i+11, 10*i+10, 10*i+12, 10*i+11, 10*i+13, 10*i+11, 10*i+12, 10*i+12)
	}
	if _, e := elaborate(t, wide.String(), btor2.Options{}); e.Circuit.NumVars() > 2*btor2.DefaultMaxArrayGates {
		t.Errorf("the circuit has %d variables", e.Circuit.NumVars())
	}
	var deep strings.Builder
	deep.WriteString("1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3 m\n5 next 3 4 4\n6 input 2 i\n7 read 2 4 6\n")
	const rows = 10_000
	for i := range rows {
		fmt.Fprintf(&deep, "%d xor 2 %d 6\n%d redor 1 %d\n%d bad %d\n", 3*i+8, max(7, 3*i+5), 3*i+9, 3*i+8, 3*i+10, 3*i+9)
	}
	_, e := elaborate(t, deep.String(), btor2.Options{})
	if p := (circuit.Property{Index: rows - 1}); !e.IsCheckedByAbstraction(p) || len(e.Circuit.Bads()) != rows {
		t.Errorf("%d bads, of which the last one has %v", len(e.Circuit.Bads()), e.Fault(p))
	}
}

// TestAbstractionWithFaults: where something else is wrong in the cone of a property, that stands in the way, and not the array.
func TestAbstractionWithFaults(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3 mem\n5 state 2\n6 inc 2 5\n7 init 2 5 6\n8 read 2 4 5\n9 redor 1 8\n10 bad 9\n"
	_, e := elaborate(t, text, btor2.Options{})
	p := circuit.Property{}
	if d := e.Fault(p); e.IsCheckedByAbstraction(p) || d == nil || d.Code != "init-cycle" {
		t.Errorf("%t, %v", e.IsCheckedByAbstraction(p), d)
	}
	if _, _, err := e.Concrete(t.Context(), p, make([]circuit.Value, len(e.Circuit.Latches())), nil); err == nil {
		t.Error("there is a run")
	}
}

// TestVerifyRefuses: a run that is none of the text, or has other values than it, is no counterexample.
func TestVerifyRefuses(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3 mem\n5 zero 2\n6 init 3 4 5\n7 input 2 at\n8 input 2 data\n9 write 3 4 7 8\n10 next 3 4 9\n" +
		"11 input 2 from\n12 read 2 4 11\n13 constd 2 77\n14 eq 1 12 13\n15 bad 14\n"
	f, e := elaborate(t, text, btor2.Options{})
	p := circuit.Property{}
	checked := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto()}, nil).Checked
	if checked.Outcome() != cert.Refuted {
		t.Fatal(checked)
	}
	run := checked.Trace()
	if err := e.Verify(t.Context(), p, run.Initial, run.Inputs); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for step, row := range run.Inputs {
		for i := range row {
			if row[i] == circuit.X {
				continue
			}
			inputs := slices.Clone(run.Inputs)
			inputs[step] = slices.Clone(row)
			inputs[step][i] = row[i].NotIf(true)
			other := cert.Trace{Initial: run.Initial, Inputs: inputs}
			_, err := cert.Check(t.Context(), e.Circuit, p, cert.Verdict{Outcome: cert.Refuted, Trace: other})
			if err != nil {
				refused++
				continue
			}
			if _, _, err := e.Concrete(t.Context(), p, other.Initial, other.Inputs); err != nil {
				t.Errorf("input %d of step %d: a run that is none of the text passes", i, step)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	judged := 0
	other := slices.Clone(run.Inputs)
	other[len(other)-1] = slices.Clone(other[len(other)-1])
	for i, in := range e.Circuit.Inputs() {
		if node := btor2.NodeFromOrigin(in.Origin); f.Model().Nodes[node].Op == syntax.Read {
			other[len(other)-1][i] = circuit.Zero
		}
	}
	for i, l := range e.Circuit.Latches() { // with another address the circuit has 0 for what was read
		if !l.IsFree() {
			continue
		}
		initial := slices.Clone(run.Initial)
		initial[i] = initial[i].NotIf(true)
		if err := e.Verify(t.Context(), p, initial, other); err != nil && strings.Contains(err.Error(), "has another value in the circuit than in the text") {
			judged++
		}
	}
	if judged == 0 {
		t.Error("the evaluator of the text has refused nothing")
	}
	short := run.Inputs[:len(run.Inputs)-1]
	if err := e.Verify(t.Context(), p, run.Initial, short); err == nil {
		t.Error("a run without its last step passes")
	}
	if err := e.Verify(t.Context(), p, run.Initial, append(slices.Clone(run.Inputs), run.Inputs[0])); err == nil {
		t.Error("a run that goes on after the violation passes")
	}
}
