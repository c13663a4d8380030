package circuit

import (
	"context"
	"math"
	"slices"
)

// ExtractOptions bound the cone.
type ExtractOptions struct {
	// Levels bounds how deep: a gate or latch counts as a level, those of the signals
	// themselves as the first. What lies deeper becomes an input. 0 is no bound.
	Levels int
	// Constraints keeps the constraints of the circuit, with what they depend on: they
	// forbid runs, also where they share nothing with the signals. It must not be set with
	// Levels.
	Constraints bool
}

// Part is the cone of signals of another circuit. It has the signals as outputs, in their order,
// and no properties but lemmas and covers of what it has, with the constraints: its runs are
// then those of the whole.
type Part struct {
	Circuit *Circuit
	// Inputs and Latches are the variables that those of Circuit were in the whole, by
	// position: inputs of the whole first, in its order, then what was cut.
	Inputs, Latches []Var
	// Lemmas and Covers are the positions that those of Circuit had in the whole.
	Lemmas, Covers []int
	// Cut is how many of Inputs were gates or latches.
	Cut int
	// Lit returns what a literal of the whole is in the part; ok is false for one that it does not have.
	Lit func(l Lit) (in Lit, ok bool)
}

// extractPoll is the number of variables between two looks at a context.
const extractPoll = 1 << 12

// Extract extracts the cones of signals of c. The error is that of ctx.
func Extract(ctx context.Context, c *Circuit, signals []Lit, o ExtractOptions) (*Part, error) {
	roots := slices.Clone(signals)
	if o.Constraints {
		for _, s := range c.Constraints() {
			roots = append(roots, s.Lit)
		}
	}
	x := &extractor{c: c, b: NewBuilder(64), to: make([]Lit, c.NumVars())}
	if err := x.measure(ctx, roots, o.Levels); err != nil {
		return nil, err
	}
	x.build()
	lit := func(l Lit) Lit { return x.to[l.Var()].NotIf(l.IsNegated()) }
	for _, l := range signals {
		x.b.Output(lit(l), 0)
	}
	if o.Constraints {
		for _, s := range c.Constraints() {
			x.b.Constraint(lit(s.Lit), s.Origin)
		}
		for _, aside := range []struct {
			from []Signal
			add  func(Lit, Origin)
			kept *[]int
		}{{c.Lemmas(), x.b.Lemma, &x.part.Lemmas}, {c.Covers(), x.b.Cover, &x.part.Covers}} {
			for i, s := range aside.from {
				if x.role[s.Lit.Var()] == kept {
					aside.add(lit(s.Lit), s.Origin)
					*aside.kept = append(*aside.kept, i)
				}
			}
		}
	}
	x.part.Lit = func(l Lit) (Lit, bool) { return lit(l), l.Var() == 0 || x.role[l.Var()] != left }
	x.part.Circuit = x.b.Build()
	return &x.part, ctx.Err()
}

type extractor struct {
	c    *Circuit
	b    *Builder
	role []extractRole // by variable
	to   []Lit         // by variable that has a role: its literal in the part
	part Part
}

// extractRole is what becomes of a variable.
type extractRole uint8

const (
	left   extractRole = iota // nothing depends on it
	kept                      // it stays what it is
	cutOff                    // it becomes an input
)

// measure gives each variable its role, level by level from the roots.
func (x *extractor) measure(ctx context.Context, roots []Lit, levels int) error {
	if levels == 0 {
		levels = math.MaxInt
	}
	x.role = make([]extractRole, x.c.NumVars())
	x.role[0] = kept
	var level, deeper []Var
	visit := func(l Lit, depth int) {
		v := l.Var()
		if x.role[v] != left {
			return
		}
		x.role[v] = kept
		if depth > levels && x.c.Kind(v) != KindInput {
			x.role[v] = cutOff
		}
		deeper = append(deeper, v)
	}
	for _, l := range roots {
		visit(l, 1)
	}
	for depth, visited := 2, 0; len(deeper) > 0; depth++ {
		level, deeper = deeper, level[:0]
		for _, v := range level {
			if visited++; visited%extractPoll == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if x.role[v] == cutOff {
				continue
			}
			if left, right, ok := x.c.Operands(v); ok {
				visit(left, depth)
				visit(right, depth)
			} else if i := x.c.LatchIndex(v); i >= 0 {
				visit(x.c.Latches()[i].Next, depth)
				visit(x.c.Latches()[i].Reset, depth)
			}
		}
	}
	return nil
}

// build makes inputs, latches and gates in the order of the whole.
func (x *extractor) build() {
	for _, in := range x.c.Inputs() {
		if v := in.Lit.Var(); x.role[v] == kept {
			x.input(v, in.Origin)
		}
	}
	for v, role := range x.role {
		if role == cutOff {
			x.input(Var(v), 0)
			x.part.Cut++
		}
	}
	for _, l := range x.c.Latches() {
		if v := l.Lit.Var(); x.role[v] == kept {
			x.to[v] = x.b.Latch(l.Origin)
			x.part.Latches = append(x.part.Latches, v)
		}
	}
	lit := func(l Lit) Lit { return x.to[l.Var()].NotIf(l.IsNegated()) }
	for v, role := range x.role {
		if left, right, ok := x.c.Operands(Var(v)); ok && role == kept {
			x.to[v] = x.b.And(lit(left), lit(right))
		}
	}
	for _, l := range x.c.Latches() {
		if x.role[l.Lit.Var()] == kept {
			x.b.SetNext(lit(l.Lit), lit(l.Next))
			x.b.SetReset(lit(l.Lit), lit(l.Reset))
		}
	}
}

func (x *extractor) input(v Var, o Origin) {
	x.to[v] = x.b.Input(o)
	x.part.Inputs = append(x.part.Inputs, v)
}
