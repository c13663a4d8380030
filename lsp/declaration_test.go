package lsp

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

// TestDeclaration: what Yosys has written as the attribute src leads to the lines of Verilog: from a
// row, from its attributes, and from a signal that the row drives. A file that is not there, and a
// folder that is not trusted, lead nowhere.
func TestDeclaration(t *testing.T) {
	const top = `.model top
.inputs a
.outputs bad
.names a n
0 1
.attr src "top.sv:3.5-3.9|none.sv:1.1-1.2"
.subckt $assert A=n EN=a
.cname a_n
.attr keep 00000001
.attr src "rtl/top.v:7"
.names n bad
1 1
.end
`
	h := openHierarchy(t, top, map[string]string{"top.sv": "module\n", "rtl/top.v": "module\n"})
	check := func(line, column int, want string) {
		t.Helper()
		var found []location
		h.MustCall("textDocument/declaration", map[string]any{
			"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: line, Character: column}}, &found)
		var words []string
		for _, l := range found {
			words = append(words, fmt.Sprintf("%s %d:%d–%d:%d", strings.TrimPrefix(l.URI, h.address("")+"/"),
				l.Range.Start.Line, l.Range.Start.Character, l.Range.End.Line, l.Range.End.Character))
		}
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("line %d, column %d: %q, expected %q", line, column, got, want)
		}
	}
	inverter, assert := "top.sv 2:4–2:8", "rtl/top.v 6:0–6:0"
	check(3, 9, inverter)
	check(3, 7, inverter) // the input a has no place of its own
	check(5, 14, inverter)
	check(6, 18, inverter) // n
	check(6, 3, assert)
	check(9, 3, assert)
	check(10, 9, "") // bad
	check(1, 8, "")
	check(12, 0, "")
	h.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": map[string]any{"trusted": false}}})
	h.sync()
	check(3, 9, "")
}
