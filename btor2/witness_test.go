package btor2_test

import (
	"os"
	"os/exec"
	"path/filepath"
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

const memory = `1 sort bitvec 2
2 sort bitvec 4
3 sort array 1 2
4 input 1 at
5 zero 1
6 state 3 memory
7 state 1 count
8 init 1 7 5
9 state 2
10 state 1 free
11 init 1 10 5
12 inc 1 7
13 next 1 7 12
14 write 3 6 4 9
15 next 3 6 14
16 read 2 6 7
17 redand 1 16
`

// TestReadWitnesses: what is written is read, and lines of other tools are understood.
func TestReadWitnesses(t *testing.T) {
	for _, test := range []struct{ name, text, written string }{
		{"all parts", "sat\nb0 j1\n#0\n0 [01] 0011 memory#0\n1 00\n@0\n0 11 at@0\n#1\n3 01 free#1\n@1\n0 10\n.\n", ""},
		{"without frames of states", "sat\nb0\n@0\n0 1\n@1\n0 0\n.\n", "sat\nb0\n#0\n@0\n0 1\n@1\n0 0\n.\n"},
		{"blanks, carriage returns and comments", "; made by a tool\r\n\r\nsat\r\nb0 \r\n#0\r\n@0\r\n0 1\r\n.\r\n", "sat\nb0\n#0\n@0\n0 1\n.\n"},
		{"all indices", "sat\nb0\n#0\n0 [*] 0011\n@0\n.\n", ""},
		{"a name with blanks", "sat\nb0\n#0\n@0\n0 1 a b#0\n.\n", ""},
		{"a run", "#0\n@0\n0 1\n.\n", ""},
		{"two", "sat\nb0\n#0\n@0\n.\nunsat\nb1\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.written == "" {
				test.written = test.text
			}
			read, wrong := btor2.ReadWitnesses([]byte(test.text))
			var got []byte
			for _, w := range read {
				got, _ = w.Append(got)
			}
			if len(wrong) > 0 || string(got) != test.written {
				t.Errorf("%v, and written again %q", wrong, got)
			}
		})
	}
}

// TestFaultyWitnesses: each fault is found in its line.
func TestFaultyWitnesses(t *testing.T) {
	for _, test := range []struct{ text, at, message string }{
		{"sat\nb0\n#0\n@0\n0 1\n", "", "expected a dot on its own line, found the end of the file"},
		{"yes\nb0\n", "yes", `expected sat, unsat or the frame #0, found "yes"`},
		{"sat\nbad 0\n.\n", "bad 0", `expected properties such as b0 or j1, found "bad 0"`},
		{"sat\n\n#0\n.\n", "", `expected properties such as b0 or j1, found ""`},
		{"sat\nb0\n.\n", ".", "expected at least one frame, found the dot"},
		{"sat\nb0\n0 1\n.\n", "0 1", `expected the frame #0 or @0, found "0 1"`},
		{"sat\nb0\n#0\n@1\n.\n", "@1", ""}, // frame 0 has no inputs
		{"sat\nb0\n@0\n@2\n.\n", "@2", `expected the frame @1, found "@2"`},
		{"sat\nb0\n#0\n@7\n.\n", "@7", `expected the frame @0 or @1, found "@7"`},
		{"sat\nb0\n#0\n@0\n#0\n.\n", "#0", `expected the frame #1, found "#0"`},
		{"sat\nb0\n@0\n0 12\n.\n", "0 12", `expected a value of 0 and 1, found "0 12"`},
		{"sat\nb0\n@0\nx 1\n.\n", "x 1", `expected the position of a state or input, a frame, or a dot, found "x 1"`},
		{"sat\nb0\n@0\n0 [2] 1\n.\n", "0 [2] 1", `expected the bits of an index, or *, in brackets, found "0 [2] 1"`},
	} {
		read, wrong := btor2.ReadWitnesses([]byte(test.text))
		if test.message == "" {
			if len(wrong) > 0 || len(read) != 1 {
				t.Errorf("%q: %v", test.text, wrong)
			}
			continue
		}
		if len(wrong) != 1 || wrong[0].Message != test.message || test.text[wrong[0].Span.Start:wrong[0].Span.End()] != test.at {
			t.Errorf("%q: %+v", test.text, wrong)
		}
	}
}

