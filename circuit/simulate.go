package circuit

import "slices"

// Value is a value of three-valued logic.
type Value uint8

// The values. X is unknown or irrelevant.
const (
	Zero Value = iota
	One
	X
)

func (v Value) String() string { return [...]string{"0", "1", "x"}[v] }

// Not negates; X stays X.
func (v Value) Not() Value { return [...]Value{One, Zero, X}[v] }

// NotIf negates when cond holds.
func (v Value) NotIf(cond bool) Value {
	if cond {
		return v.Not()
	}
	return v
}

// ValueOf converts a bool.
func ValueOf(b bool) Value {
	if b {
		return One
	}
	return Zero
}

// And is the conjunction: X where neither operand decides it and one is X.
func And(a, b Value) Value {
	switch {
	case a == Zero || b == Zero:
		return Zero
	case a == One && b == One:
		return One
	}
	return X
}

// Ternary simulates a circuit over 0, 1 and x, one step at a time. A gate is x
// only when its operands do not decide it, so a value of 0 or 1 holds for every
// choice of the x's; the reverse is not true.
type Ternary struct {
	c       *Circuit
	values  []Value // by variable
	next    []Value // by latch, scratch
	atStart bool    // the next Eval is that of step 0
}

// NewTernary returns a simulator whose latches, inputs and gates are all x.
func NewTernary(c *Circuit) *Ternary {
	t := &Ternary{c: c, values: make([]Value, c.NumVars()), next: make([]Value, len(c.latches))}
	for i := range t.values {
		t.values[i] = X
	}
	t.values[0] = Zero
	return t
}

// Reset gives every latch its reset value; free latches become x. Those with a reset
// function get their value in the Eval that follows, which knows the inputs.
func (t *Ternary) Reset() {
	t.atStart = true
	for _, l := range t.c.latches {
		v := X
		if l.Reset <= True {
			v = ValueOf(l.Reset == True)
		}
		t.values[l.Lit.Var()] = v
	}
}

// SetLatch sets the latch at position i; not one with a reset function between Reset and
// Eval.
func (t *Ternary) SetLatch(i int, v Value) { t.values[t.c.latches[i].Lit.Var()] = v }

// Eval computes the gates under the given inputs, one value an input; missing
// ones are x.
func (t *Ternary) Eval(inputs []Value) {
	for i, in := range t.c.inputs {
		v := X
		if i < len(inputs) {
			v = inputs[i]
		}
		t.values[in.Lit.Var()] = v
	}
	if t.atStart {
		t.evalStart()
	}
	for v, k := range t.c.kinds {
		if k == KindAnd {
			f := t.c.fanin[v]
			t.values[v] = And(t.Value(f.left), t.Value(f.right))
		}
	}
}

// evalStart gives the latches with a reset function their value in step 0.
func (t *Ternary) evalStart() {
	t.atStart = false
	for _, v := range t.c.start {
		if f := t.c.fanin[v]; t.c.kinds[v] == KindAnd {
			t.values[v] = And(t.Value(f.left), t.Value(f.right))
		} else {
			t.values[v] = t.Value(t.c.latches[f.left].Reset)
		}
	}
}

// SetInput sets the input at position i.
func (t *Ternary) SetInput(i int, v Value) { t.values[t.c.inputs[i].Lit.Var()] = v }

// EvalGates computes some gates, each after those that it depends on; see Logic.
func (t *Ternary) EvalGates(gates []Var) {
	for _, v := range gates {
		f := t.c.fanin[v]
		t.values[v] = And(t.Value(f.left), t.Value(f.right))
	}
}

// Logic returns the gates that literals depend on within a step, each after those
// that it depends on, and the inputs and latches below them.
func (c *Circuit) Logic(lits ...Lit) (gates, leaves []Var) {
	seen := map[Var]bool{}
	var todo []Var
	for _, l := range lits {
		todo = append(todo, l.Var())
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if left, right, ok := c.Operands(v); ok {
			gates = append(gates, v)
			todo = append(todo, left.Var(), right.Var())
		} else {
			leaves = append(leaves, v)
		}
	}
	slices.Sort(gates) // a gate has a higher number than its operands
	return gates, leaves
}

// Advance moves every latch to its next value. Eval must have been called.
func (t *Ternary) Advance() {
	for i, l := range t.c.latches {
		t.next[i] = t.Value(l.Next)
	}
	for i, l := range t.c.latches {
		t.values[l.Lit.Var()] = t.next[i]
	}
}

// Value returns the value of a literal.
func (t *Ternary) Value(l Lit) Value { return t.values[l.Var()].NotIf(l.IsNegated()) }

// Values returns the values of all variables, which the next Eval changes.
func (t *Ternary) Values() []Value { return t.values }

// Parallel simulates 64 runs of a circuit at once; bit i of every word belongs
// to run i.
type Parallel struct {
	c       *Circuit
	values  []uint64 // by variable
	next    []uint64 // by latch, scratch
	atStart bool     // the next Eval is that of step 0
}

// NewParallel returns a simulator with all latches, inputs and gates 0.
func NewParallel(c *Circuit) *Parallel {
	return &Parallel{c: c, values: make([]uint64, c.NumVars()), next: make([]uint64, len(c.latches))}
}

// Reset gives every latch its reset value; free(i) gives that of the free
// latch at position i. Those with a reset function get their value in the Eval that
// follows, which knows the inputs.
func (p *Parallel) Reset(free func(i int) uint64) {
	p.atStart = true
	for i, l := range p.c.latches {
		var w uint64
		switch {
		case l.Reset == True:
			w = ^uint64(0)
		case l.IsFree():
			w = free(i)
		}
		p.values[l.Lit.Var()] = w
	}
}

// SetLatch sets the latch at position i.
func (p *Parallel) SetLatch(i int, w uint64) { p.values[p.c.latches[i].Lit.Var()] = w }

// Eval computes the gates under inputs, one word an input.
func (p *Parallel) Eval(inputs []uint64) {
	for i, in := range p.c.inputs {
		p.values[in.Lit.Var()] = inputs[i]
	}
	if p.atStart {
		p.evalStart()
	}
	for v, k := range p.c.kinds {
		if k == KindAnd {
			f := p.c.fanin[v]
			p.values[v] = p.Value(f.left) & p.Value(f.right)
		}
	}
}

// evalStart gives the latches with a reset function their value in step 0.
func (p *Parallel) evalStart() {
	p.atStart = false
	for _, v := range p.c.start {
		if f := p.c.fanin[v]; p.c.kinds[v] == KindAnd {
			p.values[v] = p.Value(f.left) & p.Value(f.right)
		} else {
			p.values[v] = p.Value(p.c.latches[f.left].Reset)
		}
	}
}

// Advance moves every latch to its next value. Eval must have been called.
func (p *Parallel) Advance() {
	for i, l := range p.c.latches {
		p.next[i] = p.Value(l.Next)
	}
	for i, l := range p.c.latches {
		p.values[l.Lit.Var()] = p.next[i]
	}
}

// Value returns the 64 values of a literal.
func (p *Parallel) Value(l Lit) uint64 {
	return p.values[l.Var()] ^ -uint64(l&1)
}
