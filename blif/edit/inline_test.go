package edit_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/design/hierarchy"
	"aiglens/internal/files"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// flatNames returns the literals of all nets of a flattened hierarchy by name.
func flatNames(e *flat.Elaboration) map[string]circuit.Lit {
	all := map[string]circuit.Lit{}
	for id := range e.NumInstances() {
		in := e.InstanceAt(id)
		path := in.Path
		if path != "" {
			path += "/"
		}
		from, to := in.Model.Signals()
		for s := from; s < to; s++ {
			if lit, ok := e.LitIn(id, s); ok {
				all[path+in.Model.File.Name(s)] = lit
			}
		}
	}
	return all
}

// run simulates a circuit from its reset and returns what the outputs, bads and
// constraints are in each step. Free latches and inputs get values by name; ok
// is false where one has no name in names.
func run(e *flat.Elaboration, latch, input func(i int) (string, bool)) (values []uint64, ok bool) {
	c := e.Circuit
	word := func(name string, step int) uint64 {
		h := fnv.New64a()
		fmt.Fprint(h, name, step)
		return h.Sum64() * 0x9E3779B97F4A7C15
	}
	ok = true
	p := circuit.NewParallel(c)
	p.Reset(func(i int) uint64 {
		name, known := latch(i)
		ok = ok && known
		return word(name, -1)
	})
	for step := range 12 {
		in := make([]uint64, len(c.Inputs()))
		for i := range in {
			name, known := input(i)
			ok = ok && known
			in[i] = word(name, step)
		}
		p.Eval(in)
		for _, s := range slices.Concat(c.Outputs(), c.Bads(), c.Constraints()) {
			values = append(values, p.Value(s.Lit))
		}
		slices.Sort(values[len(values)-len(c.Constraints()):]) // flattening gives them another order
		p.Advance()
	}
	return values, ok
}

// sameMeaning compares the circuits of a text before and after its instances
// were flattened. A net of the flat text has the name of one before, either with
// the path of an instance or that of the net which a port was joined to.
func sameMeaning(t *testing.T, what string, before, after *blif.File) bool {
	t.Helper()
	a, b := flat.Elaborate(before), flat.Elaborate(after)
	names := map[circuit.Lit]string{}
	for name, lit := range flatNames(a) {
		if old, known := names[lit]; !known || name < old {
			names[lit] = name
		}
	}
	byName := flatNames(a)
	common := func(name string) (string, bool) {
		lit, ok := byName[name]
		return names[lit], ok
	}
	x, ok := run(a, func(i int) (string, bool) { return common(a.LatchName(i)) }, func(i int) (string, bool) { return common(a.InputName(i)) })
	if !ok {
		return false
	}
	y, ok := run(b, func(i int) (string, bool) { return common(b.LatchName(i)) }, func(i int) (string, bool) { return common(b.InputName(i)) })
	if !ok {
		return false
	}
	if !slices.Equal(x, y) {
		t.Errorf("%s: the values differ", what)
	}
	if n, m := len(a.Circuit.Latches()), len(b.Circuit.Latches()); n != m {
		t.Errorf("%s: %d latches, flat %d", what, n, m)
	}
	for _, p := range before.Properties() {
		if f, g := a.Fault(p.ID), b.Fault(p.ID); (f == nil) != (g == nil) {
			t.Errorf("%s: faults %v and %v", what, f, g)
		}
	}
	return true
}

// TestFlattenCorpus flattens the instances of every model of the files of the
// corpus that have some, model by model, and compares the circuits.
func TestFlattenCorpus(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", "*", "*.blif"))
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", "*.*blif"))
	flattened, compared := 0, 0
	disk := hierarchy.New(hierarchy.NewDisk(t.Context(), files.DefaultLimit()), blif.Options{Cells: bliftest.Cells(t)}, nil)
	for _, path := range append(paths, more...) {
		f := bliftest.Open(t, path, blif.Options{Cells: bliftest.Cells(t), Library: disk.For(path)})
		if f.Text().Len() > 200_000 {
			continue
		}
		flattened, compared = flattenAll(t, f, filepath.Base(path), flattened, compared)
	}
	t.Logf("%d models flattened, %d compared", flattened, compared)
	if flattened < 10 || compared < flattened*3/4 {
		t.Errorf("%d models flattened, %d of them compared", flattened, compared)
	}
}

