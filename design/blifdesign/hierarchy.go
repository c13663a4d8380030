package blifdesign

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/edit"
	"aiglens/blif/statement"
	"aiglens/design"
	"aiglens/internal/source"
)

func (s syntax) FileReferences() []design.FileReference {
	var all []design.FileReference
	for st := range s.file.Statements(0, s.file.NumStatements()) {
		if st.Kind != statement.KindSearch {
			continue
		}
		for _, w := range s.file.Arguments(st.ID) {
			all = append(all, design.FileReference{Span: w, Path: s.file.Text().Slice(w)})
		}
	}
	return all
}

func (s *syntax) TargetAt(offset int) (design.Target, bool) {
	if s.view == nil {
		return design.Target{}, false
	}
	if st := s.file.StatementAt(offset); st.Kind == statement.KindSearch {
		for _, w := range s.file.Arguments(st.ID) {
			if !w.Contains(offset) {
				continue
			}
			path := s.file.Text().Slice(w)
			if f := s.view.Search(path); f != nil {
				return design.Target{Word: w, Path: s.view.Path(path), Text: f.Text()}, true
			}
		}
		return design.Target{}, false
	}
	o, ok := s.file.OccurrenceAt(offset)
	if !ok {
		return design.Target{}, false
	}
	return s.targetOf(o)
}

func (s *syntax) MayBeShared(offset int) bool { return edit.MayBeShared(s.file, offset) }

func (s syntax) TargetsIn(span source.Span, limit int) []design.Target {
	if s.view == nil {
		return nil
	}
	var all []design.Target
	for o := range s.file.OccurrencesIn(span) {
		if t, ok := s.targetOf(o); ok {
			all = append(all, t)
		}
		if len(all) == limit {
			break
		}
	}
	return all
}

// targetOf returns the model or port of another file that a word names.
func (s *syntax) targetOf(o blif.Occurrence) (design.Target, bool) {
	if o.Role != blif.RoleInstance && o.Role != blif.RoleFormal {
		return design.Target{}, false
	}
	m := s.file.Instance(o.Statement)
	if m == nil || m.File == s.file {
		return design.Target{}, false
	}
	t := design.Target{
		Word: o.Span, Path: s.view.PathOf(m.File), Text: m.File.Text(), Span: m.NameSpan(),
		Model: m.Name, Inputs: m.Inputs(), Outputs: m.Outputs(),
	}
	if o.Role == blif.RoleFormal {
		name := s.file.Text().Slice(o.Span)
		if d, ok := m.File.Definition(m.Signal(name)); ok {
			t.Span, t.Port = d.Span, name
			t.IsInput = slices.Contains(t.Inputs, name)
		}
	}
	return t, t.Path != ""
}
func (e elaboration) Scopes(name string) (path []string, local string) {
	known, start := e.byPath(), 0
	for i := range len(name) {
		if name[i] != '/' || i == 0 {
			continue
		}
		if _, isInstance := known[name[:i]]; isInstance {
			path, start = append(path, name[start:i]), i+1
		}
	}
	return path, name[start:]
}
