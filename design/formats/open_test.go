package formats_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
	"aiglens/internal/files"
)

func opened(t *testing.T, name, data string, option blifdesign.Option) (*design.Design, error) {
	t.Helper()
	read := func(ctx context.Context, path string) ([]byte, error) { return files.Read(ctx, path, 1<<20) }
	return formats.All().Open(t.Context(), name, []byte(data), design.Opening{
		Options: design.Options{}.With(blifdesign.Format, option), Disk: design.Disk{Read: read, Limit: 1 << 20},
	})
}

// TestOpenRecognises: the name decides, and the first word where that says nothing.
func TestOpenRecognises(t *testing.T) {
	const ascii, binary, blif = "aag 1 0 1 1 0\n2 3\n2\n", "aig 1 0 1 1 0\n3\n2\n", "# by hand\n\n.inputs a\n.end\n"
	check := func(name, data string, want *design.Format, isBinary bool, encoding string) {
		t.Helper()
		d, err := opened(t, name, data, blifdesign.Option{})
		if err != nil || d.Kind != want || d.IsBinary() != isBinary || d.Encoding() != encoding {
			t.Errorf("%s: %v, %+v", name, err, d)
		}
	}
	check("a.aag", ascii, aigerdesign.Format, false, "aag")
	check("a.aag", "aig 2 1 0 1 1\n4\n\x02\x00", aigerdesign.Format, true, "aig")
	check("-", binary, aigerdesign.Format, true, "aig")
	check("-", ascii, aigerdesign.Format, false, "aag")
	check("-", blif, blifdesign.Format, false, "blif")
	check("circuit", blif, blifdesign.Format, false, "blif")
	check("a.eblif", "", blifdesign.Format, false, "blif")
	if _, err := opened(t, "a.txt", "...\n", blifdesign.Option{}); err == nil || !strings.Contains(err.Error(), "AIGER (.aag") {
		t.Errorf("a text of no format: %v", err)
	}
	if _, err := opened(t, "a.aig.xz", "", blifdesign.Option{}); err == nil {
		t.Error("a file that nothing unpacks is opened")
	}
}

// TestOpenOtherFiles: models and cells of other files are found from the path.
func TestOpenOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("inner.blif", ".model inner\n.inputs a\n.outputs y\n.gate INV A=a Y=y\n.end\n")
	cells := write("cells.genlib", "GATE INV 1 Y=!A; PIN * INV 1 999 1 0 1 0\n")
	const top = ".model top\n.inputs a\n.outputs bad\n.subckt inner a=a y=bad\n.end\n"
	d, err := opened(t, filepath.Join(dir, "100%25.blif"), top, blifdesign.Option{Genlib: cells, Combinational: true})
	if err != nil {
		t.Fatal(err)
	}
	if told, err := d.Sound(t.Context()); err != nil || len(told) > 0 || len(d.Properties()) != 1 {
		t.Errorf("%v, %v", told, err)
	}
	if _, err := opened(t, "-", top, blifdesign.Option{Genlib: write("none.genlib", "GATE\n")}); err == nil {
		t.Error("a broken library is taken")
	}
}

// TestBinaryIsItsText: the design of a binary file has the circuit, the properties and the
// names of the text that it stands for.
func TestBinaryIsItsText(t *testing.T) {
	// i2 o; a = AND(in, latch), twice; the latch resets to itself
	const data = "aig 5 2 1 1 2 1\n8 6\n8\n9\n\x04\x02\x06\x03i0 in\nl0 state\nb0 never\nc\nprop: lemma 4 \"small\"\nprop: cover in\n"
	d, err := opened(t, "a.aig", data, blifdesign.Option{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.AsText()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*design.Design{d, text} {
		if told, err := d.Sound(t.Context()); err != nil {
			t.Fatalf("%v, %v", told, err)
		}
	}
	if text.IsBinary() || d.Text.Content() == text.Text.Content() {
		t.Error("the text is that of the bytes")
	}
	if a, b := d.Circuit(), text.Circuit(); a.NumVars() != b.NumVars() || len(a.Latches()) != len(b.Latches()) {
		t.Fatalf("%d and %d variables", a.NumVars(), b.NumVars())
	}
	for v := range circuit.Var(d.Circuit().NumVars()) {
		for _, l := range []circuit.Lit{v.Lit(), v.Lit().Not()} {
			name, given := d.Names().Signal(v)
			other, otherGiven := text.Names().Signal(v)
			if name != other || given != otherGiven || d.Names().Literal(l) != text.Names().Literal(l) {
				t.Errorf("%v is %s, %s", l, d.Names().Literal(l), text.Names().Literal(l))
			}
		}
		a, knownA := d.SourceOf(v.Lit())
		b, knownB := text.SourceOf(v.Lit())
		if a.Name != b.Name || a.Lit != b.Lit || a.Negated != b.Negated || knownA != knownB {
			t.Errorf("%v comes from %+v, %+v", v, a, b)
		}
	}
	for i, p := range d.Properties() {
		q := text.Properties()[i]
		if p.ID != q.ID || p.Name != q.Name || p.Given != q.Given || len(p.Lits) != len(q.Lits) || p.Lits[0] != q.Lits[0] {
			t.Errorf("%+v, %+v", p, q)
		}
		f, _ := d.Fingerprint(p.ID)
		if g, _ := text.Fingerprint(p.ID); f != g {
			t.Errorf("%s: the cones differ", p.ID)
		}
	}
	for _, name := range []string{"in", "state", "i1", "l0", "b0", "10", "lit11", "never", "12", "x", ""} {
		a, b := d.Names().Find(name), text.Names().Find(name)
		if len(a) != len(b) || len(a) > 0 && a[0] != b[0] {
			t.Errorf("%q: %v, %v", name, a, b)
		}
	}
	named := func(d *design.Design) (all []string) {
		parts, err := d.Parts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts.All {
			if len(p.Gates) > 0 {
				all = append(all, p.Name)
			}
		}
		return all
	}
	if rows, other := named(d), named(text); len(rows) != 2 || !slices.Equal(rows, other) || d.Names().NumGateRows() != 2 {
		t.Errorf("%v, %v", rows, other)
	}
}
