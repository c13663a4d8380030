package comparison_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/design/comparison"
)

// side returns a circuit with an input, a latch that takes its value, and something that is
// observed: the latch on the first side, its negation on the second.
func side(second bool, observe func(*circuit.Builder, circuit.Lit) compare.Names) compare.Side {
	b := circuit.NewBuilder(3)
	in, latch := b.Input(0), b.Latch(0)
	b.SetNext(latch, in)
	b.SetReset(latch, circuit.False)
	names := observe(b, latch.NotIf(second))
	names.Inputs, names.Latches = []string{"a"}, []string{"q"}
	return compare.Side{Circuit: b.Build(), Names: names}
}

// TestWitness has each kind of what is observed differ: a witness names a property only where
// it has a name for it, and says what it is about.
func TestWitness(t *testing.T) {
	for want, observe := range map[string]func(*circuit.Builder, circuit.Lit) compare.Names{
		"b0 y differs at step 0, 0 in this file": func(b *circuit.Builder, l circuit.Lit) compare.Names {
			b.Output(l, 0)
			return compare.Names{Outputs: []string{"y"}}
		},
		"b1 y differs at step 0, 0 in this file": func(b *circuit.Builder, l circuit.Lit) compare.Names {
			b.Bad(circuit.False, 0)
			b.Bad(l, 0)
			return compare.Names{Bads: []string{"never", "y"}}
		},
		"b0 y differs at step 0, 0 in this file; a witness cannot name it, so b0 stands for it": func(b *circuit.Builder, l circuit.Lit) compare.Names {
			b.Bad(circuit.False, 0)
			b.Output(circuit.False, 0)
			b.Output(l, 0)
			return compare.Names{Bads: []string{"never"}, Outputs: []string{"x", "y"}}
		},
		"b0 f differs at step 0, 0 in this file; a witness cannot name it, so b0 stands for it ": func(b *circuit.Builder, l circuit.Lit) compare.Names {
			b.Fairness(circuit.True, 0)
			b.Fairness(l, 0)
			return compare.Names{Fairness: []string{"g", "f"}}
		},
		"b0 j.0 differs at step 0, 0 in this file; a witness cannot name it, so b0 stands for it": func(b *circuit.Builder, l circuit.Lit) compare.Names {
			b.Justice([]circuit.Lit{l}, 0)
			return compare.Names{Justice: []string{"j"}}
		},
	} {
		m, err := compare.Match(side(false, observe), side(true, observe), compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run := cert.Trace{Initial: []circuit.Value{circuit.X}, Inputs: [][]circuit.Value{{circuit.X}}}
		replayed, err := m.Replay(t.Context(), [2]cert.Trace{run, run})
		if err != nil || len(replayed.Differences) != 1 {
			t.Fatalf("%s: %+v, %v", want, replayed, err)
		}
		s := comparison.Sides{Matching: m, Names: [2]string{"a.aag", "a.aag"}}
		data, err := s.Witness(t.Context(), &replayed.Differences[0], 0)
		if err != nil {
			t.Fatal(err)
		}
		property, words, _ := strings.Cut(strings.TrimSpace(want), " ")
		if want := "1\n" + property + "\n0\nx\n.\nc " + words + "\n"; string(data) != want {
			t.Errorf("%q instead of %q", data, want)
		}
		if found, problems := aiger.ReadWitnesses(data); len(found) != 1 || len(problems) > 0 {
			t.Errorf("%q is read as %v with %v", data, found, problems)
		}
		w, err := s.Wave(t.Context(), &replayed.Differences[0])
		if err != nil || w.Steps != 1 || w.Signals[0].Name != "a" || w.Signals[1].Path[0] != "a/a.aag" || w.Signals[2].Path[0] != "b/a.aag" {
			t.Errorf("the wave %+v, %v", w, err)
		}
	}
}

// long returns two circuits of so many latches, each of which takes the value of the input, that
// differ in the last one at the last step of a run.
func long(tb testing.TB, latches, steps int) (comparison.Sides, *compare.Difference) {
	var sides [2]compare.Side
	for i := range sides {
		b := circuit.NewBuilder(latches)
		in := b.Input(0)
		names := compare.Names{Inputs: []string{"in"}, Outputs: []string{"y"}}
		last := circuit.False
		for n := range latches {
			last = b.Latch(0)
			b.SetNext(last, in)
			names.Latches = append(names.Latches, fmt.Sprint("q", n))
		}
		b.Output(b.And(last, in.NotIf(i == 1)), 0)
		sides[i] = compare.Side{Circuit: b.Build(), Names: names}
	}
	m, err := compare.Match(sides[0], sides[1], compare.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	run := cert.Trace{Initial: slices.Repeat([]circuit.Value{circuit.Zero}, latches)}
	for step := range steps {
		run.Inputs = append(run.Inputs, []circuit.Value{circuit.ValueOf(step >= steps-2)})
	}
	replayed, err := m.Replay(tb.Context(), [2]cert.Trace{run, run})
	if err != nil || len(replayed.Differences) != 1 {
		tb.Fatalf("%+v, %v", replayed, err)
	}
	return comparison.Sides{Matching: m, Names: [2]string{"a", "b"}}, &replayed.Differences[0]
}

func TestWaveHasValues(t *testing.T) {
	s, d := long(t, 2, 4)
	w, err := s.Wave(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, signal := range w.Signals {
		got = append(got, strings.Join(append(signal.Path, signal.Name, signal.Values), " "))
	}
	want := []string{"in 0011", "a q0 0001", "a q1 0001", "b q0 0001", "b q1 0001", "a y 0001", "b y 0000"}
	if !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

// TestTooLong: what is more than fits into a file is refused before it is made.
func TestTooLong(t *testing.T) {
	s, d := long(t, 20_000, 2)
	d.Step = 1 << 20
	if _, err := s.Wave(t.Context(), d); err == nil || !strings.Contains(err.Error(), "too many to write") {
		t.Errorf("the error is %v", err)
	}
}

// BenchmarkWave writes a difference of 10,000 steps over two times 200 latches.
func BenchmarkWave(b *testing.B) {
	s, d := long(b, 200, 10_000)
	for b.Loop() {
		if _, err := s.Wave(b.Context(), d); err != nil {
			b.Fatal(err)
		}
	}
}
