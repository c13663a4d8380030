package flat_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/source"
)

// nested returns models that each hold the next; body is what each holds besides.
func nested(levels int, body, last string) string {
	var s strings.Builder
	for i := range levels {
		fmt.Fprintf(&s, ".model m%d\n.inputs a c\n.outputs y\n%s", i, body)
		if i == 0 && !strings.Contains(last, "$assert") {
			s.WriteString("# prop: bad y\n")
		}
		if i+1 < levels {
			fmt.Fprintf(&s, ".subckt m%d a=a c=c y=y\n.end\n", i+1)
		} else {
			s.WriteString(last + ".end\n")
		}
	}
	return s.String()
}

// TestDeepHierarchies: what nests models is read, diagnosed and elaborated in a time
// that grows as the text does. Twice as many levels would take minutes where each one
// is compared with those around it.
func TestDeepHierarchies(t *testing.T) {
	if testing.Short() {
		t.Skip("100,000 models")
	}
	for _, test := range []struct {
		name, text string
		latches    int
	}{
		{"nothing else", nested(100_000, "", ".latch a y re c 0\n"), 1},
		{"a latch each, and a leaf", nested(30_000, ".latch a q re c 0\n.subckt leaf i=q o=l\n.names l ok\n- 1\n# prop: assume ok\n",
			".latch a y re c 0\n") + ".model leaf\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n", 30_001},
		{"an assertion at the end", nested(30_000, ".names a q\n1 1\n", ".latch a y re c 0\n.gate $assert A=y EN=y\n"), 1},
		{"a combinational loop around all", nested(30_000, "", ".names a y\n1 1\n") +
			".model loop\n.inputs c\n.outputs y\n.subckt m0 a=y c=c y=y\n.end\n", 0},
		{"a circle of all", nested(30_000, "", ".subckt m0 a=a c=c y=y\n"), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			f := blif.Options{}.Parse(source.NewText(test.text))
			diagnose.Diagnostics(f)
			if _, err := diagnose.Lint(context.Background(), f); err != nil {
				t.Fatal(err)
			}
			e := flat.Elaborate(f)
			if n := len(e.Circuit.Latches()); n != test.latches {
				t.Errorf("%d latches, want %d", n, test.latches)
			}
			fault := e.Fault(f.Properties()[0].ID)
			if isCircle := test.name == "a circle of all"; isCircle != (fault != nil) {
				t.Errorf("fault %v", fault)
			}
			if took := time.Since(start); took > 40*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestElaborationEnds: nobody waits for a circuit whose context has ended.
func TestElaborationEnds(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(nested(5_000, "", ".latch a y re c 0\n")))
	ctx, cancel := context.WithCancel(context.Background())
	if e, err := flat.ElaborateWithin(ctx, f); err != nil || len(e.Circuit.Latches()) != 1 {
		t.Fatalf("%v, %v", e, err)
	}
	cancel()
	if e, err := flat.ElaborateWithin(ctx, f); err != context.Canceled || e != nil {
		t.Errorf("%v, %v", e, err)
	}
}
