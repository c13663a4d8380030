package blif_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/internal/source"
)

// withoutPorts returns models without port lines that each hold the next; the last is a
// buffer, or holds the first.
func withoutPorts(levels int, isCycle bool) string {
	var s strings.Builder
	for i := range levels - 1 {
		fmt.Fprintf(&s, ".model m%d\n.subckt m%d a=a y=y\n.end\n", i, i+1)
	}
	last := ".names a y\n1 1"
	if isCycle {
		last = ".subckt m0 a=a y=y"
	}
	fmt.Fprintf(&s, ".model m%d\n%s\n.end\n", levels-1, last)
	return s.String()
}

// TestInferredPortsOfChains: the ports of models without port lines are found however
// deep they are nested, and with work that grows as the text does.
func TestInferredPortsOfChains(t *testing.T) {
	for _, isCycle := range []bool{false, true} {
		ports := func(levels int) (inputs, outputs []string, allocated uint64) {
			f := blif.Options{}.Parse(source.NewText(withoutPorts(levels, isCycle)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			inputs, outputs = f.Top().Inputs(), f.Top().Outputs()
			runtime.ReadMemStats(&after)
			return inputs, outputs, after.TotalAlloc - before.TotalAlloc
		}
		_, _, little := ports(2_000)
		inputs, outputs, much := ports(100_000)
		if much > 200*little {
			t.Errorf("cycle %v: 50 times the levels take %d times the memory", isCycle, much/little)
		}
		wantIn, wantOut := []string{"a"}, []string{"y"}
		if isCycle { // what its pins do is not known
			wantIn, wantOut = nil, nil
		}
		if !slices.Equal(inputs, wantIn) || !slices.Equal(outputs, wantOut) {
			t.Errorf("cycle %v: inputs %v, outputs %v", isCycle, inputs, outputs)
		}
	}
}

// counting is a library that has no file and counts how often it is asked.
type counting struct{ searches int }

func (c *counting) Search(string) *blif.File { c.searches++; return nil }
func (*counting) Model(string) *blif.Model   { return nil }

// TestSearchesAreAskedOnce: instances of unknown models do not each follow the
// .search lines.
func TestSearchesAreAskedOnce(t *testing.T) {
	var s strings.Builder
	s.WriteString(".model top\n.inputs a\n.outputs y\n")
	for i := range 100 {
		fmt.Fprintf(&s, ".search f%d\n.subckt x%d a=a\n", i%50, i)
	}
	s.WriteString(".names a y\n1 1\n.end\n")
	lib := new(counting)
	f := blif.Options{Library: lib}.Parse(source.NewText(s.String()))
	f.Resolved()
	if !f.MissesSearch() || lib.searches != 50 {
		t.Errorf("50 paths are looked for %d times", lib.searches)
	}
}
