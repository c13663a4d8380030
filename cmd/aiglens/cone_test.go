package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/explicit"
)

// withBad returns a circuit with one literal as its only property.
func withBad(c *circuit.Circuit, bad circuit.Lit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	lit := c.CopyTo(b)
	b.Bad(lit(bad), 0)
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	return b.Build()
}

// coneDiffers simulates a circuit and the cone of a signal that was extracted from it, whose
// elements have the names that they had, and returns the step in which they differ, or −1.
func coneDiffers(t *testing.T, n *design.Design, signal circuit.Lit, part *design.Design, random *rand.Rand) int {
	t.Helper()
	whole, cone := circuit.NewParallel(n.Circuit()), circuit.NewParallel(part.Circuit())
	at := map[string]int{} // 1 + the position of an input, or −1 − that of a latch
	for i, in := range n.Circuit().Inputs() {
		at[signalName(n, in.Lit.Var())] = i + 1
	}
	for i, l := range n.Circuit().Latches() {
		at[signalName(n, l.Lit.Var())] = -i - 1
	}
	position := func(name string) int {
		i, ok := at[name]
		if !ok {
			t.Fatalf("the cone has a signal %q, the file has none", name)
		}
		return i
	}
	free := make([]uint64, len(n.Circuit().Latches()))
	for i := range free {
		free[i] = random.Uint64()
	}
	whole.Reset(func(i int) uint64 { return free[i] })
	cone.Reset(func(i int) uint64 { return free[-position(part.Names().Elements().Latches[i])-1] })
	inputs, some := make([]uint64, len(n.Circuit().Inputs())), make([]uint64, len(part.Circuit().Inputs()))
	for step := range 60 {
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		for i := range some {
			some[i] = inputs[position(part.Names().Elements().Inputs[i])-1]
		}
		whole.Eval(inputs)
		cone.Eval(some)
		if whole.Value(signal) != cone.Value(part.Circuit().Outputs()[0].Lit) {
			return step
		}
		for i, s := range n.Circuit().Constraints() {
			if whole.Value(s.Lit) != cone.Value(part.Circuit().Constraints()[i].Lit) {
				return step
			}
		}
		whole.Advance()
		cone.Advance()
	}
	return -1
}

// distinct reports whether all inputs and latches of a file have names of their own, that
// BLIF and other programs take as they are.
func distinct(n *design.Design) bool {
	seen := map[string]bool{}
	for v := range circuit.Var(n.Circuit().NumVars()) {
		name := signalName(n, v)
		if k := n.Circuit().Kind(v); k == circuit.KindInput || k == circuit.KindLatch {
			if name == "" || seen[name] || unwritable.MatchString(name) {
				return false
			}
			seen[name] = true
		}
	}
	return true
}

// TestConesAreEqual extracts cones of random signals of the corpora, in each format, and compares
// each cone, as it is read again, with the whole file: by simulation, and small ones by a
// search of all states for a step in which the signal is 1.
func TestConesAreEqual(t *testing.T) {
	const wanted = 200
	random := rand.New(rand.NewPCG(20, 1))

	var files []*design.Design
	for _, file := range slices.Concat(corpusFiles(t, "aiger", ".aag"), corpusFiles(t, "blif", ".blif")) {
		n, _, err := measured(t, file)
		if err == nil && n.Circuit().NumVars() > 1 && n.Circuit().NumVars() < 50_000 && distinct(n) {
			files = append(files, n)
		}
	}
	searched, encodings := 0, map[string]int{}
	for compared := 0; compared < wanted; {
		n := files[random.IntN(len(files))]
		v := circuit.Var(1 + random.IntN(n.Circuit().NumVars()-1))
		name := signalName(n, v)
		signal, err := n.SignalNamed(name)
		encoding := []string{"aag", "aig", "blif"}[random.IntN(3)]
		if name == "" || err != nil || encoding == "blif" && n.Circuit().HasResetFunctions() {
			continue
		}
		f := coneFlags{signals: stringList{name}}
		data, err := f.cut(context.Background(), env{stderr: &strings.Builder{}}, n, encoding)
		if err != nil {
			t.Fatalf("%s of %s as %s: %v", name, n.URI, encoding, err)
		}
		part := readText(t, string(data))
		if _, err := part.Sound(t.Context()); err != nil {
			t.Fatalf("%s of %s as %s: %v\n%.2000s", name, n.URI, encoding, err, data)
		}
		if step := coneDiffers(t, n, signal, part, random); step >= 0 {
			t.Errorf("%s of %s as %s differs in step %d\n%.2000s", name, filepath.Base(n.URI), encoding, step, data)
		}
		compared++
		encodings[encoding]++
		if len(n.Circuit().Latches()) > 10 || len(n.Circuit().Inputs()) > 6 {
			continue
		}
		bad := circuit.Property{Kind: circuit.PropertyBad}
		cone := withBad(part.Circuit(), part.Circuit().Outputs()[0].Lit)
		if is, want := explicit.FirstBadStep(cone, bad), explicit.FirstBadStep(withBad(n.Circuit(), signal), bad); is != want {
			t.Errorf("%s of %s as %s can be 1 in step %d, in the file in %d", name, filepath.Base(n.URI), encoding, is, want)
		}
		searched++
	}
	t.Logf("%d files, written as %v, %d searched", len(files), encodings, searched)
	if searched < wanted/10 || len(files) < 10 {
		t.Error("too few cones have been compared")
	}
}
