package aiger_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/internal/explicit"
	"aiglens/internal/peers"
)

// TestAsSafety compares a justice property with the question of safety that is written for
// it, by searches of all states.
func TestAsSafety(t *testing.T) {
	justice, bad := circuit.Property{Kind: circuit.PropertyJustice}, circuit.Property{Kind: circuit.PropertyBad}
	violated, functions, several := 0, 0, 0
	const circuits = 1500
	for seed := range uint64(circuits) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 3)), explicit.Shape{
			Inputs: 2, Latches: 3, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true,
			ResetFunctions: seed%3 == 0, Constants: seed%5 == 0, Justice: 2, Fairness: 1})
		m, err := aiger.FromCircuit(c).AsSafety(0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		read := parsed(t, string(m.AppendASCII(nil)))
		safety, err := read.Elaborate()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := explicit.Violated(c, justice)
		if got := explicit.FirstBadStep(safety, bad) != explicit.NotViolated; got != want {
			t.Fatalf("seed %d: the bad can be 1: %t; the justice property is violated: %t\n%s", seed, got, want, aiger.FromCircuit(c).AppendASCII(nil))
		}
		if len(safety.Bads()) != 1 || len(safety.Justice())+len(safety.Fairness())+len(safety.Outputs()) > 0 || safety.HasResetFunctions() {
			t.Fatalf("seed %d: more than a question of safety:\n%s", seed, m.AppendASCII(nil))
		}
		if want {
			violated++
		}
		if c.HasResetFunctions() {
			functions++
		}
		if len(c.Justice()[0].Lits)+len(c.Fairness()) > 1 {
			several++
		}
	}
	for what, n := range map[string]int{"violated": violated, "not violated": circuits - violated, "with reset functions": functions, "with several goals": several} {
		if n < circuits/20 {
			t.Errorf("only %d of %d properties are %s", n, circuits, what)
		}
	}
}

// TestAsSafetyNames: what was there keeps its name, what is new has one of its own.
func TestAsSafetyNames(t *testing.T) {
	m, err := parsed(t, `aag 4 2 2 0 0 0 1 1 1
2
4
6 2 4
8 6
3
2
6
8
4
i1 save
l0 q
j0 served
f0 clock
c0 calm
`).AsSafety(0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range m.Symbols {
		got = append(got, s.Name)
	}
	want := []string{"q", "first_step", "seen_0", "seen_1", "seen_clock", "save_", "saved_q", "saved_l1",
		"saved_first_step", "saved_seen_0", "saved_seen_1", "saved_seen_clock", "saved", "met", "served", "calm", "save"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("names %q, expected %q", got, want)
	}
}

// TestABCReadsAsSafety has ABC judge what is written.
func TestABCReadsAsSafety(t *testing.T) {
	dir := t.TempDir()
	violated := 0
	for seed := range uint64(12) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 4)), explicit.Shape{Inputs: 2, Latches: 3, Gates: 12, Justice: 2, Fairness: 1})
		m, err := aiger.FromCircuit(c).AsSafety(0)
		if err != nil {
			t.Fatal(err)
		}
		data, err := m.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "safety.aig")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := peers.ABC(t, "read_aiger "+path+"; strash; pdr")
		if err != nil {
			t.Fatalf("seed %d: %v %s", seed, err, said)
		}
		want := explicit.Violated(c, circuit.Property{Kind: circuit.PropertyJustice})
		if want {
			violated++
		}
		if asserted := strings.Contains(said, "was asserted"); asserted != want || !asserted && !strings.Contains(said, "Property proved") {
			t.Errorf("seed %d: violated is %t, and ABC says\n%s", seed, want, said)
		}
	}
	if violated == 0 || violated == 12 {
		t.Errorf("%d of 12 properties are violated", violated)
	}
}
