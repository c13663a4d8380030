package circuit

import (
	"context"
	"slices"
)

// A latch whose reset is a literal other than its own and the constants has a reset
// function: it starts with the value of that literal under the inputs of step 0. The
// literal may depend on other latches, as they start, but not on the latch itself.

// HasFunction reports whether the latch starts with the value of another literal.
func (l Latch) HasFunction() bool { return l.Reset > True && !l.IsFree() }

// HasResetFunctions reports whether some latch starts with the value of another
// literal.
func (c *Circuit) HasResetFunctions() bool { return len(c.start) > 0 }

// StartOrder returns the latches with a reset function and the gates that these depend
// on in step 0, each after what it depends on.
func (c *Circuit) StartOrder() []Var { return c.start }

// ResetCycle returns latches each of which has a reset function that depends on the
// next one, the last one's on the first; nil when there are none. A circuit that has
// some cannot be built.
func (b *Builder) ResetCycle() []Lit {
	_, cycle := b.c.startOrder()
	return cycle
}

// startOrder walks from the reset functions down to what decides them.
func (c *Circuit) startOrder() (order []Var, cycle []Lit) {
	const (
		fresh uint8 = iota
		open        // on the path from a reset function
		done
	)
	var state []uint8 // by variable
	for _, latch := range c.latches {
		if !latch.HasFunction() {
			continue
		}
		if state == nil {
			state = make([]uint8, len(c.kinds))
		}
		todo := []Var{latch.Lit.Var()}
		var path []Var // those that are open, each in front of what it leads to
		for len(todo) > 0 {
			v := todo[len(todo)-1]
			if state[v] != fresh {
				todo = todo[:len(todo)-1]
				if state[v] == open {
					state[v] = done
					path = path[:len(path)-1]
					order = append(order, v)
				}
				continue
			}
			below, n := c.decidedBy(v)
			if n == 0 {
				state[v] = done
				todo = todo[:len(todo)-1]
				continue
			}
			state[v] = open
			path = append(path, v)
			for _, w := range below[:n] {
				switch state[w] {
				case fresh:
					todo = append(todo, w)
				case open:
					return nil, c.latchesOf(path[slices.Index(path, w):])
				}
			}
		}
	}
	return order, nil
}

// decidedBy returns what the value of v in step 0 follows from.
func (c *Circuit) decidedBy(v Var) (below [2]Var, n int) {
	f := c.fanin[v]
	switch c.kinds[v] {
	case KindAnd:
		return [2]Var{f.left.Var(), f.right.Var()}, 2
	case KindLatch:
		if l := c.latches[f.left]; l.HasFunction() {
			return [2]Var{l.Reset.Var()}, 1
		}
	}
	return below, 0
}

func (c *Circuit) latchesOf(vars []Var) []Lit {
	var latches []Lit
	for _, v := range vars {
		if c.kinds[v] == KindLatch {
			latches = append(latches, v.Lit())
		}
	}
	return latches
}

// ConstantResets returns a circuit with the same runs that has no reset function. Its
// inputs are those of c, at their positions, and so are its first latches; one more
// latch is 1 in step 0 alone. A latch with a reset function starts as 0 there, and what
// reads it reads the function instead in step 0. It has at most three gates more for
// each reset function. Properties, constraints and origins stay.
func (c *Circuit) ConstantResets() (constant *Circuit, first Lit) {
	constant, first, _ = c.constantResets(context.Background())
	return constant, first
}

// constantResets is ConstantResets until ctx ends, whose error it then returns.
func (c *Circuit) constantResets(ctx context.Context) (constant *Circuit, first Lit, err error) {
	b := NewBuilder(len(c.kinds) + 3*len(c.start))
	to := make([]Lit, len(c.kinds))
	lit := func(l Lit) Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.inputs {
		to[in.Lit.Var()] = b.Input(in.Origin)
	}
	own := make([]Lit, len(c.latches))
	for i, l := range c.latches {
		own[i] = b.Latch(l.Origin)
		to[l.Lit.Var()] = own[i]
	}
	first = b.Latch(0)
	b.SetReset(first, True)
	b.SetNext(first, False)
	gate := func(v Var) { to[v] = b.And(lit(c.fanin[v].left), lit(c.fanin[v].right)) }
	for n, v := range c.start {
		if n%pollEvery == 0 && ctx.Err() != nil {
			return nil, False, ctx.Err()
		}
		if c.kinds[v] == KindAnd {
			gate(v)
			continue
		}
		i := c.LatchIndex(v)
		to[v] = b.Mux(first, lit(c.latches[i].Reset), own[i])
	}
	for v, k := range c.kinds {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return nil, False, ctx.Err()
		}
		if k == KindAnd { // one that is there is found again
			gate(Var(v))
		}
	}
	for i, l := range c.latches {
		b.SetNext(own[i], lit(l.Next))
		switch {
		case l.IsFree():
			b.SetReset(own[i], own[i])
		case l.Reset == True:
			b.SetReset(own[i], True)
		}
	}
	c.CopyRoles(b, lit)
	return b.Build(), first, nil
}

// CopyRoles gives copies of literals, see CopyTo, the roles that these have in c: those of
// outputs, properties, constraints, fairness conditions, lemmas and covers.
func (c *Circuit) CopyRoles(b *Builder, lit func(Lit) Lit) {
	for _, s := range c.outputs {
		b.Output(lit(s.Lit), s.Origin)
	}
	for _, s := range c.bads {
		b.Bad(lit(s.Lit), s.Origin)
	}
	for _, s := range c.constraints {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	for _, j := range c.justice {
		lits := make([]Lit, len(j.Lits))
		for i, l := range j.Lits {
			lits[i] = lit(l)
		}
		b.Justice(lits, j.Origin)
	}
	for _, s := range c.fairness {
		b.Fairness(lit(s.Lit), s.Origin)
	}
	for _, s := range c.lemmas {
		b.Lemma(lit(s.Lit), s.Origin)
	}
	for _, s := range c.covers {
		b.Cover(lit(s.Lit), s.Origin)
	}
}
