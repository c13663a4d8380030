package main

import (
	"context"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/internal/shared"
)

// TestConversionsSimulateEqually converts the BLIF files of the corpus to each
// format and reads them back: the circuits do the same, and by way of AIGER each
// property has the cone that it had.
func TestConversionsSimulateEqually(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", "*.blif"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	own, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", "own", "*.blif"))
	if err != nil {
		t.Fatal(err)
	}
	properties := 0
	for _, path := range append(paths, own...) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 200_000 {
			continue
		}
		properties += checkConversions(t, path)
	}
	if properties < 50 {
		t.Errorf("only %d properties have been compared", properties)
	}
}

// checkConversions returns the number of properties that it has compared; 0 for a
// file that is not converted.
func checkConversions(t *testing.T, path string) int {
	t.Helper()
	options := &readFlags{blif: blifFlags{Option: blifdesign.Option{OutputLimit: 200, Combinational: true}}}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, err := open(t.Context(), path, content, options)
	if err != nil {
		t.Fatal(err)
	}
	e := env{stderr: io.Discard}
	if _, err := encode(t.Context(), e, in, "aag", nil); err != nil {
		return 0
	}
	before := circuitIn(t, in)
	for _, format := range []string{"aag", "aig", "blif"} {
		data, err := encode(t.Context(), e, in, format, nil)
		if err != nil {
			t.Errorf("%s to %s: %v", filepath.Base(path), format, err)
			continue
		}
		back, err := read(context.Background(), env{stdin: strings.NewReader(string(data))}, "-", options)
		if err != nil {
			t.Errorf("%s from %s: %v", filepath.Base(path), format, err)
			continue
		}
		after, err := circuitOf(t.Context(), back)
		if err != nil {
			t.Errorf("%s from %s: %v", filepath.Base(path), format, err)
			continue
		}
		simulateBoth(t, filepath.Base(path)+" by way of "+format, in, back)
		for _, p := range in.PropertyIDs() {
			if format != "blif" && !sameCone(before, after, p) {
				t.Errorf("%s by way of %s: %s has another cone", filepath.Base(path), format, p)
				break
			}
		}
	}
	return len(in.PropertyIDs())
}

func sameCone(a, b *circuit.Circuit, p circuit.Property) bool {
	x, err := a.Cone(p)
	y, otherErr := b.Cone(p)
	return err != nil && otherErr != nil || err == nil && otherErr == nil && x.Fingerprint == y.Fingerprint
}

// simulateBoth runs two circuits on the same inputs from the same state.
func simulateBoth(t *testing.T, what string, before, after *design.Design) {
	t.Helper()
	a, b := before.Circuit(), after.Circuit()
	if len(a.Inputs()) != len(b.Inputs()) || len(a.Latches()) != len(b.Latches()) || len(before.Properties()) != len(after.Properties()) {
		t.Errorf("%s: %d inputs, %d latches, %d properties have become %d, %d, %d", what,
			len(a.Inputs()), len(a.Latches()), len(before.Properties()),
			len(b.Inputs()), len(b.Latches()), len(after.Properties()))
		return
	}
	r := rand.New(rand.NewSource(1))
	bit := func() circuit.Value { return [...]circuit.Value{circuit.Zero, circuit.One}[r.Intn(2)] }
	x, y := circuit.NewTernary(a), circuit.NewTernary(b)
	x.Reset()
	y.Reset()
	for i, l := range a.Latches() {
		if other := b.Latches()[i]; l.Reset != other.Reset && (l.Reset <= 1 || other.Reset <= 1) || l.IsFree() != other.IsFree() {
			t.Errorf("%s: latch %d has another reset", what, i)
		}
		if l.IsFree() {
			v := bit()
			x.SetLatch(i, v)
			y.SetLatch(i, v)
		}
	}
	for step := range 16 {
		inputs := make([]circuit.Value, len(a.Inputs()))
		for i := range inputs {
			inputs[i] = bit()
		}
		x.Eval(inputs)
		y.Eval(inputs)
		for _, p := range before.PropertyIDs() {
			if left, right := valueOf(a, x, p), valueOf(b, y, p); left != right {
				t.Errorf("%s: %s is %s in step %d and was %s", what, p, right, step, left)
				return
			}
		}
		x.Advance()
		y.Advance()
	}
}

// valueOf returns the value of a bad or an output.
func valueOf(c *circuit.Circuit, sim *circuit.Ternary, p circuit.Property) circuit.Value {
	switch p.Kind {
	case circuit.PropertyBad:
		return sim.Value(c.Bads()[p.Index].Lit)
	case circuit.PropertyOutput:
		return sim.Value(c.Outputs()[p.Index].Lit)
	}
	return circuit.X
}
