package picture_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/internal/explicit"
)

// drawn is a picture as it is read back from what is handed to Graphviz, without a look at
// the graph that it was made of.
type drawn struct {
	kind  map[string]string   // by node
	cut   map[string]bool     // by node
	label map[string]string   // by node, of a box
	name  map[string]string   // by node: the literal that its label says
	wires map[string][]wireOf // by node, in order
	order []string
}

type wireOf struct {
	from    string
	negated bool
	port    string
}

var (
	nodeLine = regexp.MustCompile(`^(n\d+) \[id="(n\d+)", class="([a-z]+)( cut)?", (?:shape=cds, (?:style=bold, )?|shape=plaintext, |shape=plain, )label=(.*)\];$`)
	wireLine = regexp.MustCompile(`^(n\d+):e -> (n\d+):(?:(i\d):)?w \[class="wire from-(n\d+)( inverted)?"(, arrowhead=odot, arrowsize=0.7)?\];$`)
	named    = regexp.MustCompile(`lit(\d+)`)
)

func readBack(t *testing.T, dot string) *drawn {
	t.Helper()
	d := &drawn{kind: map[string]string{}, cut: map[string]bool{}, name: map[string]string{}, label: map[string]string{}, wires: map[string][]wireOf{}}
	lines := strings.Split(dot, "\n")
	for _, line := range lines[4 : len(lines)-2] {
		if strings.HasPrefix(line, "nslimit=") {
			continue
		}
		if m := nodeLine.FindStringSubmatch(line); m != nil {
			d.order = append(d.order, m[1])
			d.label[m[1]] = m[5]
			d.kind[m[1]], d.cut[m[1]] = m[3], m[4] != ""
			if n := named.FindStringSubmatch(m[5]); n != nil {
				d.name[m[1]] = n[1]
			} else if m[3] == "constant" {
				d.name[m[1]] = strings.Trim(m[5], `"`)
			}
			continue
		}
		m := wireLine.FindStringSubmatch(line)
		if m == nil || m[1] != m[4] || (m[6] != "") != (m[5] != "") {
			t.Fatalf("a line that the test cannot read: %s", line)
		}
		d.wires[m[2]] = append(d.wires[m[2]], wireOf{m[1], m[5] != "", m[3]})
	}
	return d
}

// eval computes a node from the values of inputs, latches and what is cut, which the
// simulation of the circuit gives.
func (d *drawn) eval(t *testing.T, id string, given func(id string) uint64, known map[string]uint64) uint64 {
	if v, ok := known[id]; ok {
		return v
	}
	if k := d.kind[id]; d.cut[id] || k == "input" || k == "latch" {
		return given(id)
	}
	in := map[string]uint64{}
	and, or, xor := ^uint64(0), uint64(0), uint64(0)
	for _, w := range d.wires[id] {
		v := d.wire(t, w, given, known)
		in[w.port] = v
		and, or, xor = and&v, or|v, xor^v
	}
	var v uint64
	switch d.kind[id] {
	case "constant":
		if d.name[id] == "1" {
			v = ^uint64(0)
		}
	case "and":
		v = and
	case "or":
		v = or
	case "xor", "root":
		v = xor
	case "mux":
		if !strings.Contains(d.label[id], `PORT="i0" WIDTH="6" HEIGHT="12" BORDER="1" SIDES="R">S<`) || !strings.Contains(d.label[id], `PORT="i1" WIDTH="6" HEIGHT="12" BORDER="1" SIDES="R">1<`) {
			t.Fatalf("a multiplexer with other entries: %s", d.label[id])
		}
		v = in["i0"]&in["i1"] | ^in["i0"]&in["i2"]
	default:
		t.Fatalf("a node of kind %s", d.kind[id])
	}
	known[id] = v
	return v
}

func (d *drawn) wire(t *testing.T, w wireOf, given func(string) uint64, known map[string]uint64) uint64 {
	v := d.eval(t, w.from, given, known)
	if w.negated {
		v = ^v
	}
	return v
}

// literal returns the literal that a node is labelled with.
func (d *drawn) literal(t *testing.T, id string) circuit.Lit {
	n, err := strconv.ParseUint(d.name[id], 10, 32)
	if err != nil {
		t.Fatalf("node %s has no literal: %v", id, err)
	}
	return circuit.Lit(n)
}

var words = func(g *picture.Schematic) picture.Words {
	return picture.Words{
		Name:  func(at int) string { return fmt.Sprintf("lit%d", g.Nodes[at].Lit) },
		Reset: func(int) string { return "" },
	}
}

