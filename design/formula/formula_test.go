package formula

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/internal/source"
)

// TestDeepFormulas: an expression that doubles with each level, or grows by a cover with each, is as deep
// as it can be while that is not too large.
func TestDeepFormulas(t *testing.T) {
	const n = 60
	var gates, covers strings.Builder
	fmt.Fprintf(&gates, "aag %d 2 0 1 %d\n2\n4\n%d\n", 2+n, n, 4+2*n)
	for i := range n {
		fmt.Fprintf(&gates, "%d %d %d\n", 6+2*i, 5+2*i, 3+2*i)
	}
	covers.WriteString(".model m\n.inputs a b c d\n.outputs o\n")
	names := []string{"a", "b", "c", "d"}
	for i := range n {
		next := fmt.Sprintf("n%d", i)
		fmt.Fprintf(&covers, ".names %s %s\n", strings.Join(names, " "), next)
		covers.WriteString("0110 1\n1010 1\n1-01 1\n0-00 1\n")
		names = append(names[1:], next)
	}
	fmt.Fprintf(&covers, ".names %s o\n1 1\n.end\n", names[3])
	for name, d := range map[string]*design.Design{
		"gates":  design.New("file:///m.aag", aigerdesign.Format, 1, source.NewText(gates.String()), design.Options{}),
		"covers": design.New("file:///m.blif", blifdesign.Format, 1, source.NewText(covers.String()), design.Options{}),
	} {
		last := design.Lit(0)
		for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
			if kind, _, _ := d.Drivers(o.Lit.Signal(), nil); kind == design.Gate && !o.Lit.IsNegated() {
				last = max(last, o.Lit)
			}
		}
		e := FromLit(d, last, 12, true)
		if text := e.String(); !e.IsNamed() && name == "covers" || len(text) > 20*maxOperands || len(text) < 20 {
			t.Errorf("%s: %d characters", name, len(text))
		}
		if Expression(d, last, 12) == "" {
			t.Errorf("%s: no expression", name)
		}
	}
}
