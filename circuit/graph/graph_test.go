package graph_test

import (
	"math/rand"
	"slices"
	"testing"

	"aiglens/circuit/graph"
)

// TestCycles compares with the closure of small random graphs: two nodes are in one component
// iff each reaches the other.
func TestCycles(t *testing.T) {
	for seed := range int64(2000) {
		r := rand.New(rand.NewSource(seed))
		n := 1 + r.Intn(7)
		next := make([][]int, n)
		var reach [8][8]bool
		for range r.Intn(2 * n) {
			from, to := r.Intn(n), r.Intn(n)
			next[from] = append(next[from], to)
			reach[from][to] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		root := r.Intn(n)
		var want [][]int
		for i := range n {
			var component []int
			for j := range n {
				if reach[i][j] && reach[j][i] {
					component = append(component, j)
				}
			}
			if len(component) > 0 && component[0] == i && (i == root || reach[root][i]) {
				want = append(want, component)
			}
		}
		got := graph.Cycles([]int{root, root}, func(n int) []int { return next[n] })
		for i, c := range got {
			for _, later := range got[i+1:] {
				if reach[c[0]][later[0]] {
					t.Fatalf("seed %d: %v comes before %v, which it reaches", seed, c, later)
				}
			}
			slices.Sort(c)
		}
		slices.SortFunc(got, slices.Compare)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("seed %d: %v from %d: got %v, want %v", seed, next, root, got, want)
		}
	}
}
