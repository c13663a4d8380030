package blifdesign_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// corpusBLIF yields the BLIF files of the corpus up to a size.
func corpusBLIF(t *testing.T, size int64, visit func(name string, d *design.Design)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(filepath.Join(shared.Dir(t), "corpus", "blif"), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".blif" {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > size {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		opts := design.Options{}.With(blifdesign.Format, blifdesign.Option{CutUndriven: true, OneStep: true, Combinational: true})
		visit(filepath.Base(path), design.New("file:///w/"+filepath.Base(path), blifdesign.Format, 1, source.NewText(string(content)), opts))
		return nil
	})
	if err != nil || seen < 20 {
		t.Fatalf("%d files, %v", seen, err)
	}
}

// TestOccurrencesAgree tests that every word of a file is among the places of
// what it stands for, and that a definition is one of them.
func TestOccurrencesAgree(t *testing.T) {
	corpusBLIF(t, 10_000, func(name string, d *design.Design) {
		for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
			s := o.Lit.Signal()
			if !slices.Contains(d.Occurrences(s), o) {
				t.Fatalf("%s: %v of %s is not among its places", name, o, d.Name(s))
			}
			if at, ok := d.OccurrenceAt(o.Span.Start); !ok || at != o {
				t.Fatalf("%s: at the start of %v there is %v", name, o, at)
			}
			if o.Use != design.AsFormal && d.Text.Slice(o.Span) != d.Name(s) {
				t.Fatalf("%s: %q is called %q", name, d.Text.Slice(o.Span), d.Name(s))
			}
			if o.Role != design.RoleDefinition {
				continue
			}
			def, ok := d.Definition(s)
			isPlace := slices.ContainsFunc(d.Occurrences(s), func(o design.Occurrence) bool { return o.Span == def.Span })
			if !ok || !isPlace {
				t.Fatalf("%s: the definition of %s is at %v", name, d.Name(s), def.Span)
			}
			if row, ok := d.RowOf(s); !ok || row.Signal != s || !row.Span.Contains(def.Span.Start) {
				t.Fatalf("%s: %s is defined in row %v, %v", name, d.Name(s), row, ok)
			}
		}
	})
}

// TestCoversAreTheCircuit compares what the covers of the text make of their
// inputs with the values of the circuit, under random inputs.
func TestCoversAreTheCircuit(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	compared := 0
	corpusBLIF(t, 50_000, func(name string, d *design.Design) {
		c := d.Circuit()
		sim := circuit.NewTernary(c)
		for range 8 {
			sim.Reset()
			for i := range c.Latches() {
				sim.SetLatch(i, randomBit(r))
			}
			inputs := make([]circuit.Value, len(c.Inputs()))
			for i := range inputs {
				inputs[i] = randomBit(r)
			}
			sim.Eval(inputs)
			for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
				cover, ok := d.Cover(o.Lit.Signal())
				if !ok || o.Role != design.RoleDefinition {
					continue
				}
				want, known := coverValue(d, sim, cover)
				lit, sound := d.LitOf(o.Lit)
				if !known || !sound {
					continue
				}
				compared++
				if got := sim.Value(lit); got != want {
					t.Fatalf("%s: %s is %s, its cover says %s", name, d.Name(o.Lit.Signal()), got, want)
				}
			}
		}
	})
	if compared < 10_000 {
		t.Errorf("only %d values have been compared", compared)
	}
}

func randomBit(r *rand.Rand) circuit.Value {
	return [...]circuit.Value{circuit.Zero, circuit.One}[r.Intn(2)]
}

// coverValue evaluates a cover; known is false where an input is not in the
// circuit.
func coverValue(d *design.Design, sim *circuit.Ternary, c design.Cover) (v circuit.Value, known bool) {
	met := false
	for _, cube := range c.Cubes {
		all := true
		for i, phase := range []byte(cube) {
			lit, ok := d.LitOf(c.Inputs[i])
			if !ok {
				return circuit.X, false
			}
			if value := sim.Value(lit); phase != '-' && (value == circuit.One) != (phase == '1') {
				all = false
			}
		}
		met = met || all
	}
	if met != c.OffSet {
		return circuit.One, true
	}
	return circuit.Zero, true
}

// TestEditsAgree tests that a text after edits says what the same text says that
// is read at once. Signals may have other numbers, so names are compared.
func TestEditsAgree(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	words := []string{"1", "-", "\n", " ", ".", ".names a b\n1 1\n", ".model m\n", ".end\n", "\\\n", "# prop: bad a\n", ".subckt m a=b\n", "=", "a"}
	corpusBLIF(t, 3000, func(name string, d *design.Design) {
		for version := int32(2); version < 12; version++ {
			at := r.Intn(d.Text.Len() + 1)
			span := source.Span{Start: at, Length: min(r.Intn(4), d.Text.Len()-at)}
			d.Properties() // so that there is something to keep
			d = d.Successor(version, d.Text.Replace(span, words[r.Intn(len(words))]))
			fresh := design.New(d.URI, blifdesign.Format, version, source.NewText(d.Text.Content()), d.Options())
			if got, want := summary(d), summary(fresh); !slices.Equal(got, want) {
				t.Fatalf("%s: after edits\n%q\nread at once\n%q\ntext\n%s", name, got, want, d.Text.Content())
			}
		}
	})
}

