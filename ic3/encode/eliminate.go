package encode

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// Limits of Eliminated.
const (
	maxUsers   = 8  // gates that read an eliminated one
	manyUsers  = 64 // a gate with more is kept for good
	maxLength  = 16 // literals of a clause
	maxClauses = 24 // of one definition
)

// Eliminated returns the definitions of the variables of c with those gates put
// into the definitions of their users for which the clauses do not become more:
// bounded variable elimination (Eén and Biere, SAT 2005) by resolution on
// definitions only. It finds wide conjunctions, multiplexers and exclusive ors
// without looking for them.
//
// Inputs, latches, next-state functions, bads and constraints keep their
// variables, and so do the literals of keep. An eliminated variable has no
// clauses and must not be asked for.
func Eliminated(c *circuit.Circuit, keep ...circuit.Lit) *sat.Definitions {
	d, _ := EliminatedContext(context.Background(), c, keep...) // which does not end
	return d
}

// pollEvery is the number of variables between two looks at the context.
const pollEvery = 1 << 10

// EliminatedContext is Eliminated until ctx ends, whose error it then returns: a
// million gates take seconds.
func EliminatedContext(ctx context.Context, c *circuit.Circuit, keep ...circuit.Lit) (*sat.Definitions, error) {
	e := newEliminator(ctx, c)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, l := range keep {
		e.kept[l.Var()] = true
	}
	for i := 1; i < c.NumVars(); i++ {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if v := circuit.Var(i); !e.kept[v] {
			e.try(v)
		}
	}
	d := sat.NewDefinitions(c.NumVars())
	for i := 1; i < c.NumVars(); i++ {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := circuit.Var(i)
		e.load(v, &e.own)
		d.Define(e.fanin(v, e.own), e.own...)
	}
	return d, nil
}

// eliminator holds the definitions while they change.
type eliminator struct {
	c    *circuit.Circuit
	kept []bool // never eliminated; its users are no longer followed
	gone []bool
	// changed[v] holds the clauses of a gate that is no longer a plain
	// conjunction of its operands.
	changed [][][]circuit.Lit
	users   [][]circuit.Var

	// Scratch, valid until the next use.
	own, other, result [][]circuit.Lit
	plain              [2][3][3]circuit.Lit
	operands           []circuit.Var
}

// newEliminator returns the definitions as they are. What it returns after the
// end of ctx is not complete.
func newEliminator(ctx context.Context, c *circuit.Circuit) *eliminator {
	n := c.NumVars()
	e := &eliminator{
		c:       c,
		kept:    make([]bool, n),
		gone:    make([]bool, n),
		changed: make([][][]circuit.Lit, n),
		users:   fanouts(ctx, c),
	}
	for v := range n {
		_, _, isGate := c.Operands(circuit.Var(v))
		e.kept[v] = !isGate || len(e.users[v]) > manyUsers
	}
	for _, l := range c.Latches() {
		e.kept[l.Next.Var()] = true
	}
	for _, s := range c.Bads() {
		e.kept[s.Lit.Var()] = true
	}
	for _, s := range c.Constraints() {
		e.kept[s.Lit.Var()] = true
	}
	return e
}

// fanouts returns by variable the gates that read it. Each list has no room to
// grow into its neighbour. After the end of ctx they are not complete.
func fanouts(ctx context.Context, c *circuit.Circuit) [][]circuit.Var {
	count := make([]int, c.NumVars())
	each := func(yield func(operand, gate circuit.Var)) {
		for i := 1; i < c.NumVars(); i++ {
			if i%pollEvery == 0 && ctx.Err() != nil {
				return
			}
			v := circuit.Var(i)
			if l, r, ok := c.Operands(v); ok {
				yield(l.Var(), v)
				yield(r.Var(), v)
			}
		}
	}
	total := 0
	each(func(operand, _ circuit.Var) { count[operand]++; total++ })
	all := make([]circuit.Var, total)
	users := make([][]circuit.Var, c.NumVars())
	for v, n := range count {
		users[v], all = all[:0:n], all[n:]
	}
	each(func(operand, gate circuit.Var) { users[operand] = append(users[operand], gate) })
	return users
}

