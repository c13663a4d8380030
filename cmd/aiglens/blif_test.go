package main

import (
	"context"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/circuit"
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
	options := &readFlags{blifFlags: blifFlags{properties: blif.PropertyOptions{OutputLimit: 200, Combinational: true}}}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, err := readBLIF(context.Background(), path, string(content), options)
	if err != nil {
		t.Fatal(err)
	}
	e := env{stderr: io.Discard}
	if _, err := in.encode(e, "aag", nil); err != nil {
		return 0
	}
	before, err := in.model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"aag", "aig", "blif"} {
		data, err := in.encode(e, format, nil)
		if err != nil {
			t.Errorf("%s to %s: %v", filepath.Base(path), format, err)
			continue
		}
		back, err := read(context.Background(), env{stdin: strings.NewReader(string(data))}, "-", options)
		if err != nil {
			t.Errorf("%s from %s: %v", filepath.Base(path), format, err)
			continue
		}
		after, err := back.model(context.Background())
		if err != nil {
			t.Errorf("%s from %s: %v", filepath.Base(path), format, err)
			continue
		}
		simulateBoth(t, filepath.Base(path)+" by way of "+format, before, after)
		for _, p := range before.properties {
			if format != "blif" && !sameCone(before.circuit, after.circuit, p) {
				t.Errorf("%s by way of %s: %s has another cone", filepath.Base(path), format, p)
				break
			}
		}
	}
	return len(before.properties)
}

func sameCone(a, b *circuit.Circuit, p circuit.Property) bool {
	x, err := a.Cone(p)
	y, otherErr := b.Cone(p)
	return err != nil && otherErr != nil || err == nil && otherErr == nil && x.Fingerprint == y.Fingerprint
}

// simulateBoth runs two circuits on the same inputs from the same state.
func simulateBoth(t *testing.T, what string, a, b *model) {
	t.Helper()
	if len(a.circuit.Inputs()) != len(b.circuit.Inputs()) || len(a.circuit.Latches()) != len(b.circuit.Latches()) || len(a.properties) != len(b.properties) {
		t.Errorf("%s: %d inputs, %d latches, %d properties have become %d, %d, %d", what,
			len(a.circuit.Inputs()), len(a.circuit.Latches()), len(a.properties),
			len(b.circuit.Inputs()), len(b.circuit.Latches()), len(b.properties))
		return
	}
	r := rand.New(rand.NewSource(1))
	bit := func() circuit.Value { return [...]circuit.Value{circuit.Zero, circuit.One}[r.Intn(2)] }
	x, y := circuit.NewTernary(a.circuit), circuit.NewTernary(b.circuit)
	x.Reset()
	y.Reset()
	for i, l := range a.circuit.Latches() {
		if other := b.circuit.Latches()[i]; l.Reset != other.Reset && (l.Reset <= 1 || other.Reset <= 1) || l.IsFree() != other.IsFree() {
			t.Errorf("%s: latch %d has another reset", what, i)
		}
		if l.IsFree() {
			v := bit()
			x.SetLatch(i, v)
			y.SetLatch(i, v)
		}
	}
	for step := range 16 {
		inputs := make([]circuit.Value, len(a.circuit.Inputs()))
		for i := range inputs {
			inputs[i] = bit()
		}
		x.Eval(inputs)
		y.Eval(inputs)
		for _, p := range a.properties {
			if left, right := valueOf(a.circuit, x, p), valueOf(b.circuit, y, p); left != right {
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
