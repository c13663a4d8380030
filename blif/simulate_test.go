package blif_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/explicit"
	"aiglens/internal/peers"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// namedFromBLIF returns the circuit of a file with the names in it.
func namedFromBLIF(e *flat.Elaboration, f *blif.File) peers.Circuit {
	n := peers.Circuit{Circuit: e.Circuit, Outputs: f.Top().Outputs(), Lits: e.Circuit.Outputs(), Bads: e.Circuit.Bads()}
	for i := range e.Circuit.Inputs() {
		n.Inputs = append(n.Inputs, e.InputName(i))
	}
	for i := range e.Circuit.Latches() {
		n.Latches = append(n.Latches, e.LatchName(i))
	}
	for _, in := range f.Top().Inputs() {
		if !slices.Contains(n.Inputs, in) {
			n.Clocks = append(n.Clocks, in)
		}
	}
	return n
}

// compare expects no difference.
func compare(t *testing.T, what string, a, b peers.Circuit, random *rand.Rand) {
	t.Helper()
	if d := peers.Difference(a, b, random); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// TestAgainstReaders compares the circuits of the corpus with those that other
// programs make of the same files. A file that a program reads otherwise is in
// a table with the reason, and only those are.
func TestAgainstReaders(t *testing.T) {
	library := filepath.Join(shared.Dir(t), "corpus", "blif", "mini.genlib")
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			files := filesFor(t, r)
			for why, names := range r.otherwise {
				for _, name := range names {
					path, ok := files[name]
					if !ok {
						t.Errorf("%s is listed and no file of the corpus", name)
					} else if difference(t, path, r.read(t, plain(t, path), library), random) == "" {
						t.Errorf("%s: no difference, but it is listed: %s", name, why)
					}
					delete(files, name)
				}
			}
			names := slices.Sorted(maps.Keys(files))
			var paths []string
			for _, name := range names {
				paths = append(paths, plain(t, files[name]))
			}
			for i, read := range r.readAll(t, paths, library) {
				if d := difference(t, files[names[i]], read, random); d != "" {
					t.Errorf("%s: %.300s", names[i], d)
				}
			}
			t.Logf("%d files mean the same", len(names))
		})
	}
}

// filesFor returns the paths of the files of the corpus that a program is given, by name.
func filesFor(t *testing.T, r reader) map[string]string {
	listed := slices.Concat(slices.Collect(maps.Values(r.otherwise))...)
	files := map[string]string{}
	for _, row := range table(t, "READERS.csv") {
		name, ok := strings.CutSuffix(strings.TrimPrefix(row[0], "blif/"), ".blif")
		size, _ := strconv.Atoi(row[1])
		if ok && (r.name != "Yosys" || size <= yosysLimit() || slices.Contains(listed, name)) {
			files[name] = filepath.Join(shared.Dir(t), "corpus", row[0])
		}
	}
	return files
}

// plain returns a file with the models of its .search lines in it and without
// its state tables, which count for nothing beside logic: few programs know
// them. It is path itself where there are none.
func plain(t testing.TB, path string) string {
	t.Helper()
	var text strings.Builder
	seen := map[string]bool{path: true}
	table, changed := false, false
	for todo := []string{path}; len(todo) > 0; todo = todo[1:] {
		data, err := os.ReadFile(todo[0])
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			words := append(strings.Fields(line), "")
			table = table || words[0] == ".start_kiss"
			switch {
			case words[0] == ".search":
				if other := filepath.Join(filepath.Dir(path), words[1]); !seen[other] {
					seen[other] = true
					todo = append(todo, other)
				}
			case !table && words[0] != ".code" && words[0] != ".latch_order":
				text.WriteString(strings.TrimRight(line, "\r\n") + "\n")
				continue
			}
			table = table && words[0] != ".end_kiss"
			changed = true
		}
	}
	if !changed {
		return path
	}
	path = filepath.Join(t.TempDir(), "plain.blif")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// difference compares what a program understands of a file with our reading.
func difference(t *testing.T, path string, read reading, random *rand.Rand) string {
	if read.err != nil {
		return strings.Join(strings.Fields(read.err.Error()), " ")
	}
	f := bliftest.Open(t, path, blif.Options{Cells: bliftest.Cells(t)})
	e := flat.Elaborate(f)
	for i := range e.Circuit.Outputs() {
		if fault := e.Fault(circuit.Property{Kind: circuit.PropertyOutput, Index: i}); fault != nil {
			return "an error: " + fault.Message
		}
	}
	return peers.Difference(namedFromBLIF(e, f), peers.FromAIGER(t, read.data), random)
}

// TestWrite writes random circuits and reads them again: the same functions,
// resets and properties.
func TestWrite(t *testing.T) {
	for seed := range uint64(200) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 1)), explicit.Shape{
			Inputs: 6, Latches: 6, Gates: 60, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true,
		})
		var b bytes.Buffer
		if _, err := blif.Write(&b, c, blif.Names{Model: "random"}); err != nil {
			t.Fatal(err)
		}
		f := blif.Options{}.Parse(source.NewText(b.String()))
		for _, d := range diagnose.Diagnostics(f) {
			t.Fatalf("seed %d: %s: %s\n%s", seed, d.Code, d.Message, b.String())
		}
		e := flat.Elaborate(f)
		if e.Circuit.NumGates() > c.NumGates() || len(e.Circuit.Bads()) != len(c.Bads()) || len(e.Circuit.Constraints()) != len(c.Constraints()) {
			t.Fatalf("seed %d: %d gates of %d, %d bads of %d", seed, e.Circuit.NumGates(), c.NumGates(), len(e.Circuit.Bads()), len(c.Bads()))
		}
		compare(t, fmt.Sprint("seed ", seed), byPosition(c), byPosition(e.Circuit), rand.New(rand.NewPCG(seed, 2)))
	}
}

// byPosition names the inputs and latches of a circuit by position and leaves
// out its outputs.
func byPosition(c *circuit.Circuit) peers.Circuit {
	n := peers.Circuit{Circuit: c, Bads: c.Bads()}
	for i := range c.Inputs() {
		n.Inputs = append(n.Inputs, fmt.Sprint(i))
	}
	for i := range c.Latches() {
		n.Latches = append(n.Latches, fmt.Sprint(i))
	}
	return n
}