// expectSame simulates the circuit under random values of inputs and latches, and compares
// each node of the picture with the literal that stands at it, and what enters each latch.
func expectSame(t *testing.T, r *rand.Rand, c *circuit.Circuit, g *picture.Schematic, dot string) {
	t.Helper()
	d := readBack(t, dot)
	if len(d.order) != len(g.Nodes) {
		t.Fatalf("%d nodes are drawn, not %d", len(d.order), len(g.Nodes))
	}
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	for range 4 {
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		for i := range c.Latches() {
			sim.SetLatch(i, r.Uint64())
		}
		sim.Eval(inputs)
		given := func(id string) uint64 { return sim.Value(d.literal(t, id)) }
		known := map[string]uint64{}
		for _, id := range d.order {
			if v := d.eval(t, id, given, known); d.kind[id] != "constant" && v != sim.Value(d.literal(t, id)) {
				t.Fatalf("node %s, %s, is not what literal %s is:\n%s", id, d.kind[id], d.name[id], dot)
			}
			if d.kind[id] != "latch" || d.cut[id] {
				continue
			}
			l := c.Latches()[c.LatchIndex(d.literal(t, id).Var())]
			want := map[string]circuit.Lit{"i0": l.Next}
			if l.HasFunction() {
				want["i1"] = l.Reset
			}
			if len(d.wires[id]) != len(want) {
				t.Fatalf("latch %s has %d wires:\n%s", id, len(d.wires[id]), dot)
			}
			for _, w := range d.wires[id] {
				if d.wire(t, w, given, known) != sim.Value(want[w.port]) {
					t.Fatalf("wire %s of latch %s carries another value:\n%s", w.port, id, dot)
				}
			}
		}
	}
}

// TestPictureIsTheCircuit reads 600 pictures of random cones back and compares them with
// their circuits: whole, cut short, gone on, and with names.
func TestPictureIsTheCircuit(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(21, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 6, Latches: 8, Gates: 60, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: seed%3 == 0, MoreBads: 2,
		})
		roots := []circuit.Lit{c.Bads()[0].Lit, c.Latches()[0].Next}
		o := picture.SchematicOptions{Limit: 1000}
		if seed%3 == 1 {
			o.Limit = r.IntN(20)
		}
		if seed%4 >= 2 {
			names := map[circuit.Var]circuit.Lit{}
			for v := range circuit.Var(c.NumVars()) {
				if r.IntN(3) == 0 {
					names[v] = v.Lit().NotIf(c.Kind(v) == circuit.KindAnd && r.IntN(2) == 0)
				}
			}
			o.Named = func(v circuit.Var) (circuit.Lit, bool) { l, ok := names[v]; return l, ok }
		}
		g := of(t, c, roots, o)
		if seed%6 == 1 {
			for at, n := range g.Nodes {
				if n.Cut && at%2 == 0 {
					o.Expand, o.Further = append(o.Expand, n.Lit.Var()), 3
				}
			}
			g = of(t, c, roots, o)
		}
		dot := g.DOT(words(g))
		expectSame(t, r, c, g, dot)
		for _, n := range g.Nodes {
			kinds[n.Kind.String()]++
			if l, ok := circuit.Lit(0), false; o.Named != nil && n.Kind != picture.Root && n.Kind != picture.Constant {
				if l, ok = o.Named(n.Lit.Var()); ok && l != n.Lit {
					t.Fatalf("seed %d: literal %d leaves a node, and %d has the name", seed, n.Lit, l)
				}
			}
			if n.Cut {
				kinds["cut"]++
			}
		}
	}
	for _, kind := range []string{"root", "constant", "input", "latch", "and", "or", "xor", "mux", "cut"} {
		if kinds[kind] < 100 {
			t.Errorf("only %d of %s in the pictures: the test shows little", kinds[kind], kind)
		}
	}
}

func of(t *testing.T, c *circuit.Circuit, roots []circuit.Lit, o picture.SchematicOptions) *picture.Schematic {
	t.Helper()
	g, err := picture.NewSchematic(context.Background(), c, roots, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestShapes draws a few circuits and says which boxes and bubbles they have.
func TestShapes(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(b *circuit.Builder, in []circuit.Lit) circuit.Lit
		want string // kinds of the nodes without the inputs, in order, and the bubbles
	}{
		{"and", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.And(in[0], in[1]) }, "root and; 0"},
		{"nand", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.And(in[0], in[1]).Not() }, "root and; 1"},
		{"or", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.Or(in[0], in[1]) }, "root or; 0"},
		{"nor", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.Or(in[0], in[1]).Not() }, "root or; 1"},
		{"or of an inverted one", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.Or(in[0], in[1].Not()) }, "root or; 1"},
		{"xor", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.Xor(in[0], in[1].Not()).Not() }, "root xor; 0"},
		{"mux", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return b.Mux(in[0].Not(), in[1], in[2]) }, "root mux; 0"},
		{"wide and", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit {
			return b.And(b.And(in[0], in[1]), b.And(in[2], in[3]))
		}, "root and; 0"},
		{"wide or", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit {
			return b.Or(b.Or(in[0], in[1]), b.Or(in[2], in[3]))
		}, "root or; 0"},
		{"sum", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit {
			return b.Xor(b.Xor(in[0], in[1]), in[2])
		}, "root xor xor; 0"},
		{"constant", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return circuit.True }, "root constant; 0"},
		{"input", func(b *circuit.Builder, in []circuit.Lit) circuit.Lit { return in[0].Not() }, "root; 1"},
	} {
		b := circuit.NewBuilder(10)
		in := []circuit.Lit{b.Input(0), b.Input(0), b.Input(0), b.Input(0)}
		root := test.make(b, in)
		g := of(t, b.Build(), []circuit.Lit{root}, picture.SchematicOptions{Limit: 100})
		var kinds []string
		bubbles := 0
		for _, n := range g.Nodes {
			if n.Kind != picture.Input {
				kinds = append(kinds, n.Kind.String())
			}
			for _, o := range n.Operands {
				if o.Negated {
					bubbles++
				}
			}
		}
		if got := fmt.Sprintf("%s; %d", strings.Join(kinds, " "), bubbles); got != test.want {
			t.Errorf("%s: %s, not %s", test.name, got, test.want)
		}
	}
}

