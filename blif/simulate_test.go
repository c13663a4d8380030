package blif_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/internal/randcircuit"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// named is a circuit with the names of its elements.
type named struct {
	c                        *circuit.Circuit
	inputs, latches, outputs []string
	lits                     []circuit.Signal // of the outputs
}

func namedFromBLIF(e *blif.Elaboration, f *blif.File) named {
	n := named{c: e.Circuit, outputs: f.Top().Outputs(), lits: e.Circuit.Outputs()}
	for i := range e.Circuit.Inputs() {
		n.inputs = append(n.inputs, e.InputName(i))
	}
	for i := range e.Circuit.Latches() {
		n.latches = append(n.latches, e.LatchName(i))
	}
	return n
}

// namedFromAIGER reads what ABC writes: outputs, or bads in their place where
// some latch is free or there is a constraint.
func namedFromAIGER(t testing.TB, data []byte) named {
	m, diags := aiger.ReadBinary(data)
	if m == nil {
		t.Fatal(diags)
	}
	c, err := m.Elaborate()
	if err != nil {
		t.Fatal(err)
	}
	lits := append(c.Outputs(), c.Bads()...)
	n := named{c, make([]string, len(m.Inputs)), make([]string, len(m.Latches)), make([]string, len(lits)), lits}
	for _, s := range m.Symbols {
		switch s.Kind {
		case aiger.SectionInputs:
			n.inputs[s.Index] = s.Name
		case aiger.SectionLatches:
			n.latches[s.Index] = s.Name
		case aiger.SectionOutputs, aiger.SectionBads:
			n.outputs[s.Index] = s.Name
		}
	}
	return n
}

// compare gives inputs and latches of the same name the same 64 random values
// and expects the same outputs, next states and resets.
func compare(t *testing.T, what string, a, b named, random *rand.Rand) {
	t.Helper()
	if fmt.Sprint(a.outputs) != fmt.Sprint(b.outputs) || len(a.latches) != len(b.latches) {
		t.Errorf("%s: outputs %.200v and %.200v, %d and %d latches", what, a.outputs, b.outputs, len(a.latches), len(b.latches))
		return
	}
	for range 8 {
		words := map[string]uint64{}
		word := func(name string) uint64 {
			if _, ok := words[name]; !ok {
				words[name] = random.Uint64()
			}
			return words[name]
		}
		values := func(n named) map[string]uint64 {
			p := circuit.NewParallel(n.c)
			for i, name := range n.latches {
				p.SetLatch(i, word("latch "+name))
			}
			var in []uint64
			for _, name := range n.inputs {
				in = append(in, word(name))
			}
			p.Eval(in)
			all := map[string]uint64{}
			for i := range n.outputs {
				all[fmt.Sprint("output ", i)] = p.Value(n.lits[i].Lit)
			}
			for i, b := range n.c.Bads() {
				all[fmt.Sprint("bad ", i)] = p.Value(b.Lit)
			}
			for i, c := range n.c.Constraints() {
				all[fmt.Sprint("constraint ", i)] = p.Value(c.Lit)
			}
			for i, l := range n.c.Latches() {
				all["next "+n.latches[i]] = p.Value(l.Next)
				all["reset "+n.latches[i]] = uint64(l.Reset)
				if l.IsFree() {
					all["reset "+n.latches[i]] = 2
				}
			}
			return all
		}
		x, y := values(a), values(b)
		for k, v := range x {
			w, ok := y[k]
			if property := strings.HasPrefix(k, "bad ") || strings.HasPrefix(k, "constraint "); !ok && property && len(a.outputs) > 0 {
				continue // AIGER as ABC writes it has only outputs
			}
			if !ok || v != w {
				t.Errorf("%s: %s differs: %x and %x", what, k, v, w)
				return
			}
		}
	}
}