// load puts the clauses of v into *into; those of a plain conjunction are built
// in the scratch that belongs to it.
func (e *eliminator) load(v circuit.Var, into *[][]circuit.Lit) {
	*into = (*into)[:0]
	l, r, isGate := e.c.Operands(v)
	switch {
	case !isGate || e.gone[v]:
	case e.changed[v] != nil:
		*into = append(*into, e.changed[v]...)
	default:
		plain := &e.plain[0]
		if into == &e.other {
			plain = &e.plain[1]
		}
		g := v.Lit()
		plain[0] = [3]circuit.Lit{g.Not(), l}
		plain[1] = [3]circuit.Lit{g.Not(), r}
		plain[2] = [3]circuit.Lit{g, l.Not(), r.Not()}
		*into = append(*into, plain[0][:2], plain[1][:2], plain[2][:])
	}
}

// fanin returns the variables in the clauses of v but v itself.
func (e *eliminator) fanin(v circuit.Var, clauses [][]circuit.Lit) []circuit.Var {
	e.operands = e.operands[:0]
	for _, c := range clauses {
		for _, l := range c {
			if w := l.Var(); w != v && !slices.Contains(e.operands, w) {
				e.operands = append(e.operands, w)
			}
		}
	}
	return e.operands
}

// try eliminates v if that does not make the clauses more.
func (e *eliminator) try(v circuit.Var) {
	users := e.users[v]
	if len(users) == 0 || len(users) > maxUsers {
		return
	}
	e.load(v, &e.own)
	room := len(e.own)
	if room > maxClauses {
		return
	}
	replaced := make([][][]circuit.Lit, len(users))
	for i, u := range users {
		e.load(u, &e.other)
		if !e.substitute(v, u) {
			return
		}
		if room += len(e.other) - len(e.result); room < 0 {
			return
		}
		replaced[i] = slices.Clone(e.result)
	}
	operands := e.fanin(v, e.own)
	for i, u := range users {
		e.changed[u] = replaced[i]
		for _, w := range operands {
			if e.kept[w] || slices.Contains(e.users[w], u) {
				continue
			}
			e.users[w] = append(e.users[w], u)
			e.kept[w] = len(e.users[w]) > manyUsers
		}
	}
	for _, w := range operands {
		if e.kept[w] {
			continue
		}
		if i := slices.Index(e.users[w], v); i >= 0 {
			e.users[w] = slices.Delete(e.users[w], i, i+1)
		}
	}
	e.gone[v] = true
	e.changed[v], e.users[v] = nil, nil
}

// substitute puts into e.result the clauses of e.other, which define u, with v
// resolved away by those of e.own, which define v. It reports whether they are
// within the limits.
func (e *eliminator) substitute(v, u circuit.Var) bool {
	e.result = e.result[:0]
	for _, c := range e.other {
		i := slices.IndexFunc(c, func(l circuit.Lit) bool { return l.Var() == v })
		if i < 0 {
			e.result = append(e.result, slices.Clone(c))
			continue
		}
		for _, d := range e.own {
			r := resolve(c, d, c[i])
			if r == nil {
				continue
			}
			if len(r) > maxLength {
				return false
			}
			e.add(r)
			if len(e.result) > maxClauses {
				return false
			}
		}
	}
	return true
}

// add adds a clause to the result, unless one there implies it, and drops those
// that it implies.
func (e *eliminator) add(c []circuit.Lit) {
	for _, d := range e.result {
		if includes(c, d) {
			return
		}
	}
	e.result = slices.DeleteFunc(e.result, func(d []circuit.Lit) bool { return includes(d, c) })
	e.result = append(e.result, c)
}

// includes reports whether every literal of sub is in c.
func includes(c, sub []circuit.Lit) bool {
	if len(sub) > len(c) {
		return false
	}
	for _, l := range sub {
		if !slices.Contains(c, l) {
			return false
		}
	}
	return true
}

// resolve returns the resolvent of c and d on the literal p of c; nil when d
// does not hold ¬p, or the resolvent is a tautology.
func resolve(c, d []circuit.Lit, p circuit.Lit) []circuit.Lit {
	if !slices.Contains(d, p.Not()) {
		return nil
	}
	r := make([]circuit.Lit, 0, len(c)+len(d)-2)
	for _, l := range c {
		if l != p {
			r = append(r, l)
		}
	}
	for _, l := range d {
		switch {
		case l == p.Not() || slices.Contains(r, l):
		case slices.Contains(r, l.Not()):
			return nil
		default:
			r = append(r, l)
		}
	}
	return r
}
