package netlist_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/netlist"
	"aiglens/internal/source"
)

var kinds = map[any]string{
	netlist.DriverNone: "nothing", netlist.DriverInput: "input", netlist.DriverNames: "cover", netlist.DriverAlias: "alias",
	netlist.DriverLatch: "latch", netlist.DriverCell: "cell", netlist.DriverInstance: "instance", netlist.DriverOpen: "open",
	netlist.DriverFaulty: "faulty",
}

const leaf = ".end\n.model n\n.inputs i j\n.outputs o p\n.names i o\n1 1\n.latch j p 0\n.end\n"

// TestCompile checks what drives the signals of a model, with the number of
// signals that it depends on.
func TestCompile(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.latch y q 0\n.conn q r\n" +
		".subckt n i=a j=b o=x p=z\n.subckt $_AND_ A=a B=x Y=g\n.subckt box u=w\n.names a v\n1 1\n.names b v\n1 1\n.names k l\n1 1\n" + leaf))
	m := f.Top()
	b := netlist.Compile(m)
	for name, want := range map[string]string{
		"a": "input 0", "y": "cover 2", "q": "latch 1", "r": "alias 1", "x": "instance 0", "z": "instance 0", "g": "cell 2",
		"w": "open 0", "v": "faulty 1", "k": "nothing 0",
	} {
		from, _ := m.Signals()
		d := b.Drivers[m.Signal(name)-from]
		if got := fmt.Sprint(kinds[d.Kind], " ", d.To-d.From); got != want {
			t.Errorf("%s: %s, expected %s", name, got, want)
		}
	}
}

// TestCycles checks which cycles are found, through instances only where an
// output depends on the input in the same step.
func TestCycles(t *testing.T) {
	for body, want := range map[string]string{
		".names x y\n1 1\n.names y x\n1 1\n":                       "x y",
		".names x y\n1 1\n.latch y x 0\n":                          "",
		".subckt n i=x j=a o=y p=z\n.names y x\n1 1\n":             "y x",
		".subckt n i=a j=x o=y p=z\n.names z x\n1 1\n":             "",
		".names x x\n1 1\n":                                        "x",
		".conn x y\n.subckt $_AND_ A=a B=y Y=x\n.names a z\n1 1\n": "x y",
	} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n" + body + leaf))
		var found []string
		for _, c := range netlist.CyclesOf(f) {
			var names []string
			for _, s := range c {
				names = append(names, f.Name(s))
			}
			found = append(found, strings.Join(names, " "))
		}
		if got := strings.Join(found, ", "); !sameCycle(got, want) {
			t.Errorf("%q: cycles %q, expected %q", body, got, want)
		}
	}
}

// sameCycle reports whether two cycles are the same but for where they begin.
func sameCycle(a, b string) bool {
	return len(a) == len(b) && strings.Contains(a+" "+a, b)
}
