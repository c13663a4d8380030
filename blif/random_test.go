package blif_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// randomTexts returns how many texts of each kind a test generates:
// $AIGLENS_SEEDS, or enough for every day.
func randomTexts() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_SEEDS"), 10, 64); err == nil {
		return n
	}
	return 25
}

// readText returns our reading of a text in which nothing is an error.
func readText(t testing.TB, text string) (*blif.File, *blif.Elaboration) {
	t.Helper()
	f := blif.Options{Cells: cells(t)}.Parse(source.NewText(text))
	for _, d := range f.Diagnostics() {
		if d.Severity == source.Error {
			t.Fatalf("%s: %s\n%s", d.Code, d.Message, text)
		}
	}
	e := f.Elaborate()
	for i := range e.Circuit.Outputs() {
		p := circuit.Property{Kind: circuit.PropertyOutput, Index: i}
		if fault := e.Fault(p); fault != nil {
			t.Fatalf("%s: %s\n%s", fault.Code, fault.Message, text)
		}
		if cuts := e.Cuts(p); len(cuts) > 0 {
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
		dialect dialect
	}{{readers[0], forAll}, {readers[1], forAll}, {readers[0], forABC}, {readers[1], forYosys}, {readers[0], forCells}} {
		for _, free := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %d %t", test.reader.name, test.dialect, free), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "random.blif")
				for seed := range randomTexts() {
					text := generate(seed, test.dialect, free)
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
					data, err := test.reader.read(t, path, library)
					if err != nil {
						t.Fatalf("seed %d: %s\n%s", seed, strings.Join(strings.Fields(err.Error()), " "), text)
					}
					f, e := readText(t, text)
					if d := difference(namedFromBLIF(e, f), namedFromAIGER(t, data), rand.New(rand.NewPCG(seed, 9))); d != "" {
						t.Fatalf("seed %d: %s\n%s", seed, d, text)
					}
				}
			})
		}
	}
}
