package circuit

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
)

// Builder makes a Circuit. Gates are hashed structurally: two gates with the
// same operands are one, and gates with constant, equal or opposite operands
// fold away. The zero Builder is not usable; call NewBuilder.
type Builder struct {
	c     Circuit
	table gateTable
	found func(Var)
}

// NewBuilder returns an empty builder with room for about capacity variables.
func NewBuilder(capacity int) *Builder {
	b := &Builder{}
	b.c.kinds = append(make([]Kind, 0, capacity+1), KindConstant)
	b.c.fanin = append(make([]fanin, 0, capacity+1), fanin{})
	b.table.init(capacity)
	return b
}

// onTop returns a builder that goes on where c, which keeps its literals, was complete.
// It has the constraints of c and no properties, and does not find the gates of c again.
func onTop(c *Circuit, capacity int) *Builder {
	b := &Builder{c: Circuit{
		kinds:   append(make([]Kind, 0, len(c.kinds)+capacity), c.kinds...),
		fanin:   append(make([]fanin, 0, len(c.fanin)+capacity), c.fanin...),
		inputs:  slices.Clip(c.inputs),
		latches: append(make([]Latch, 0, len(c.latches)+capacity), c.latches...),
		gates:   c.gates,

		constraints: slices.Clip(c.constraints),
	}}
	b.table.init(capacity)
	return b
}

// OnFound sets f, which is called with each gate that And finds instead of making a copy.
func (b *Builder) OnFound(f func(Var)) { b.found = f }

// Assuming returns the circuit with clauses as one constraint more. The literals of c stay
// what they are.
func (c *Circuit) Assuming(clauses [][]Lit) *Circuit {
	literals := 0
	for _, clause := range clauses {
		literals += len(clause)
	}
	b := onTop(c, literals)
	b.Constraint(b.Clauses(clauses, func(l Lit) Lit { return l }), 0)
	b.c.outputs, b.c.bads = slices.Clip(c.outputs), slices.Clip(c.bads)
	b.c.justice, b.c.fairness = slices.Clip(c.justice), slices.Clip(c.fairness)
	b.c.lemmas, b.c.covers = slices.Clip(c.lemmas), slices.Clip(c.covers)
	return b.Build()
}

// WithGates returns a circuit with more gates, and the literal of one that add returns. The literals
// of c stay what they are. The circuit has the constraints of c and no properties.
func WithGates(c *Circuit, add func(b *Builder) Lit) (*Circuit, Lit) {
	b := onTop(c, 64)
	l := add(b)
	return b.Build(), l
}

// NumVars returns the number of variables so far, the constant included.
func (b *Builder) NumVars() int { return len(b.c.kinds) }

func (b *Builder) newVar(k Kind, f fanin) Lit {
	v := Var(len(b.c.kinds))
	b.c.kinds = append(b.c.kinds, k)
	b.c.fanin = append(b.c.fanin, f)
	return v.Lit()
}

// Input adds a primary input and returns its literal.
func (b *Builder) Input(o Origin) Lit {
	l := b.newVar(KindInput, fanin{left: Lit(len(b.c.inputs))})
	b.c.inputs = append(b.c.inputs, Input{l, o})
	return l
}

// Latch adds a latch that starts as 0 and keeps its value, and returns its
// literal. SetNext and SetReset complete it.
func (b *Builder) Latch(o Origin) Lit {
	l := b.newVar(KindLatch, fanin{left: Lit(len(b.c.latches))})
	b.c.latches = append(b.c.latches, Latch{Lit: l, Next: l, Reset: False, Origin: o})
	return l
}

func (b *Builder) latch(l Lit) *Latch {
	if l.IsNegated() || b.c.kinds[l.Var()] != KindLatch {
		panic(fmt.Sprintf("circuit: literal %d is not a latch", l))
	}
	return &b.c.latches[b.c.fanin[l.Var()].left]
}

// SetNext sets the next-state literal of a latch.
func (b *Builder) SetNext(latch, next Lit) { b.latch(latch).Next = next }

// SetReset sets the initial value of a latch: False, True, the latch itself
// (free), or any other literal (a reset function).
func (b *Builder) SetReset(latch, reset Lit) { b.latch(latch).Reset = reset }

// And returns a literal for the conjunction of l and r.
func (b *Builder) And(l, r Lit) Lit {
	if found, ok := b.Find(l, r); ok {
		if v := found.Var(); b.found != nil && v != l.Var() && v != r.Var() && v != 0 {
			b.found(v)
		}
		return found
	}
	g := b.newVar(KindAnd, fanin{max(l, r), min(l, r)})
	b.c.gates++
	b.table.insert(g.Var(), b.c.fanin)
	return g
}

// Find returns what And would for l and r, as long as that takes no new gate.
func (b *Builder) Find(l, r Lit) (and Lit, ok bool) {
	if l < r {
		l, r = r, l
	}
	switch {
	case r == False || l == r.Not():
		return False, true
	case r == True || l == r:
		return l, true
	}
	found := b.table.find(l, r, b.c.fanin)
	return found.Lit(), found != 0
}

// Operands returns the operands of the gate v; ok is false when v is not a gate.
func (b *Builder) Operands(v Var) (left, right Lit, ok bool) { return b.c.Operands(v) }

// Or returns a literal for the disjunction of l and r.
func (b *Builder) Or(l, r Lit) Lit { return b.And(l.Not(), r.Not()).Not() }

