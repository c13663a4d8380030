package flat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/internal/source"
)

// cyclicText returns random models of three levels whose nets and instances may
// depend on each other in cycles.
func cyclicText(r *rand.Rand) string {
	var s strings.Builder
	for level, models := range [][]string{{"top"}, {"a", "b"}, {"c", "d"}} {
		for _, name := range models {
			fmt.Fprintf(&s, ".model %s\n.inputs i0 i1\n.outputs o0 o1\n", name)
			nets := []string{"i0", "i1", "i0", "i1", "q", "n0", "n1", "n2"}
			net := func() string { return nets[r.IntN(len(nets))] }
			for i := range 3 {
				if next := [][]string{{"a", "b"}, {"c", "d"}, nil}[level]; next != nil && r.IntN(2) == 0 {
					fmt.Fprintf(&s, ".subckt %s i0=%s i1=%s o%d=n%d\n", next[r.IntN(2)], net(), net(), r.IntN(2), i)
				} else {
					fmt.Fprintf(&s, ".names %s %s n%d\n11 1\n", net(), []string{"i0", "i1", "q", "q"}[r.IntN(4)], i)
				}
			}
			fmt.Fprintf(&s, ".latch %s q 0\n.names %s o0\n1 1\n.names %s o1\n0 1\n.end\n", net(), net(), net())
		}
	}
	return s.String()
}

// TestCyclesThroughInstances compares the cycles that are found model by model
// with those of the flattened hierarchy.
func TestCyclesThroughInstances(t *testing.T) {
	through, without := 0, 0
	for seed := range uint64(2000) {
		f := blif.Options{}.Parse(source.NewText(cyclicText(rand.New(rand.NewPCG(seed, 3)))))
		e := Elaborate(f)
		used := map[*blif.Model]bool{}
		for _, in := range e.instances {
			used[in.model] = true
		}
		flat := false
		for _, fault := range e.faults {
			flat = flat || fault.diag.Code == codes.Cycle
		}
		linted, err := diagnose.Lint(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, d := range linted {
			if d.Code == codes.Cycle && used[f.ModelAt(f.StatementAt(d.Span.Start).ID)] {
				found += d.Message + "\n"
			}
		}
		if flat != (found != "") {
			t.Fatalf("seed %d: a flat cycle: %v; found: %s\n%s", seed, flat, found, f.Text().Content())
		}
		if strings.Contains(found, "through instances") {
			through++
		} else if !flat {
			without++
		}
	}
	if through < 200 || without < 200 {
		t.Errorf("%d texts with cycles through instances, %d without any", through, without)
	}
}
