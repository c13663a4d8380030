package diagnose

import (
	"context"

	"aiglens/aiger/syntax"
)

// net is the circuit of a file by rows, as far as it can be read: what Run and
// the search for cycles walk on. A node is 1 + the row that defines a
// variable, node 0 the constant false; a literal is node·2 + sign, as in the
// file.
type net struct {
	f      *syntax.File
	lo, hi int          // the AND rows
	ops    [][2]nodeLit // operands, by position among the ANDs
	// order holds the positions of the gates, each after its operands; those
	// on cycles are left out. It is nil when the rows are in order already.
	order  []int32
	cycles [][]int32 // cycles: each gate has the next as operand, the last the first
}

type nodeLit uint32

// noLit stands for a literal that is not defined or cannot be read.
const noLit = ^nodeLit(0)

func (l nodeLit) node() int { return int(l >> 1) }

// checkEvery is how many steps pass between two looks at a context.
const checkEvery = 1 << 16

func newNet(ctx context.Context, f *syntax.File) (*net, error) {
	n := &net{f: f}
	n.lo, n.hi = f.RowsOf(syntax.SectionAnds)
	n.ops = make([][2]nodeLit, n.hi-n.lo)
	inOrder := true
	for base, rows := range f.Runs(n.lo, n.hi) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range rows {
			ops := [2]nodeLit{noLit, noLit}
			if rows[i].N >= 3 {
				ops = [2]nodeLit{n.lit(rows[i].Num[1]), n.lit(rows[i].Num[2])}
			}
			n.ops[base+i-n.lo] = ops
			own := nodeLit(base+i+1) << 1
			inOrder = inOrder && (ops[0] < own || ops[0] == noLit) && (ops[1] < own || ops[1] == noLit)
		}
	}
	if inOrder {
		return n, nil
	}
	return n, n.sort(ctx)
}

// lit returns the node literal of a literal of the file.
func (n *net) lit(lit uint32) nodeLit {
	if lit <= 1 {
		return nodeLit(lit)
	}
	r, ok := n.f.RowDefining(lit >> 1)
	if !ok {
		return noLit
	}
	return nodeLit(r+1)<<1 | nodeLit(lit&1)
}

// gate returns the position among the ANDs of the node of l; ok is false for
// what is not a gate.
func (n *net) gate(l nodeLit) (g int, ok bool) {
	g = l.node() - 1 - n.lo
	return g, l != noLit && 0 <= g && g < len(n.ops)
}

// gates yields the positions of the gates, each after its operands.
func (n *net) gates(ctx context.Context, visit func(g int)) error {
	for i := range n.ops {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case n.order == nil:
			visit(i)
		case i < len(n.order):
			visit(int(n.order[i]))
		}
	}
	return nil
}

// sort finds order and cycles by a depth-first search. A cycle that shares a
// gate with one found before is left out: it may well go with it.
func (n *net) sort(ctx context.Context) error {
	s := gateSearch{net: n, at: make([]int32, len(n.ops)), next: make([]uint8, len(n.ops)), onCycle: make([]bool, len(n.ops))}
	n.order = make([]int32, 0, len(n.ops))
	for g := range n.ops {
		if s.at[g] == 0 {
			s.run(ctx, g)
		}
		if s.ended {
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// gateSearch is a depth-first search through the gates. Its tables are by
// position among the ANDs.
type gateSearch struct {
	*net
	at      []int32 // 1 + position on the path; 0 not visited, -1 done
	next    []uint8 // operands visited
	path    []int32 // each an operand of the one before
	onCycle []bool
	steps   int
	ended   bool // its context has
	top     int  // highest position on the path with a gate on a cycle, or -1
}

func (s *gateSearch) push(g int) {
	s.path = append(s.path, int32(g))
	s.at[g] = int32(len(s.path))
}

func (s *gateSearch) pop() {
	g := s.path[len(s.path)-1]
	s.at[g] = -1
	s.path = s.path[:len(s.path)-1]
	if !s.onCycle[g] {
		s.order = append(s.order, g)
	}
	for s.top >= len(s.path) || s.top >= 0 && !s.onCycle[s.path[s.top]] {
		s.top--
	}
}

func (s *gateSearch) run(ctx context.Context, start int) {
	s.top = -1
	s.push(start)
	for len(s.path) > 0 {
		if s.steps++; s.steps%checkEvery == 0 && ctx.Err() != nil {
			s.ended = true
			return
		}
		g := s.path[len(s.path)-1]
		if s.next[g] == 2 {
			s.pop()
			continue
		}
		s.next[g]++
		operand, ok := s.gate(s.ops[g][s.next[g]-1])
		if !ok {
			continue
		}
		switch at := int(s.at[operand]); {
		case at == 0:
			s.push(operand)
		case at > s.top+1:
			cycle := append([]int32(nil), s.path[at-1:]...)
			s.cycles = append(s.cycles, cycle)
			for _, g := range cycle {
				s.onCycle[g] = true
			}
			s.top = len(s.path) - 1
		}
	}
}
