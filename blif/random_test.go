package blif_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/cells"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/peers"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// randomTexts returns how many texts of each kind a test generates:
// $AIGLENS_SEEDS, or enough for every day.
func randomTexts() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_SEEDS"), 10, 64); err == nil {
		return n
	}
	if isLong() {
		return 500
	}
	return 25
}

// readText returns our reading of a text in which nothing is an error.
func readText(t testing.TB, text string) (*blif.File, *flat.Elaboration) {
	t.Helper()
	f := blif.Options{Cells: bliftest.Cells(t)}.Parse(source.NewText(text))
	for _, d := range diagnose.Diagnostics(f) {
		if d.Severity == source.Error {
			t.Fatalf("%s: %s\n%s", d.Code, d.Message, text)
		}
	}
	e := flat.Elaborate(f)
	for i := range e.Circuit.Outputs() {
		p := circuit.Property{Kind: circuit.PropertyOutput, Index: i}
		if fault := e.Fault(p); fault != nil {
			t.Fatalf("%s: %s\n%s", fault.Code, fault.Message, text)
		}
		if cuts := e.LeftOpen(p).Cuts; len(cuts) > 0 {
			t.Fatalf("%s: %s\n%s", cuts[0].Code, cuts[0].Message, text)
		}
	}
	return f, e
}

// TestRandomTexts compares our reading of random texts with that of other
// programs.
func TestRandomTexts(t *testing.T) {
	library := filepath.Join(shared.Dir(t), "corpus", "blif", "mini.genlib")
	for _, test := range []struct {
		reader  reader
		dialect bliftest.Dialect
	}{{readers[0], bliftest.ForAll}, {readers[1], bliftest.ForAll}, {readers[0], bliftest.ForABC}, {readers[1], bliftest.ForYosys}, {readers[0], bliftest.ForCells}} {
		for _, free := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %d %t", test.reader.name, test.dialect, free), func(t *testing.T) {
				texts, paths := writeTexts(t, func(seed uint64) string { return bliftest.Random(seed, test.dialect, free) })
				for seed, read := range test.reader.readAll(t, paths, library) {
					text := texts[seed]
					if read.err != nil {
						t.Fatalf("seed %d: %s\n%s", seed, strings.Join(strings.Fields(read.err.Error()), " "), text)
					}
					f, e := readText(t, text)
					if d := peers.Difference(namedFromBLIF(e, f), peers.FromAIGER(t, read.data), rand.New(rand.NewPCG(uint64(seed), 9))); d != "" {
						t.Fatalf("seed %d: %s\n%s", seed, d, text)
					}
				}
			})
		}
	}
}