// flattenAll flattens the instances of a file, all of one model at a time, as
// long as there are some, and counts what it has done.
func flattenAll(t *testing.T, f *blif.File, what string, flattened, compared int) (int, int) {
	t.Helper()
	refused := map[string]bool{}
	for range 20 {
		var m *blif.Model
		for id := range f.NumStatements() {
			if other := f.Instance(id); other != nil && !refused[other.Name] {
				m = other
				break
			}
		}
		if m == nil {
			break
		}
		edits, err := edit.FlattenInstances(f, m)
		if err != nil {
			t.Logf("%s: %v", what, err)
			refused[m.Name] = true
			continue
		}
		text, err := f.Text().Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		g := f.Reparse(text)
		for id := range g.NumStatements() {
			if other := g.Instance(id); other != nil && other.Name == m.Name {
				t.Errorf("%s: an instance of %s is left", what, m.Name)
			}
		}
		flattened++
		if sameMeaning(t, what+": "+m.Name, f, g) {
			compared++
		}
		f = g
	}
	return flattened, compared
}

// hierarchyText returns random models of three levels: each has covers, latches
// and instances of those of the next level, and ports that go right through.
func hierarchyText(r *rand.Rand) string {
	var s strings.Builder
	for level, models := range [][]string{{"top"}, {"a", "b"}, {"c", "d"}} {
		for _, name := range models {
			fmt.Fprintf(&s, ".model %s\n.inputs i0 i1 i2\n.outputs o0 o1\n", name)
			nets := []string{"i0", "i1", "i2"}
			for i := range 2 { // latches come first, so that they can be read
				nets = append(nets, fmt.Sprint("q", i))
			}
			net := func() string { return nets[r.IntN(len(nets))] }
			for i := range 4 {
				to := fmt.Sprint("n", i)
				if next := [][]string{{"a", "b"}, {"c", "d"}, nil}[level]; next != nil && r.IntN(2) == 0 {
					fmt.Fprintf(&s, ".subckt %s i0=%s i1=%s i2=%s o1=%s o0=%sx\n", next[r.IntN(2)], net(), net(), net(), to, to)
					nets = append(nets, to+"x")
				} else {
					fmt.Fprintf(&s, ".names %s %s %s\n1%c %d\n-1 %[5]d\n", net(), net(), to, "01-"[r.IntN(3)], r.IntN(2))
				}
				nets = append(nets, to)
			}
			if r.IntN(3) == 0 {
				fmt.Fprintf(&s, "# prop: assume %s\n", net())
			}
			for i := range 2 {
				fmt.Fprintf(&s, ".latch %s q%d %d\n.names %s o%[2]d\n0 1\n", net(), i, r.IntN(3), net())
			}
			s.WriteString(".end\n")
		}
	}
	return s.String()
}

// TestFlattenRandom flattens random hierarchies down to one level.
func TestFlattenRandom(t *testing.T) {
	flattened, compared := 0, 0
	for seed := range uint64(200) {
		f := blif.Options{}.Parse(source.NewText(hierarchyText(rand.New(rand.NewPCG(seed, 5)))))
		for _, d := range diagnose.Diagnostics(f) {
			if d.Severity == source.Error {
				t.Fatalf("%s: %s\n%s", d.Code, d.Message, f.Text().Content())
			}
		}
		flattened, compared = flattenAll(t, f, fmt.Sprint("seed ", seed), flattened, compared)
	}
	if flattened < 400 || compared < flattened/2 {
		t.Errorf("%d models flattened, %d of them compared", flattened, compared)
	}
	t.Logf("%d models flattened, %d compared", flattened, compared)
}

