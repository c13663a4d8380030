package btor2

import (
	"fmt"
	"slices"

	"aiglens/btor2/bits"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// An array that is too large to be bits is followed at a few addresses, which are latches that begin with any value and
// keep it. Of such an array the circuit has the elements at these addresses alone. A read gives the element at the first
// address that the index equals, and else an input: any value. A write changes the elements whose addresses the index equals.
// Two arrays are equal where all their elements here are and an input says so, too. All else goes element by element.
//
// So the circuit has each run of the text, whatever the addresses are: the inputs in place of reads and comparisons take
// the values that these have there. It has others besides. A proof about it is one about the text, and a counterexample
// counts when it is a run of the text (see Concrete).
//
// For proofs, bad is asked in the cases alone in which the addresses are those that it depends on at that step: a clue is
// a condition on an address that some address meets in each step of each run. It is the index of a read in the cone of
// bad, or that index as it was when the value was read that a state now has, or an index where two arrays differ. For a run
// of the text that violates bad in some step there is one of the circuit with the addresses of that step. This is
// Bjesse, "Word-level sequential memory abstraction" (FMCAD 2008), with the prophecy variables of Mann et al.,
// "Counterexample-guided prophecy for model checking modulo the theory of arrays" (TACAS 2021); the clues are found in
// the text, before any run, instead of one after the other.

// clue is a condition on an address that arrays of a sort are followed at.
type clue struct {
	sort syntax.Sort
	// path are states, of which each has a value of the next one, and in the end a read, or a comparison of arrays.
	path []int
}

// Bounds of the search for clues: those of a property for each sort, the states on a path, and the nodes looked at.
const (
	maxClues   = 6
	maxPath    = 4
	maxVisited = 20_000_000
)

// tracking is what is known about the arrays that are too large to be bits.
type tracking struct {
	count     map[syntax.Sort]int             // of addresses; 0 for a sort that is not followed
	addresses map[syntax.Sort][][]circuit.Lit // made when the first array of the sort is
	clues     map[int][]clue                  // by row of bad
	rows      map[int]*source.Diagnostic      // that have such arrays or look at them, with what is said of them
	isUnknown []bool                          // by node: its value depends on such rows within a step
	origins   map[syntax.Sort]int             // the row that addresses come from: one that looks at arrays of the sort, where there is one
	guesses   map[int][]circuit.Lit           // the inputs of reads and comparisons, by node
	// histories are latches that say whether the index that the value of a state stems from is an address, by the path
	// and the place of the address; see keyOn.
	histories map[string]circuit.Lit
}

// track finds the sorts of arrays that do not become bits, and the clues of all properties.
func (x *elaborator) track() {
	t := &tracking{
		count: map[syntax.Sort]int{}, addresses: map[syntax.Sort][][]circuit.Lit{}, clues: map[int][]clue{},
		rows: map[int]*source.Diagnostic{}, isUnknown: make([]bool, len(x.m.Nodes)), origins: map[syntax.Sort]int{}, guesses: map[int][]circuit.Lit{}, histories: map[string]circuit.Lit{},
	}
	x.e.tracked = t
	for i := range x.m.Nodes {
		if n := &x.m.Nodes[i]; n.Sound {
			if s := arrayOf(x.m, n); s.IsArray() && !x.arrays[s] {
				if at, has := t.origins[s]; !has || x.m.Nodes[at].Op < syntax.Not && n.Op >= syntax.Not {
					t.origins[s] = i
				}
				t.count[s] = 1
			}
		}
	}
	if len(t.count) == 0 {
		return
	}
	left := maxVisited
	for _, bad := range x.m.Bads {
		if !x.m.Nodes[bad].Sound {
			continue
		}
		found := map[syntax.Sort]int{}
		for _, c := range x.findClues(bad, &left) {
			if found[c.sort] < maxClues {
				found[c.sort]++
				t.clues[bad] = append(t.clues[bad], c)
				t.count[c.sort] = max(t.count[c.sort], found[c.sort])
			}
		}
	}
}

// findClues returns clues of a bad, those with the shortest paths first.
func (x *elaborator) findClues(bad int, left *int) (all []clue) {
	type way struct {
		root, path   []int
		isConstraint bool
	}
	todo := []way{{root: []int{x.m.Nodes[bad].Args[0].Node()}}, {root: x.m.Constraints, isConstraint: true}}
	indices := map[[2]int]bool{} // of reads in bad itself, by sort and index: each counts once
	seenState := map[int]bool{}
	for len(todo) > 0 && *left > 0 {
		at := todo[0]
		todo = todo[1:]
		for _, node := range x.coneOf(at.root, left) {
			n := &x.m.Nodes[node]
			s := arrayOf(x.m, n)
			switch {
			case n.Op == syntax.State:
				row, has := x.m.Next[node]
				if has && !n.Sort.IsArray() && x.m.Nodes[row].Sound && len(at.path) < maxPath && !seenState[node] && !at.isConstraint {
					seenState[node] = true
					todo = append(todo, way{root: []int{x.m.Nodes[row].Args[1].Node()}, path: append(slices.Clone(at.path), node)})
				}
			case x.e.tracked.count[s] == 0:
			case n.Op == syntax.Read:
				key := [2]int{s.IndexWidth<<1 | int(n.Args[1]&1), x.rootOf(n.Args[1].Node())}
				if len(at.path) > 0 || !indices[key] {
					indices[key] = len(at.path) == 0 || indices[key]
					all = append(all, clue{s, append(slices.Clone(at.path), node)})
				}
			case n.Op == syntax.Eq || n.Op == syntax.Neq:
				if len(at.path) == 0 {
					all = append(all, clue{s, []int{node}})
				}
			}
		}
	}
	return all
}

// rootOf returns what a row is another name of.
func (x *elaborator) rootOf(node int) int {
	for n := &x.m.Nodes[node]; n.Op == syntax.Uext && n.Number[0] == 0 && !n.Args[0].IsNegated(); n = &x.m.Nodes[node] {
		node = n.Args[0].Node()
	}
	return node
}

// coneOf returns the nodes that some depend on within a step, inputs and states included, the last ones first.
func (x *elaborator) coneOf(roots []int, left *int) []int {
	seen := map[int]bool{}
	var todo, all []int
	visit := func(node int) {
		if !seen[node] && x.m.Nodes[node].Sound {
			seen[node] = true
			todo = append(todo, node)
		}
	}
	for _, node := range roots {
		visit(node)
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		all = append(all, node)
		*left--
		for _, a := range x.m.Nodes[node].Args {
			visit(a.Node())
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return all
}

// isTracked reports whether arrays of a sort are followed at addresses.
func (t *tracking) isTracked(s syntax.Sort) bool { return s.IsArray() && t.count[s] > 0 }

// addressesOf returns the addresses that arrays of a sort are followed at.
func (x *elaborator) addressesOf(s syntax.Sort) [][]circuit.Lit {
	t := x.e.tracked
	for len(t.addresses[s]) < t.count[s] {
		t.addresses[s] = append(t.addresses[s], x.keep(s.IndexWidth, t.origins[s]))
	}
	return t.addresses[s]
}

// keep returns latches that begin with any value. Their next value is the same, until another one is set.
func (x *elaborator) keep(width, node int) []circuit.Lit {
	word := make([]circuit.Lit, width)
	for i := range word {
		word[i] = x.b.Latch(originOf(node))
		x.b.SetReset(word[i], word[i])
		x.b.SetNext(word[i], word[i])
	}
	return word
}

// readTracked returns the element at an index, as far as it is known.
func (x *elaborator) readTracked(i int) []circuit.Lit {
	n := &x.m.Nodes[i]
	array, index := x.arg(n, 0), x.arg(n, 1)
	value := x.fresh(n.Sort.Width, i)
	x.e.tracked.guesses[i] = value
	for k, address := range slices.Backward(x.addressesOf(arrayOf(x.m, n))) {
		value = bits.Ite(x.b, bits.Eq(x.b, index, address), array[k*len(value):(k+1)*len(value)], value)
	}
	return value
}

// writeTracked returns the elements with a value at an index.
func (x *elaborator) writeTracked(n *syntax.Node) []circuit.Lit {
	array, index, value := x.arg(n, 0), x.arg(n, 1), x.arg(n, 2)
	written := make([]circuit.Lit, 0, len(array))
	for _, address := range x.addressesOf(n.Sort) {
		written = append(written, bits.Ite(x.b, bits.Eq(x.b, index, address), value, array[len(written):len(written)+len(value)])...)
	}
	return written
}

// equalTracked returns whether two arrays are equal, as far as it is known.
func (x *elaborator) equalTracked(i int) circuit.Lit {
	n := &x.m.Nodes[i]
	guess := x.fresh(1, i)
	x.e.tracked.guesses[i] = guess
	return x.b.And(guess[0], bits.Eq(x.b, x.arg(n, 0), x.arg(n, 1)))
}

// met returns the conditions of all clues of a bad. One of a part without a value is left out.
func (x *elaborator) met(bad int) circuit.Lit {
	all := circuit.True
	used := map[syntax.Sort]int{}
	for _, c := range x.e.tracked.clues[bad] {
		k := used[c.sort]
		used[c.sort]++
		all = x.b.And(all, x.meets(c, k))
	}
	return all
}

// meets returns whether an address, the k-th of its sort, is that of a clue.
func (x *elaborator) meets(c clue, k int) circuit.Lit {
	last := c.path[len(c.path)-1]
	n := &x.m.Nodes[last]
	if x.e.words[last] == nil || !x.hasOperands(n) {
		return circuit.True
	}
	address := x.addressesOf(c.sort)[k]
	if n.Op == syntax.Read {
		return x.isAddress(c.path, k, address)
	}
	l, r, width := x.arg(n, 0), x.arg(n, 1), c.sort.Width
	equal := x.e.words[last][0].NotIf(n.Op == syntax.Neq)
	return x.b.Or(equal, bits.Eq(x.b, l[k*width:(k+1)*width], r[k*width:(k+1)*width]).Not())
}

// keyOn names a history: that of a path and an address.
func keyOn(path []int, k int) string { return fmt.Sprint(path, k) }

// isAddress returns whether an address, the k-th of its sort, is the index that the value of the first node on a path stems
// from: that of a read itself, and of a state what it was when the state was last given such a value. Before that it is
// any index. An address never changes, so that a latch can keep whether it is the one: a bit in place of a word, which
// no clause could compare.
func (x *elaborator) isAddress(path []int, k int, address []circuit.Lit) circuit.Lit {
	if len(path) == 1 {
		return bits.Eq(x.b, x.arg(&x.m.Nodes[path[0]], 1), address)
	}
	key := keyOn(path, k)
	if l, ok := x.e.tracked.histories[key]; ok {
		return l
	}
	row := x.m.Next[path[0]]
	if !x.isBuilt(row) {
		return circuit.True
	}
	history := x.keep(1, path[len(path)-1])
	x.e.tracked.histories[key] = history[0]
	h := historyOf{x: x, stems: newStemsFrom(x.m, path), isAddress: x.isAddress(path[1:], k, address), history: history[0], known: map[int]circuit.Lit{}}
	x.b.SetNext(history[0], h.next(x.m.Nodes[row].Args[1].Node()))
	return history[0]
}

// stemsFrom says which nodes the value that a state is given stems from on a path: the node after it on the path, or another
// history of the state. It is the same for the circuit and for a run of the text.
type stemsFrom struct {
	m       *syntax.Model
	from    int
	reaches []bool // by node from that one on, up to the next value: whether it depends on it within a step
}

func newStemsFrom(m *syntax.Model, path []int) stemsFrom {
	from, to := path[1], m.Nodes[m.Next[path[0]]].Args[1].Node()
	all := make([]bool, max(0, to-from)+1)
	all[0] = true
	for i := from + 1; i <= to; i++ {
		n := &m.Nodes[i]
		if n.Op < syntax.Not || !n.Sound {
			continue
		}
		for _, a := range n.Args {
			all[i-from] = all[i-from] || a.Node() >= from && all[a.Node()-from]
		}
	}
	return stemsFrom{m, from, all}
}

func (s stemsFrom) depends(node int) bool { return node >= s.from && s.reaches[node-s.from] }

// way is what a part of a value stems from.
type way uint8

const (
	wayHold   way = iota // not from the path
	wayPath              // from the path
	wayThen              // from its second or third operand, as the first one says
	wayInside            // from its operand
)

// of returns the way of a node.
func (s stemsFrom) of(node int) way {
	n := &s.m.Nodes[node]
	switch {
	case !s.depends(node):
		return wayHold
	case node == s.from:
		return wayPath
	case n.Op == syntax.Ite && !s.depends(n.Args[0].Node()):
		return wayThen
	case n.Op == syntax.Uext || n.Op == syntax.Sext || n.Op == syntax.Slice || n.Op == syntax.Not:
		return wayInside
	}
	return wayPath
}

// historyOf makes the next value of a history.
type historyOf struct {
	x                  *elaborator
	stems              stemsFrom
	isAddress, history circuit.Lit
	known              map[int]circuit.Lit
}

// next returns it for a value that a state is given.
func (h *historyOf) next(node int) (l circuit.Lit) {
	l, ok := h.known[node]
	if ok {
		return l
	}
	n := &h.x.m.Nodes[node]
	switch h.stems.of(node) {
	case wayHold:
		return h.history
	case wayPath:
		l = h.isAddress
	case wayThen:
		l = bits.Ite(h.x.b, h.x.arg(n, 0)[0], bit(h.next(n.Args[1].Node())), bit(h.next(n.Args[2].Node())))[0]
	case wayInside:
		l = h.next(n.Args[0].Node())
	}
	h.known[node] = l
	return l
}