// TestWitnessThatDoesNotFit: positions, indices and widths are those of the file.
func TestWitnessThatDoesNotFit(t *testing.T) {
	_, e := elaborate(t, memory, btor2.Options{})
	for _, test := range []struct{ line, message string }{
		{"4 00", "expected the position of one of 4 states, found 4; positions begin at 0"},
		{"0 0011", "expected an index in brackets, since state 0 (memory) is an array"},
		{"0 [1] 0011", "expected an index of 2 bits, found 1: state 0 (memory)"},
		{"0 [01] 11", "expected a value of 4 bits, found 2: state 0 (memory)"},
		{"1 [01] 11", "expected a value without index, since state 1 (count) is no array"},
		{"2 11", "expected a value of 4 bits, found 2: state 2"},
		{"2 1111\n2 1111", "expected one value of state 2 in a frame, found a second one"},
	} {
		read, _ := btor2.ReadWitnesses([]byte("sat\nb0\n#0\n" + test.line + "\n@0\n.\n"))
		_, d, _ := e.TraceFromWitness(t.Context(), read[0])
		if d == nil || d.Message != test.message || d.Span.Start < len("sat\nb0\n#0\n") {
			t.Errorf("%s: %+v", test.line, d)
		}
	}
}

// TestWitnessOfMemory: values go to the bits that they mean, and what no line says is x.
func TestWitnessOfMemory(t *testing.T) {
	_, e := elaborate(t, memory, btor2.Options{})
	text := "#0\n0 [*] 0001 memory#0\n0 [10] 0100 memory#0\n2 1000\n@0\n0 11 at@0\n#1\n2 0011\n3 10 free#1\n@1\n.\n"
	read, wrong := btor2.ReadWitnesses([]byte(text))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	run, d, err := e.TraceFromWitness(t.Context(), read[0])
	if d != nil || err != nil {
		t.Fatal(d, err)
	}
	got := appendWitness(t, e, run)
	want := "#0\n0 [00] 0001 memory#0\n0 [01] 0001 memory#0\n0 [10] 0100 memory#0\n0 [11] 0001 memory#0\n2 1000\n@0\n0 11 at@0\n" +
		"#1\n2 0011\n3 10 free#1\n@1\n0 00 at@1\n.\n"
	if string(got) != want {
		t.Errorf("%s", got)
	}
}

// TestWitnessOfLemma: the format has no letter for one.
func TestWitnessOfLemma(t *testing.T) {
	w := btor2.Witness{Properties: []circuit.Property{{Kind: circuit.PropertyLemma}}}
	if _, err := w.Append(nil); err == nil {
		t.Error("expected an error")
	}
}

// TestWitnessesInBtorsim: where btorsim of btor2tools is installed, it confirms the counterexamples.
func TestWitnessesInBtorsim(t *testing.T) {
	btorsim, err := exec.LookPath("btorsim")
	if err != nil {
		t.Skip("btorsim is not installed")
	}
	shape := btor2test.Tiny
	shape.NoOverflow = true
	folder := t.TempDir()
	for seed := range min(numTexts(), 3000) / 3 {
		text := btor2test.Random(seed, shape)
		_, e := elaborate(t, text, btor2.Options{})
		for _, p := range e.Circuit.Properties() {
			checked := verify.Run(t.Context(), verify.Job{Circuit: e.Circuit, Property: p, Engine: engines.NewAuto()}, nil).Checked
			if checked.Outcome() != cert.Refuted {
				continue
			}
			data := appendWitness(t, e, checked.Trace(), p)
			file, wit := filepath.Join(folder, "t.btor2"), filepath.Join(folder, "t.wit")
			if os.WriteFile(file, []byte(text), 0o600) != nil || os.WriteFile(wit, data, 0o600) != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(btorsim, "-v", "-c", file, wit).CombinedOutput()
			if err != nil || strings.Contains(string(out), "violated") {
				t.Fatalf("seed %d: %s: %v\n%s\n%s\n%s", seed, p, err, out, text, data)
			}
		}
	}
}

