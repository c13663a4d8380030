package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// faultyRows returns the numbers of the rows that are not sound.
func faultyRows(f *File) (ids []int64) {
	for _, n := range f.Model().Nodes {
		if !n.Sound {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// countOf returns how many findings have a code.
func countOf(f *File, code source.Code) (n int) {
	for _, d := range f.Diagnostics() {
		if d.Code == code {
			n++
		}
	}
	return n
}

// TestInitCycles: of the states that a cycle of inits reaches, or that reach it, those on the cycle alone have no start.
func TestInitCycles(t *testing.T) {
	const start = "1 sort bitvec 1\n2 zero 1\n3 state 1 C\n4 init 1 3 2\n5 next 1 3 3\n"
	for _, c := range []struct {
		name, rows string
		faulty     []int64 // inits
		cycles     int
	}{
		{"none", "6 state 1\n7 or 1 3 2\n8 init 1 6 7\n", nil, 0},
		{"a state itself", "6 state 1\n7 or 1 6 3\n8 init 1 6 7\n", []int64{8}, 1},
		{"two states", "6 state 1\n7 state 1\n8 or 1 7 3\n9 init 1 6 8\n10 init 1 7 6\n", []int64{9, 10}, 1},
		{"a state reads the cycle", "6 state 1\n7 state 1\n8 or 1 6 7\n9 init 1 6 8\n10 init 1 7 3\n11 state 1\n12 init 1 11 6\n", []int64{9}, 1},
		{"one cycle reads another", "6 state 1\n7 state 1\n8 and 1 6 7\n9 init 1 6 8\n10 init 1 7 -7\n", []int64{9, 10}, 2},
		{"two cycles share a state", "6 state 1\n7 state 1\n8 state 1\n9 and 1 7 8\n10 init 1 6 9\n11 init 1 7 6\n12 init 1 8 6\n", []int64{10, 11, 12}, 1},
	} {
		f := Parse(source.NewText(start+c.rows), nil)
		if got := faultyRows(f); !slices.Equal(got, c.faulty) || countOf(f, codeInitCycle) != c.cycles {
			t.Errorf("%s: faulty are %v, want %v; %d cycles, want %d", c.name, got, c.faulty, countOf(f, codeInitCycle), c.cycles)
		}
		checkNames(t, f)
	}
}

// TestManyInitCycles: what follows on a cycle is not looked at again for each cycle before it, which would have no end.
func TestManyInitCycles(t *testing.T) {
	const n = 50_000
	var b strings.Builder
	b.WriteString("1 sort bitvec 1\n")
	for i := range n {
		fmt.Fprintf(&b, "%d state 1\n", 2+i)
	}
	for i := range n {
		fmt.Fprintf(&b, "%d or 1 %d %d\n%d init 1 %d %d\n", 2+n+2*i, 2+i, 2+min(i+1, n-1), 3+n+2*i, 2+i, 2+n+2*i)
	}
	f := Parse(source.NewText(b.String()), nil)
	if got := faultyRows(f); len(got) != n {
		t.Errorf("%d rows are faulty, want each of the %d inits", len(got), n)
	}
}
