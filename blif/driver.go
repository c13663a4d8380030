package blif

import (
	"iter"

	"aiglens/internal/source"
)

// Driver returns the first statement that drives a signal; ok is false for one
// that no statement drives, as an input. Unlike Definition it looks at no text.
func (f *File) Driver(s Signal) (id int, ok bool) {
	r := f.resolved()
	if s == 0 || int(s) >= len(r.driver) || r.driver[s] == 0 {
		return 0, false
	}
	return int(r.driver[s]) - 1, true
}

// Input returns where a signal is listed among the inputs or clocks of its
// model, or first named in a model without such lists, and its position among
// the inputs. ok is false for a signal that is none.
func (f *File) Input(s Signal) (place source.Span, index int, ok bool) {
	r := f.resolved()
	if s == 0 || int(s) >= len(r.facts) || r.facts[s]&(factInput|factClock) == 0 {
		return source.Span{}, 0, false
	}
	m := f.SignalModel(s)
	index = m.portMap()[f.Name(s)].index
	switch {
	case m.hasPortLines && index < len(m.inputs): // the clocks stand behind them
		return f.refSpan(m.inputs[index].ref), index, true
	case m.hasPortLines:
		place, ok = f.portSpan(s)
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
	for _, calls := range f.resolved().calls {
		for _, call := range calls {
			if call.block.model == m {
				ids = append(ids, call.id)
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
	var counts [KindMV + 1]int32
	for _, c := range f.chunks {
		for _, st := range c.stmts {
			if len(models) > 0 && models[0].from == len(all) {
				models, counts = models[1:], [KindMV + 1]int32{}
			}
			all = append(all, counts[st.kind])
			counts[st.kind]++
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
		r := f.resolved()
		k, i := f.at(id)
		c := f.chunks[k]
		var b block
		if c.stmts[i].kind.isInstance() {
			b = f.instanceOf(k, i)
		}
		more := true
		f.roles(k, i, b, func(t uint32, role Role) {
			if more && (role == RoleOperand || role == RolePinInput || role == RoleNext) {
				more = yield(r.lookup(m.Index, c.ids[t]))
			}
		})
	}
}
