package design

import (
	"context"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Part is a row of a text, or a word of it, and what of the circuit it states.
type Part struct {
	Span source.Span
	// Gates, and the positions of Latches and Constraints, are what becomes something else
	// with the part.
	Gates       []circuit.Var
	Latches     []int
	Constraints []int
	// IsShared says that something else becomes different with the part, too, or that another
	// part states the same.
	IsShared bool
}

// GateRow is a row that defines gates, or a net that stands for one.
type GateRow struct {
	Name string
	Own  []circuit.Var // that it alone states; none where it says what others say, too
}

// GateRows returns the rows that define gates, also those of other files, in the order of the
// text. The error is that of ctx.
func (d *Design) GateRows(ctx context.Context) ([]GateRow, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	return d.elaborate().GateRows(ctx)
}

// GateRows returns none.
func (f Flat) GateRows(ctx context.Context) ([]GateRow, error) { return nil, ctx.Err() }

// Parts returns the rows of gates, latches and constraints; those of other files are left out.
// The error is that of ctx.
func (d *Design) Parts(ctx context.Context) ([]Part, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	parts, err := d.elaborate().Parts(ctx)
	if err != nil {
		return nil, err
	}
	owners := map[circuit.Var]int{}
	for _, p := range parts {
		for _, v := range p.Gates {
			owners[v]++
		}
	}
	for i, p := range parts {
		for _, v := range p.Gates {
			parts[i].IsShared = parts[i].IsShared || owners[v] > 1
		}
	}
	return parts, nil
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
