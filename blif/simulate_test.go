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

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/randcircuit"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// named is a circuit with the names of its elements.
type named struct {
	c                        *circuit.Circuit
	inputs, latches, outputs []string
	clocks                   []string         // inputs that only control latches
	lits                     []circuit.Signal // of the outputs
}

func namedFromBLIF(e *flat.Elaboration, f *blif.File) named {
	n := named{c: e.Circuit, outputs: f.Top().Outputs(), lits: e.Circuit.Outputs()}
	for i := range e.Circuit.Inputs() {
		n.inputs = append(n.inputs, e.InputName(i))
	}
	for i := range e.Circuit.Latches() {
		n.latches = append(n.latches, e.LatchName(i))
	}
	for _, in := range f.Top().Inputs() {
		if !slices.Contains(n.inputs, in) {
			n.clocks = append(n.clocks, in)
		}
	}
	return n
}

// namedFromAIGER reads what ABC and Yosys write: outputs, or bads in their place where
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
	lits := slices.Clone(c.Outputs())
	if len(lits) == 0 {
		lits = c.Bads()
	}
	n := named{c: c, inputs: make([]string, len(m.Inputs)), latches: make([]string, len(m.Latches)), outputs: make([]string, len(lits)), lits: lits}
	for _, s := range m.Symbols {
		if s.Kind == syntax.SectionBads && len(c.Outputs()) > 0 {
			continue // an assertion, matched by its position
		}
		s.Name = nameFromYosys(s.Name)
		switch s.Kind {
		case syntax.SectionInputs:
			n.inputs[s.Index] = s.Name
		case syntax.SectionLatches:
			n.latches[s.Index] = s.Name
		case syntax.SectionOutputs, syntax.SectionBads:
			n.outputs[s.Index] = s.Name
		}
	}
	return n
}

