package btor2_test

import (
	"math/big"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestSearchAgainstReference compares the verdicts on random texts with a search of all states of the text: those of a search
// of the circuit, and those of the engine, whose counterexamples are witnesses that the evaluator replays.
// With AIGLENS_LONG these are 20,000.
func TestSearchAgainstReference(t *testing.T) {
	for seed := range numTexts() {
		text := btor2test.Random(seed, btor2test.Tiny)
		want, ok := btor2test.Search(text, 1<<10)
		if !ok {
			t.Fatalf("seed %d cannot be searched", seed)
		}
		_, e := elaborate(t, text, btor2.Options{})
		for i, first := range want.Bads {
			p := circuit.Property{Kind: circuit.PropertyBad, Index: i}
			if got := explicit.FirstBadStep(e.Circuit, p); got != first {
				t.Errorf("seed %d: %s is violated in step %d, by the reference in %d\n%s", seed, p, got, first, text)
			}
			compareVerdict(t, seed, text, e, p, first != btor2test.NotViolated)
		}
		for i, violated := range want.Justice {
			p := circuit.Property{Kind: circuit.PropertyJustice, Index: i}
			if explicit.Violated(e.Circuit, p) != violated {
				t.Errorf("seed %d: %s: by the reference %v\n%s", seed, p, violated, text)
			}
			compareVerdict(t, seed, text, e, p, violated)
		}
		if t.Failed() {
			return
		}
	}
}

func compareVerdict(t *testing.T, seed uint64, text string, e *btor2.Elaboration, p circuit.Property, violated bool) {
	t.Helper()
	want := map[bool]cert.Outcome{true: cert.Refuted, false: cert.Proved}[violated]
	result := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto()}, nil)
	if got := result.Checked.Outcome(); got != want {
		t.Errorf("seed %d: %s is %v, by the reference %v\n%s", seed, p, got, want, text)
	}
	if violated {
		checkWitness(t, seed, text, e, p, result.Checked)
	}
}

// checkWitness has a counterexample written, read, and replayed by the evaluator, which takes from the witness what is free.
func checkWitness(t *testing.T, seed uint64, text string, e *btor2.Elaboration, p circuit.Property, checked cert.Checked) {
	t.Helper()
	loop, isLasso := checked.Loop()
	if !isLasso {
		loop = -1
	}
	written, err := trace.Written(t.Context(), e.Circuit, checked.Trace(), loop)
	if err != nil {
		t.Fatal(err)
	}
	data := appendWitness(t, e, written, p)
	read, wrong := btor2.ReadWitnesses(data)
	if len(wrong) > 0 || len(read) != 1 {
		t.Fatalf("seed %d: %v\n%s", seed, wrong, data)
	}
	run := replay(t, text, read[0])
	last := run[len(run)-1]
	for step, s := range run {
		if !s.IsAllowed() {
			t.Errorf("seed %d: %s: a constraint does not hold in step %d\n%s\n%s", seed, p, step, text, data)
		}
	}
	if p.Kind == circuit.PropertyBad && !last.Bads[p.Index] {
		t.Errorf("seed %d: %s is not violated\n%s\n%s", seed, p, text, data)
	}
	back, d, err := e.TraceFromWitness(t.Context(), read[0])
	if d != nil || err != nil {
		t.Fatalf("seed %d: %v, %v\n%s", seed, d, err, data)
	}
	if p.Kind == circuit.PropertyBad {
		bad, _ := e.Circuit.Bad(p)
		if _, _, err := trace.Violation(t.Context(), e.Circuit, bad, back); err != nil {
			t.Errorf("seed %d: %s: %v\n%s\n%s", seed, p, err, text, data)
		}
	} else if _, _, err := trace.Lasso(t.Context(), e.Circuit, p.Index, back); err != nil {
		t.Errorf("seed %d: %s: %v\n%s\n%s", seed, p, err, text, data)
	}
}

// appendWitness writes a run as a witness.
func appendWitness(t *testing.T, e *btor2.Elaboration, run cert.Trace, properties ...circuit.Property) []byte {
	t.Helper()
	w, err := e.WitnessFromTrace(t.Context(), run, properties...)
	if err != nil {
		t.Fatal(err)
	}
	data, err := w.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// replay runs a text on the values of a witness.
func replay(t *testing.T, text string, w btor2.Witness) []btor2test.Step {
	t.Helper()
	s := btor2test.Parse(text)
	values := make([]map[int64]btor2test.Value, len(w.Frames))
	for step, f := range w.Frames {
		values[step] = map[int64]btor2test.Value{}
		for _, part := range []struct {
			rows []int64
			list []btor2.Assignment
		}{{s.States, f.States}, {s.Inputs, f.Inputs}} {
			for _, a := range part.list {
				bits, ok := new(big.Int).SetString(a.Bits, 2)
				if !ok {
					t.Fatalf("no value: %v", a)
				}
				id := part.rows[a.Position]
				v := btor2test.Value{Sort: s.Sort(id), Bits: bits}
				if a.Index != "" && a.Index != btor2.AllIndices { // which comes first
					index, _ := new(big.Int).SetString(a.Index, 2)
					old, ok := values[step][id]
					if !ok {
						old = btor2test.Value{Sort: s.Sort(id), Bits: new(big.Int)}
					}
					v = old.With(index, bits)
				}
				values[step][id] = v
			}
		}
	}
	return s.Run(len(w.Frames), func(step int, id int64, sort btor2test.Sort) btor2test.Value {
		v, ok := values[step][id]
		if !ok && sort.Index > 0 { // of a large array, of which a witness has what is read
			return btor2test.Value{Sort: sort, Bits: new(big.Int)}
		}
		if !ok || v.Sort != sort {
			t.Fatalf("the witness has no value of row %d in step %d", id, step)
		}
		return v
	})
}