// writeTexts writes a file for the text of each seed.
func writeTexts(t *testing.T, text func(seed uint64) string) (texts, paths []string) {
	dir := t.TempDir()
	for seed := range randomTexts() {
		texts = append(texts, text(seed))
		paths = append(paths, filepath.Join(dir, fmt.Sprint(seed, ".blif")))
		if err := os.WriteFile(paths[seed], []byte(texts[seed]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return texts, paths
}

// TestRandomVerdicts compares verdicts on the outputs of random texts with
// those of ABC's implementation of IC3.
func TestRandomVerdicts(t *testing.T) {
	counts := map[string]int{}
	texts, paths := writeTexts(t, func(seed uint64) string { return bliftest.Random(seed+1_000_000, bliftest.ForAll, false) })
	for seed, text := range texts {
		f, e := readText(t, text)
		verdicts := verdictsByABC(t, paths[seed], len(f.Top().Outputs()))
		for i, name := range f.Top().Outputs() {
			r := verify.Run(context.Background(), verify.Job{
				Circuit: e.Circuit, Property: circuit.Property{Kind: circuit.PropertyOutput, Index: i},
				Engine: engines.IC3{}.Engine(), Limits: verify.Limits{Wall: wallOfVerdict},
			}, nil)
			if got, want := r.Checked.Outcome(), verdicts[i]; got != want {
				t.Errorf("seed %d, output %s: %v, ABC says %v\n%s", seed, name, got, want, text)
			}
			counts[fmt.Sprint(verdicts[i])]++
		}
	}
	t.Logf("%v", counts)
}

// verdictsByABC returns what ABC says of each output, which must never be 1.
func verdictsByABC(t testing.TB, path string, outputs int) []cert.Outcome {
	t.Helper()
	const end = "end of an answer"
	var script strings.Builder
	for i := range outputs {
		fmt.Fprintf(&script, "empty; read_blif %s; strash; cone -s -O %d; pdr; echo %s; ", path, i, end)
	}
	text, err := peers.ABC(t, script.String())
	answers := strings.Split(text, end)
	if err != nil || len(answers) != outputs+1 {
		t.Fatalf("ABC answers %d of %d times, %v: %s", len(answers)-1, outputs, err, text)
	}
	var verdicts []cert.Outcome
	for _, answer := range answers[:outputs] {
		switch {
		case strings.Contains(answer, "Property proved"), strings.Contains(answer, "Networks are equivalent"):
			verdicts = append(verdicts, cert.Proved)
		case strings.Contains(answer, "was asserted in frame"):
			verdicts = append(verdicts, cert.Refuted)
		default:
			t.Fatalf("ABC says %s", answer)
		}
	}
	return verdicts
}

// TestRandomProperties puts "# prop:" comments on outputs of random texts,
// whose functions TestRandomTexts compares.
func TestRandomProperties(t *testing.T) {
	for seed := range 10 * randomTexts() {
		random := rand.New(rand.NewPCG(seed, 6))
		text := bliftest.Random(seed, bliftest.ForAll, seed%2 == 0)
		f, _ := readText(t, text)
		outputs := f.Top().Outputs()
		var comments string
		var bads, constraints, lemmas, covers []circuit.Lit
		e := flat.Elaborate(f)
		for range 1 + random.IntN(5) {
			i := random.IntN(len(outputs))
			l := e.Circuit.Outputs()[i].Lit
			kind := []string{"bad", "assert", "lemma", "assume", "cover"}[random.IntN(5)]
			comments += "#  prop: " + kind + " " + outputs[i] + []string{"", " \"label\""}[random.IntN(2)] + "\n"
			switch kind {
			case "assume":
				constraints = append(constraints, l)
			case "lemma":
				lemmas = append(lemmas, l)
			case "cover":
				covers = append(covers, l)
			default:
				bads = append(bads, l.NotIf(kind != "bad"))
			}
		}
		at := strings.Index(text, ".outputs")
		_, e = readText(t, text[:at]+comments+text[at:])
		lits := func(all []circuit.Signal) []circuit.Lit {
			var ls []circuit.Lit
			for _, s := range all {
				ls = append(ls, s.Lit)
			}
			return ls
		}
		for _, role := range []struct {
			name      string
			got, want []circuit.Lit
		}{
			{"bads", lits(e.Circuit.Bads()), bads}, {"constraints", lits(e.Circuit.Constraints()), constraints},
			{"lemmas", lits(e.Circuit.Lemmas()), lemmas}, {"covers", lits(e.Circuit.Covers()), covers},
		} {
			if !slices.Equal(role.got, role.want) {
				t.Errorf("seed %d: %s %v, want %v", seed, role.name, role.got, role.want)
			}
		}
	}
}

// expression returns a random function in genlib's notation that names each
// pin once: ABC wants a cell to depend on all of its pins.
func expression(random *rand.Rand, pins []string) string {
	if len(pins) == 1 {
		return []string{pins[0], "!" + pins[0], pins[0] + "'", "(" + pins[0] + ")"}[random.IntN(4)]
	}
	at := 1 + random.IntN(len(pins)-1)
	x, y := expression(random, pins[:at]), expression(random, pins[at:])
	operator := []string{"+", " + ", "|", "*", " * ", "&", "^", " ^"}[random.IntN(8)]
	switch random.IntN(5) {
	case 0:
		return "!(" + x + operator + y + ")"
	case 1:
		return "(" + x + operator + y + ")'"
	case 2:
		return "(" + x + operator + y + ")"
	}
	return x + operator + y
}

// TestRandomCells compares our reading of functions of library cells with that
// of ABC.
func TestRandomCells(t *testing.T) {
	for seed := range randomTexts() {
		random := rand.New(rand.NewPCG(seed, 7))
		library, text := "GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0\nGATE zero 0 O=CONST0;\nGATE one 0 O=CONST1;\n", ""
		var outputs []string
		for i := range 20 {
			names := []string{"a", "b", "c", "d", "e", "f"}[:1+random.IntN(6)]
			pins := ""
			for _, pin := range names {
				pins += " " + pin + "=" + pin
			}
			random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			function := expression(random, names)
			library += fmt.Sprintf("GATE g%d 2 O=%s; PIN * UNKNOWN 1 999 1 0 1 0\n", i, function)
			text += fmt.Sprintf(".gate g%d%s O=y%d\n", i, pins, i)
			outputs = append(outputs, fmt.Sprint("y", i))
		}
		text = ".model m\n.inputs a b c d e f\n.outputs " + strings.Join(outputs, " ") + "\n" + text + ".end\n"
		dir := t.TempDir()
		path, genlib := filepath.Join(dir, "cells.blif"), filepath.Join(dir, "cells.genlib")
		for name, content := range map[string]string{path: text, genlib: library} {
			if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		read := readers[0].read(t, path, genlib)
		if read.err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, read.err, library)
		}
		f := blif.Options{Cells: cells.ReadGenlib(library)}.Parse(source.NewText(text))
		compare(t, fmt.Sprintf("seed %d: %s", seed, library), namedFromBLIF(flat.Elaborate(f), f), peers.FromAIGER(t, read.data), random)
	}
}
