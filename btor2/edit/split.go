package edit

import (
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// maxParts bounds the rows that one is split into.
const maxParts = 1000

// partsOf returns what a bad or a constraint can be split into: a bad is reached where one of its parts is, and a
// constraint holds where all of its parts do. There are none where there would be too many.
func partsOf(m *syntax.Model, row int) []syntax.Ref {
	n := &m.Nodes[row]
	if !n.Sound || len(n.Args) != 1 {
		return nil
	}
	p := parts{m: m, seen: map[syntax.Ref]bool{}, isAnd: n.Op == syntax.Constraint}
	todo := []syntax.Ref{n.Args[0]}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p.seen[last] {
			continue
		}
		p.seen[last] = true
		if inner := p.inner(last); len(inner) > 0 {
			for i := len(inner) - 1; i >= 0; i-- {
				todo = append(todo, inner[i])
			}
			continue
		}
		if p.found = append(p.found, last); len(p.found) > maxParts {
			return nil
		}
	}
	return p.found
}

type parts struct {
	m     *syntax.Model
	seen  map[syntax.Ref]bool
	isAnd bool // and not or
	found []syntax.Ref
}

// inner returns the values of which one is the disjunction, or the conjunction; none where it is neither.
func (p *parts) inner(r syntax.Ref) []syntax.Ref {
	n := &p.m.Nodes[r.Node()]
	isNegated := r.IsNegated()
	if n.Op == syntax.Not || n.IsAlias() {
		of := n.Args[0]
		if isNegated != (n.Op == syntax.Not) {
			of ^= 1
		}
		return []syntax.Ref{of}
	}
	// What is negated is the other of and and or, of negated operands.
	isAnd := p.isAnd != isNegated
	flip := syntax.Ref(0)
	if isNegated {
		flip = 1
	}
	switch {
	case n.Op == syntax.And && isAnd, n.Op == syntax.Or && !isAnd:
		return []syntax.Ref{n.Args[0] ^ flip, n.Args[1] ^ flip}
	case n.Op == syntax.Nand && !isAnd, n.Op == syntax.Nor && isAnd:
		return []syntax.Ref{n.Args[0] ^ flip ^ 1, n.Args[1] ^ flip ^ 1}
	case n.Op == syntax.Implies && !isAnd:
		return []syntax.Ref{n.Args[0] ^ flip ^ 1, n.Args[1] ^ flip}
	}
	return nil
}

// split puts a row for each part in the place of a bad or a constraint. The symbol gets the number of the part.
func split(f *syntax.File, row int) ([]source.Edit, error) {
	r, err := newRewriting(f)
	if err != nil {
		return nil, err
	}
	m := f.Model()
	n := &m.Nodes[row]
	known := symbolsOf(m)
	for i, part := range partsOf(m, row) {
		symbol := ""
		if n.Symbol != "" {
			symbol = known.free(fmt.Sprintf("%s_%d", n.Symbol, i+1))
		}
		if i > 0 {
			text := fmt.Sprintf("%s %s", n.Op, m.Operand(part))
			if symbol != "" {
				text += " " + symbol
			}
			r.add(row, text)
			continue
		}
		if symbol != "" {
			if err := r.name(row, symbol); err != nil {
				return nil, err
			}
		}
		operand := f.LayoutOf(row).Words[2] // after number and tag
		r.edits = append(r.edits, source.Edit{Span: operand, NewText: m.Operand(part)})
	}
	return r.finish()
}
