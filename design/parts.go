package design

import (
	"context"
	"slices"

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
	// Own are the gates that change with the row and with no other; none where it says what
	// others say, too.
	Own []circuit.Var
}

// GateRows are the rows that define gates, also those of other files, in the order of the text.
type GateRows struct {
	All   []GateRow
	owned int     // rows with gates of their own
	owner []int32 // by variable: 1 + the row that alone states it; 0 for none
}

// GateRows returns the rows that define gates. They are looked for once. The error is that of
// ctx.
func (d *Design) GateRows(ctx context.Context) (*GateRows, error) {
	if err := d.Elaborate(ctx); err != nil {
		return nil, err
	}
	return d.gateRows.Get(ctx)
}

func newGateRows(all []GateRow, variables int) *GateRows {
	stated := make([]int32, variables) // by how many rows
	for _, r := range all {
		for _, v := range r.Own {
			stated[v]++
		}
	}
	rows := &GateRows{All: all, owner: make([]int32, variables)}
	for i, r := range all {
		if slices.ContainsFunc(r.Own, func(v circuit.Var) bool { return stated[v] > 1 }) {
			all[i].Own = nil
			continue
		}
		if len(r.Own) > 0 {
			rows.owned++
		}
		for _, v := range r.Own {
			rows.owner[v] = int32(i + 1)
		}
	}
	return rows
}

// Outside returns how many rows have gates of their own, and none of some, which are given by
// variable.
func (g *GateRows) Outside(gates []bool) int {
	inside := map[int32]bool{}
	for v, isOne := range gates {
		if isOne && g.owner[v] > 0 {
			inside[g.owner[v]] = true
		}
	}
	return g.owned - len(inside)
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
