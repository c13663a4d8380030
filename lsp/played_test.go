package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/lsp/wire"
)

// signalNamed returns the number of a signal of the last answer.
func signalNamed(a wire.Played, name string) uint32 {
	at := slices.IndexFunc(a.Trace.Signals, func(s wire.TraceSignal) bool {
		return s.Name == name && (s.Group == wire.GroupInputs || s.Group == wire.GroupLatches)
	})
	return a.Trace.Signals[at].Signal
}

// flip gives an input another value in some steps.
func (b *bench) flip(a wire.Played, name string, steps ...int) wire.Played {
	b.t.Helper()
	for _, step := range steps {
		a = b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeFlip, Signal: signalNamed(a, name), Step: step}})
	}
	return a
}

// TestWhatIfOfAnotherProperty: outputs that change places leave the circuit as it is; the run is
// still one of it, but nothing is said of the property that has come to its place.
func TestWhatIfOfAnotherProperty(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	text := "aag 3 1 2 2 0\n2\n4 2\n6 4\n4\n6\no0 near\no1 far\n"
	b.open(doc, text)
	b.save(doc)
	b.expectTitles("refuted at step 1", "refuted at step 2")
	a := b.play(wire.PlayParams{Property: "output:0"})
	if again := b.play(wire.PlayParams{Run: &a.Run}); again.Words != "near still fails, in step 1." {
		t.Error(again.Words)
	}
	b.replace(doc, 2, strings.NewReplacer("6 4\n4\n6\n", "6 4\n6\n4\n", "o0 near", "o0 far", "o1 far", "o1 near").Replace(text))
	b.save(doc)
	b.expectTitles("refuted at step 2", "refuted at step 1")
	a = b.play(wire.PlayParams{Run: &a.Run})
	if a.Words != "Fails: near in step 1." || a.Run.Property != "" {
		t.Errorf("%s: %+v", a.Words, a.Run)
	}
}

// allOne has as many inputs as it says, which a constraint wants to be 1 in each step, and a
// latch that is 1 from step 2 on; some more gates rest on the inputs.
func allOne(inputs, more int) (text, late string) {
	var rows, gates []string
	for i := range inputs {
		rows = append(rows, fmt.Sprint(2*(i+1)))
	}
	first, second := 2*(inputs+1), 2*(inputs+2)
	last, gate := 2, second
	for i := range inputs - 1 + more {
		gate += 2
		gates = append(gates, fmt.Sprintf("%d %d %d", gate, 2*(1+(i+1)%inputs), last))
		last = gate
	}
	rows = append(rows, fmt.Sprintf("%d 1", first), fmt.Sprintf("%d %d", second, first), "0", fmt.Sprint(last))
	return fmt.Sprintf("aag %d %d 2 0 %d 1 1\n%s\n", gate/2, inputs, len(gates), strings.Join(append(rows, gates...), "\n")), fmt.Sprint(second)
}

// TestUntilNeedsARun: a signal that is 1 only after a step that no run has is not found.
func TestUntilNeedsARun(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	text, late := allOne(12, 0)
	b.open(doc, text)
	start := b.play(wire.PlayParams{})
	until := wire.RunChange{Kind: wire.ChangeUntil, Signal: signalNamed(start, late), Steps: 30, Seed: 5}
	a := b.play(wire.PlayParams{Run: &start.Run, Change: &until})
	if !strings.HasPrefix(a.Words, "No search was made: the constraints are not known to hold in step 0,") || a.Run.Steps != 1 || a.Outcome != wire.RunBroken {
		t.Errorf("%s %d: %s", a.Outcome, a.Run.Steps, a.Words)
	}
	a = start
	for i := range 12 {
		a = b.flip(a, fmt.Sprint(2*(i+1)), 0)
	}
	a = b.play(wire.PlayParams{Run: &a.Run, Change: &until})
	if !strings.HasPrefix(a.Words, "No inputs were found that meet the constraints in step 1, and "+late+" was 1 in no step before.") || a.Run.Steps != 1 || a.Outcome != wire.RunOpen {
		t.Errorf("%s %d: %s", a.Outcome, a.Run.Steps, a.Words)
	}
	random := b.play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeRandom, Steps: 5, Seed: 5}})
	if random.Run.Steps != 6 || random.Outcome != wire.RunBroken {
		t.Errorf("%s %d: %s", random.Outcome, random.Run.Steps, random.Words)
	}
}

