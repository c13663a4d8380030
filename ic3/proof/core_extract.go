package proof

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// extracted is the part of a circuit that the obligations of an invariant refer to, in the order
// of the circuit. It has the constraints of the circuit, at their positions, and reset functions
// iff the circuit has some: the obligations depend on that.
type extracted struct {
	circuit *circuit.Circuit
	vars    []circuit.Var               // of the circuit, in increasing order
	to      map[circuit.Var]circuit.Lit // what they became
	latches []int                       // positions in the circuit
}

func extract(c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant) *extracted {
	roots := obligations(c, bad, inv)
	if i := slices.IndexFunc(c.Latches(), circuit.Latch.HasFunction); i >= 0 {
		roots = append(roots, c.Latches()[i].Lit)
	}
	_, vars := reach(c, roots)
	slices.Sort(vars)
	x := &extracted{vars: vars, to: make(map[circuit.Var]circuit.Lit, len(vars))}
	b := circuit.NewBuilder(len(vars))
	for _, v := range vars {
		switch left, right, isGate := c.Operands(v); {
		case isGate:
			x.to[v] = b.And(x.lit(left), x.lit(right))
		case c.LatchIndex(v) >= 0:
			x.to[v] = b.Latch(0)
			x.latches = append(x.latches, c.LatchIndex(v))
		case v == 0:
			x.to[v] = circuit.False
		default:
			x.to[v] = b.Input(0)
		}
	}
	for _, i := range x.latches {
		l := c.Latches()[i]
		at := x.lit(l.Lit)
		if _, isThere := x.to[l.Next.Var()]; isThere { // else no obligation refers to it
			b.SetNext(at, x.lit(l.Next))
		} else {
			b.SetNext(at, at)
		}
		if l.IsFree() {
			b.SetReset(at, at)
		} else {
			b.SetReset(at, x.lit(l.Reset))
		}
	}
	for _, s := range c.Constraints() {
		b.Constraint(x.lit(s.Lit), 0)
	}
	x.circuit = b.Build()
	return x
}

func (x *extracted) lit(l circuit.Lit) circuit.Lit {
	if l.Var() == 0 {
		return l
	}
	return x.to[l.Var()].NotIf(l.IsNegated())
}

func (x *extracted) invariant(inv cert.Invariant) cert.Invariant {
	there := make(cert.Invariant, len(inv))
	for i, clause := range inv {
		for _, l := range clause {
			there[i] = append(there[i], x.lit(l))
		}
	}
	return there
}

// core returns a core of the part as one of the circuit.
func (x *extracted) core(found *Core, c *circuit.Circuit) *Core {
	k := *found
	k.Gates, k.Next, k.Reset = map[circuit.Var]bool{}, make([]bool, len(c.Latches())), make([]bool, len(c.Latches()))
	for _, v := range x.vars {
		if found.Gates[x.to[v].Var()] {
			k.Gates[v] = true
		}
	}
	for at, i := range x.latches {
		k.Next[i], k.Reset[i] = found.Next[at], found.Reset[at]
	}
	return &k
}
