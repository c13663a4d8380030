package cert

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
)

// FindMerges looks for gates of a circuit that are equal. The error is that of ctx.
type FindMerges func(ctx context.Context, c *circuit.Circuit) ([]Merge, error)

// mergesAfter returns after how many ticks of gini gates that are equal are merged. A tick takes 1.3 to 4 ms, and
// finding the gates some 10 µs for each variable. So a check that ends soon never pays for it.
func mergesAfter(variables int) int { return 4 + variables/100 }

// assumed is one step from the states of an invariant: the part of a circuit that its obligations refer to, with
// latches merged that are equal in all of these states, so that gates become equal that read the one or the other.
type assumed struct {
	circuit *circuit.Circuit // its only bad is that of the property
	states  Invariant
}

// assume returns a step of c from the states of an invariant. It costs what that part of c does.
func assume(c *circuit.Circuit, bad circuit.Lit, inv Invariant) *assumed {
	roots := []circuit.Lit{bad}
	for _, s := range c.Constraints() {
		roots = append(roots, s.Lit)
	}
	for _, clause := range inv {
		for _, l := range clause {
			roots = append(roots, l, c.Latches()[c.LatchIndex(l.Var())].Next)
		}
	}
	vars, equals := inCone(c, roots), equalLatches(inv)
	b := circuit.NewBuilder(len(vars))
	own, read := circuit.NewTable[circuit.Lit](c), circuit.NewTable[circuit.Lit](c)
	lit := func(l circuit.Lit) circuit.Lit { return read.At(l.Var()).NotIf(l.IsNegated()) }
	for _, v := range vars {
		switch left, right, isGate := c.Operands(v); {
		case isGate:
			read.Set(v, b.And(lit(left), lit(right)))
		case c.Kind(v) == circuit.KindInput:
			read.Set(v, b.Input(0))
		case c.Kind(v) == circuit.KindLatch:
			own.Set(v, b.Latch(0))
			if to, ok := equals[v]; ok {
				read.Set(v, lit(to))
			} else {
				read.Set(v, own.At(v))
			}
		}
	}
	for _, v := range vars {
		// That of a latch in no clause may be none of vars. It becomes a constant, which no obligation reads.
		if i := c.LatchIndex(v); i >= 0 {
			b.SetNext(own.At(v), lit(c.Latches()[i].Next))
		}
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	b.Bad(lit(bad), 0)
	return &assumed{b.Build(), mapped(inv, func(l circuit.Lit) circuit.Lit { return own.At(l.Var()).NotIf(l.IsNegated()) })}
}

// mapped returns clauses with each literal replaced.
func mapped(clauses Invariant, to func(circuit.Lit) circuit.Lit) Invariant {
	out := make(Invariant, len(clauses))
	for i, clause := range clauses {
		out[i] = make([]circuit.Lit, len(clause))
		for j, l := range clause {
			out[i][j] = to(l)
		}
	}
	return out
}

// inCone returns, in ascending order, what literals depend on within one step, themselves included. It costs what
// the cone does, and cone what the circuit does.
func inCone(c *circuit.Circuit, of []circuit.Lit) []circuit.Var {
	var vars []circuit.Var
	isIn := circuit.NewTable[bool](c)
	add := func(l circuit.Lit) {
		if !isIn.At(l.Var()) {
			isIn.Set(l.Var(), true)
			vars = append(vars, l.Var())
		}
	}
	for _, l := range of {
		add(l)
	}
	for i := 0; i < len(vars); i++ {
		if left, right, isGate := c.Operands(vars[i]); isGate {
			add(left)
			add(right)
		}
	}
	slices.Sort(vars)
	return vars
}

// on returns the same states of another circuit, whose latches have the same positions.
func (a *assumed) on(c *circuit.Circuit) *assumed {
	return &assumed{c, mapped(a.states, func(l circuit.Lit) circuit.Lit {
		return c.Latches()[a.circuit.LatchIndex(l.Var())].Lit.NotIf(l.IsNegated())
	})}
}

// obligations returns what holds of each step, if the invariant is one: Inv′, and as the last clause ¬bad.
func (a *assumed) obligations() Invariant {
	return append(primed(a.circuit, a.states), []circuit.Lit{a.circuit.Bads()[0].Lit.Not()})
}

// firstViolated returns the position of the first obligation that some step violates, or −1. A check
// that takes long has find look for gates that are equal, and goes on with them merged.
func (a *assumed) firstViolated(ctx context.Context, find FindMerges) (int, error) {
	k, err := newChecker(ctx, a.circuit, a.states)
	if err != nil {
		return -1, err
	}
	if find != nil {
		k.ticksLeft = mergesAfter(a.circuit.NumVars())
	}
	at, err := k.firstViolated(ctx, a.obligations())
	if !errors.Is(err, errTicks) {
		return at, err
	}
	merged, err := a.merged(ctx, find)
	if err != nil {
		return -1, err
	}
	return merged.firstViolatedFrom(ctx, at)
}

// firstViolatedFrom is firstViolated for the obligations from a position on.
func (a *assumed) firstViolatedFrom(ctx context.Context, at int) (int, error) {
	k, err := newChecker(ctx, a.circuit, a.states)
	if err != nil {
		return -1, err
	}
	i, err := k.firstViolated(ctx, a.obligations()[at:])
	if i >= 0 {
		i += at
	}
	return i, err
}

// merged returns the same with gates merged that find has found to be equal. A proof of this that shows nothing is
// a fault of find, not of the invariant: then nothing is merged.
func (a *assumed) merged(ctx context.Context, find FindMerges) (*assumed, error) {
	found, err := find(ctx, a.circuit)
	if err != nil {
		return nil, err
	}
	c, err := Merged(ctx, a.circuit, found)
	if _, isRejected := errors.AsType[*RejectedError](err); isRejected {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	return a.on(c), nil
}

// equalLatches returns, by latch, the literal of a lower variable that it is equal to in all states of an
// invariant, as clauses of one and two literals say.
func equalLatches(inv Invariant) map[circuit.Var]circuit.Lit {
	equals := map[circuit.Var]circuit.Lit{}
	find := func(l circuit.Lit) circuit.Lit {
		root := l
		for to, ok := equals[l.Var()]; ok; to, ok = equals[root.Var()] {
			root = to.NotIf(root.IsNegated())
		}
		for l.Var() != root.Var() { // the next search takes one step
			to := equals[l.Var()]
			equals[l.Var()] = root.NotIf(l.IsNegated())
			l = to.NotIf(l.IsNegated())
		}
		return root
	}
	equate := func(l, m circuit.Lit) {
		l, m = find(l), find(m)
		if l.Var() < m.Var() {
			l, m = m, l
		}
		if l.Var() != m.Var() {
			equals[l.Var()] = m.NotIf(l.IsNegated())
		}
	}
	implied := map[[2]circuit.Lit]bool{} // clauses of two literals, the smaller one first
	for _, clause := range inv {
		switch len(clause) {
		case 1:
			equate(clause[0], circuit.True)
		case 2:
			l, m := min(clause[0], clause[1]), max(clause[0], clause[1])
			implied[[2]circuit.Lit{l, m}] = true
			if implied[[2]circuit.Lit{min(l.Not(), m.Not()), max(l.Not(), m.Not())}] {
				equate(l, m.Not())
			}
		}
	}
	return equals
}