// TestConstraintWithError: of a constraint with an error it is not known whether it holds, and
// nothing is said of properties from there on.
func TestConstraintWithError(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 2 1 1 0 0 1 1\n2\n4 2\n5\n40\n")
	a := b.play(wire.PlayParams{})
	if a.Outcome != wire.RunOpen || a.Words != "It is not known whether constraint 0 holds in step 0, because the text has an error." {
		t.Errorf("%s: %s", a.Outcome, a.Words)
	}
	for _, s := range a.Trace.Signals {
		if s.Group == wire.GroupInputs && s.Name != "2" {
			t.Errorf("an input that the text does not have is shown: %+v", s)
		}
	}
	b.replace(doc, 2, "aag 2 1 1 0 0 1 2\n2\n4 2\n5\n40\n2\n") // one with an error, and one that is 0
	a = b.play(wire.PlayParams{})
	if a.Outcome != wire.RunBroken || !strings.HasPrefix(a.Words, "Constraint 1 does not hold in step 0:") {
		t.Errorf("%s: %s", a.Outcome, a.Words)
	}
}

// TestWitnessEndsWithViolation: a witness of a run has no steps after what it violates, and so
// none that breaks a constraint.
func TestWitnessEndsWithViolation(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 3 2 1 0 0 1 1\n2\n4\n6 2\n6\n4\n") // bad in the step after one with 2; 4 is wanted
	a := b.play(wire.PlayParams{Change: &wire.RunChange{Kind: wire.ChangeAdd, Steps: 4}})
	a = b.flip(b.flip(a, "4", 0, 1, 2), "2", 0)
	if a.Outcome != wire.RunFails || a.Run.Steps != 5 {
		t.Fatalf("%s: %s", a.Outcome, a.Words)
	}
	var e wire.ExportedTrace
	b.MustCall("workspace/executeCommand", command(wire.CommandExportRun.Name, wire.ExportRunParams{URI: doc, Run: a.Run, Format: wire.FormatWitness}), &e)
	if e.Text != "1\nb0\n0\n11\n01\n.\n" {
		t.Error(e.Text)
	}
	if _, found := aiger.ReadWitnesses([]byte(e.Text)); len(found) > 0 {
		t.Error(found)
	}
}

// TestPlayLoop: a finite run says nothing about a loop, and claims nothing about its property.
func TestPlayLoop(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
	b.open(doc, starving)
	var imported wire.ImportedWitness
	b.MustCall("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: doc}, Text: lassoOfStarving}), &imported)
	a := b.play(wire.PlayParams{Property: "justice:0"})
	if !strings.HasPrefix(a.Words, "The loop of the counterexample of starves, once:") || strings.Contains(a.Words, "fails") || a.Run.Property != "" || a.Run.Steps != 3 || a.Outcome == wire.RunFails {
		t.Errorf("%s: %s %+v", a.Outcome, a.Words, a.Run)
	}
}

// TestPlayIsBounded: each change simulates the whole run and sends what is shown of it, so that
// both are bounded by the size of the circuit.
func TestPlayIsBounded(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
	var wide strings.Builder
	const inputs = 100_000
	fmt.Fprintf(&wide, "aag %d %d 0 1 0\n", inputs, inputs)
	for i := range inputs {
		fmt.Fprintf(&wide, "%d\n", 2*i+2)
	}
	wide.WriteString("2\n")
	b.open(doc, wide.String())
	a := b.play(wire.PlayParams{})
	if len(a.Trace.Signals) != maxPlayed || a.Trace.More != inputs+1-maxPlayed || len(a.Run.Inputs) != inputs {
		t.Errorf("%d signals of %d inputs, more %d", len(a.Trace.Signals), len(a.Run.Inputs), a.Trace.More)
	}

	text, _ := allOne(30, 200_000)
	b.replace(doc, 2, text)
	a = b.play(wire.PlayParams{})
	err := b.Call("workspace/executeCommand", command(wire.CommandPlay.Name, wire.PlayParams{URI: doc, Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeAdd, Steps: 1500}}), nil)
	if err == nil || !strings.Contains(err.Error(), "may have 1 to 999 steps: it has 1, and 1500 more would be too many") {
		t.Error(err)
	}
}