// FuzzWitness: what is read of any bytes is written and read again as the same, places of diagnostics are in the text, and what
// fits a file is a run that fits its circuit.
func FuzzWitness(f *testing.F) {
	f.Add([]byte("sat\nb0 j1\n#0\n0 [01] 0011 memory#0\n1 00\n@0\n0 11 at@0\n#1\n3 01 free#1\n@1\n0 10\n.\n"))
	f.Add([]byte("; x\nunsat\nb0\nsat\nb0\n@0\n0 01\n@1\n.\n#0\n.\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, e := elaborate(t, memory, btor2.Options{})
		read, wrong := btor2.ReadWitnesses(data)
		for _, d := range wrong {
			if d.Span.Start < 0 || d.Span.End() > len(data) {
				t.Fatalf("%+v is outside of the text", d)
			}
		}
		var first, second []byte
		for _, w := range read {
			first, _ = w.Append(first)
			if run, d, _ := e.TraceFromWitness(t.Context(), w); d == nil && !w.IsUnsat {
				if _, err := trace.New(t.Context(), e.Circuit, trace.Concrete(e.Circuit, run)); err != nil {
					t.Fatal(err)
				}
			}
		}
		again, wrong := btor2.ReadWitnesses(first)
		for _, w := range again {
			second, _ = w.Append(second)
		}
		if len(wrong) > 0 || len(again) != len(read) || string(first) != string(second) {
			t.Fatalf("%v\n%q\n%q", wrong, first, second)
		}
	})
}

// TestWitnessOfCopy: what a witness says of a state that starts as free ones do is said of these, too, whether arrays are bits or not.
// One that says otherwise of both is refused.
func TestWitnessOfCopy(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 2\n4 state 3 first\n5 state 3 second\n6 init 3 5 4\n7 state 3 third\n8 init 3 7 5\n9 next 3 7 7\n" +
		"10 state 2 a\n11 state 2 b\n12 init 2 11 10\n13 next 2 11 11\n14 constd 2 2\n15 read 2 4 14\n16 read 2 7 14\n17 and 2 15 16\n18 and 2 10 11\n19 and 2 17 18\n20 redand 1 19\n21 bad 20\n"
	for _, test := range []struct {
		frame string
		fits  bool
	}{
		{"2 [10] 11\n4 11\n", true},
		{"2 [*] 11\n4 11\n", true},
		{"1 [10] 11\n4 11\n", true},
		{"0 [10] 11\n3 11\n", true},
		{"0 [10] 11\n2 [10] 11\n3 11\n4 11\n", true},
		{"0 [01] 00\n2 [*] 11\n2 [01] 00\n4 11\n", true},
		{"2 [01] 11\n4 11\n", false},
		{"0 [10] 01\n2 [10] 11\n4 11\n", false},
		{"2 [10] 11\n3 01\n4 11\n", false},
	} {
		for _, gates := range []int{0, -1} {
			_, e := elaborate(t, text, btor2.Options{MaxArrayGates: gates})
			read, _ := btor2.ReadWitnesses([]byte("sat\nb0\n#0\n" + test.frame + "@0\n.\n"))
			run, d, err := e.TraceFromWitness(t.Context(), read[0])
			if err != nil {
				t.Fatal(err)
			}
			fits := d == nil
			if fits {
				_, _, err := trace.Violation(t.Context(), e.Circuit, e.Circuit.Bads()[0].Lit, run)
				fits = err == nil
			}
			if fits != test.fits {
				t.Errorf("%q with %d gates for arrays: %v, %v", test.frame, gates, fits, d)
			}
		}
	}
}
