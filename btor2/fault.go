package btor2

import (
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// The codes of what keeps a property from being checked beside what syntax finds.
const (
	CodeTooLarge   source.Code = "circuit-too-large"
	CodeArrayLarge source.Code = "array-too-large"
)

// fault returns an error on the row of a node.
func (x *elaborator) fault(node int, code source.Code, format string, args ...any) *source.Diagnostic {
	return &source.Diagnostic{
		Span: x.m.Text.LineSpan(x.m.Nodes[node].Line), Severity: source.Error, Code: code, Message: fmt.Sprintf(format, args...),
	}
}

func (x *elaborator) tooLarge(node int) *source.Diagnostic {
	n := &x.m.Nodes[node]
	width := n.Sort.Width
	if n.Op == syntax.Output {
		width = x.m.Nodes[n.Args[0].Node()].Sort.Width
	}
	return x.fault(node, CodeTooLarge, "the circuit is too large from here on: with %s of %s it may take more than %s; make words narrower",
		n.Op, findings.Count(width, "bit", "bits"), findings.Count(x.o.MaxGates, "gate", "gates"))
}

func (x *elaborator) tooLargeArray(node int) *source.Diagnostic {
	s, more := arrayOf(x.m, &x.m.Nodes[node]), ""
	if gates := x.arrays[s]; gates <= x.o.MaxGates {
		more = fmt.Sprintf(", or allow more (--array-gates %d, aiglens.btor2.arrayGates)", gates)
	}
	return x.fault(node, CodeArrayLarge, "arrays with an index of %s and elements of %s are too large: as bits they may take more than %s; make the index narrower%s",
		findings.Count(s.IndexWidth, "bit", "bits"), findings.Count(s.Width, "bit", "bits"), findings.Count(max(0, x.o.MaxArrayGates), "gate", "gates"), more)
}

// Fault returns the first error because of which there is no verdict on a property, or nil: one that leaves the meaning of
// the whole text open, or else one in the cone of the property in the text, which includes that of all constraints. It
// may be that a part of the cone is too large. Arrays that are abstracted come last: a check may answer in spite of them.
func (e *Elaboration) Fault(p circuit.Property) *source.Diagnostic {
	if d := e.faultOf(p, nil); d != nil {
		return d
	}
	return e.faultOf(p, e.abstraction.rows)
}

// IsAbstract implements circuit.Original: a property depends on arrays that are abstracted.
func (e *Elaboration) IsAbstract(p circuit.Property) bool {
	return len(e.abstraction.rows) > 0 && (p.Kind == circuit.PropertyOutput || e.Fault(p) != nil)
}

// IsCheckedByAbstraction reports whether there can be a verdict on a property in spite of its Fault: arrays that are
// abstracted are all that stands in the way. A proof is one about the text; a counterexample counts when it is
// what Concrete returns and Verify accepts, which is never so for the loop of a justice property.
func (e *Elaboration) IsCheckedByAbstraction(p circuit.Property) bool {
	isAsked := p.Kind == circuit.PropertyBad && p.Index < len(e.model.Bads) || p.Kind == circuit.PropertyJustice && p.Index < len(e.model.Justice)
	return isAsked && p.Index >= 0 && e.IsAbstract(p) && e.faultOf(p, nil) == nil
}

// faultOf is Fault with the rows of some arrays.
func (e *Elaboration) faultOf(p circuit.Property, arrays map[int]*source.Diagnostic) *source.Diagnostic {
	if d := e.file.Structural(); d != nil {
		return d
	}
	return e.faultIn(arrays, e.rootsOf(p))
}

// rootsOf returns the rows that a property is asked with.
func (e *Elaboration) rootsOf(p circuit.Property) []int {
	roots := append([]int{}, e.model.Constraints...)
	switch p.Kind {
	case circuit.PropertyBad:
		roots = appendAt(roots, e.model.Bads, p.Index)
	case circuit.PropertyJustice:
		roots = append(appendAt(roots, e.model.Justice, p.Index), e.model.Fairs...)
	case circuit.PropertyLemma:
		roots = appendAt(roots, e.model.Lemmas, p.Index)
	case circuit.PropertyCover:
		roots = appendAt(roots, e.model.Covers, p.Index)
	}
	return roots
}

func appendAt(to, list []int, i int) []int {
	if i < 0 || i >= len(list) {
		return to
	}
	return append(to, list[i])
}

// FirstFault returns the first of what is too large, by its place in the text, or nil.
func (e *Elaboration) FirstFault() (first *source.Diagnostic) {
	for _, faults := range []map[int]*source.Diagnostic{e.faults, e.abstraction.rows} {
		for _, d := range faults {
			if first == nil || d.Span.Start < first.Span.Start {
				first = d
			}
		}
	}
	return first
}

// FaultIn returns the first error on which the values of some literals of the circuit depend, by its place in the text, or nil:
// one that leaves the meaning of the whole text open, or else one in the cones of the rows that stand in their cones as inputs
// and latches.
func (e *Elaboration) FaultIn(lits ...circuit.Lit) *source.Diagnostic {
	if d := e.file.Structural(); d != nil || !e.hasFaults {
		return d
	}
	c := e.Circuit
	seen := make([]bool, c.NumVars())
	var todo []circuit.Var
	visit := func(l circuit.Lit) {
		if v := l.Var(); !seen[v] {
			seen[v] = true
			todo = append(todo, v)
		}
	}
	for _, l := range lits {
		visit(l)
	}
	var nodes []int
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if left, right, ok := c.Operands(v); ok {
			visit(left)
			visit(right)
		} else if i := c.InputIndex(v); i >= 0 {
			nodes = append(nodes, NodeFromOrigin(c.Inputs()[i].Origin))
		} else if i := c.LatchIndex(v); i >= 0 { // its row names what it starts with and what comes next
			nodes = append(nodes, NodeFromOrigin(c.Latches()[i].Origin))
		}
	}
	return e.FaultOf(nodes...)
}

// FaultOf returns the first error in the cones of some nodes, by its place in the text, or nil.
func (e *Elaboration) FaultOf(nodes ...int) *source.Diagnostic {
	return e.faultIn(e.abstraction.rows, nodes)
}

func (e *Elaboration) faultIn(arrays map[int]*source.Diagnostic, nodes []int) *source.Diagnostic {
	if !e.hasFaults {
		return nil
	}
	var first *source.Diagnostic
	var todo []int
	unsound := -1
	seen := make([]bool, len(e.model.Nodes))
	visit := func(node int) {
		if seen[node] {
			return
		}
		seen[node] = true
		todo = append(todo, node)
		d := e.faults[node]
		if d == nil {
			d = arrays[node]
		}
		if !e.model.Nodes[node].Sound {
			unsound = node
			d = e.file.RowFault(node)
		}
		if d != nil && (first == nil || d.Span.Start < first.Span.Start) {
			first = d
		}
	}
	for _, node := range nodes {
		visit(node)
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, a := range e.model.Nodes[i].Args {
			if a != syntax.NoRef {
				visit(a.Node())
			}
		}
		for _, rows := range []map[int]int{e.model.Init, e.model.Next} {
			if row, ok := rows[i]; ok {
				visit(row)
			}
		}
	}
	if first == nil && unsound >= 0 { // what it rests on is no part of its row
		return e.file.Fault(unsound)
	}
	return first
}
