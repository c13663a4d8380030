package hierarchy

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/edit"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// FileEdits are edits of the text of one file.
type FileEdits struct {
	Path  string
	Text  source.Text
	Edits []source.Edit
}

// Rename returns the edits that give the name at an offset of a file another
// one, in every file that uses it: a port at all instances of its model, a model
// wherever it is instantiated. It looks at the files that have been read, at the
// folders of the file and of the one that defines the name, and at others: paths
// of BLIF files. The error says why there are no edits, or in which file the name is taken.
func (l *Library) Rename(path string, offset int, to string, others []string) ([]FileEdits, error) {
	path = filepath.Clean(path)
	f := l.file(path)
	if f == nil {
		return nil, fmt.Errorf("%s cannot be read", path)
	}
	s, ok := edit.SharedAt(f, offset)
	if !ok {
		edits, err := edit.Rename(f, offset, to)
		return []FileEdits{{path, f.Text(), edits}}, err
	}
	defining := l.pathOf(s.Model.File)
	if defining == "" {
		return nil, errors.New("the file of the model is not known")
	}
	edits, err := s.Rename(to)
	if err != nil {
		return nil, in(defining, path, err)
	}
	if s.Port == "" && to != s.Model.Name {
		if err := l.checkUnused(defining, path, to, others); err != nil {
			return nil, err
		}
	}
	all := []FileEdits{{defining, s.Model.File.Text(), edits}}
	for _, user := range l.mayUse(s.Model.Name, append(slices.Clip(others), path), filepath.Dir(defining), filepath.Dir(path)) {
		g := l.file(user)
		if g == nil || g == s.Model.File {
			continue
		}
		edits, err := edit.RenameUses(g, s, to)
		if err != nil {
			return nil, in(user, path, err)
		}
		if len(edits) > 0 {
			all = append(all, FileEdits{user, g.Text(), edits})
		}
	}
	return all, nil
}

// checkUnused returns an error when a model of another file would get in the way of the
// model of a file under a new name: one of a folder in which both are looked for, or
// one that a file uses which reads the models of the file by a .search line.
func (l *Library) checkUnused(defining, asking, to string, others []string) error {
	for _, folder := range []string{filepath.Dir(defining), filepath.Dir(asking)} {
		for _, path := range l.files.Folder(folder) {
			if f := l.file(path); f != nil && path != defining && f.Model(to) != nil {
				return fmt.Errorf("%s has a model %s already", filepath.Base(path), to)
			}
		}
	}
	for _, path := range l.mayUse(to, append(slices.Clip(others), asking), filepath.Dir(defining), filepath.Dir(asking)) {
		f := l.file(path)
		if f == nil || path == defining || !l.searches(f, path, defining) {
			continue
		}
		for id := range f.NumStatements() {
			if m := f.Instance(id); m != nil && m.Name == to {
				return fmt.Errorf("%s uses another model %s already", filepath.Base(path), to)
			}
		}
	}
	return nil
}

// searches reports whether a file has a .search line for another one.
func (l *Library) searches(f *blif.File, path, other string) bool {
	view := l.For(path)
	for st := range f.Statements(0, f.NumStatements()) {
		if st.Kind != statement.KindSearch {
			continue
		}
		for _, word := range f.Arguments(st.ID) {
			if view.Path(f.Text().Slice(word)) == other {
				return true
			}
		}
	}
	return false
}

// FileUses are the places of one file where a model or port stands.
type FileUses struct {
	Path              string
	Text              source.Text
	Definitions, Uses []source.Span
}

// Uses returns the places of the model or port that stands at an offset of a file,
// in all files in which Rename looks, its own file first. ok is false for what is
// neither.
func (l *Library) Uses(path string, offset int, others []string) (all []FileUses, ok bool) {
	path = filepath.Clean(path)
	f := l.file(path)
	if f == nil {
		return nil, false
	}
	s, ok := edit.SharedAt(f, offset)
	defining := ""
	if ok {
		defining = l.pathOf(s.Model.File)
	}
	if defining == "" {
		return nil, false
	}
	own := FileUses{Path: defining, Text: s.Model.File.Text()}
	if s.Port == "" {
		own.Definitions = []source.Span{s.Model.NameSpan()}
	} else {
		for o := range s.Model.File.Occurrences(s.Model.Signal(s.Port)) {
			if o.Role.IsDefinition() {
				own.Definitions = append(own.Definitions, o.Span)
			} else {
				own.Uses = append(own.Uses, o.Span)
			}
		}
	}
	own.Uses = append(own.Uses, usesIn(s.Model.File, s)...)
	all = []FileUses{own}
	for _, user := range l.mayUse(s.Model.Name, append(slices.Clip(others), path), filepath.Dir(defining), filepath.Dir(path)) {
		if g := l.file(user); g != nil && g != s.Model.File {
			if uses := usesIn(g, s); len(uses) > 0 {
				all = append(all, FileUses{Path: user, Text: g.Text(), Uses: uses})
			}
		}
	}
	return all, true
}

// usesIn returns the places at the instances of a file: those that a new name
// would change.
func usesIn(f *blif.File, s edit.Shared) []source.Span {
	name := s.Port
	if name == "" {
		name = s.Model.Name
	}
	edits, _ := edit.RenameUses(f, s, name) // a name never stands in its own way
	var spans []source.Span
	for _, e := range edits {
		spans = append(spans, e.Span)
	}
	return spans
}

// in adds the file to an error, unless it is the one that asks.
func in(path, asking string, err error) error {
	if path == asking {
		return err
	}
	return fmt.Errorf("%s: %w", filepath.Base(path), err)
}

// mayUse returns the files that hold a name, in order.
func (l *Library) mayUse(name string, paths []string, folders ...string) []string {
	l.mu.Lock()
	for path := range l.parsed { // whatever their extension: a .search line names them
		paths = append(paths, path)
	}
	l.mu.Unlock()
	for _, folder := range folders {
		paths = append(paths, l.files.Folder(folder)...)
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool {
		text, ok := l.files.Text(path)
		return !ok || !strings.Contains(text.Content(), name)
	})
}
