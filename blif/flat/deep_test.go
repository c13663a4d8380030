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
	"aiglens/internal/shared"
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

// TestDeepHierarchies: what nests models is read, diagnosed and elaborated in a processor time
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
		{"a cycle of all", nested(30_000, "", ".subckt m0 a=a c=c y=y\n"), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := shared.CPUTime(t)
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
			if isCycle := test.name == "a cycle of all"; isCycle != (fault != nil) {
				t.Errorf("fault %v", fault)
			}
			if took := shared.CPUTime(t) - start; took > 40*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestElaborationEndsSoon: however deep a circuit or a hierarchy is, the context is looked
// at every few thousand steps, and nothing goes on after the look at which it has ended.
func TestElaborationEndsSoon(t *testing.T) {
	const size = 50_000
	var covers strings.Builder // each reads the next, so that the first needs all
	for i := range size {
		fmt.Fprintf(&covers, ".names s%d s%d\n1 1\n", i+1, i)
	}
	for name, text := range map[string]string{
		"nested":         nested(size, "", ".latch a y re c 0\n"),
		"latches":        nested(size/5, ".latch a q re c 0\n", ".latch a y re c 0\n"),
		"chain":          ".model m\n.inputs a\n.outputs y\n# prop: bad y\n.names s0 y\n1 1\n" + covers.String() + fmt.Sprintf(".names a s%d\n1 1\n.end\n", size),
		"chain of clock": ".model m\n.inputs a\n.outputs y\n# prop: bad y\n.latch a y re s0 0\n" + covers.String() + fmt.Sprintf(".names a s%d\n1 1\n.end\n", size),
	} {
		t.Run(name, func(t *testing.T) {
			f := blif.Options{}.Parse(source.NewText(text))
			whole := shared.NewPolls(0)
			if e, err := flat.ElaborateWithin(whole, f); err != nil || e == nil {
				t.Fatal(err)
			}
			if whole.Looks < size/5_000 {
				t.Errorf("%d looks at %d steps", whole.Looks, size)
			}
			for end := 1; end <= whole.Looks; end += 1 + whole.Looks/6 {
				ctx := shared.NewPolls(end)
				if e, err := flat.ElaborateWithin(ctx, f); e != nil || err != context.Canceled {
					t.Fatalf("ended at look %d: %v, %v", end, e, err)
				}
				if ctx.Looks > end+3 {
					t.Errorf("ended at look %d, and looked %d times", end, ctx.Looks)
				}
			}
		})
	}
}