// TestLimit checks that a picture ends at its limit, and goes on where that is asked for.
func TestLimit(t *testing.T) {
	b := circuit.NewBuilder(2000)
	sum := b.Input(0)
	for range 900 {
		sum = b.Xor(sum, b.Input(0))
	}
	c := b.Build()
	g := of(t, c, []circuit.Lit{sum}, picture.SchematicOptions{Limit: 300})
	if len(g.Nodes) > 300 || len(g.Nodes) < 298 {
		t.Errorf("%d nodes with a limit of 300", len(g.Nodes))
	}
	var cut []circuit.Var
	for _, n := range g.Nodes {
		if n.Cut {
			cut = append(cut, n.Lit.Var())
		}
	}
	if len(cut) != 1 {
		t.Fatalf("%d nodes are cut, not 1", len(cut))
	}
	more := of(t, c, []circuit.Lit{sum}, picture.SchematicOptions{Limit: 300, Expand: cut, Further: 50})
	if n := len(more.Nodes) - len(g.Nodes); n < 48 || n > 50 {
		t.Errorf("%d nodes more, not about 50", n)
	}
	ended, stop := context.WithCancel(context.Background())
	stop()
	if _, err := picture.NewSchematic(ended, c, []circuit.Lit{sum}, picture.SchematicOptions{Limit: 300}); err == nil {
		t.Error("no error once the context has ended")
	}
}

// TestNamesAreEscaped checks that no name breaks out of its label.
func TestNamesAreEscaped(t *testing.T) {
	b := circuit.NewBuilder(10)
	l := b.Latch(0)
	b.SetNext(l, b.Mux(l, b.Input(0), b.Input(0)))
	g := of(t, b.Build(), []circuit.Lit{l}, picture.SchematicOptions{Limit: 100})
	dot := g.DOT(picture.Words{
		Name:  func(int) string { return "a\"];\nx|{y} <p>\\N &lt;" + strings.Repeat("z", 60) },
		Reset: func(int) string { return "starts 0" },
	})
	for _, want := range []string{
		`label="a\"];�x|{y} <p>\\N &amp;lt;zzzzzzzzzzzzzzzzzzz…"`,
		`<TD ROWSPAN="1">a&#34;];�x|{y} &lt;p&gt;\N &amp;lt;zzzzzzzzzzzzzzzzzzz…<BR/>starts 0</TD>`,
		`<TD ROWSPAN="3">MUX<BR/>a&#34;];�x|{y} `,
	} {
		if !strings.Contains(dot, want) {
			t.Errorf("%s is not in\n%s", want, dot)
		}
	}
}

// TestDepth checks that a picture ends before a level, that each click adds as many levels, and that what
// was drawn before keeps its place.
func TestDepth(t *testing.T) {
	b := circuit.NewBuilder(100)
	chain := b.Input(0)
	for range 10 {
		chain = b.Xor(chain, b.Input(0))
	}
	c := b.Build()
	o := picture.SchematicOptions{Limit: 100, Further: 50, Depth: 2}
	g := of(t, c, []circuit.Lit{chain}, o)
	if len(g.Nodes) != 1+1+2+2 {
		t.Errorf("%d nodes in two levels before a root and its gate", len(g.Nodes))
	}
	for range 3 {
		for _, n := range g.Nodes {
			if n.Cut {
				o.Expand = append(o.Expand, n.Lit.Var())
			}
		}
		more := of(t, c, []circuit.Lit{chain}, o)
		if len(more.Nodes) != len(g.Nodes)+4 {
			t.Errorf("%d nodes became %d", len(g.Nodes), len(more.Nodes))
		}
		for at, n := range g.Nodes {
			if more.Nodes[at].Lit.Var() != n.Lit.Var() {
				t.Errorf("node %d is another one", at)
			}
		}
		g = more
	}
}
