package btor2design

import (
	"iter"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
)

// seenBits are the bits of rows that have been looked at. Aliases and slices share the bits of another row.
type seenBits struct {
	built *btor2.Elaboration
	in    []place
	// next says by root, for each of its bits, a later one before which all have been looked at, or the bit itself if it
	// has not been; nil for a root that has not been looked at in part.
	next [][]int32
	all  []bool // by root: no bit is left
}

// place is where the lowest bit of a row stands in its root, which has bits of its own.
type place struct{ root, low int32 }

func newSeenBits(m *syntax.Model, built *btor2.Elaboration) *seenBits {
	size := len(m.Nodes)
	s := &seenBits{built: built, in: make([]place, size), next: make([][]int32, size), all: make([]bool, size)}
	for node := range m.Nodes {
		s.in[node] = place{root: int32(node)}
		n := &m.Nodes[node]
		if !n.Sound || !n.SharesBits() {
			continue
		}
		at := s.in[n.Args[0].Node()]
		if n.Op == syntax.Slice {
			at.low += int32(n.Number[1])
		}
		s.in[node] = at
	}
	return s
}

// look yields the positions of those bits of a row that have not been looked at, and now are.
func (s *seenBits) look(node, width int) iter.Seq[int] {
	return func(yield func(int) bool) {
		at := s.in[node]
		word, _ := s.built.Bits(int(at.root))
		next := s.next[at.root]
		switch {
		case s.all[at.root]:
			return
		case width == len(word):
			s.all[at.root] = true
		case next == nil:
			next = make([]int32, len(word)+1)
			for i := range next {
				next[i] = int32(i)
			}
			s.next[at.root] = next
		}
		end := at.low + int32(width)
		for i := at.low; i < end; i++ {
			if next != nil {
				if i = following(next, i); i >= end {
					return
				}
				next[i] = i + 1
			}
			if !yield(int(i - at.low)) {
				return
			}
		}
	}
}

// following returns the first bit from one on that has not been looked at, and shortens the way to it.
func following(next []int32, bit int32) int32 {
	for next[bit] != bit {
		next[bit] = next[next[bit]]
		bit = next[bit]
	}
	return bit
}