// nameFromYosys takes back that Yosys puts a '\' before a name that it would
// otherwise write for one of its own.
func nameFromYosys(name string) string {
	if rest, ok := strings.CutPrefix(name, `\`); ok && rest != "" && strings.IndexByte(`$\0123456789`, rest[0]) >= 0 {
		return rest
	}
	return name
}

// difference simulates two circuits of the same text and returns where they
// differ, or "". Inputs, outputs and latches are matched by name. Where the
// latches of b have other names (instances have no names in BLIF), both run
// from their initial states instead.
func difference(a, b named, random *rand.Rand) string {
	if x, y := slices.Sorted(slices.Values(a.outputs)), slices.Sorted(slices.Values(b.outputs)); !slices.Equal(x, y) {
		return fmt.Sprintf("outputs %.200v and %.200v", x, y)
	}
	if len(a.latches) != len(b.latches) {
		return fmt.Sprintf("%d and %d latches", len(a.latches), len(b.latches))
	}
	for _, in := range b.inputs {
		if !slices.Contains(a.inputs, in) && !slices.Contains(a.clocks, in) {
			return "input " + in + " of the other only"
		}
	}
	if b, ok := b.renamed(a.latches); ok {
		return stepDifference(a, b, random)
	}
	return runDifference(a, b, random)
}

// renamed returns the circuit with latches named by want. A symbol may hold
// several names of a latch.
func (n named) renamed(want []string) (named, bool) {
	at := map[string]bool{}
	for _, name := range want {
		at[name] = true
	}
	latches := make([]string, len(n.latches))
	for i, symbol := range n.latches {
		for _, name := range strings.Fields(symbol) {
			name = nameFromYosys(name)
			if at[name] && latches[i] == "" {
				latches[i] = name
				at[name] = false
			}
		}
		if latches[i] == "" {
			return n, false
		}
	}
	n.latches = latches
	return n, true
}

// words gives each name the same 64 random values in both circuits.
type words struct {
	random *rand.Rand
	known  map[string]uint64
}

func newWords(random *rand.Rand) words { return words{random, map[string]uint64{}} }

func (w words) of(name string) uint64 {
	if _, ok := w.known[name]; !ok {
		w.known[name] = w.random.Uint64()
	}
	return w.known[name]
}

func (w words) all(names []string) []uint64 {
	var values []uint64
	for _, name := range names {
		values = append(values, w.of(name))
	}
	return values
}

// observe adds what can be seen of a step: outputs, bads and constraints.
func (n named) observe(p *circuit.Parallel, seen map[string]uint64) {
	for i, name := range n.outputs {
		seen["output "+name] = p.Value(n.lits[i].Lit)
	}
	var bads []uint64 // in any order: Yosys has one of its own
	for _, b := range n.c.Bads() {
		bads = append(bads, p.Value(b.Lit))
	}
	slices.Sort(bads)
	for i, b := range bads {
		seen[fmt.Sprint("bad ", i)] = b
	}
	for i, c := range n.c.Constraints() {
		seen[fmt.Sprint("constraint ", i)] = p.Value(c.Lit)
	}
}

// stepDifference compares resets, and one step from random states.
func stepDifference(a, b named, random *rand.Rand) string {
	for range 8 {
		w := newWords(random)
		step := func(n named) map[string]uint64 {
			p := circuit.NewParallel(n.c)
			for i, name := range n.latches {
				p.SetLatch(i, w.of("latch "+name))
			}
			p.Eval(w.all(n.inputs))
			seen := map[string]uint64{}
			n.observe(p, seen)
			for i, l := range n.c.Latches() {
				seen["next "+n.latches[i]] = p.Value(l.Next)
				seen["reset "+n.latches[i]] = uint64(l.Reset)
				if l.IsFree() {
					seen["reset "+n.latches[i]] = 2
				}
			}
			return seen
		}
		if d := unequal(a, step(a), step(b)); d != "" {
			return d
		}
	}
	return ""
}

// runDifference compares what can be seen in runs from the initial states,
// which must be known.
func runDifference(a, b named, random *rand.Rand) string {
	isFree := func(l circuit.Latch) bool { return l.Reset > circuit.True }
	if slices.ContainsFunc(a.c.Latches(), isFree) || slices.ContainsFunc(b.c.Latches(), isFree) {
		return "latches of other names and free initial values"
	}
	p, q := circuit.NewParallel(a.c), circuit.NewParallel(b.c)
	p.Reset(nil)
	q.Reset(nil)
	for step := range 200 {
		w := newWords(random)
		p.Eval(w.all(a.inputs))
		q.Eval(w.all(b.inputs))
		x, y := map[string]uint64{}, map[string]uint64{}
		a.observe(p, x)
		b.observe(q, y)
		if d := unequal(a, x, y); d != "" {
			return fmt.Sprintf("step %d: %s", step, d)
		}
		p.Advance()
		q.Advance()
	}
	return ""
}

// unequal returns the first value that differs.
func unequal(a named, x, y map[string]uint64) string {
	for _, k := range slices.Sorted(maps.Keys(x)) {
		w, ok := y[k]
		if property := strings.HasPrefix(k, "bad ") || strings.HasPrefix(k, "constraint "); !ok && property && len(a.outputs) > 0 {
			continue // programs write only outputs
		}
		if !ok || x[k] != w {
			return fmt.Sprintf("%s differs: %x and %x", k, x[k], w)
		}
	}
	return ""
}

// compare expects no difference.
func compare(t *testing.T, what string, a, b named, random *rand.Rand) {
	t.Helper()
	if d := difference(a, b, random); d != "" {
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
			compared, reasons := 0, map[string]string{}
			for why, names := range r.otherwise {
				for _, name := range names {
					reasons[name] = why
				}
			}
			for _, row := range table(t, "READERS.csv") {
				name, ok := strings.CutSuffix(row[0], ".blif")
				size, _ := strconv.Atoi(row[1])
				if !ok || r.name == "Yosys" && size > yosysLimit {
					continue
				}
				name = strings.TrimPrefix(name, "blif/")
				why, excluded := reasons[name]
				delete(reasons, name)
				switch d := r.difference(t, filepath.Join(shared.Dir(t), "corpus", row[0]), library, random); {
				case d == "" && excluded:
					t.Errorf("%s: no difference, but it is listed: %s", name, why)
				case d != "" && !excluded:
					t.Errorf("%s: %.300s", name, d)
				case d == "":
					compared++
				}
			}
			for name := range reasons {
				t.Errorf("%s is listed and no file of the corpus", name)
			}
			t.Logf("%d files mean the same", compared)
		})
	}
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
func (r reader) difference(t *testing.T, path, library string, random *rand.Rand) string {
	data, err := r.read(t, plain(t, path), library)
	if err != nil {
		return strings.Join(strings.Fields(err.Error()), " ")
	}
	f := bliftest.Open(t, path, blif.Options{Cells: bliftest.Cells(t)})
	e := flat.Elaborate(f)
	for i := range e.Circuit.Outputs() {
		if fault := e.Fault(circuit.Property{Kind: circuit.PropertyOutput, Index: i}); fault != nil {
			return "an error: " + fault.Message
		}
	}
	return difference(namedFromBLIF(e, f), namedFromAIGER(t, data), random)
}

// TestWrite writes random circuits and reads them again: the same functions,
// resets and properties.
func TestWrite(t *testing.T) {
	for seed := range uint64(200) {
		c := randcircuit.New(rand.New(rand.NewPCG(seed, 1)), randcircuit.Shape{
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
