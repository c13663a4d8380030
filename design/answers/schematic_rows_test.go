package answers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
)

// countedRows is a counter whose register and alias have names, with an array that nothing reads in the property.
const countedRows = `1 sort bitvec 1
2 sort bitvec 8
3 zero 2
4 one 2
5 input 1 enable
6 state 2 count
7 init 2 6 3
8 add 2 6 4
9 uext 2 8 0 more
10 ite 2 5 9 6
11 next 2 6 10
12 constd 2 -3
13 ugt 1 6 12
14 slice 1 6 7 7
15 and 1 13 -14
16 state 1 armed
17 init 1 16 15
18 next 1 16 5
19 and 1 16 5
20 bad 15 overflow
21 bad -19
22 sort array 1 2
23 state 22 mem
24 write 22 23 5 6
25 next 22 23 24
26 read 2 23 5
27 redor 1 26
28 bad 27 memory
`

// drawnRows returns the picture of all properties, with its boxes: kind, name, type and what enters.
func drawnRows(t *testing.T, o DrawOptions) (*Picture, []string) {
	t.Helper()
	p, _ := drawnAs(t, "x.btor2", countedRows, o)
	var all []string
	for at, n := range p.graph.Nodes {
		text := strings.TrimSpace(fmt.Sprintf("%s %s %s", n.Kind, p.name(at), n.Symbol))
		for i, w := range n.Operands {
			text += fmt.Sprintf(" %s%s%s", append(n.Entries, "", "", "")[i], map[bool]string{true: "~"}[w.Negated], p.name(w.Node))
		}
		all = append(all, text)
	}
	return p, all
}

// TestDrawnRows: each row is a box with its operator, an alias only a name, a state a register, a negated operand a
// bubble.
func TestDrawnRows(t *testing.T) {
	p, drawn := drawnRows(t, DrawOptions{})
	for _, want := range []string{
		"root overflow n15", "root bad 1 ~n19", "operator n15 ∧ n13 ~n14", "operator n13 > acount b", "operator n14 [7] count",
		"register count Dn10", "word n10 MUX Senable 1more 0count", "word more + count", "constant  253", "input enable",
		"latch armed Denable Rn15", "register mem Dn24", "word n24 write Amem ienable vcount", "word n26 read Amem ienable",
	} {
		if !slices.ContainsFunc(drawn, func(s string) bool { return s == want || strings.HasPrefix(s, want+" ") }) {
			t.Errorf("there is no %q in %q", want, drawn)
		}
	}
	dot := p.DOT()
	for _, want := range []string{
		"count<BR/>8 bits<BR/>starts 0", "mem<BR/>array of 2 elements × 8 bits<BR/>starts free", `>2×8</TD>`,
		`taillabel="8"`, `bus", penwidth=3`, "&gt;<BR/>n13", `class="word"`, `class="operator"`,
	} {
		if !strings.Contains(dot, want) {
			t.Errorf("there is no %s in\n%s", want, dot)
		}
	}
	if _, drawn := drawnAs(t, "x.btor2", countedRows, DrawOptions{Bits: true}); !slices.Contains(drawn, "latch count[0]") {
		t.Errorf("bit by bit: %q", drawn)
	}
}

// TestRowsGoOn: a picture that ends goes on where it is asked to.
func TestRowsGoOn(t *testing.T) {
	p, drawn := drawnRows(t, DrawOptions{Depth: 2})
	if p.NumCut() == 0 || slices.ContainsFunc(drawn, func(s string) bool { return strings.Contains(s, "more") }) {
		t.Fatalf("%q", drawn)
	}
	var expand []uint32
	for _, n := range p.Nodes() {
		if n.Cut && n.Name == "count" {
			expand = append(expand, uint32(n.Signals[0]))
		}
	}
	if len(expand) != 1 {
		t.Fatalf("%d boxes of the counter are cut in %q", len(expand), drawn)
	}
	if _, drawn = drawnRows(t, DrawOptions{Depth: 2, Expand: expand}); !slices.Contains(drawn, "register count Dn10") {
		t.Errorf("%q", drawn)
	}
}

// TestValuesOfRows: the boxes of a picture have the values of the words and bits that their rows are.
func TestValuesOfRows(t *testing.T) {
	d, err := formats.All().Open(t.Context(), "x.btor2", []byte(countedRows), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	p := circuit.Property{Kind: circuit.PropertyBad, Index: 1}
	c := d.Circuit()
	run := cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: make([][]circuit.Value, 2)}
	for step := range run.Inputs {
		run.Inputs[step] = slices.Repeat([]circuit.Value{circuit.ValueOf(step == 0)}, len(c.Inputs()))
	}
	checked, err := cert.Check(t.Context(), c, p, cert.Verdict{Outcome: cert.Refuted, Trace: run})
	if err != nil {
		t.Fatal(err)
	}
	x, ok := runs.NewCounterexample(t.Context(), c, p, verify.Result{Checked: checked})
	if !ok {
		t.Fatal("no counterexample")
	}
	s, err := SubjectOf(d, d.PropertyIDs())
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := Draw(t.Context(), d, s, DrawOptions{Nodes: MaxNodes})
	if err != nil {
		t.Fatal(err)
	}
	values, err := drawn.Values(t.Context(), x, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for at, n := range drawn.Nodes() {
		if n.Kind != picture.Root.String() {
			found[n.Kind+" "+n.Name] = values.Values[at]
		}
	}
	for node, want := range map[string]string{
		"register count": "0", "word more": "1", "word n10": "1", "operator n13": "0", "operator n14": "0", "input enable": "1", "latch armed": "0",
		"register mem": "", "constant ": "",
	} {
		if got, has := found[node]; !has || got != want {
			t.Errorf("%s is %q, want %q", node, got, want)
		}
	}
}

// TestRowsOfFiles draws files of the set: each row that is met is one box, and no wire is lost.
func TestRowsOfFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Dir(t), "benchmarks", "btor2", "*", "*.btor*"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files; %v", len(files), err)
	}
	for i, file := range files {
		if i%20 != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := formats.All().Open(t.Context(), "x.btor2", data, design.Opening{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := SubjectOf(d, d.PropertyIDs())
		if err != nil {
			t.Fatal(file, err)
		}
		p, err := Draw(t.Context(), d, s, DrawOptions{Nodes: MaxNodes})
		if err != nil {
			t.Fatal(file, err)
		}
		seen := map[uint32]bool{}
		for at, n := range p.graph.Nodes[len(p.roots):] {
			row := p.rows[at+len(p.roots)]
			o, ok := design.OperatorOf(d, design.Signal(row))
			if seen[row] || !ok || uint32(o.Signal) != row || !n.Cut && len(n.Operands) != len(o.Operands) {
				t.Fatalf("%s: row %d is drawn as %+v", file, row, n)
			}
			seen[row] = true
		}
		p.DOT()
	}
}
