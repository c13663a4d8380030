package edit

import (
	"errors"
	"fmt"
	"slices"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// RenameTarget returns the word that Rename changes at offset.
func RenameTarget(f *blif.File, offset int) (span source.Span, name string, ok bool) {
	if n, ok := wordNamedAt(f, offset); ok {
		return n.name, n.word.Name.Text, true
	}
	o, ok := f.OccurrenceAt(offset)
	switch {
	case !ok:
		return source.Span{}, "", false
	case o.Role == blif.RoleInstance || o.Role == blif.RoleFormal: // of a cell or of nothing known there is nothing to rename
		ok = f.Instance(o.Statement) != nil
	case o.Role != blif.RoleModel:
		ok = o.Signal != 0
	}
	if !ok {
		return source.Span{}, "", false
	}
	return o.Span, f.Text().Slice(o.Span), true
}

// Rename returns the edits that give a signal, a port, a word or a model of this file
// another name: a signal wherever its model names it, a port at all instances
// besides, a model at its instances. Other files are not changed. The error
// says why there are no edits.
func Rename(f *blif.File, offset int, to string) ([]source.Edit, error) {
	if s, ok := SharedAt(f, offset); ok {
		if s.Model.File != f {
			return nil, errors.New("the model of this instance is not in this file")
		}
		return s.Rename(to)
	}
	if n, ok := wordNamedAt(f, offset); ok {
		return n.rename(f, to)
	}
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return nil, errors.New("there is no name here")
	}
	if err := checkName(to); err != nil {
		return nil, err
	}
	if (o.Role == blif.RoleInstance || o.Role == blif.RoleFormal) && f.Instance(o.Statement) == nil {
		return nil, errors.New("no model of this instance is known")
	}
	return renameSignal(f, o.Signal, to)
}

func checkName(to string) error {
	if to == "" || blif.Writable(to) != to {
		return fmt.Errorf("%q is not a name: it must not contain white space, # or =, nor begin with a dot", to)
	}
	return nil
}

// Shared is a name that other files can use: that of a model, or of a port.
type Shared struct {
	Model *blif.Model
	Port  string // "" for the model itself
}

// SharedAt returns what the word at offset names. The model may lie in another
// file.
func SharedAt(f *blif.File, offset int) (s Shared, ok bool) {
	o, ok := f.OccurrenceAt(offset)
	if !ok {
		return s, false
	}
	name := f.Text().Slice(o.Span)
	switch o.Role {
	case blif.RoleModel:
		s.Model = f.ModelAt(o.Statement)
	case blif.RoleInstance:
		s.Model = f.Instance(o.Statement)
	case blif.RoleFormal:
		s = Shared{f.Instance(o.Statement), name}
	default:
		s = Shared{f.SignalModel(o.Signal), name}
	}
	if s.Model != nil && s.Port != "" {
		_, isPort := s.Model.PortMap()[s.Port]
		return s, isPort
	}
	return s, s.Model != nil
}

// MayBeShared reports whether other files can use what the word at offset names, without
// a look at them. Where they cannot SharedAt has nothing.
func MayBeShared(f *blif.File, offset int) bool {
	o, ok := f.OccurrenceAt(offset)
	switch {
	case !ok:
		return false
	case o.Role == blif.RoleModel || o.Role == blif.RoleInstance || o.Role == blif.RoleFormal:
		return true
	}
	m := f.SignalModel(o.Signal)
	if m == nil {
		return false
	}
	_, isPort := m.PortMap()[f.Text().Slice(o.Span)]
	return isPort
}

// Rename returns the edits of the file that holds the model.
func (s Shared) Rename(to string) ([]source.Edit, error) {
	if err := checkName(to); err != nil {
		return nil, err
	}
	f := s.Model.File
	if s.Port != "" {
		return renameSignal(f, s.Model.Signal(s.Port), to)
	}
	if !s.Model.HasName {
		return nil, errors.New("the model has no name in its file")
	}
	uses, err := RenameUses(f, s, to)
	return append([]source.Edit{replace(s.Model.NameSpan(), to)}, uses...), err
}