// Xor returns a literal for the exclusive or of l and r.
func (b *Builder) Xor(l, r Lit) Lit {
	return b.Or(b.And(l, r.Not()), b.And(l.Not(), r))
}

// Mux returns a literal for "then" where cond holds, and "els" elsewhere.
func (b *Builder) Mux(cond, then, els Lit) Lit {
	return b.Or(b.And(cond, then), b.And(cond.Not(), els))
}

// Clauses returns a literal for the conjunction of clauses whose literals lit translates.
func (b *Builder) Clauses(clauses [][]Lit, lit func(Lit) Lit) Lit {
	all := True
	for _, clause := range clauses {
		violated := True
		for _, l := range clause {
			violated = b.And(violated, lit(l).Not())
		}
		all = b.And(all, violated.Not())
	}
	return all
}

// Output adds an output.
func (b *Builder) Output(l Lit, o Origin) { b.c.outputs = append(b.c.outputs, Signal{l, o}) }

// Bad adds a bad-state literal.
func (b *Builder) Bad(l Lit, o Origin) { b.c.bads = append(b.c.bads, Signal{l, o}) }

// Constraint adds an invariant constraint.
func (b *Builder) Constraint(l Lit, o Origin) {
	b.c.constraints = append(b.c.constraints, Signal{l, o})
}

// Justice adds a justice property.
func (b *Builder) Justice(ls []Lit, o Origin) {
	b.c.justice = append(b.c.justice, Justice{append([]Lit(nil), ls...), o})
}

// Fairness adds a fairness condition.
func (b *Builder) Fairness(l Lit, o Origin) { b.c.fairness = append(b.c.fairness, Signal{l, o}) }

// Lemma adds a literal that the author of the text takes to be 1 in every step.
func (b *Builder) Lemma(l Lit, o Origin) { b.c.lemmas = append(b.c.lemmas, Signal{l, o}) }

// Cover adds a literal that some run is to make 1.
func (b *Builder) Cover(l Lit, o Origin) { b.c.covers = append(b.c.covers, Signal{l, o}) }

// Build returns the circuit. The builder must not be used afterwards. It panics when
// there is a ResetCycle.
func (b *Builder) Build() *Circuit {
	c := b.c
	b.c = Circuit{}
	c.finish()
	return &c
}

// CopyTo adds the inputs, latches and gates of c to a builder, with their positions when
// it is empty, and returns where literals went. Properties and constraints are not
// copied.
func (c *Circuit) CopyTo(b *Builder) func(Lit) Lit {
	lit, _ := c.copyTo(context.Background(), b)
	return lit
}

// CopyConstrained is Circuit.CopyTo with the constraints.
func CopyConstrained(c *Circuit, b *Builder) func(Lit) Lit {
	lit := c.CopyTo(b)
	for _, s := range c.constraints {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	return lit
}

// copyTo is CopyTo until ctx ends, whose error it then returns.
func (c *Circuit) copyTo(ctx context.Context, b *Builder) (func(Lit) Lit, error) {
	to := make([]Lit, len(c.kinds))
	lit := func(l Lit) Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.inputs {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	for _, l := range c.latches {
		to[l.Lit.Var()] = b.Latch(l.Origin)
	}
	for v, k := range c.kinds {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k == KindAnd {
			to[v] = b.And(lit(c.fanin[v].left), lit(c.fanin[v].right))
		}
	}
	for _, l := range c.latches {
		b.SetNext(lit(l.Lit), lit(l.Next))
		b.SetReset(lit(l.Lit), lit(l.Reset))
	}
	return lit, nil
}

// finish works out what follows from the rest.
func (c *Circuit) finish() {
	c.plain = new(atomic.Pointer[Circuit])
	var cycle []Lit
	if c.start, cycle = c.startOrder(); cycle != nil {
		panic(fmt.Sprintf("circuit: the resets of latches %d depend on each other", cycle))
	}
}

// Snapshot returns the circuit so far. The builder goes on; what it adds or sets
// later does not show in the snapshot.
func (b *Builder) Snapshot() *Circuit {
	c := b.c
	c.latches = slices.Clone(c.latches)
	c.finish()
	return &c
}

// gateTable finds a gate by its operands: open addressing over variables, with
// the operands themselves kept only in the circuit.
type gateTable struct {
	slots []Var // 0 = empty; length is a power of two
	used  int
}

func (t *gateTable) init(capacity int) {
	n := 16
	for n < 2*capacity {
		n *= 2
	}
	t.slots = make([]Var, n)
}

func hashFanin(l, r Lit) uint64 {
	h := (uint64(l)<<32 | uint64(r)) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

func (t *gateTable) find(l, r Lit, fanins []fanin) Var {
	mask := uint64(len(t.slots) - 1)
	for i := hashFanin(l, r) & mask; ; i = (i + 1) & mask {
		v := t.slots[i]
		if v == 0 || fanins[v] == (fanin{l, r}) {
			return v
		}
	}
}

func (t *gateTable) insert(v Var, fanins []fanin) {
	if 2*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]Var, 2*len(old))
		t.used = 0
		for _, w := range old {
			if w != 0 {
				t.insert(w, fanins)
			}
		}
	}
	mask := uint64(len(t.slots) - 1)
	f := fanins[v]
	i := hashFanin(f.left, f.right) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = v
	t.used++
}