const twoLevels = `.model top
.inputs x clk
.outputs bad
# prop: bad bad
.subckt pair in=x clk=clk out=a # the first
.cname one
.subckt pair in=a clk=clk out=bad
.end
.model pair
.inputs in clk
.outputs out
# prop: assume ok
# prop: bad in
.subckt stage d=in c=clk q=m
.subckt stage d=m c=clk q=out
.names in m ok
00 0
.end
.model stage
.inputs d c
.outputs q
.names d n
1 1
.latch n k re c 2
.names k q
0 1
.end
`

// TestFlatten flattens by levels, in either order.
func TestFlatten(t *testing.T) {
	for _, order := range [][]string{{"pair", "stage"}, {"stage", "pair"}} {
		f := blif.Options{}.Parse(source.NewText(twoLevels))
		for _, name := range order {
			edits, err := edit.FlattenInstances(f, f.Model(name))
			if err != nil {
				t.Fatal(err)
			}
			text, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			g := blif.Options{}.Parse(text)
			if !sameMeaning(t, fmt.Sprint(order, name), f, g) && order[0] == "stage" {
				t.Errorf("%v: nets of %s have unknown names", order, name)
			}
			f = g
		}
		if e := flat.Elaborate(f); e.NumInstances() != 1 || len(e.Circuit.Latches()) != 4 || len(e.Circuit.Constraints()) != 2 {
			t.Errorf("%v: %d instances, %d latches\n%s", order, e.NumInstances(), len(e.Circuit.Latches()), f.Text().Content())
		}
	}
}

// TestFlattenImplied flattens a model that reads constants which nothing drives, as Yosys leaves them.
func TestFlattenImplied(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model top\n.inputs x\n.outputs bad\n.subckt m a=x y=bad\n.end\n" +
		".model m\n.inputs a\n.outputs y\n.names a $true $false y\n110 1\n.end\n"))
	edits, err := edit.FlattenInstances(f, f.Model("m"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	if sameMeaning(t, "flattened", f, blif.Options{}.Parse(text)); !strings.Contains(text.Content(), ".names x $true $false bad") {
		t.Errorf("flattened:\n%s", text.Content())
	}
	if _, err := edit.Rename(f, strings.Index(f.Text().Content(), "$true"), "one"); err == nil || !strings.Contains(err.Error(), "a constant") {
		t.Errorf("renamed, error %v", err)
	}
}

// TestFlattenRefused says why an instance cannot be flattened.
func TestFlattenRefused(t *testing.T) {
	const rest = ".model top\n.inputs x\n.outputs bad\n"
	for _, test := range []struct{ text, why string }{
		{rest + ".subckt none a=x y=bad\n.end\n", "no model"},
		{rest + ".subckt m a=x y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.blackbox\n.end\n", "black box"},
		{rest + ".subckt m a=x y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.subckt m a=a y=y\n.end\n", "holds an instance of itself"},
		{rest + ".subckt m y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n", "input a"},
		{rest + ".subckt m a=x y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.names a n y\n11 1\n.end\n", "error on line 9"},
		{rest + ".subckt m a=x y=bad\n.names bad/n\n.end\n.model m\n.inputs a\n.outputs y\n.names a n\n1 1\n.names n y\n1 1\n.end\n", "bad/n already"},
		{rest + ".subckt m a=x y=bad\n.names $true\n0\n.end\n.model m\n.inputs a\n.outputs y\n.names a $true y\n11 1\n.end\n", "model top drives it"},
		{rest + ".subckt m a=x y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.names $undef\n.names a $undef y\n11 1\n.end\n", "any value"},
		{".model top\n.subckt m a=x y=bad\n.end\n.model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n", "no .inputs"},
	} {
		f := blif.Options{}.Parse(source.NewText(test.text))
		for id := range f.NumStatements() {
			if f.Statement(id).Kind != statement.KindSubckt || f.ModelAt(id).Index != 0 {
				continue
			}
			if _, err := edit.FlattenInstance(f, id); err == nil || !strings.Contains(err.Error(), test.why) {
				t.Errorf("error %v, expected %q\n%s", err, test.why, test.text)
			}
		}
	}
}
