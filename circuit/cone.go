package circuit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// Fingerprint identifies a property's cone: structure, resets, constraints and
// the property itself; no names, no Origin, nothing outside the cone. Equal
// fingerprints mean equal cone circuits, so a verdict on one is a verdict on
// the other.
type Fingerprint [sha256.Size]byte

func (f Fingerprint) String() string { return hex.EncodeToString(f[:8]) }

// Cone is the part of a circuit that one property depends on.
type Cone struct {
	// Circuit holds the cone alone, numbered in a canonical order: the cones
	// of the property and then of the constraints, depth first, latches
	// followed by the cones of their next-state and reset literals. Its only
	// property is bad 0, and its elements keep their Origin.
	Circuit *Circuit
	// Inputs and Latches give, for each input and latch of Circuit, its
	// position in the circuit that the cone was taken from.
	Inputs, Latches []int
	// Fingerprint is taken over Circuit.
	Fingerprint Fingerprint
	lits        []Lit // by variable of Circuit: the literal it came from
}

// ErrNoBad is returned for a property that has no bad literal: a justice
// property, or one that does not exist.
var ErrNoBad = errors.New("not a property with a bad-state literal")

// Cone returns the cone of a bad or output property together with all
// constraints and their cones: a constraint that shares nothing with the
// property can still make a step impossible.
func (c *Circuit) Cone(p Property) (*Cone, error) {
	return c.ConeContext(context.Background(), p)
}

// ConeContext is Cone until ctx ends, whose error it then returns.
func (c *Circuit) ConeContext(ctx context.Context, p Property) (*Cone, error) {
	bad, ok := c.Bad(p)
	if !ok {
		return nil, ErrNoBad
	}
	x := coneBuilder{ctx: ctx, c: c, b: NewBuilder(64), to: make([]Lit, c.NumVars()), cone: &Cone{lits: []Lit{False}}}
	for i := range x.to {
		x.to[i] = unset
	}
	x.to[0] = False
	newBad := x.lit(bad)
	constraints := make([]Lit, len(c.constraints))
	for i, s := range c.constraints {
		constraints[i] = x.lit(s.Lit)
	}
	// The list of latches grows while their next-state cones are added.
	for i := 0; i < len(x.cone.Latches); i++ {
		l := c.latches[x.cone.Latches[i]]
		to := x.to[l.Lit.Var()]
		x.b.SetNext(to, x.lit(l.Next))
		x.b.SetReset(to, x.lit(l.Reset))
	}
	if x.err != nil {
		return nil, x.err
	}
	x.b.Bad(newBad, badOrigin(c, p))
	for i, s := range c.constraints {
		x.b.Constraint(constraints[i], s.Origin)
	}
	x.cone.Circuit = x.b.Build()
	x.cone.Fingerprint = fingerprint(x.cone.Circuit)
	return x.cone, nil
}

func badOrigin(c *Circuit, p Property) Origin {
	if p.Kind == PropertyOutput {
		return c.outputs[p.Index].Origin
	}
	return c.bads[p.Index].Origin
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
	to   []Lit // by variable of c: its literal in the cone, or unset
	cone *Cone
	todo []Var
	// looks counts the visits of variables on todo.
	looks int
}

// lit copies the cone of l up to inputs and latches and returns its literal.
func (x *coneBuilder) lit(l Lit) Lit {
	x.todo = append(x.todo[:0], l.Var())
	for len(x.todo) > 0 {
		v := x.todo[len(x.todo)-1]
		if x.to[v] != unset {
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
			left, right := x.to[f.left.Var()], x.to[f.right.Var()]
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
	return x.to[l.Var()].NotIf(l.IsNegated())
}

func (x *coneBuilder) define(v Var, to Lit) {
	x.to[v] = to
	if int(to.Var()) == len(x.cone.lits) {
		x.cone.lits = append(x.cone.lits, v.Lit())
	}
}

// fingerprint hashes a cone circuit: all that decides its verdict.
func fingerprint(c *Circuit) Fingerprint {
	h := sha256.New()
	var buf []byte
	put := func(words ...uint32) {
		for _, w := range words {
			buf = binary.LittleEndian.AppendUint32(buf, w)
		}
		if len(buf) > 1<<12 {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	put(uint32(c.NumVars()), uint32(len(c.bads)), uint32(len(c.constraints)))
	for v, k := range c.kinds {
		put(uint32(k), uint32(c.fanin[v].left), uint32(c.fanin[v].right))
	}
	for _, l := range c.latches {
		put(uint32(l.Next), uint32(l.Reset))
	}
	for _, s := range c.bads {
		put(uint32(s.Lit))
	}
	for _, s := range c.constraints {
		put(uint32(s.Lit))
	}
	h.Write(buf)
	var f Fingerprint
	h.Sum(f[:0])
	return f
}
