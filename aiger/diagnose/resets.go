package diagnose

import (
	"fmt"
	"slices"

	"aiglens/aiger/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// ResetCircles returns the rows of the latches whose reset depends on themselves, by
// circles: those of a circle depend on each other. A reset may depend on inputs and on
// other latches as they start (AIGER 1.9.23 and later, "stratified").
func ResetCircles(f *syntax.File) [][]int {
	lo, hi := f.RowsOf(syntax.SectionLatches)
	s := resetSearch{f: f, number: map[int]int{}, low: map[int]int{}}
	for r := lo; r < hi; r++ {
		if _, hasReset := resetRow(f, r); hasReset && s.number[r] == 0 {
			s.run(r)
		}
	}
	slices.SortFunc(s.circles, func(a, b []int) int { return a[0] - b[0] })
	return s.circles
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
func decides(f *syntax.File, r int) (rows [2]int, n int) {
	switch kind, _, _ := f.Place(r); kind {
	case syntax.SectionLatches:
		if at, ok := resetRow(f, r); ok {
			return [2]int{at}, 1
		}
	case syntax.SectionAnds:
		row := f.Numbers(r)
		if row.N < 3 {
			return rows, 0
		}
		for _, l := range row.Num[1:] {
			if at, ok := f.RowDefining(l >> 1); ok && l > 1 {
				rows[n] = at
				n++
			}
		}
	}
	return rows, n
}

// resetSearch finds strongly connected rows (Tarjan, "Depth-First Search and Linear Graph
// Algorithms", SIAM Journal on Computing 1972). Its tables are by row.
type resetSearch struct {
	f           *syntax.File
	number, low map[int]int // from 1, in the order of the first visit; 0 is not visited
	path        []resetVisit
	open        []int        // rows whose component is not known yet
	isOpen      map[int]bool // nil before the first
	circles     [][]int
}

// resetVisit is a row on the path, and how many of the rows that decide it were visited.
type resetVisit struct{ row, next int }

func (s *resetSearch) enter(r int) {
	if s.isOpen == nil {
		s.isOpen = map[int]bool{}
	}
	s.number[r] = len(s.number) + 1
	s.low[r] = s.number[r]
	s.open, s.isOpen[r] = append(s.open, r), true
	s.path = append(s.path, resetVisit{row: r})
}

func (s *resetSearch) run(start int) {
	s.enter(start)
	for len(s.path) > 0 {
		at := &s.path[len(s.path)-1]
		rows, n := decides(s.f, at.row)
		if at.next < n {
			to := rows[at.next]
			at.next++
			switch {
			case s.number[to] == 0:
				s.enter(to)
			case s.isOpen[to]:
				s.low[at.row] = min(s.low[at.row], s.number[to])
			}
			continue
		}
		row := at.row
		s.path = s.path[:len(s.path)-1]
		if len(s.path) > 0 {
			above := s.path[len(s.path)-1].row
			s.low[above] = min(s.low[above], s.low[row])
		}
		if s.low[row] == s.number[row] {
			s.close(row)
		}
	}
}

// close takes a component, whose row with the lowest number is first, from those that
// are open, and keeps its latches if it has a circle with any.
func (s *resetSearch) close(first int) {
	from := len(s.open) - 1
	for s.open[from] != first {
		from--
	}
	component := s.open[from:]
	s.open = s.open[:from]
	lo, hi := s.f.RowsOf(syntax.SectionLatches)
	var latches []int
	for _, r := range component {
		s.isOpen[r] = false
		if lo <= r && r < hi {
			latches = append(latches, r)
		}
	}
	if len(latches) == 0 || len(component) == 1 && !decidesItself(s.f, first) {
		return
	}
	slices.Sort(latches)
	s.circles = append(s.circles, latches)
}

func decidesItself(f *syntax.File, r int) bool {
	rows, n := decides(f, r)
	return slices.Contains(rows[:n], r)
}

// reportResets reports circles among resets, each on its first latch.
func reportResets(f *syntax.File, d *findings.List) []syntax.Fault {
	var faults []syntax.Fault
	for _, latches := range ResetCircles(f) {
		faults = append(faults, syntax.Fault{
			Row:        uint32(latches[0]),
			Diagnostic: d.StandIn(syntax.CodeResetCycle, reportResetCircle(f, d, latches[0])),
		})
	}
	return faults
}

func reportResetCircle(f *syntax.File, d *findings.List, first int) *source.Diagnostic {
	path := shortestCircle(f, first)
	latch := f.Numbers(first).Num[0]
	diag := d.Add(syntax.CodeResetCycle, f.NumberSpan(first, 2), "the resets of %d latches depend on each other in a circle", len(path))
	if len(path) == 1 {
		diag.Message = fmt.Sprintf("the reset of latch %d depends on the latch itself", latch)
	}
	for i := range min(len(path), maxRelated) {
		to := path[(i+1)%len(path)]
		diag.Relate(f.NumberSpan(path[i], 2), "the reset of latch %d depends on latch %d", f.Numbers(path[i]).Num[0], f.Numbers(to).Num[0])
	}
	diag.AddFix("Drop the reset", source.Edit{Span: source.SpanFromTo(f.NumberSpan(first, 1).End(), f.NumberSpan(first, 2).End())})
	diag.AddFix("Leave the latch uninitialised", source.Edit{Span: f.NumberSpan(first, 2), NewText: fmt.Sprint(latch)})
	return diag
}

// shortestCircle returns the latch rows of a circle through the resets, from a row that
// is on one.
func shortestCircle(f *syntax.File, start int) []int {
	from := map[int]int{} // row → the one that it was reached from
	for todo := []int{start}; len(todo) > 0; todo = todo[1:] {
		rows, n := decides(f, todo[0])
		for _, to := range rows[:n] {
			if _, seen := from[to]; seen {
				continue
			}
			from[to] = todo[0]
			if to == start {
				return latchesOn(f, from, start)
			}
			todo = append(todo, to)
		}
	}
	return []int{start}
}

// latchesOn follows a path back from start to start, and returns its latches from start
// on.
func latchesOn(f *syntax.File, from map[int]int, start int) []int {
	lo, hi := f.RowsOf(syntax.SectionLatches)
	latches := []int{start}
	for r := from[start]; r != start; r = from[r] {
		if lo <= r && r < hi {
			latches = append(latches, r)
		}
	}
	slices.Reverse(latches[1:])
	return latches
}
