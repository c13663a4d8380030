package edit

import (
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// widthFixes returns the ways to put a value of the right width in the place of an operand: an extension of a narrow
// one, bits of a wide one.
func widthFixes(f *syntax.File, d source.Diagnostic) []source.Fix {
	o, ok := f.OccurrenceAt(d.Span.Start)
	if !ok || o.Role != syntax.RoleOperand || o.Span != d.Span || o.Ref == syntax.NoRef || o.Node == 0 {
		return nil
	}
	m := f.Model()
	has := m.Nodes[o.Ref.Node()].Sort
	want := wanted(m, o, d.Code)
	sort, ok := sortBefore(m, o.Node, want)
	if !ok || has.IsArray() || has.Width == 0 {
		return nil
	}
	var fixes []source.Fix
	add := func(title, tag, rest string) {
		if edits, err := insteadOf(f, o, fmt.Sprintf("%s %d %s%s", tag, sort, f.Text().Slice(o.Span), rest)); err == nil {
			fixes = append(fixes, source.Fix{Title: title, Edits: edits})
		}
	}
	bits := findings.Count(want, "bit", "bits")
	if more := want - has.Width; more > 0 {
		add("Extend it to "+bits+" by zeros", "uext", fmt.Sprintf(" %d", more))
		add("Extend it to "+bits+" by its sign", "sext", fmt.Sprintf(" %d", more))
		return fixes
	}
	if want == 1 {
		add("Use whether any bit of it is 1", "redor", "")
	}
	add("Use its lowest "+bits, "slice", fmt.Sprintf(" %d 0", want-1))
	return fixes
}

// wanted returns the width that an operand should have, or 0.
func wanted(m *syntax.Model, o syntax.Occurrence, code source.Code) int {
	n := &m.Nodes[o.Node]
	switch {
	case code == syntax.CodeOneBit:
		return 1
	case len(n.Args) == 0 || n.Args[0] == syntax.NoRef:
		return 0
	}
	first := m.Nodes[n.Args[0].Node()].Sort
	switch {
	case (n.Op == syntax.Read || n.Op == syntax.Write) && o.Index == 1:
		return first.IndexWidth
	case n.Op == syntax.Write && o.Index == 2, n.Op >= syntax.Eq && n.Op <= syntax.Sdivo && !first.IsArray():
		return first.Width
	case n.Op.IsOperator() && !n.Sort.IsArray():
		return n.Sort.Width
	}
	return 0
}

// sortBefore returns the number of a row before another one that defines the bit-vectors of a width.
func sortBefore(m *syntax.Model, row, width int) (id int64, ok bool) {
	for i := range row {
		if n := &m.Nodes[i]; n.Op == syntax.SortRow && n.Sound && n.Sort == (syntax.Sort{Width: width}) {
			return n.ID, true
		}
	}
	return 0, false
}

// insteadOf returns the edits that add a row before that of an operand, and use it in the place of the operand.
func insteadOf(f *syntax.File, o syntax.Occurrence, text string) ([]source.Edit, error) {
	r, err := newRewriting(f)
	if err != nil {
		return nil, err
	}
	r.add(o.Node-1, text)
	id := f.Model().NumberBefore(o.Node) + 1 // rows before keep their numbers
	r.edits = append(r.edits, source.Edit{Span: o.Span, NewText: fmt.Sprint(id)})
	return r.finish()
}
