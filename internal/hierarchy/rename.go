package hierarchy

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aiglens/blif"
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
	s, ok := f.SharedAt(offset)
	if !ok {
		edits, err := f.Rename(offset, to)
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
	all := []FileEdits{{defining, s.Model.File.Text(), edits}}
	for _, user := range l.mayUse(s.Model, append(slices.Clip(others), path), filepath.Dir(defining), filepath.Dir(path)) {
		g := l.file(user)
		if g == nil || g == s.Model.File {
			continue
		}
		edits, err := g.RenameUses(s, to)
		if err != nil {
			return nil, in(user, path, err)
		}
		if len(edits) > 0 {
			all = append(all, FileEdits{user, g.Text(), edits})
		}
	}
	return all, nil
}

// in adds the file to an error, unless it is the one that asks.
func in(path, asking string, err error) error {
	if path == asking {
		return err
	}
	return fmt.Errorf("%s: %w", filepath.Base(path), err)
}

// mayUse returns the files that hold the name of a model, in order.
func (l *Library) mayUse(m *blif.Model, paths []string, folders ...string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path := range l.parsed { // whatever their extension: a .search line names them
		paths = append(paths, path)
	}
	for _, folder := range folders {
		paths = append(paths, l.files.Folder(folder)...)
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(path string) bool {
		text, ok := l.files.Text(path)
		return !ok || !strings.Contains(text.Content(), m.Name)
	})
}
