// Package bdd holds Boolean functions as reduced ordered binary decision diagrams: Bryant,
// "Graph-Based Algorithms for Boolean Function Manipulation" (IEEE TC 1986), with
// complemented edges, a unique table and a computed cache as in Brace, Rudell and Bryant,
// "Efficient Implementation of a BDD Package" (DAC 1990).
//
// A Store has a bounded number of nodes and counts its steps. It knows no circuit and
// no clock.
package bdd

import (
	"errors"
	"fmt"
)

// Ref is a function of a store: the position of a node·2, plus 1 for its negation.
type Ref uint32

// The constant functions.
const (
	False Ref = 0
	True  Ref = 1
)

// Not returns the negation.
func (f Ref) Not() Ref { return f ^ 1 }

// NotIf returns the negation when cond holds, else f itself.
func (f Ref) NotIf(cond bool) Ref {
	if cond {
		return f ^ 1
	}
	return f
}

func (f Ref) isNegated() bool { return f&1 == 1 }

// node is a decision. Its low is never negated, so that each function has one node. Node
// 0 is the constant False.
type node struct {
	variable  uint32
	low, high Ref
	next      uint32 // in the chain of its table, or of the free nodes; 0 ends both
}

// table holds the nodes that decide one variable.
type table struct {
	chains []uint32 // by hash; their number is a power of two
	count  int
}

// Store holds functions over variables 0, 1, … Functions of different stores do not
// mix.
//
// Its operations run in Try only, which ends them when there are too many nodes.
type Store struct {
	nodes  []node
	tables []table
	levels []uint32 // by variable, and then that of the constants, the lowest one
	order  []int    // by level: its variable
	free   uint32
	live   int // nodes in the tables
	most   int // bound of live

	cache  []entry
	steps  int64
	pollAt int64 // the steps at which poll is called next
	poll   func() error
}

// entry is a result that is known.
type entry struct{ f, g, h, result Ref }

// Operations, in the upper bits of entry.f. So there are at most 1<<27 nodes.
const (
	opAnd Ref = iota << 28
	opXor
	opExists
	opRename
)

const (
	firstChains = 4
	firstCache  = 1 << 12
	maxCache    = 1 << 21
	// pollEvery is the number of steps between two calls of poll.
	pollEvery = 1 << 12
)

// ErrNodes says that there would be more nodes than allowed.
var ErrNodes = errors.New("too many nodes")

// New returns a store of as many variables as order holds, which lists them from the
// top, with a bound on its nodes. It calls poll now and then; an error ends the operations.
func New(order []int, most int, poll func() error) *Store {
	n := len(order)
	d := &Store{
		nodes:  []node{{variable: uint32(n)}},
		tables: make([]table, n),
		levels: make([]uint32, n+1),
		order:  append([]int(nil), order...),
		most:   most,
		cache:  make([]entry, firstCache),
		poll:   poll,
	}
	for level, v := range order {
		d.levels[v] = uint32(level)
		d.tables[v].chains = make([]uint32, firstChains)
	}
	d.levels[n] = uint32(n)
	return d
}

// Steps returns what was done so far: about as many look-ups as that.
func (d *Store) Steps() int64 { return d.steps }

// Nodes returns the number of nodes, those included that no function needs any more.
func (d *Store) Nodes() int { return d.live }

// stopped is what an operation panics with, for Try.
type stopped struct{ err error }

// Try runs operations until they are done or must end: with ErrNodes, or with what poll
// has returned. Functions that were known before stay valid.
func (d *Store) Try(operations func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stopped)
			if !ok {
				panic(r)
			}
			err = s.err
		}
	}()
	operations()
	return nil
}

// step counts a step, and asks poll when it is time. Everything is in order then.
func (d *Store) step() {
	if d.steps++; d.steps >= d.pollAt {
		d.Poll()
	}
}

// Spend counts steps of work on the functions that is done elsewhere.
func (d *Store) Spend(steps int) {
	d.steps += int64(steps)
	d.step()
}

