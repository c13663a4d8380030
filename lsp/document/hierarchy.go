package document

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// hierarchical is the circuit of a format in which models instantiate others.
type hierarchical interface {
	latch(index int) (SourceSignal, bool)
	cuts(circuit.Property) []source.Diagnostic
	copies(l Lit, limit int) []Copy
}

// LatchSource returns the source of a latch of the circuit.
func (d *Document) LatchSource(index int) (SourceSignal, bool) {
	if h, ok := d.elaborate().(hierarchical); ok {
		return h.latch(index)
	}
	row, ok := d.OriginSpan(d.Circuit().Latches()[index].Origin)
	if !ok {
		return SourceSignal{}, false
	}
	o, ok := d.OccurrenceAt(row.Start)
	if !ok {
		return SourceSignal{}, false
	}
	return SourceSignal{Name: d.Name(o.Lit.Signal()), Lit: o.Lit, Row: row, Span: o.Span}, true
}

// Copy is a signal in one instance of its model.
type Copy struct {
	Path string // of the instance; "" for the top model
	Lit  circuit.Lit
}

// Copies returns the circuit's literals for one of the document, at most limit of
// them: one in each instance of its model, those without a sound definition left
// out.
func (d *Document) Copies(l Lit, limit int) []Copy {
	if h, ok := d.elaborate().(hierarchical); ok {
		return h.copies(l, limit)
	}
	if lit, ok := d.LitOf(l); ok {
		return []Copy{{"", lit}}
	}
	return nil
}

// Scopes splits the name of a latch or input of the circuit into those of the instances
// around it, outermost first, and the one inside. Names may hold the sign between them.
func (d *Document) Scopes(name string) (path []string, local string) {
	e, ok := d.elaborate().(blifElaboration)
	if !ok {
		return nil, name
	}
	known, start := e.instances().byPath, 0
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

// FileReference is a word that names another file.
type FileReference struct {
	Span source.Span
	Path string // as written
}

// FileReferences returns the words, outside of comments, that name files.
func (d *Document) FileReferences() []FileReference {
	s, ok := d.parse().(blifSyntax)
	if !ok {
		return nil
	}
	var all []FileReference
	for st := range s.Statements(0, s.NumStatements()) {
		if st.Kind != statement.KindSearch {
			continue
		}
		for _, w := range s.Arguments(st.ID) {
			all = append(all, FileReference{w, s.Text().Slice(w)})
		}
	}
	return all
}

// Cuts returns warnings that belong to a verdict on a property: what the text
// does not describe is any value in its circuit, which can make a property fail
// that holds, but never hold one that fails.
func (d *Document) Cuts(p circuit.Property) []source.Diagnostic {
	if h, ok := d.elaborate().(hierarchical); ok {
		return h.cuts(p)
	}
	return nil
}

// DependsOnOthers reports whether the text, as far as it has been looked at,
// means something else when other files change.
func (d *Document) DependsOnOthers() bool {
	latest := d.latest.Load()
	if latest == nil {
		return false
	}
	s, ok := (*latest).(blifSyntax)
	return ok && s.usesOthers()
}

// Target is a place in another file.
type Target struct {
	Word source.Span // of this document, what stands for the place
	Path string
	Text source.Text
	Span source.Span
	// Model is the model that the place is in, or "" for a whole file; Port is the
	// port that it defines, or "".
	Model, Port string
	IsInput     bool // of Port
	// Inputs and Outputs are the ports of Model.
	Inputs, Outputs []string
}

// TargetAt returns what the word at offset stands for in another file: a model,
// one of its ports, or the file itself.
func (d *Document) TargetAt(offset int) (Target, bool) {
	if s, ok := d.parse().(blifSyntax); ok {
		return s.targetAt(offset)
	}
	return Target{}, false
}

func (s blifSyntax) targetAt(offset int) (Target, bool) {
	if s.view == nil {
		return Target{}, false
	}
	if st := s.StatementAt(offset); st.Kind == statement.KindSearch {
		for _, w := range s.Arguments(st.ID) {
			if !w.Contains(offset) {
				continue
			}
			path := s.Text().Slice(w)
			if f := s.view.Search(path); f != nil {
				return Target{Word: w, Path: s.view.Path(path), Text: f.Text()}, true
			}
		}
		return Target{}, false
	}
	o, ok := s.OccurrenceAt(offset)
	if !ok {
		return Target{}, false
	}
	return s.targetOf(o)
}

// TargetsIn returns what the words of a part of the text stand for in other
// files, at most limit of them: models and their ports.
func (d *Document) TargetsIn(span source.Span, limit int) []Target {
	s, ok := d.parse().(blifSyntax)
	if !ok || s.view == nil {
		return nil
	}
	var all []Target
	for o := range s.OccurrencesIn(span) {
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
func (s blifSyntax) targetOf(o blif.Occurrence) (Target, bool) {
	if o.Role != blif.RoleInstance && o.Role != blif.RoleFormal {
		return Target{}, false
	}
	m := s.Instance(o.Statement)
	if m == nil || m.File == s.File {
		return Target{}, false
	}
	t := Target{
		Word: o.Span, Path: s.view.PathOf(m.File), Text: m.File.Text(), Span: m.NameSpan(),
		Model: m.Name, Inputs: m.Inputs(), Outputs: m.Outputs(),
	}
	if o.Role == blif.RoleFormal {
		name := s.Text().Slice(o.Span)
		if d, ok := m.File.Definition(m.Signal(name)); ok {
			t.Span, t.Port = d.Span, name
			t.IsInput = slices.Contains(t.Inputs, name)
		}
	}
	return t, t.Path != ""
}
