package syntax

import "aiglens/internal/source"

// Node is a word or a list as it is written.
type Node struct {
	Span   source.Span
	IsList bool
	Items  []Node // of a list
}

// Layout returns the list of a form; ok is false for a form without one.
func (f *File) Layout(form int) (n Node, ok bool) {
	if len(f.forms[form].nodes) == 0 {
		return n, false
	}
	all := make([]Node, len(f.forms[form].nodes))
	for i := len(all) - 1; i >= 0; i-- { // what a list holds stands after it
		x := f.forms[form].nodes[i]
		all[i] = Node{Span: f.span(form, i), IsList: x.kind == kindList}
		for _, k := range f.forms[form].args(i) {
			all[i].Items = append(all[i].Items, all[k])
		}
	}
	return all[0], true
}

// FormText returns the span of a form with what stands before its list.
func (f *File) FormText(form int) source.Span {
	return source.SpanFromTo(f.starts[form], f.starts[form+1])
}