// summary says what a document holds, without numbers of signals.
func summary(d *design.Design) []string {
	var all []string
	for _, x := range d.Diagnostics() {
		all = append(all, fmt.Sprint(x.Span, x.Code, x.Message))
	}
	for _, p := range d.Properties() {
		all = append(all, fmt.Sprint(p.ID, p.Name, p.Row, p.Rule, d.Fault(p.ID) == nil))
	}
	for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
		s := o.Lit.Signal()
		kind, index, ops := d.Drivers(s, nil)
		if kind == design.Undefined && o.Use == design.NoUse {
			continue // a mention of a name that was a net once
		}
		all = append(all, fmt.Sprint(o.Span, o.Role, o.Use, d.Name(s), kind, index, len(ops)))
	}
	for _, s := range d.Outline(10) {
		all = append(all, fmt.Sprint(s))
	}
	return all
}

// TestPropertyBeforeModel asks for fixes of a comment that names no net of the
// top model and stands before it: to define the net there, which is
// done only on request.
func TestPropertyBeforeModel(t *testing.T) {
	d := design.New("file:///w/a.blif", blifdesign.Format, 1, source.NewText("# prop: bad st\n.model m\n.inputs x\n.outputs y\n.names x y\n1 1\n.end\n"), design.Options{})
	if n := len(d.Diagnostics()); n != 1 {
		t.Fatalf("%d diagnostics, expected that there is no st", n)
	}
	fixes := d.Fixes(d.Diagnostics()[0])
	if edits, err := d.FixAll(t.Context()); len(fixes) != 2 || len(edits) != 0 || err != nil {
		t.Errorf("fixes %v, edits %v, %v", fixes, edits, err)
	}
}

// TestLatchesByPath names the latches of instances by their path.
func TestLatchesByPath(t *testing.T) {
	text := ".model top\n.inputs x\n.outputs bad\n.subckt pair in=x out=a\n.subckt pair in=a out=bad\n.end\n" +
		".model pair\n.inputs in\n.outputs out\n.subckt one d=in q=m\n.subckt one d=m q=out\n.end\n" +
		".model one\n.inputs d\n.outputs q\n.latch d q 0\n.end\n"
	d := design.New("file:///w/a.blif", blifdesign.Format, 1, source.NewText(text), design.Options{})
	var names []string
	for i := range d.Circuit().Latches() {
		place, ok := d.LatchSource(i)
		if !ok || d.Text.Slice(place.Span) != "q" || d.Text.Slice(place.Row) != ".latch d q 0" {
			t.Errorf("latch %d is at %v", i, place)
		}
		names = append(names, place.Name)
	}
	if want := []string{"a/m/q", "a/out/q", "bad/m/q", "bad/out/q"}; !slices.Equal(names, want) {
		t.Errorf("latches %q, expected %q", names, want)
	}
}

// TestSymbolLinesAgree tests that the names of a file are its models, ports and
// latches, each with its row.
func TestSymbolLinesAgree(t *testing.T) {
	lines := 0
	corpusBLIF(t, 10_000, func(name string, d *design.Design) {
		found := map[source.Span]bool{}
		for line := range d.SymbolLines() {
			lines++
			found[line.Span] = true
			row, ok := d.RowAt(line.Span.Start)
			if !ok || row != line.Row || d.Text.Slice(line.Span) != line.Name {
				t.Fatalf("%s: %+v, but the row is %+v", name, line, row)
			}
		}
		for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
			def, _ := d.Definition(o.Lit.Signal())
			isNamed := def.Kind == design.Input || def.Kind == design.Latch || def.Kind == design.Model
			if row, ok := d.RowAt(o.Span.Start); ok && o.Role == design.RoleDefinition && isNamed && row.Kind == def.Kind && !found[o.Span] {
				t.Fatalf("%s: %q is missing", name, d.Name(o.Lit.Signal()))
			}
		}
	})
	if lines < 500 {
		t.Errorf("%d names, expected more", lines)
	}
}

// BenchmarkSymbolLines lists the names of a model with very many inputs.
func BenchmarkSymbolLines(b *testing.B) {
	const n = 5000
	text := ".model wide\n.inputs"
	for i := range n {
		text += fmt.Sprintf(" x%d", i)
	}
	text += "\n.outputs bad\n.latch x0 bad 0\n.end\n"
	for b.Loop() {
		lines := 0
		for range design.New("file:///w/wide.blif", blifdesign.Format, 1, source.NewText(text), design.Options{}).SymbolLines() {
			lines++
		}
		if lines != n+3 {
			b.Fatal(lines)
		}
	}
}
