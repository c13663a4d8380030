package answers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/formats"
)

// TestDrawnWords draws a counter and the register that follows it: as boxes, and bit by bit.
func TestDrawnWords(t *testing.T) {
	const text = `.model top
.inputs load
.outputs bad
.latch n[0] count[0] 1
.latch n[1] count[1] 0
.latch count[0] last[0] 0
.latch count[1] last[1] 2
.names load count[0] n[0]
11 1
.names load count[0] count[1] n[1]
110 1
.names last[0] last[1] count[1] bad
111 1
.end
`
	d, err := formats.All().Open(t.Context(), "x.blif", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(bits bool) (*Picture, []string) {
		s, err := SubjectOf(d, []circuit.Property{{Kind: circuit.PropertyOutput}})
		if err != nil {
			s, err = SubjectOf(d, d.PropertyIDs())
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := Draw(t.Context(), d, s, DrawOptions{Nodes: 100, Bits: bits})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, n := range p.Nodes() {
			all = append(all, fmt.Sprintf("%s %s %d", n.Kind, n.Name, len(n.Signals)))
		}
		return p, all
	}
	p, nodes := draw(false)
	for _, want := range []string{"register count 2", "register last 2"} {
		if !slices.Contains(nodes, want) {
			t.Errorf("no %s in %q", want, nodes)
		}
	}
	for _, want := range []string{"count<BR/>2 bits<BR/>starts 1<", "last<BR/>2 bits<BR/>starts 0bx0<", `class="wire from-`, `bus", penwidth=3]`, `headlabel="[1]"`} {
		if !strings.Contains(p.DOT(), want) {
			t.Errorf("no %s in\n%s", want, p.DOT())
		}
	}
	if _, nodes := draw(true); !slices.Contains(nodes, "latch count[1] 1") || slices.ContainsFunc(nodes, func(n string) bool { return strings.HasPrefix(n, "register") }) {
		t.Errorf("%q", nodes)
	}
}
