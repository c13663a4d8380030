// Package term holds terms and formulas of linear arithmetic over Bool, Int and Real.
//
// Terms are hash-consed: in one Pool, equal terms are the same Term. The constructors simplify while they build, so
// that linear arithmetic has one form:
//
//   - a sum is Σ cᵢ·tᵢ + c with cᵢ ≠ 0 and each tᵢ a variable, an ite, a div or mod, or a to_real of one of these;
//   - a comparison is Σ cᵢ·tᵢ + c ≤ 0, < 0 or = 0, where the cᵢ are integers without a common divisor and the first
//     is positive: the other direction is a negation. Over integers c is an integer, and there is no <. So an atom
//     and its negation are one term and OpNot of it.
//
// What does not fit is expanded (distinct, xor, implications, abs) or refused by the caller (products of variables).
// The package knows no text and no places; package horn says what a predicate is.
package term

import (
	"maps"
	"slices"

	"aiglens/horn/rational"
)

// Rat is a rational number.
type Rat = rational.Rat

// Sort is the sort of a term.
type Sort uint8

// The sorts.
const (
	NoSort Sort = iota
	Bool
	Int
	Real
)

func (s Sort) String() string { return [...]string{"?", "Bool", "Int", "Real"}[s] }

// IsNumber reports whether terms of the sort are numbers.
func (s Sort) IsNumber() bool { return s == Int || s == Real }

// Term is a term or formula in a Pool. It has meaning only with its pool, and with pools cloned from that later.
type Term int32

// The terms that each pool has.
const (
	None  Term = iota // no term
	False             // of sort Bool
	True
)

// Op says what a term is made of.
type Op uint8

// The kinds of terms, with their arguments. A comparison or sum has the arguments tᵢ with the coefficients that
// Linear returns.
const (
	NoOp     Op = iota
	OpConst     // False or True; no arguments
	OpVar       // a variable: Name; no arguments
	OpSum       // Int, Real: Σ cᵢ·tᵢ + c; a number is a sum without arguments
	OpLe        // Bool: Σ cᵢ·tᵢ + c ≤ 0
	OpLt        // Bool: Σ cᵢ·tᵢ + c < 0, of reals
	OpEq        // Bool: Σ cᵢ·tᵢ + c = 0
	OpNot       // Bool: one argument
	OpAnd       // Bool: two or more arguments, in the order in which they were written
	OpOr        // Bool: two or more arguments
	OpIff       // Bool: two arguments are equal
	OpIte       // any sort: condition, then, else
	OpDiv       // Int: ⌊t/d⌋ for the constant d = Divisor ≥ 2
	OpMod       // Int: t - d·⌊t/d⌋
	OpToReal    // Real: a variable, ite, div or mod of sort Int
	OpApply     // Bool: a predicate (Pred) of its arguments
	OpForall    // Bool: the arguments are variables, but for the last, which is the body
	OpExists
)

// node is what a pool keeps of a term.
type node struct {
	op    Op
	sort  Sort
	name  string // of a variable
	args  []Term
	coefs []Rat // of a sum or comparison: one for each argument
	// number is the constant of a sum or comparison, the divisor of a div or mod.
	number Rat
	pred   int  // of an application
	next   Term // another one with the same hash, or None
}

// Pool makes terms. It is not safe for concurrent use while terms are made. A holder of a shared
// pool that needs terms of its own takes a clone: all terms of the pool mean the same there.
type Pool struct {
	nodes []node
	table map[uint64]Term // by the hash of the node: the last one, from which next leads to others
	fresh int             // variables made by Fresh
}

// NewPool returns a pool with the terms that each pool has.
func NewPool() *Pool {
	p := &Pool{nodes: make([]node, 1, 64), table: map[uint64]Term{}}
	p.make(node{op: OpConst, sort: Bool})
	p.make(node{op: OpConst, sort: Bool, number: rational.One})
	return p
}

// Clone returns a pool with the same terms. The two then grow apart.
func (p *Pool) Clone() *Pool {
	return &Pool{slices.Clone(p.nodes), maps.Clone(p.table), p.fresh}
}

// Len returns the number of terms plus one: each term is below it.
func (p *Pool) Len() int { return len(p.nodes) }

// make returns the term of a node, which keeps the slices.
func (p *Pool) make(n node) Term {
	h := n.hash()
	n.next = p.table[h]
	for t := n.next; t != None; t = p.nodes[t].next {
		if p.nodes[t].equal(&n) {
			return t
		}
	}
	t := Term(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.table[h] = t
	return t
}

// hash returns a number that is the same for equal nodes.
func (n *node) hash() uint64 {
	const prime = 1099511628211 // FNV-1a, with words in the place of bytes
	h := uint64(14695981039346656037)
	mix := func(x uint64) { h = (h ^ x ^ x>>29) * prime }
	mix(uint64(n.op)<<8 | uint64(n.sort))
	mix(uint64(n.pred))
	for i := range len(n.name) {
		mix(uint64(n.name[i]))
	}
	for _, t := range n.args {
		mix(uint64(t))
	}
	for _, c := range n.coefs {
		mix(c.Hash())
	}
	mix(n.number.Hash())
	return h
}

func (n *node) equal(m *node) bool {
	return n.op == m.op && n.sort == m.sort && n.pred == m.pred && n.name == m.name && n.number.Equal(m.number) &&
		slices.Equal(n.args, m.args) && slices.EqualFunc(n.coefs, m.coefs, Rat.Equal)
}

// Op returns what a term is made of.
func (p *Pool) Op(t Term) Op { return p.nodes[t].op }

// SortOf returns the sort of a term.
func (p *Pool) SortOf(t Term) Sort { return p.nodes[t].sort }

// Args returns the arguments of a term; they must not be changed.
func (p *Pool) Args(t Term) []Term { return p.nodes[t].args }

// Name returns the name of a variable.
func (p *Pool) Name(t Term) string { return p.nodes[t].name }

// Pred returns the number of the predicate that is applied.
func (p *Pool) Pred(t Term) int { return p.nodes[t].pred }

// Divisor returns the d of a div or mod: an integer of at least 2.
func (p *Pool) Divisor(t Term) Rat { return p.nodes[t].number }

// Number returns the value of a term that is a number.
func (p *Pool) Number(t Term) (r Rat, ok bool) {
	n := &p.nodes[t]
	return n.number, n.op == OpSum && len(n.args) == 0
}

// Linear is Σ Coefs[i]·Terms[i] + Const. The terms are all Int or all Real, ascending, and neither sums nor numbers;
// no coefficient is 0. Its slices must not be changed.
type Linear struct {
	Terms []Term
	Coefs []Rat
	Const Rat
}

// LinearOf returns a number as a linear sum; of a comparison, what it compares with 0.
func (p *Pool) LinearOf(t Term) Linear {
	switch n := &p.nodes[t]; n.op {
	case OpSum, OpLe, OpLt, OpEq:
		return Linear{n.args, n.coefs, n.number}
	}
	return Linear{[]Term{t}, one, rational.Zero}
}
