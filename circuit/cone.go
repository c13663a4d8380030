package circuit

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
)

// Cone is the part of a circuit that one property depends on, as a problem of its
// own.
type Cone struct {
	// Problem has the cone alone for its circuit, numbered in a canonical order:
	// the cones of the property, of the constraints and, for a question of
	// liveness, of the fairness conditions, depth first, latches followed by the
	// cones of their next-state and reset literals. Its elements keep their Origin.
	Problem
	// Inputs and Latches give, for each input and latch of Circuit, its
	// position in the circuit that the cone was taken from.
	Inputs, Latches []int
	// Fingerprint is that of Problem; of an abstraction, with that of the design: see Original.
	Fingerprint Fingerprint
	lits        []Lit // by variable of Circuit: the literal it came from
}

// ErrNoProperty is returned for a property that does not exist.
var ErrNoProperty = errors.New("the circuit has no such property")

// ErrNoBad is returned for a property that has no bad literal: a justice
// property, or one that does not exist.
var ErrNoBad = errors.New("not a property with a bad-state literal")

// Cone returns the cone of a property together with all constraints and their
// cones: a constraint that shares nothing with the property can still make a step
// impossible.
func (c *Circuit) Cone(p Property) (*Cone, error) {
	return c.ConeContext(context.Background(), p)
}

// ConeContext is Cone until ctx ends, whose error it then returns.
func (c *Circuit) ConeContext(ctx context.Context, p Property) (*Cone, error) {
	lits, ok := c.property(p)
	if !ok {
		return nil, ErrNoProperty
	}
	x := coneBuilder{ctx: ctx, c: c, b: NewBuilder(64), to: NewTable[Lit](c), cone: &Cone{lits: []Lit{False}}}
	x.to.Set(0, ^False)
	x.cone.Question = p.Kind.Question()
	property, constraints := x.all(lits), x.signals(c.constraints)
	var fairness []Signal
	if x.cone.Question == Liveness {
		fairness = x.signals(c.fairness)
	}
	// The list of latches grows while their next-state cones are added.
	for i := 0; i < len(x.cone.Latches); i++ {
		l := c.latches[x.cone.Latches[i]]
		to := x.at(l.Lit.Var())
		x.b.SetNext(to, x.lit(l.Next))
		x.b.SetReset(to, x.lit(l.Reset))
	}
	if x.err != nil {
		return nil, x.err
	}
	if x.cone.Question == Liveness {
		x.b.Justice(property, c.justice[p.Index].Origin)
	} else {
		s, _ := c.asked(p)
		x.b.Bad(property[0], s.Origin)
	}
	for _, s := range constraints {
		x.b.Constraint(s.Lit, s.Origin)
	}
	for _, s := range fairness {
		x.b.Fairness(s.Lit, s.Origin)
	}
	x.cone.Circuit = x.b.Build()
	x.cone.Fingerprint = x.cone.Problem.fingerprint()
	if o := OriginalOf(c, p); o != nil {
		of := o.Fingerprint(p)
		x.cone.Fingerprint = sha256.Sum256(append(x.cone.Fingerprint[:], of[:]...))
	}
	return x.cone, nil
}

// Whole returns a circuit as a cone of itself, which is that of no property: it asks nothing,
// and has no fingerprint.
func (c *Circuit) Whole() *Cone {
	k := &Cone{Problem: Problem{Circuit: c}, Inputs: make([]int, len(c.inputs)), Latches: make([]int, len(c.latches)), lits: make([]Lit, c.NumVars())}
	for i := range k.Inputs {
		k.Inputs[i] = i
	}
	for i := range k.Latches {
		k.Latches[i] = i
	}
	for v := range k.lits {
		k.lits[v] = Var(v).Lit()
	}
	return k
}

