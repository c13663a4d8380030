package flat_test

import (
	"reflect"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestStarts counts the flip-flops in the cone of a property whose start the text does not give, and
// finds the cells among them, each model once, with a way to have them start with 0.
func TestStarts(t *testing.T) {
	const cell = ".subckt $_DFFE_PP_ C=clk D=d E=en Q=q\n"
	const leaf = ".model leaf\n.inputs clk d en\n.outputs q\n" + cell + ".end\n"
	for _, test := range []struct {
		body     string
		starts   int
		severity source.Severity
		at       string // of the diagnostic of the verdict
		cells    int    // diagnostics of cells
	}{
		{cell, 1, source.Warning, ".subckt", 1},
		{".latch d q re clk 0\n", 0, 0, "", 0},
		{".latch d q re clk 2\n", 0, 0, "", 0},
		{".latch d q re clk 3\n", 0, 0, "", 0},
		{".latch d q\n", 1, source.Information, ".latch", 0},
		{".latch d r re clk\n.gate $_SDFF_PP0_ C=clk D=r R=en Q=q\n", 2, source.Warning, ".latch", 1},
		{cell + ".gateinit q=0\n", 0, 0, "", 0},
		{cell + ".gateinit q=x\n", 1, source.Warning, ".subckt", 1},
		{cell + ".subckt $_DFF_P_ C=clk D=d Q=other\n", 1, source.Warning, ".subckt", 1},
		{".subckt leaf clk=clk d=d en=en q=r\n.subckt leaf clk=clk d=r en=en q=q\n", 2, source.Warning, ".subckt", 1},
		{".subckt $_DFF_P_ C=clk D=d Q=other\n.names q\n1\n", 0, 0, "", 1},
	} {
		text := ".model m\n.inputs clk d en\n.outputs q\n# prop: bad q\n" + test.body + ".end\n" + leaf
		if !strings.Contains(test.body, "leaf") {
			text = strings.TrimSuffix(text, leaf)
		}
		f := blif.Options{}.Parse(source.NewText(text))
		p := f.Properties()[0].ID
		e := flat.Elaborate(f)
		open := e.LeftOpen(p)
		n, d := open.Starts, open.Start
		if q := e.Circuit.Outputs()[0].Lit; !reflect.DeepEqual(e.LeftOpenAt(q), open) {
			t.Errorf("%q: of the literal %v, of the property %v", test.body, e.LeftOpenAt(q), open)
		}
		if n != test.starts || n > 0 && (d.Code != codes.StartNotGiven || d.Severity != test.severity || f.Text().Slice(d.Span) != test.at) {
			t.Errorf("%q: %d starts, %v at %q", test.body, n, d, f.Text().Slice(d.Span))
		}
		linted, err := diagnose.Lint(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, d := range linted {
			if d.Code != codes.StartNotGiven {
				continue
			}
			found++
			fixes := edit.FixesFor(f, d)
			if len(fixes) != 1 {
				t.Errorf("%q: fixes %v", test.body, fixes)
				continue
			}
			g := bliftest.Applied(t, f, fixes[0].Edits, nil)
			for i, l := range flat.Elaborate(g).Circuit.Latches() {
				if l.Reset != circuit.False && !strings.Contains(test.body, ".latch d r") {
					t.Errorf("%q: latch %d starts with %v\n%s", test.body, i, l.Reset, g.Text().Content())
				}
			}
			again, err := diagnose.Lint(t.Context(), g)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range again {
				if d.Code == codes.StartNotGiven {
					t.Errorf("%q: still %v", test.body, d)
				}
			}
		}
		if found != test.cells {
			t.Errorf("%q: %d diagnostics of cells, expected %d", test.body, found, test.cells)
		}
	}
}
