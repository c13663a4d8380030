package blif_test

import (
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// checkDrivers compares Driver and Input with Definition, which looks for them
// in the text.
func checkDrivers(t *testing.T, f *blif.File) {
	t.Helper()
	for s := blif.Signal(1); int(s) <= f.NumSignals(); s++ {
		d, ok := f.Definition(s)
		kind := f.Statement(d.Statement).Kind
		place, _, isInput := f.Input(s)
		id, isDriven := f.Driver(s)
		switch {
		case isInput && (kind == statement.KindInputs || kind == statement.KindClock):
			if place != d.Span {
				t.Errorf("input %s stands at %v, expected %v", f.Name(s), place, d.Span)
			}
		case isInput: // inferred, or driven too
		case isDriven != (ok && f.Resolved().Driver[s] != 0):
			t.Errorf("%s: driven %t, expected %+v", f.Name(s), isDriven, d)
		case isDriven && id != d.Statement:
			t.Errorf("%s is driven by statement %d, expected %d", f.Name(s), id, d.Statement)
		}
	}
}

func TestDriver(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a b\n.inputs c\n.clock k\n.outputs y z\n.names a b y\n11 1\n.latch y q re k 0\n" +
		".subckt n i=q o=z p=r\n.names r c t\n11 1\n.end\n.model n\n.inputs i\n.outputs o p\n.names i o\n1 1\n.names p\n.end\n"))
	checkDrivers(t, f)
	m := f.Models()[0]
	for name, want := range map[string]int{"y": 5, "q": 6, "z": 7, "r": 7, "t": 8} {
		if id, ok := f.Driver(m.Signal(name)); !ok || id != want {
			t.Errorf("%s is driven by statement %d, %t, expected %d", name, id, ok, want)
		}
	}
	for name, want := range map[string]int{"a": 0, "b": 1, "c": 2, "k": 3} {
		if place, index, ok := f.Input(m.Signal(name)); !ok || index != want || f.Text().Slice(place) != name {
			t.Errorf("%s is input %d at %v, %t, expected %d", name, index, place, ok, want)
		}
	}
	if ids := f.InstancesOf(f.Models()[1]); len(ids) != 1 || ids[0] != 7 {
		t.Errorf("instances %v, expected 7", ids)
	}
	for id, want := range map[int]string{4: "", 5: "ab", 6: "y", 7: "q", 8: "rc"} {
		var got string
		for s := range f.Operands(id) {
			got += f.Name(s)
		}
		if got != want {
			t.Errorf("statement %d reads %q, expected %q", id, got, want)
		}
	}
	positions := f.Positions()
	for id, want := range map[int]int32{1: 0, 2: 1, 5: 0, 8: 1, 13: 0, 14: 1} {
		if positions[id] != want {
			t.Errorf("statement %d is at %d, expected %d", id, positions[id], want)
		}
	}
	for _, path := range bliftest.Corpus(t) {
		if text := bliftest.Read(t, path); len(text) < 1<<14 {
			checkDrivers(t, blif.Options{}.Parse(source.NewText(text)))
		}
	}
}
