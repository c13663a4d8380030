package aiger

import (
	"sort"

	"aiglens/internal/source"
)

// defTable finds the row that defines a variable. Variables that are small
// compared with the number of rows, all of them in ordinary files, stand in a
// slice, the others in a map: a file with one variable of number 2^31−1 must
// cost nothing.
type defTable struct {
	dense  []uint32 // by variable: row + 1, or 0
	sparse map[uint32]uint32
}

func (t *defTable) row(v uint32) (r int, ok bool) {
	if int(v) < len(t.dense) {
		r := t.dense[v]
		return int(r) - 1, r > 0
	}
	r32, ok := t.sparse[v]
	return int(r32), ok
}

// set makes row r the definition of v unless there is one.
func (t *defTable) set(v uint32, r int) (first int, isNew bool) {
	if first, ok := t.row(v); ok {
		return first, false
	}
	if int(v) < len(t.dense) {
		t.dense[v] = uint32(r + 1)
		return r, true
	}
	if t.sparse == nil {
		t.sparse = map[uint32]uint32{}
	}
	t.sparse[v] = uint32(r)
	return r, true
}

// definingSections are the sections whose rows start with a definition.
var definingSections = [...]SectionKind{SectionInputs, SectionLatches, SectionAnds}

// define fills the table of definitions; repeated ones are reported by
// checkRows, which sees that the table has another row for them.
func (p *parser) define() {
	f := p.file
	largest := uint32(0)
	for _, k := range definingSections {
		lo, hi := f.rowsOf(k)
		for i := lo; i < hi; i++ {
			largest = max(largest, f.rows[i].num[0]>>1)
		}
	}
	f.defs.dense = make([]uint32, min(int(largest), 2*len(f.rows)+64)+1)
	for _, k := range definingSections {
		lo, hi := f.rowsOf(k)
		for i := lo; i < hi; i++ {
			v, ok := f.rows[i].defines()
			if !ok {
				continue
			}
			if _, isNew := f.defs.set(v, i); isNew {
				p.defined++
			}
		}
	}
}

// largestDefined returns the largest variable that a row defines.
func (p *parser) largestDefined() int {
	f := p.file
	largest := uint32(0)
	for _, k := range definingSections {
		lo, hi := f.rowsOf(k)
		for _, r := range f.rows[lo:hi] {
			if v, ok := r.defines(); ok {
				largest = max(largest, v)
			}
		}
	}
	return int(largest)
}

// largestUsed returns the largest variable of the file.
func (p *parser) largestUsed() int {
	f := p.file
	largest := uint32(0)
	for k := range SectionKind(numRowSections) {
		if k == SectionJustice {
			continue
		}
		lo, hi := f.rowsOf(k)
		_, most := rowSize(k)
		for i := lo; i < hi; i++ {
			r := &f.rows[i]
			for j := range min(r.n, most) {
				if r.flags&rowHuge == 0 {
					largest = max(largest, r.num[j]>>1)
				}
			}
		}
	}
	return int(largest)
}

// gateRow returns the AND row that defines v; ok is false when v is defined by
// something else or not at all.
func (f *File) gateRow(v uint32) (r int, ok bool) {
	r, ok = f.defs.row(v)
	lo, hi := f.rowsOf(SectionAnds)
	return r, ok && lo <= r && r < hi && f.rows[r].n >= 3
}

// checkCycles reports ANDs that depend on each other in a circle. Circles that
// share a gate with a reported one are left out: they may well go with it.
func (p *parser) checkCycles() {
	lo, hi := p.file.rowsOf(SectionAnds)
	if p.isOrdered(lo, hi) {
		return
	}
	s := cycleSearch{lo: lo, at: make([]int32, hi-lo), next: make([]uint8, hi-lo), reported: make([]bool, hi-lo)}
	for start := lo; start < hi; start++ {
		if s.at[start-lo] == 0 {
			p.searchCycles(&s, start)
		}
	}
}

// cycleSearch is a depth-first search through the gates. Its tables are by
// position among the ANDs.
type cycleSearch struct {
	lo       int
	at       []int32 // 1 + position on the path; 0 not visited, -1 done
	next     []uint8 // operands visited
	path     []int   // rows, each an operand of the one before
	reported []bool
	top      int // highest position on the path with a reported gate, or -1
}

func (s *cycleSearch) push(r int) {
	s.path = append(s.path, r)
	s.at[r-s.lo] = int32(len(s.path))
}

func (s *cycleSearch) pop() {
	s.at[s.path[len(s.path)-1]-s.lo] = -1
	s.path = s.path[:len(s.path)-1]
	for s.top >= len(s.path) || s.top >= 0 && !s.reported[s.path[s.top]-s.lo] {
		s.top--
	}
}

func (p *parser) searchCycles(s *cycleSearch, start int) {
	f := p.file
	s.top = -1
	s.push(start)
	for len(s.path) > 0 {
		r := s.path[len(s.path)-1]
		if s.next[r-s.lo] == 2 || f.rows[r].n < 3 {
			s.pop()
			continue
		}
		s.next[r-s.lo]++
		operand, ok := f.gateRow(f.rows[r].num[s.next[r-s.lo]] >> 1)
		if !ok {
			continue
		}
		switch at := int(s.at[operand-s.lo]); {
		case at == 0:
			s.push(operand)
		case at > s.top+1:
			cycle := s.path[at-1:]
			p.reportCycle(cycle)
			for _, r := range cycle {
				s.reported[r-s.lo] = true
			}
			s.top = len(s.path) - 1
		}
	}
}

// isOrdered reports whether every gate has a larger variable than its
// operands, which rules circles out and holds for nearly every file.
func (p *parser) isOrdered(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		r := &p.file.rows[i]
		if r.n >= 3 && r.num[0]>>1 <= max(r.num[1], r.num[2])>>1 {
			return false
		}
	}
	return true
}

// reportCycle reports a circle: each row of cycle has the next as operand, the
// last one the first.
func (p *parser) reportCycle(cycle []int) {
	f := p.file
	first := 0
	for i, r := range cycle {
		if r < cycle[first] {
			first = i
		}
	}
	at := cycle[first]
	lhs := f.rows[at].num[0]
	if len(cycle) == 1 {
		i := 1
		if f.rows[at].num[1]>>1 != lhs>>1 {
			i = 2
		}
		p.rowError(at, CodeAndCycle, f.numberSpan(at, i), "AND %d has itself as operand", lhs)
		return
	}
	diag := p.rowError(at, CodeAndCycle, f.numberSpan(at, 0), "%d ANDs depend on each other in a circle", len(cycle))
	for i := range min(len(cycle), 100) {
		r := cycle[(first+i)%len(cycle)]
		to := cycle[(first+i+1)%len(cycle)]
		relate(diag, f.numberSpan(r, 0), "AND %d depends on %d", f.rows[r].num[0], f.rows[to].num[0])
	}
}

func sortFaults(faults []fault) {
	sort.SliceStable(faults, func(i, j int) bool {
		if faults[i].row != faults[j].row {
			return faults[i].row < faults[j].row
		}
		return faults[i].diag.Span.Start < faults[j].diag.Span.Start
	})
}

// faultOf returns the first error on a row, or nil.
func (f *File) faultOf(r int) *source.Diagnostic {
	i := sort.Search(len(f.faults), func(i int) bool { return int(f.faults[i].row) >= r })
	if i < len(f.faults) && int(f.faults[i].row) == r {
		return f.faults[i].diag
	}
	return nil
}