// sameEverywhere are the files that ABC reads with the meaning of the
// reference: no undriven nets, no black boxes, latches with explicit initial
// values, a hierarchy of functions only.
var sameEverywhere = []string{
	"cudd-C17", "cudd-C880", "cudd-closest", "cudd-ham01", "cudd-miniFirst", "cudd-mult32a", "cudd-rcn25", "cudd-s27", "cudd-s27b", "cudd-s27c",
	"cudd-s382", "cudd-s641", "epfl-adder", "epfl-best-cavlc", "epfl-best-int2float", "epfl-ctrl", "epfl-router", "epfl-div",
	"gen-abc-c880-lut6", "gen-abc-s382-strash", "gen-yosys-fifo-dff", "own/abc-constraint", "own/continuation-and-comments", "own/cover-forms",
	"own/crlf", "own/exdc", "own/hierarchy-two-models", "own/names-odd-characters", "own/tabs-and-trailing-space", "own/two-counters-equal",
	"picotrav-false_a", "picotrav-false_b", "picotrav-not_a", "sis-course/FSMD-ott", "sis-course/and", "sis-course/sub1", "sis-course/xnor",
	"vtr-eblif-yosys", "vtr-mcnc-alu4", "vtr-mcnc-clma", "vtr-mcnc-dsip", "vtr-mcnc-s298", "vtr-mcnc-s38584.1", "vtr-mcnc-tseng",
	"vtr-micro-and_latch", "vtr-micro-const_true", "vtr-micro-false_path_mux", "vtr-micro-mult_5x6", "vtr-micro-rca_5bit", "vtr-micro-multiconnected_lut2",
}

// readByABC returns what ABC understands of a file, or why it does not.
func readByABC(t testing.TB, commands ...string) ([]byte, error) {
	abc, err := exec.LookPath("berkeley-abc")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("berkeley-abc is not installed")
		}
		t.Skip("berkeley-abc is not installed: nothing to compare with")
	}
	out := filepath.Join(t.TempDir(), "abc.aig")
	script := strings.Join(append(commands, "strash", "write_aiger -s "+out), "; ")
	if text, err := exec.Command(abc, "-q", script).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return os.ReadFile(out)
}

// TestAgainstABC compares circuits with those that ABC makes of the same files.
func TestAgainstABC(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	dir := filepath.Join(shared.Dir(t), "corpus", "blif")
	for _, name := range sameEverywhere {
		path := filepath.Join(dir, name+".blif")
		data, err := readByABC(t, "read_blif "+path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := parse(t, path, blif.Options{})
		compare(t, name, namedFromBLIF(f.Elaborate(), f), namedFromAIGER(t, data), random)
	}
	for _, name := range []string{"own/gates-mapped", "gen-abc-s382-mapped-gates"} {
		path := filepath.Join(dir, name+".blif")
		data, err := readByABC(t, "read_library "+filepath.Join(dir, "mini.genlib"), "read_blif "+path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := parse(t, path, blif.Options{Cells: cells(t)})
		compare(t, name, namedFromBLIF(f.Elaborate(), f), namedFromAIGER(t, data), random)
	}
}

// TestWrite writes random circuits and reads them again: the same functions,
// resets and properties.
func TestWrite(t *testing.T) {
	for seed := range uint64(200) {
		c := randcircuit.New(rand.New(rand.NewPCG(seed, 1)), randcircuit.Shape{
			Inputs: 6, Latches: 6, Gates: 60, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true,
		})
		var b bytes.Buffer
		if err := blif.Write(&b, c, blif.Names{Model: "random"}); err != nil {
			t.Fatal(err)
		}
		f := blif.Parse(source.NewText(b.String()))
		for _, d := range f.Diagnostics() {
			t.Fatalf("seed %d: %s: %s\n%s", seed, d.Code, d.Message, b.String())
		}
		e := f.Elaborate()
		if e.Circuit.NumGates() > c.NumGates() || len(e.Circuit.Bads()) != len(c.Bads()) || len(e.Circuit.Constraints()) != len(c.Constraints()) {
			t.Fatalf("seed %d: %d gates of %d, %d bads of %d", seed, e.Circuit.NumGates(), c.NumGates(), len(e.Circuit.Bads()), len(c.Bads()))
		}
		compare(t, fmt.Sprint("seed ", seed), byPosition(c), byPosition(e.Circuit), rand.New(rand.NewPCG(seed, 2)))
	}
}

// byPosition names the inputs and latches of a circuit by position and leaves
// out its outputs.
func byPosition(c *circuit.Circuit) named {
	n := named{c: c}
	for i := range c.Inputs() {
		n.inputs = append(n.inputs, fmt.Sprint(i))
	}
	for i := range c.Latches() {
		n.latches = append(n.latches, fmt.Sprint(i))
	}
	return n
}