// property returns the literals of a property; ok is false when there is none.
func (c *Circuit) property(p Property) (lits []Lit, ok bool) {
	if p.Kind == PropertyJustice {
		if p.Index < 0 || p.Index >= len(c.justice) {
			return nil, false
		}
		return c.justice[p.Index].Lits, true
	}
	bad, ok := c.Bad(p)
	return []Lit{bad}, ok
}

// ConeRoots returns the literals whose cones, through latches, make that of a property: its own, the constraints, and
// of a liveness property the fairness conditions; none for a property that does not exist.
func ConeRoots(c *Circuit, p Property) []Lit {
	lits, ok := c.property(p)
	if !ok {
		return nil
	}
	all := slices.Clone(lits)
	for _, s := range c.constraints {
		all = append(all, s.Lit)
	}
	if p.Kind.Question() == Liveness {
		for _, s := range c.fairness {
			all = append(all, s.Lit)
		}
	}
	return all
}

// LitFrom returns the literal of the original circuit that a literal of the
// cone stands for.
func (k *Cone) LitFrom(l Lit) Lit { return k.lits[l.Var()].NotIf(l.IsNegated()) }

const unset = ^Lit(0)

// pollEvery is the number of visits of variables between two looks at the context.
const pollEvery = 1 << 12

type coneBuilder struct {
	ctx  context.Context
	err  error // of ctx: what was copied is not complete
	c    *Circuit
	b    *Builder
	to   *Table[Lit] // by variable of c: the complement of its literal in the cone, 0 for unset
	cone *Cone
	todo []Var
	// looks counts the visits of variables on todo.
	looks int
}

// all copies the cones of literals and returns where the literals went.
func (x *coneBuilder) all(lits []Lit) []Lit {
	to := make([]Lit, len(lits))
	for i, l := range lits {
		to[i] = x.lit(l)
	}
	return to
}

// signals copies the cones of signals and returns them as they are in the cone.
func (x *coneBuilder) signals(signals []Signal) []Signal {
	to := make([]Signal, len(signals))
	for i, s := range signals {
		to[i] = Signal{x.lit(s.Lit), s.Origin}
	}
	return to
}

// lit copies the cone of l up to inputs and latches and returns its literal.
func (x *coneBuilder) lit(l Lit) Lit {
	x.todo = append(x.todo[:0], l.Var())
	for len(x.todo) > 0 {
		v := x.todo[len(x.todo)-1]
		if x.at(v) != unset {
			x.todo = x.todo[:len(x.todo)-1]
			continue
		}
		if x.looks++; x.looks%pollEvery == 0 && x.err == nil {
			x.err = x.ctx.Err()
		}
		if x.err != nil {
			return False
		}
		switch x.c.kinds[v] {
		case KindInput:
			x.cone.Inputs = append(x.cone.Inputs, int(x.c.fanin[v].left))
			x.define(v, x.b.Input(x.c.inputs[x.c.fanin[v].left].Origin))
		case KindLatch:
			x.cone.Latches = append(x.cone.Latches, int(x.c.fanin[v].left))
			x.define(v, x.b.Latch(x.c.latches[x.c.fanin[v].left].Origin))
		case KindAnd:
			f := x.c.fanin[v]
			left, right := x.at(f.left.Var()), x.at(f.right.Var())
			switch {
			case left == unset:
				x.todo = append(x.todo, f.left.Var())
			case right == unset:
				x.todo = append(x.todo, f.right.Var())
			default:
				x.define(v, x.b.And(left.NotIf(f.left.IsNegated()), right.NotIf(f.right.IsNegated())))
			}
		}
	}
	return x.at(l.Var()).NotIf(l.IsNegated())
}

// at returns the literal of a variable in the cone, or unset.
func (x *coneBuilder) at(v Var) Lit { return ^x.to.At(v) }

func (x *coneBuilder) define(v Var, to Lit) {
	x.to.Set(v, ^to)
	if int(to.Var()) == len(x.cone.lits) {
		x.cone.lits = append(x.cone.lits, v.Lit())
	}
}
