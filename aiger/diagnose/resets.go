package diagnose

import (
	"context"
	"fmt"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/circuit/graph"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// Resets are stratified when none depends on its own latch (AIGER 1.9.23 and later): a
// latch may start with the value of inputs and of other latches as they start.

// ResetCycle is what depends on itself in step 0, in a file or in its contents.
type ResetCycle struct {
	// Latches are those whose resets depend on each other, ascending: rows of a file, or
	// positions in the contents.
	Latches []int
	// path leads from the first of them back to it: rows that decide each other.
	path []int
}

// ResetCycles returns the cycles of a file. The error is that of ctx.
func ResetCycles(ctx context.Context, f *syntax.File) ([]ResetCycle, error) {
	lo, hi := f.RowsOf(syntax.SectionLatches)
	var latches []int
	for r := lo; r < hi; r++ {
		if _, hasReset := resetRow(f, r); hasReset {
			latches = append(latches, r)
		}
	}
	isLatch := func(r int) bool { return lo <= r && r < hi }
	return resetSearch{isLatch, func(r int) []int { return decides(f, r) }}.from(ctx, latches)
}

// ResetCyclesIn returns the cycles of the contents of a file without other errors.
func ResetCyclesIn(c *syntax.Contents) []ResetCycle {
	hasFunction := func(l syntax.Latch) bool { return l.Reset > 1 && l.Reset != l.Lit }
	if !slices.ContainsFunc(c.Latches, hasFunction) {
		return nil
	}
	// A node is a latch, or a gate after the latches.
	node := make(map[uint32]int, len(c.Latches)+len(c.Ands)) // by variable
	for i, l := range c.Latches {
		node[l.Lit/2] = i
	}
	for i, a := range c.Ands {
		node[a.LHS/2] = len(c.Latches) + i
	}
	decides := func(at int) (below []int) {
		var lits []uint32
		if at >= len(c.Latches) {
			a := c.Ands[at-len(c.Latches)]
			lits = []uint32{a.RHS0, a.RHS1}
		} else if l := c.Latches[at]; hasFunction(l) {
			lits = []uint32{l.Reset}
		}
		for _, lit := range lits {
			if to, ok := node[lit/2]; ok {
				below = append(below, to)
			}
		}
		return below
	}
	var latches []int
	for i, l := range c.Latches {
		if hasFunction(l) {
			latches = append(latches, i)
		}
	}
	isLatch := func(n int) bool { return n < len(c.Latches) }
	cycles, _ := resetSearch{isLatch, decides}.from(context.Background(), latches) // which does not end
	return cycles
}

// resetRow returns the row that defines the reset of a latch row; ok is false for a
// reset that is constant, the latch itself or not defined.
func resetRow(f *syntax.File, latch int) (r int, ok bool) {
	row := f.Numbers(latch)
	if row.N != 3 || !row.IsSound() || row.Num[2] <= 1 || row.Num[2] == row.Num[0] {
		return 0, false
	}
	return f.RowDefining(row.Num[2] >> 1)
}

// decides returns the rows from which the value of a row in step 0 follows.
func decides(f *syntax.File, r int) (rows []int) {
	switch kind, _, _ := f.Place(r); kind {
	case syntax.SectionLatches:
		if at, ok := resetRow(f, r); ok {
			return []int{at}
		}
	case syntax.SectionAnds:
		row := f.Numbers(r)
		if row.N < 3 {
			return nil
		}
		for _, l := range row.Num[1:] {
			if at, ok := f.RowDefining(l >> 1); ok && l > 1 {
				rows = append(rows, at)
			}
		}
	}
	return rows
}

// resetSearch finds cycles with latches.
type resetSearch struct {
	isLatch func(int) bool
	decides func(int) []int // the nodes from which the value of one in step 0 follows
}

// from returns the cycles that are reached from some latches, by their first latch. The error
// is that of ctx.
func (s resetSearch) from(ctx context.Context, latches []int) ([]ResetCycle, error) {
	steps, ended := 0, false
	components := graph.Cycles(latches, func(n int) []int {
		if steps++; steps%checkEvery == 0 && ctx.Err() != nil {
			ended = true
		}
		if ended {
			return nil
		}
		return s.decides(n)
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var cycles []ResetCycle
	for _, component := range components {
		all := slices.DeleteFunc(slices.Sorted(slices.Values(component)), func(n int) bool { return !s.isLatch(n) })
		if len(all) > 0 {
			cycles = append(cycles, ResetCycle{all, s.shortest(component, all[0])})
		}
	}
	slices.SortFunc(cycles, func(a, b ResetCycle) int { return a.Latches[0] - b.Latches[0] })
	return cycles, nil
}

// shortest returns a shortest cycle through a node of a component.
func (s resetSearch) shortest(component []int, start int) []int {
	inside := make(map[int]bool, len(component))
	for _, n := range component {
		inside[n] = true
	}
	from := map[int]int{} // node → the one that it was reached from
	for todo := []int{start}; len(todo) > 0; todo = todo[1:] {
		for _, to := range s.decides(todo[0]) {
			if _, seen := from[to]; seen || !inside[to] {
				continue
			}
			from[to] = todo[0]
			if to != start {
				todo = append(todo, to)
				continue
			}
			path := []int{start}
			for at := from[start]; at != start; at = from[at] {
				path = append(path, at)
			}
			slices.Reverse(path[1:])
			return path
		}
	}
	return []int{start}
}

// reportResets reports cycles among resets, each on its first latch.
func reportResets(f *syntax.File, cycles []ResetCycle, d *findings.List) []syntax.Fault {
	var faults []syntax.Fault
	for _, c := range cycles {
		faults = append(faults, syntax.Fault{
			Row:        uint32(c.Latches[0]),
			Diagnostic: d.StandIn(syntax.CodeResetCycle, reportResetCycle(f, d, c)),
		})
	}
	return faults
}

func reportResetCycle(f *syntax.File, d *findings.List, c ResetCycle) *source.Diagnostic {
	first := c.Latches[0]
	latch := f.Numbers(first).Num[0]
	lo, hi := f.RowsOf(syntax.SectionLatches)
	through := 0 // latches on the path
	for _, r := range c.path {
		if lo <= r && r < hi {
			through++
		}
	}
	diag := d.Add(syntax.CodeResetCycle, f.NumberSpan(first, 2), "%s", resetWords(latch, through))
	for i := range min(len(c.path), maxRelated) {
		r, to := c.path[i], f.Numbers(c.path[(i+1)%len(c.path)]).Num[0]
		if lo <= r && r < hi {
			diag.Relate(f.NumberSpan(r, 2), "latch %d starts with the value of %d", f.Numbers(r).Num[0], to)
		} else {
			diag.Relate(f.NumberSpan(r, 0), "AND %d depends on %d", f.Numbers(r).Num[0], to)
		}
	}
	diag.AddFix("Drop the reset", source.Edit{Span: source.SpanFromTo(f.NumberSpan(first, 1).End(), f.NumberSpan(first, 2).End())})
	diag.AddFix("Leave the latch uninitialised", source.Edit{Span: f.NumberSpan(first, 2), NewText: fmt.Sprint(latch)})
	return diag
}

// resetWords says that the reset of a latch depends on itself, through the resets of so
// many latches.
func resetWords(latch uint32, through int) string {
	switch through {
	case 1:
		return fmt.Sprintf("the reset of latch %d depends on the latch itself", latch)
	case 2:
		return fmt.Sprintf("the reset of latch %d depends on the latch itself, by way of another latch", latch)
	}
	return fmt.Sprintf("the reset of latch %d depends on the latch itself, by way of %d other latches", latch, through-1)
}

// Words says what is wrong, of a cycle in contents.
func (r ResetCycle) Words(c *syntax.Contents) string {
	through := 0
	for _, n := range r.path {
		if n < len(c.Latches) {
			through++
		}
	}
	return resetWords(c.Latches[r.Latches[0]].Lit, through)
}
