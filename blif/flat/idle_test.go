package flat_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestIdleSignals: what nothing drives is an error exactly where a property may depend on it.
func TestIdleSignals(t *testing.T) {
	const latch = ".model m\n.inputs a\n.outputs bad t\n"
	for _, test := range []struct {
		text string
		want string
	}{
		{latch + ".names a ghost bad\n11 1\n.names a t\n1 1\n.end\n", "error ghost"},
		{latch + ".names a bad\n1 1\n.names ghost t\n1 1\n.end\n", "warning ghost"},
		{latch + ".names a bad\n1 1\n.names ghost t\n1 1\n.names ghost bad2\n1 1\n# prop: bad bad2\n.end\n", "error ghost, error ghost"},
		{latch + ".names a bad\n1 1\n.names ghost t\n1 1\n# prop: assume t\n.end\n", "error ghost"},
		{latch + ".names a bad\n1 1\n.names ghost t\n1 1\n.constraint t\n.end\n", "error ghost"},
		{latch + ".names a bad\n1 1\n.names ghost t\n1 1\n.subckt $assume A=t EN=a\n.end\n", "error ghost"},
		{latch + ".latch ghost q re clk 0\n.names q bad\n1 1\n.end\n", "error clk, error ghost, warning t"},
		{latch + ".latch ghost q 0\n.names a bad\n1 1\n.names q t\n1 1\n.end\n", "warning ghost"},
		{latch + ".subckt n i=ghost o=bad\n.names a t\n1 1\n.end\n.model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n", "error ghost"},
		{latch + ".subckt n i=ghost o=t\n.names a bad\n1 1\n.end\n.model n\n.inputs i\n.outputs o\n.names i spook o\n11 1\n.end\n", "warning ghost, warning spook"},
		{latch + ".subckt n i=ghost o=t\n.names a bad\n1 1\n.end\n.model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.subckt $assert A=o EN=i\n.end\n", "error ghost"},
		{latch + ".names a bad\n1 1\n.names a t\n1 1\n.end\n.model other\n.inputs i\n.outputs o\n.names spook o\n1 1\n.end\n", "error spook"},
		{".model m\n.inputs a\n.outputs y\n.names a ghost y\n11 1\n.end\n", "error ghost"}, // no property: all counts
	} {
		f := blif.Options{Library: bliftest.NoFiles{}}.Parse(source.NewText(test.text))
		var got []string
		for _, d := range diagnose.Diagnostics(f) {
			if isUndriven(d) {
				got = append(got, fmt.Sprintf("%s %s", d.Severity, f.Text().Slice(d.Span)))
			}
		}
		slices.Sort(got)
		if all := strings.Join(got, ", "); all != test.want {
			t.Errorf("%s\ngot %s, expected %s", test.text, all, test.want)
		}
	}
}

func isUndriven(d source.Diagnostic) bool {
	return d.Code == codes.UndrivenSignal || d.Code == codes.UndrivenOutput || d.Code == codes.ControlUndriven
}

var statements = regexp.MustCompile(`(?m)^\.(names|latch|subckt|gate).*(\\\r?\n.*)*\r?\n([01-].*\r?\n)*`)

// TestIdleSignalsOfRandomFiles: whatever is left out of a file, no error that forbids a verdict
// is a warning of the text.
func TestIdleSignalsOfRandomFiles(t *testing.T) {
	faults, warnings, free, refused := 0, 0, 0, 0
	for seed := range uint64(600) {
		random := rand.New(rand.NewPCG(seed, 32))
		text := bliftest.Random(seed, bliftest.Dialect(seed%3), false)
		text = statements.ReplaceAllStringFunc(text, func(s string) string {
			if random.IntN(8) == 0 {
				return ""
			}
			return s
		})
		options := blif.Options{Library: bliftest.NoFiles{}}
		options.Properties.Bad = []string{fmt.Sprintf("*%d*", random.IntN(10))}
		options.Properties.Combinational = seed%2 == 0
		f := options.Parse(source.NewText(text))
		warned := map[int]string{}
		for _, d := range diagnose.Diagnostics(f) {
			if isUndriven(d) && d.Severity == source.Warning {
				warned[d.Span.Start] = d.Message
				warnings++
			}
		}
		e := flat.Elaborate(f)
		for _, p := range f.Properties() {
			if fault, whole := e.Fault(p.ID), wholeFault(e); p.ID.Kind == circuit.PropertyBad {
				bad, _ := e.Circuit.Bad(p.ID)
				at := e.FaultAt(bad)
				switch {
				case at == nil && fault != nil:
					t.Fatalf("seed %d, %s: an answer about its signal is allowed, and a verdict is not: %s\n%s", seed, p.Name, fault.Message, text)
				case at != nil && whole == nil:
					t.Fatalf("seed %d, %s: no error of the circuit is %s\n%s", seed, p.Name, at.Message, text)
				case at != nil:
					refused++
				case whole != nil:
					free++
				}
			}
			if fault := e.Fault(p.ID); fault != nil && isUndriven(*fault) {
				faults++
				if w, ok := warned[fault.Span.Start]; ok {
					t.Fatalf("seed %d, %s: %s is only warned of: %s\n%s", seed, p.Name, fault.Message, w, text)
				}
			}
		}
	}
	if faults < 100 || warnings < 100 || free < 50 || refused < 100 {
		t.Errorf("only %d errors forbid a verdict, and %d signals are warned of; %d answers about signals are free of errors elsewhere, and %d are refused", faults, warnings, free, refused)
	}
}

func wholeFault(e *flat.Elaboration) *source.Diagnostic {
	fault, _ := e.Whole()
	return fault
}
