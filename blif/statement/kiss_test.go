package statement_test

import (
	"strings"
	"testing"

	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// TestReadMachine reads tables as far as they go.
func TestReadMachine(t *testing.T) {
	for _, test := range []struct {
		name, lines                       string
		inputs, outputs, products, states int
		reset, names                      string
		rows                              int
	}{
		{"sound", ".i 1\n.o 2\n.p 2\n.s 2\n.r a\n0 a b 01\n1 b a 10\n", 1, 2, 2, 2, "a", "a b", 2},
		{"no headers", "0 a b 01\n", -1, -1, -1, -1, "", "a b", 1},
		{"no numbers", ".i x\n.o\n1 a a 1\n", -1, -1, -1, -1, "", "a", 1},
		{"rows that are none", ".i 1\n.o 1\n0 a\n# 0 c d 0\n0 a b 1 1\n", 1, 1, -1, -1, "", "a b", 2},
		{"joined lines", "0 a \\\n b 1 # next\n", -1, -1, -1, -1, "", "a b", 1},
		{"nothing", "", -1, -1, -1, -1, "", "", 0},
	} {
		tree := statement.Parse(source.NewText(".start_kiss\n" + test.lines))
		m := statement.ReadMachine(&tree, statement.MachineTable{From: 0, To: tree.NumStatements()})
		if m.Inputs != test.inputs || m.Outputs != test.outputs || m.Products != test.products || m.States != test.states || m.Reset != test.reset {
			t.Errorf("%s: %+v", test.name, m)
		}
		if names := strings.Join(m.StateNames(), " "); names != test.names || len(m.Rows) != test.rows {
			t.Errorf("%s: states %q in %d rows, expected %q in %d", test.name, names, len(m.Rows), test.names, test.rows)
		}
		for word, span := range m.Headers {
			if line := tree.Text().Line(tree.Text().LineAt(span.Start)); !strings.HasPrefix(line, word+" ") {
				t.Errorf("%s: the argument of %s stands in %q", test.name, word, line)
			}
		}
	}
}
