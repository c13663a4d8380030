package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/measure"
	"aiglens/design"
	"aiglens/internal/peers"
	"aiglens/internal/shared"
)

// abcSizes are the figures of print_stats, abcShapes those of print_stats -m.
var (
	abcSizes  = regexp.MustCompile(`i/o = *(\d+)/ *(\d+)(?:\(c=\d+\))? *lat = *(\d+) *and = *(\d+) *lev = *(\d+)`)
	abcShapes = regexp.MustCompile(`Xor = *(\d+) .*Mux = *(\d+) `)
)

// measured reads a file and measures it; an error says that it is refused.
func measured(t *testing.T, name string) (*design.Design, *measure.Stats, error) {
	t.Helper()
	n, err := read(context.Background(), env{}, name, withCells(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Sound(context.Background()); err != nil {
		return nil, nil, err
	}
	s, err := measure.Of(context.Background(), n.Circuit(), n.PropertyIDs(), func(circuit.Lit) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	return n, s, nil
}

// TestStatsAgainstABC compares stats with print_stats of ABC on the corpora and tier smoke,
// each file written as binary AIGER. ABC knows no justice and no reset to a signal; bads and
// constraints are outputs there, and what nothing depends on is left out.
func TestStatsAgainstABC(t *testing.T) {
	peers.Program(t, "berkeley-abc")
	files := slices.Concat(corpusFiles(t, "aiger", ".aag"), corpusFiles(t, "blif", ".blif"))
	dir := filepath.Join(shared.Dir(t), "benchmarks")
	for i, b := range readBenchmarks(t, filepath.Join(dir, "peers.csv"), []string{"smoke"}) {
		if os.Getenv("AIGLENS_LONG") != "" || i%8 == 0 {
			files = append(files, filepath.Join(dir, b.file))
		}
	}
	compared, left := 0, map[string]int{}
	for _, file := range files {
		n, s, err := measured(t, file)
		switch {
		case err != nil:
			left["with errors"]++
			continue
		case s.Justice+s.Fairness > 0 || s.Resets.Function > 0 || s.Inputs+s.Latches+s.Outputs+s.Bads == 0:
			left["not read by ABC"]++
			continue
		}
		data, err := encode(t.Context(), env{stderr: &strings.Builder{}}, n, "aig", nil)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		written := filepath.Join(t.TempDir(), "written.aig")
		if err := os.WriteFile(written, data, 0o600); err != nil {
			t.Fatal(err)
		}
		outputs := s.Outputs + s.Bads + s.Constraints
		for _, hidden := range n.Names().Elements().Hidden {
			if hidden {
				outputs--
			}
		}
		want := fmt.Sprint([]int{s.Inputs, outputs, s.Latches, s.Gates - s.Unused, s.Levels, s.Shapes.Xors, s.Shapes.Muxes})
		said, err := peers.ABC(t, "read "+written+"; print_stats; print_stats -m")
		sizes, shapes := abcSizes.FindStringSubmatch(said), abcShapes.FindStringSubmatch(said)
		if err != nil || sizes == nil || shapes == nil {
			t.Errorf("%s: ABC says %s, %v", file, said, err)
			continue
		}
		compared++
		if got := fmt.Sprint(slices.Concat(sizes[1:], shapes[1:])); got != want {
			t.Errorf("%s: inputs, outputs, latches, gates, levels, xors and multiplexers are %s, ABC has %s", file, want, got)
		}
	}
	t.Logf("%d of %d files compared; left out: %v", compared, len(files), left)
	if compared < 50 {
		t.Error("too few files compared")
	}
}
