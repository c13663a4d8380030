package bdd

import (
	"math"
	"slices"
)

// Sift frees the nodes that none of the given functions needs, and moves one variable
// after the other, those with the most nodes first, to the level where there are the fewest
// nodes: Rudell, "Dynamic Variable Ordering for Ordered Binary Decision Diagrams" (ICCAD
// 1993). Functions keep their Refs. The bound on the nodes does not hold on the way.
func (d *Store) Sift(roots []Ref) {
	d.Collect(roots)
	defer func(most int) { d.most = most }(d.most)
	d.most = math.MaxInt
	s := sifting{d, make([]uint32, len(d.nodes), 2*len(d.nodes))}
	for v := range d.tables {
		d.each(v, func(i uint32) {
			s.uses[d.nodes[i].low>>1]++
			s.uses[d.nodes[i].high>>1]++
		})
	}
	for _, f := range roots {
		s.uses[f>>1]++
	}
	largest := slices.Clone(d.order)
	slices.SortStableFunc(largest, func(v, w int) int { return d.tables[w].count - d.tables[v].count })
	for _, v := range largest {
		s.place(v)
	}
}

// each calls visit for the nodes of a variable, which may move them.
func (d *Store) each(v int, visit func(i uint32)) {
	for _, i := range d.tables[v].chains {
		for i != 0 {
			next := d.nodes[i].next
			visit(i)
			i = next
		}
	}
}

// sifting is a store while variables move. Each node is used: by a root or by a node.
type sifting struct {
	*Store
	uses []uint32
}

// siftGrowth bounds how far the nodes may grow on the way of a variable, in percent.
const siftGrowth = 120

// place moves a variable to its best level.
func (s *sifting) place(v int) {
	best, fewest := s.levels[v], s.live
	bound := s.live * siftGrowth / 100
	last := uint32(len(s.order) - 1)
	note := func() bool {
		s.step()
		if s.live < fewest {
			best, fewest = s.levels[v], s.live
		}
		return s.live <= bound
	}
	down := func() {
		for s.levels[v] < last {
			if s.swap(s.levels[v]); !note() {
				return
			}
		}
	}
	up := func() {
		for s.levels[v] > 0 {
			if s.swap(s.levels[v] - 1); !note() {
				return
			}
		}
	}
	if start := s.levels[v]; start > last/2 {
		down()
		for s.levels[v] > start {
			s.swap(s.levels[v] - 1)
		}
		up()
	} else {
		up()
		for s.levels[v] < start {
			s.swap(s.levels[v])
		}
		down()
	}
	for s.levels[v] < best {
		s.swap(s.levels[v])
	}
	for s.levels[v] > best {
		s.swap(s.levels[v] - 1)
	}
}

// swap exchanges the variables of a level and the next one.
func (s *sifting) swap(level uint32) {
	v, w := s.order[level], s.order[level+1]
	s.order[level], s.order[level+1] = w, v
	s.levels[v], s.levels[w] = level+1, level
	var moved []uint32
	t := &s.tables[v]
	for c := range t.chains {
		keep := uint32(0)
		for i := t.chains[c]; i != 0; {
			next := s.nodes[i].next
			if n := &s.nodes[i]; s.decides(n.low, w) || s.decides(n.high, w) {
				moved = append(moved, i)
			} else {
				n.next, keep = keep, i
			}
			i = next
		}
		t.chains[c] = keep
	}
	s.steps += int64(max(t.count, len(t.chains)/nodesPerStep)) + 4*int64(len(moved))
	t.count -= len(moved)
	for _, i := range moved {
		low, high := s.nodes[i].low, s.nodes[i].high
		low0, low1, high0, high1 := low, low, high, high
		if s.decides(low, w) {
			low0, low1 = s.children(low)
		}
		if s.decides(high, w) {
			high0, high1 = s.children(high)
		}
		newLow := s.use(s.make(v, low0, high0))
		newHigh := s.use(s.make(v, low1, high1))
		s.nodes[i] = node{variable: uint32(w), low: newLow, high: newHigh}
		t := &s.tables[w]
		s.link(t, i)
		if t.count++; t.count > 2*len(t.chains) {
			s.grow(t)
		}
		s.drop(low)
		s.drop(high)
	}
}

func (s *sifting) decides(f Ref, v int) bool { return int(s.nodes[f>>1].variable) == v }

// use counts one use more, and those by a node that is new.
func (s *sifting) use(f Ref) Ref {
	i := f >> 1
	for len(s.uses) < len(s.nodes) {
		s.uses = append(s.uses, 0)
	}
	if s.uses[i]++; s.uses[i] == 1 && i != 0 {
		s.uses[s.nodes[i].low>>1]++
		s.uses[s.nodes[i].high>>1]++
	}
	return f
}

// drop counts one use less, and frees the node that has no other.
func (s *sifting) drop(f Ref) {
	i := uint32(f >> 1)
	if s.uses[i]--; s.uses[i] > 0 || i == 0 {
		return
	}
	n := s.nodes[i]
	t := &s.tables[n.variable]
	chain := &t.chains[hash(n.low, n.high, 0)&uint32(len(t.chains)-1)]
	for *chain != i {
		chain = &s.nodes[*chain].next
	}
	*chain = n.next
	s.release(t, i)
	s.drop(n.low)
	s.drop(n.high)
}