// RenameUses returns the edits of the instances in this file. A name that would
// mean something else there is refused.
func RenameUses(f *blif.File, s Shared, to string) ([]source.Edit, error) {
	var edits []source.Edit
	var failed error
	instancesOf(f, s.Model, func(k, i int) {
		c := f.Chunks[k]
		lo, hi := c.TokensOf(i)
		line := f.Text().LineAt(f.TokenSpan(k, c.Tokens[lo]).Start) + 1
		if s.Port == "" {
			edits = append(edits, replace(f.TokenSpan(k, c.Tokens[lo+1]), to))
			return
		}
		for t := lo + 2; t+1 < hi; t += 2 {
			if !c.IsNamedPin(t) {
				continue
			}
			switch c.Word(c.Tokens[t]) {
			case s.Port:
				edits = append(edits, replace(f.TokenSpan(k, c.Tokens[t]), to))
			case to:
				if to != s.Port {
					failed = fmt.Errorf("the instance on line %d already connects a port %s", line, to)
				}
			}
		}
	})
	if s.Port == "" && len(edits) > 0 && to != s.Model.Name {
		if m := f.FindModel(to); m != nil {
			failed = fmt.Errorf("there is a model %s already", to)
		} else if cells.Builtin(to) != nil {
			failed = fmt.Errorf("%s is a cell of Yosys", to)
		}
	}
	if s.Port == "" && f.Model(to) != nil && s.Model.File == f && to != s.Model.Name {
		failed = fmt.Errorf("there is a model %s already", to)
	}
	return edits, failed
}

// instancesOf calls visit for the instances of a model in this file.
func instancesOf(f *blif.File, m *blif.Model, visit func(k, i int)) {
	for _, calls := range f.Resolved().Calls {
		for _, call := range calls {
			if call.Block.Model == m {
				k, i := f.Locate(call.Statement)
				visit(k, i)
			}
		}
	}
}

func renameSignal(f *blif.File, s blif.Signal, to string) ([]source.Edit, error) {
	if s == 0 {
		return nil, errors.New("there is no signal of that name")
	}
	m := f.SignalModel(s)
	if other := m.Signal(to); other != 0 && other != s {
		for range f.Occurrences(other) {
			return nil, fmt.Errorf("model %s has a signal %s already", m.Name, to)
		}
	}
	if to == blif.UndefNet || f.Name(s) == blif.UndefNet {
		return nil, fmt.Errorf("%s has a special meaning: it may have any value", blif.UndefNet)
	}
	if to == blif.TrueNet || to == blif.FalseNet {
		return nil, fmt.Errorf("%s has a special meaning: it is a constant", to)
	}
	if blif.IsImplied(f, s) {
		return nil, fmt.Errorf("%s has a special meaning: it is a constant", f.Name(s))
	}
	if to == blif.OpenNet || f.Name(s) == blif.OpenNet {
		return nil, fmt.Errorf("%s has a special meaning: it is an open pin", blif.OpenNet)
	}
	words, _ := blif.WordsOf(f, m)
	if slices.ContainsFunc(words, func(w blif.Word) bool { return w.Name.Text == to }) {
		return nil, fmt.Errorf("a word of model %s has the name %s already", m.Name, to)
	}
	var edits []source.Edit
	var ok bool
	for o := range f.Occurrences(s) {
		if o.Role == blif.RoleControl && (to == "NIL" || statement.IsInitialValue(to)) {
			return nil, fmt.Errorf("%s does not name a signal where a latch has its control", to)
		}
		e := replace(o.Span, to)
		if o.IsBit {
			if e, ok = bitEdit(f, o.Span, to); !ok {
				return nil, fmt.Errorf("no line of a word can hold the name %s", to)
			}
		}
		edits = append(edits, e)
	}
	uses, err := RenameUses(f, Shared{m, f.Name(s)}, to)
	return append(edits, uses...), err
}
