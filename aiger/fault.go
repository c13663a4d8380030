package aiger

import (
	"sort"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Fault returns the first error, in text order, that forbids a verdict on p:
// one in the structure of the file, in p's cone or in the cone of a
// constraint. It is nil when p may be checked.
//
// The cone is that of the file, not of the circuit, in which structural
// hashing may have folded an error away.
func (e *Elaboration) Fault(p circuit.Property) *source.Diagnostic {
	if e.structural != nil {
		return e.structural
	}
	if len(e.faults) == 0 {
		return nil
	}
	c := coneSearch{e: e, f: e.file, seen: make([]bool, e.file.NumRows())}
	c.section(syntax.SectionConstraints)
	if kind, ok := AsideKindOf(p.Kind); ok {
		c.aside(kind, p.Index)
	} else if lo, hi := e.file.RowsOf(sectionOf(p.Kind)); p.Index >= 0 && lo+p.Index < hi {
		c.visit(lo + p.Index)
	}
	if p.Kind == circuit.PropertyJustice {
		lo, _ := e.file.RowsOf(syntax.SectionJusticeLits)
		from, to := e.file.JusticeLiterals(p.Index)
		for r := lo + from; r < lo+to; r++ {
			c.visit(r)
		}
		c.section(syntax.SectionFairness)
	}
	c.run()
	return c.first
}

// coneSearch walks from rows to the rows that define their literals.
type coneSearch struct {
	e     *Elaboration
	f     *syntax.File
	seen  []bool // by row
	todo  []int
	first *source.Diagnostic
}

func (c *coneSearch) section(k syntax.SectionKind) {
	lo, hi := c.f.RowsOf(k)
	for r := lo; r < hi; r++ {
		c.visit(r)
	}
}

func (c *coneSearch) aside(kind syntax.AsideKind, index int) {
	a, _ := c.f.AsideOf(kind, index)
	if definition, ok := c.f.RowDefining(a.Lit >> 1); ok {
		c.visit(definition)
	}
}

func (c *coneSearch) visit(r int) {
	if c.seen[r] {
		return
	}
	c.seen[r] = true
	c.todo = append(c.todo, r)
	if diag := c.e.faultOf(r); diag != nil && (c.first == nil || diag.Span.Start < c.first.Span.Start) {
		c.first = diag
	}
}

func (c *coneSearch) run() {
	for len(c.todo) > 0 {
		r := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		kind, _, _ := c.f.Place(r)
		if kind == syntax.SectionInputs || kind == syntax.SectionJustice {
			continue
		}
		row := c.f.Numbers(r)
		for i := range min(row.N, 3) {
			if definition, ok := c.f.RowDefining(row.Num[i] >> 1); ok {
				c.visit(definition)
			}
		}
	}
}

// faultOf returns the first error on a row, or nil.
func (e *Elaboration) faultOf(r int) *source.Diagnostic {
	i := sort.Search(len(e.faults), func(i int) bool { return int(e.faults[i].Row) >= r })
	if i < len(e.faults) && int(e.faults[i].Row) == r {
		return e.faults[i].Diagnostic
	}
	return nil
}
