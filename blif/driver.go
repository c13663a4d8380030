package blif

import (
	"iter"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// PortSpan returns where a signal is listed as an input.
func (f *File) PortSpan(s Signal) (source.Span, bool) {
	m := f.SignalModel(s)
	if m.HasPortLines {
		if p, ok := m.PortMap()[f.Name(s)]; ok && p.dir == cells.Input && p.index < len(m.InputList) { // the clocks stand after them
			return f.RefSpan(m.InputList[p.index].Ref), true
		}
	}
	for _, p := range m.Clocks {
		if p.Name == f.Resolved().Names[s] {
			return f.RefSpan(p.Ref), true
		}
	}
	return source.Span{}, false
}

// DrivenSpan returns the place in a statement where a name is driven; else
// that of the directive.
func (f *File) DrivenSpan(id int, n statement.Name) source.Span {
	return spanOf(f, id, n, Role.drives)
}

// spanOf returns the first place in a statement where a name has a role of some kind; else
// that of the directive.
func spanOf(f *File, id int, n statement.Name, is func(Role) bool) source.Span {
	k, i := f.Locate(id)
	for _, o := range f.OccurrencesOfStatement(k, i) {
		if is(o.Role) && f.Chunks[k].Names[o.Token] == n {
			return o.Span
		}
	}
	return f.DirectiveSpan(id)
}

// Driver returns the first statement that drives a signal; ok is false for one
// that no statement drives, as an input. Unlike Definition it looks at no text.
func (f *File) Driver(s Signal) (id int, ok bool) {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Driver) || r.Driver[s] == 0 {
		return 0, false
	}
	return int(r.Driver[s]) - 1, true
}

// Input returns where a signal is listed among the inputs or clocks of its
// model, or first named in a model without such lists, and its position among
// the inputs. ok is false for a signal that is none.
func (f *File) Input(s Signal) (place source.Span, index int, ok bool) {
	r := f.Resolved()
	if s == 0 || int(s) >= len(r.Facts) || r.Facts[s]&(FactInput|FactClock) == 0 {
		return source.Span{}, 0, false
	}
	m := f.SignalModel(s)
	index = m.PortMap()[f.Name(s)].index
	switch {
	case m.HasPortLines && index < len(m.InputList): // the clocks stand after them
		return f.RefSpan(m.InputList[index].Ref), index, true
	case m.HasPortLines:
		place, ok = f.PortSpan(s)
		return place, index, ok
	}
	for o := range f.Occurrences(s) {
		return o.Span, index, true
	}
	return source.Span{}, 0, false
}

// InstancesOf returns the instances of a model of the file, in text order of
// the models that hold them.
func (f *File) InstancesOf(m *Model) []int {
	var ids []int
	for _, calls := range f.Resolved().Calls {
		for _, call := range calls {
			if call.Block.Model == m {
				ids = append(ids, call.Statement)
			}
		}
	}
	return ids
}

// Positions returns, by statement, how many of the same kind stand before it in
// its model.
func (f *File) Positions() []int32 {
	all := make([]int32, 0, f.NumStatements())
	models := f.Models()
	var counts [statement.KindMV + 1]int32
	for _, c := range f.Chunks {
		for _, st := range c.Stmts {
			if len(models) > 0 && models[0].From == len(all) {
				models, counts = models[1:], [statement.KindMV + 1]int32{}
			}
			all = append(all, counts[st.Kind])
			counts[st.Kind]++
		}
	}
	return all
}

// Operands yields the signals that a statement of a model reads for what it
// drives, in text order: no controls of latches.
func (f *File) Operands(id int) iter.Seq[Signal] {
	return func(yield func(Signal) bool) {
		m := f.ModelAt(id)
		if m == nil {
			return
		}
		r := f.Resolved()
		k, i := f.Locate(id)
		c := f.Chunks[k]
		var b Block
		if c.Stmts[i].Kind.IsInstance() {
			b = f.InstanceOf(k, i)
		}
		more := true
		f.Roles(k, i, b, func(t uint32, role Role) {
			if more && (role == RoleOperand || role == RolePinInput || role == RoleNext) {
				more = yield(r.Lookup(m.Index, c.Names[t]))
			}
		})
	}
}

// OperandSpan returns the first place in a statement where a name is read;
// else that of the directive.
func (f *File) OperandSpan(id int, n statement.Name) source.Span {
	return spanOf(f, id, n, Role.Reads)
}