// Poll asks poll, and ends Try when it returns an error.
func (d *Store) Poll() {
	d.pollAt = d.steps + pollEvery
	if err := d.poll(); err != nil {
		panic(stopped{err})
	}
}

// Var returns the function that is the value of a variable.
func (d *Store) Var(v int) Ref { return d.make(v, False, True) }

// make returns the function that is low where v is 0, and high where it is 1. Both depend
// on variables of lower levels only.
func (d *Store) make(v int, low, high Ref) Ref {
	if low == high {
		return low
	}
	negate := low & 1
	low, high = low^negate, high^negate
	t := &d.tables[v]
	chain := &t.chains[hash(low, high, 0)&uint32(len(t.chains)-1)]
	for i := *chain; i != 0; i = d.nodes[i].next {
		if n := &d.nodes[i]; n.low == low && n.high == high {
			return Ref(i)<<1 | negate
		}
	}
	i := d.newNode()
	d.nodes[i] = node{uint32(v), low, high, *chain}
	*chain = i
	if t.count++; t.count > 2*len(t.chains) {
		d.grow(t)
	}
	return Ref(i)<<1 | negate
}

func (d *Store) newNode() uint32 {
	if d.live >= d.most {
		panic(stopped{fmt.Errorf("%w: %d", ErrNodes, d.most)})
	}
	d.live++
	if d.live > len(d.cache) && len(d.cache) < maxCache {
		d.cache = make([]entry, 2*len(d.cache))
	}
	if i := d.free; i != 0 {
		d.free = d.nodes[i].next
		return i
	}
	d.nodes = append(d.nodes, node{})
	return uint32(len(d.nodes) - 1)
}

// grow doubles the chains of a table.
func (d *Store) grow(t *table) {
	old := t.chains
	t.chains = make([]uint32, 2*len(old))
	for _, i := range old {
		for i != 0 {
			next := d.nodes[i].next
			d.link(t, i)
			i = next
		}
	}
}

// link puts a node into a chain of its table.
func (d *Store) link(t *table, i uint32) {
	n := &d.nodes[i]
	chain := &t.chains[hash(n.low, n.high, 0)&uint32(len(t.chains)-1)]
	n.next, *chain = *chain, i
}

func hash(f, g, h Ref) uint32 {
	x := uint64(f)*0x9e3779b97f4a7c15 ^ uint64(g)*0xc2b2ae3d27d4eb4f ^ uint64(h)*0x165667b19e3779f9
	return uint32(x >> 32)
}

// known returns the result of an operation, if it is in the cache.
func (d *Store) known(f, g, h Ref) (result Ref, ok bool) {
	d.step()
	e := &d.cache[hash(f, g, h)&uint32(len(d.cache)-1)]
	return e.result, e.f == f && e.g == g && e.h == h
}

// keep enters a result into the cache, and returns it.
func (d *Store) keep(f, g, h, result Ref) Ref {
	d.cache[hash(f, g, h)&uint32(len(d.cache)-1)] = entry{f, g, h, result}
	return result
}

// top returns the variable that f decides first, and its level.
func (d *Store) top(f Ref) (v int, level uint32) {
	v = int(d.nodes[f>>1].variable)
	return v, d.levels[v]
}

// children returns f where its first variable is 0 and where it is 1.
func (d *Store) children(f Ref) (low, high Ref) {
	n := &d.nodes[f>>1]
	return n.low ^ f&1, n.high ^ f&1
}

// split returns the first variable of two functions, its level, and both where it is 0
// and 1.
func (d *Store) split(f, g Ref) (v int, level uint32, f0, f1, g0, g1 Ref) {
	v, level = d.top(f)
	w, lower := d.top(g)
	f0, f1, g0, g1 = f, f, g, g
	if level <= lower {
		f0, f1 = d.children(f)
	}
	if lower <= level {
		g0, g1 = d.children(g)
	}
	if lower < level {
		return w, lower, f0, f1, g0, g1
	}
	return v, level, f0, f1, g0, g1
}

