package blif

import (
	"errors"
	"fmt"

	"aiglens/internal/source"
)

// RenameTarget returns the word that Rename changes at offset.
func (f *File) RenameTarget(offset int) (span source.Span, name string, ok bool) {
	o, ok := f.OccurrenceAt(offset)
	if !ok || o.Signal == 0 && o.Role != RoleModel && o.Role != RoleInstance && o.Role != RoleFormal {
		return source.Span{}, "", false
	}
	return o.Span, f.text.Slice(o.Span), true
}

// Rename returns the edits that give a signal, a port or a model of this file
// another name: a signal wherever its model names it, a port at all instances
// besides, a model at its instances. Other files are not changed. The error
// says why there are no edits.
func (f *File) Rename(offset int, to string) ([]source.Edit, error) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return nil, errors.New("there is no name here")
	}
	if to == "" || writable(to) != to {
		return nil, fmt.Errorf("%q is no name: white space, # and = cannot stand in one, nor a . in front", to)
	}
	switch {
	case o.Role == RoleModel || o.Role == RoleInstance:
		return f.renameModel(f.Model(f.text.Slice(o.Span)), to)
	case o.Role == RoleFormal:
		m := f.Instance(o.Statement)
		if m == nil || m.File != f {
			return nil, errors.New("the model of this instance is not in this file")
		}
		return f.renameSignal(m.Signal(f.text.Slice(o.Span)), to)
	}
	return f.renameSignal(o.Signal, to)
}

func (f *File) renameModel(m *Model, to string) ([]source.Edit, error) {
	if m == nil || !m.hasName {
		return nil, errors.New("the model is not in this file")
	}
	if f.Model(to) != nil {
		return nil, fmt.Errorf("there is a model %s already", to)
	}
	edits := []source.Edit{replace(m.NameSpan(), to)}
	f.instancesOf(m, func(k, i int) {
		lo, _ := f.chunks[k].tokens(i)
		edits = append(edits, replace(f.span(k, f.chunks[k].toks[lo+1]), to))
	})
	return edits, nil
}

// instancesOf calls visit for the instances of a model in this file.
func (f *File) instancesOf(m *Model, visit func(k, i int)) {
	for _, calls := range f.resolved().calls {
		for _, call := range calls {
			if call.block.model == m {
				k, i := f.at(call.id)
				visit(k, i)
			}
		}
	}
}

func (f *File) renameSignal(s Signal, to string) ([]source.Edit, error) {
	if s == 0 {
		return nil, errors.New("there is no signal of that name")
	}
	m := f.SignalModel(s)
	if other := m.Signal(to); other != 0 && other != s {
		for range f.Occurrences(other) {
			return nil, fmt.Errorf("model %s has a signal %s already", m.Name, to)
		}
	}
	if to == undefName || f.Name(s) == undefName {
		return nil, fmt.Errorf("%s has a meaning of its own: it is any value", undefName)
	}
	var edits []source.Edit
	for o := range f.Occurrences(s) {
		if o.Role == RoleControl && (to == "NIL" || isInitialValue(to)) {
			return nil, fmt.Errorf("%s is no signal where the control of a latch stands", to)
		}
		edits = append(edits, replace(o.Span, to))
	}
	name := f.resolved().names[s]
	f.instancesOf(m, func(k, i int) {
		c := f.chunks[k]
		lo, hi := c.tokens(i)
		for t := lo + 2; t+1 < hi; t += 2 {
			if c.ids[t] == name && c.isNamedPin(t) {
				edits = append(edits, replace(f.span(k, c.toks[t]), to))
			}
		}
	})
	return edits, nil
}
