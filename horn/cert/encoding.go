package cert

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"aiglens/horn/cert/linear"
)

// encoding turns formulas into clauses of gini, over literals for comparisons of sums.
//
// Every number is a sum of variables: those of the clause, and one for each ite and each
// division, which has a definition. A comparison becomes s ≤ k or s < k for a sum s whose
// first coefficient is positive, and the bounds of one sum imply each other in their order.
type encoding struct {
	g    *gini.Gini
	true z.Lit
	// gates has the literals whose conjunction a literal of gini is.
	gates map[z.Lit][]z.Lit
	// conjunctions has the gates by their literals, and shared what ite and divisions are by
	// what they are of. So formulas of several scopes share them.
	conjunctions map[string]z.Lit
	shared       map[string]number
	// integer says of each variable for numbers whether it is an integer.
	integer []bool
	// definitions has what must hold for a variable, by variable.
	definitions [][]z.Lit
	sums        map[string][]*bound // by the sum, in the order of the bounds
	bounds      map[z.Lit]*bound
	rounds      int // assignments of gini so far
}

func newEncoding() *encoding {
	e := &encoding{
		g: gini.NewVc(64, 256), gates: map[z.Lit][]z.Lit{},
		conjunctions: map[string]z.Lit{}, shared: map[string]number{},
		sums: map[string][]*bound{}, bounds: map[z.Lit]*bound{},
	}
	e.true = e.g.Lit()
	e.clause(e.true)
	return e
}

func (e *encoding) clause(ms ...z.Lit) {
	for _, m := range ms {
		e.g.Add(m)
	}
	e.g.Add(z.LitNull)
}

// and returns a literal that is the conjunction of others.
func (e *encoding) and(ms ...z.Lit) z.Lit {
	ms = slices.DeleteFunc(slices.Clone(ms), func(m z.Lit) bool { return m == e.true })
	switch {
	case len(ms) == 0:
		return e.true
	case slices.Contains(ms, e.true.Not()):
		return e.true.Not()
	case len(ms) == 1:
		return ms[0]
	}
	slices.Sort(ms)
	ms = slices.Compact(ms)
	key := fmt.Sprint(ms)
	if all, ok := e.conjunctions[key]; ok {
		return all
	}
	all := e.g.Lit()
	e.gates[all], e.conjunctions[key] = ms, all
	some := []z.Lit{all}
	for _, m := range ms {
		e.clause(all.Not(), m)
		some = append(some, m.Not())
	}
	e.clause(some...)
	return all
}

// or returns a literal that is the disjunction of others.
func (e *encoding) or(ms ...z.Lit) z.Lit {
	negated := make([]z.Lit, len(ms))
	for i, m := range ms {
		negated[i] = m.Not()
	}
	return e.and(negated...).Not()
}

// ite returns a literal that is a if c holds, else b.
func (e *encoding) ite(c, a, b z.Lit) z.Lit { return e.and(e.or(c.Not(), a), e.or(c, b)) }

// variable returns a new variable for numbers.
func (e *encoding) variable(integer bool) number {
	e.integer = append(e.integer, integer)
	e.definitions = append(e.definitions, nil)
	v := len(e.integer) - 1
	return number{[]linear.Monomial{{Var: v, Coef: big.NewRat(1, 1)}}, new(big.Rat)}
}

// once returns the number that a key describes, which is made when it is asked for first.
func (e *encoding) once(key string, make func() number) number {
	x, ok := e.shared[key]
	if !ok {
		x = make()
		e.shared[key] = x
	}
	return x
}

// define adds what must hold for a variable that has been returned by variable. Each has a
// value with which it holds, whatever the values of the others are.
func (e *encoding) define(x number, must z.Lit) {
	v := x.sum[0].Var
	e.definitions[v] = append(e.definitions[v], must)
	e.clause(must)
}