// And returns f ∧ g.
func (d *Store) And(f, g Ref) Ref {
	switch {
	case f == False || g == False || f == g.Not():
		return False
	case f == True || f == g:
		return g
	case g == True:
		return f
	}
	if f > g {
		f, g = g, f
	}
	if result, ok := d.known(f|opAnd, g, 0); ok {
		return result
	}
	v, _, f0, f1, g0, g1 := d.split(f, g)
	return d.keep(f|opAnd, g, 0, d.make(v, d.And(f0, g0), d.And(f1, g1)))
}

// Or returns f ∨ g.
func (d *Store) Or(f, g Ref) Ref { return d.And(f.Not(), g.Not()).Not() }

// Xor returns f ≠ g.
func (d *Store) Xor(f, g Ref) Ref {
	negate := (f ^ g) & 1
	f, g = f&^1, g&^1
	switch {
	case f == g:
		return negate
	case f == False:
		return g ^ negate
	case g == False:
		return f ^ negate
	}
	if f > g {
		f, g = g, f
	}
	if result, ok := d.known(f|opXor, g, 0); ok {
		return result ^ negate
	}
	v, _, f0, f1, g0, g1 := d.split(f, g)
	return d.keep(f|opXor, g, 0, d.make(v, d.Xor(f0, g0), d.Xor(f1, g1))) ^ negate
}

// Cube returns the conjunction of variables.
func (d *Store) Cube(variables []int) Ref {
	f := True
	for _, v := range variables {
		f = d.And(f, d.Var(v))
	}
	return f
}

// AndExists returns ∃ cube: f ∧ g, the relational product, for a conjunction of variables:
// Burch, Clarke, Long, McMillan and Dill, "Symbolic Model Checking for Sequential Circuit
// Verification" (IEEE TCAD 1994).
func (d *Store) AndExists(f, g, cube Ref) Ref {
	switch {
	case f == False || g == False || f == g.Not():
		return False
	case f == True && g == True:
		return True
	case f > g:
		f, g = g, f
	}
	_, level := d.top(f)
	_, lower := d.top(g)
	for cube != True {
		if _, at := d.top(cube); at >= min(level, lower) {
			break
		}
		_, cube = d.children(cube)
	}
	if cube == True {
		return d.And(f, g)
	}
	if result, ok := d.known(f|opExists, g, cube); ok {
		return result
	}
	v, at, f0, f1, g0, g1 := d.split(f, g)
	result := False
	if _, quantified := d.top(cube); quantified != at {
		result = d.make(v, d.AndExists(f0, g0, cube), d.AndExists(f1, g1, cube))
	} else {
		_, rest := d.children(cube)
		if result = d.AndExists(f0, g0, rest); result != True {
			result = d.Or(result, d.AndExists(f1, g1, rest))
		}
	}
	return d.keep(f|opExists, g, cube, result)
}

// Exists returns ∃ cube: f.
func (d *Store) Exists(f, cube Ref) Ref { return d.AndExists(f, True, cube) }

// Rename replaces variables by others, of which f has none: v by to[v]. A store has one
// such list, which is always the same.
func (d *Store) Rename(f Ref, to []int) Ref {
	if f <= True {
		return f
	}
	if f.isNegated() {
		return d.Rename(f.Not(), to).Not()
	}
	if result, ok := d.known(f|opRename, 0, 0); ok {
		return result
	}
	v, _ := d.top(f)
	low, high := d.children(f)
	return d.keep(f|opRename, 0, 0, d.choose(to[v], d.Rename(low, to), d.Rename(high, to)))
}

// choose is make for functions of any variables.
func (d *Store) choose(v int, low, high Ref) Ref {
	_, level := d.top(low)
	_, lower := d.top(high)
	if d.levels[v] < min(level, lower) {
		return d.make(v, low, high)
	}
	x := d.Var(v)
	return d.Or(d.And(x, high), d.And(x.Not(), low))
}
