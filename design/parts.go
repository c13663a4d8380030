package design

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Part is a row of a text, or a word of it, and what of the circuit it states.
type Part struct {
	Span source.Span // empty in a binary file
	Name string      // of what it defines, in a model with several instances that of the first
	// Gates, and the positions of Latches and Constraints, are what becomes something else
	// with the part.
	Gates       []circuit.Var
	Latches     []int
	Constraints []int
	// IsShared says that something else becomes different with the part, too, or that another
	// part states the same.
	IsShared bool
}

// PartKind is what a part is counted as.
type PartKind uint8

// The kinds. A gate is a row that defines a signal as a function of others: an AND, a cover, a
// cell, also one that the circuit has no gate for, such as a cover that copies a net.
const (
	GatePart PartKind = iota
	LatchPart
	ConstraintPart
	numPartKinds
)

// Kind returns what the part is counted as.
func (p *Part) Kind() PartKind {
	switch {
	case len(p.Latches) > 0:
		return LatchPart
	case len(p.Constraints) > 0:
		return ConstraintPart
	}
	return GatePart
}

// Parts are the rows of gates, latches and constraints of a text, without those of other files.
type Parts struct {
	All []Part // in the order of the text
	// Count is how many there are of a kind, Own how many of them are not shared.
	Count, Own [numPartKinds]int
	// gates, by variable, and latches and constraints, by position, have 1 + the part that alone
	// states one; 0 for none.
	gates, latches, constraints []int32
}

// Parts returns the parts of the text, which are looked for once. The error is that of ctx.
func (d *Design) Parts(ctx context.Context) (*Parts, error) { return d.parts.Get(ctx) }

func (d *Design) findParts(ctx context.Context) (*Parts, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	all, err := d.elaborate().Parts(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Part) int { return a.Span.Start - b.Span.Start })
	owners := map[circuit.Var]int{}
	for _, p := range all {
		for _, v := range p.Gates {
			owners[v]++
		}
	}
	elements := d.Names().Elements()
	for i := range all {
		p := &all[i]
		for _, v := range p.Gates {
			p.IsShared = p.IsShared || owners[v] > 1
		}
		if p.Name == "" {
			p.Name = d.partName(p, elements.Constraints)
		}
	}
	return newParts(all, d.Circuit()), nil
}

func newParts(all []Part, c *circuit.Circuit) *Parts {
	p := &Parts{All: all, gates: make([]int32, c.NumVars()), latches: make([]int32, len(c.Latches())), constraints: make([]int32, len(c.Constraints()))}
	for i := range all {
		part := &all[i]
		p.Count[part.Kind()]++
		if part.IsShared {
			continue
		}
		p.Own[part.Kind()]++
		for _, v := range part.Gates {
			p.gates[v] = int32(i + 1)
		}
		for _, l := range part.Latches {
			p.latches[l] = int32(i + 1)
		}
		for _, x := range part.Constraints {
			p.constraints[x] = int32(i + 1)
		}
	}
	return p
}

// Stating returns the positions of the parts that are not shared and state some gates, latches or
// constraints, the last two by position.
func (p *Parts) Stating(gates map[circuit.Var]bool, isLatch func(int) bool, constraints []bool) map[int]bool {
	found := map[int]bool{}
	add := func(part int32) {
		if part > 0 {
			found[int(part-1)] = true
		}
	}
	for v, is := range gates {
		if is {
			add(p.gates[v])
		}
	}
	for i, part := range p.latches {
		if isLatch(i) {
			add(part)
		}
	}
	for i, is := range constraints {
		if is {
			add(p.constraints[i])
		}
	}
	return found
}

// partName returns what a part defines is called; constraints are the names of all of them.
func (d *Design) partName(p *Part, constraints []string) string {
	switch {
	case len(p.Latches) > 0:
		return cmp.Or(d.signalName(d.Circuit().Latches()[p.Latches[0]].Lit.Var()), fmt.Sprintf("l%d", p.Latches[0]))
	case len(p.Constraints) > 0:
		name := ""
		if i := p.Constraints[0]; i < len(constraints) {
			name = constraints[i]
		}
		return cmp.Or(name, fmt.Sprintf("c%d", p.Constraints[0]))
	case len(p.Gates) > 0:
		return d.signalName(p.Gates[0])
	}
	return ""
}

func (d *Design) signalName(v circuit.Var) string {
	name, _ := d.Names().Signal(v)
	return name
}

// ConstraintParts returns where constraints stand, as place says of each by its position.
func ConstraintParts(c *circuit.Circuit, place func(index int) (source.Span, bool)) []Part {
	var parts []Part
	at := map[source.Span]int{}
	for i := range c.Constraints() {
		span, ok := place(i)
		if !ok {
			continue
		}
		known, seen := at[span]
		if !seen {
			known = len(parts)
			at[span], parts = known, append(parts, Part{Span: span})
		}
		parts[known].Constraints = append(parts[known].Constraints, i)
	}
	return parts
}

// Parts looks at the whole text. A gate is a conjunction of two.
func (f Flat) Parts(ctx context.Context) ([]Part, error) {
	var parts []Part
	c := f.Circuit()
	for o := range f.syntax.OccurrencesIn(source.Span{Length: f.text.Len()}) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Role != RoleDefinition {
			continue
		}
		s := o.Lit.Signal()
		def, ok := f.syntax.Definition(s)
		lit, sound := f.LitOf(s.Lit())
		if !ok || !sound {
			continue
		}
		switch at := c.LatchIndex(lit.Var()); {
		case def.Kind == Latch && at >= 0:
			parts = append(parts, Part{Span: def.Row, Latches: []int{at}})
		case def.Kind == Gate:
			p := Part{Span: def.Row, Gates: []circuit.Var{lit.Var()}}
			p.IsShared = c.Kind(lit.Var()) != circuit.KindAnd || !f.areTwo(def.Operands)
			parts = append(parts, p)
		}
	}
	return append(parts, ConstraintParts(c, func(i int) (source.Span, bool) {
		line := f.OriginLine(c.Constraints()[i].Origin)
		if line < 0 || line >= f.text.NumLines() {
			return source.Span{}, false
		}
		return f.text.LineSpan(line), true
	})...), nil
}

// areTwo reports whether operands are two variables: then their conjunction is a gate.
func (f Flat) areTwo(operands []Lit) bool {
	if len(operands) != 2 {
		return false
	}
	left, ok := f.LitOf(operands[0])
	right, alsoOK := f.LitOf(operands[1])
	return ok && alsoOK && left.Var() != 0 && right.Var() != 0 && left.Var() != right.Var()
}
