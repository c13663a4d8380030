package comparison

import (
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/hierarchy"
	"aiglens/internal/address"
	"aiglens/internal/source"
)

// EarlierFiles are other files as they were earlier.
type EarlierFiles struct {
	Files   []EarlierFile
	Folders []string // paths of which Files has all BLIF files that there were
}

// EarlierFile is a file as it was earlier.
type EarlierFile struct {
	Path string
	Text *string // nil for a file that was not there
	Now  bool    // it counts as it is now
}

// Needed are paths of files and folders that EarlierFiles does not tell of.
type Needed struct{ Files, Folders []string }

// EarlierModels finds the BLIF models of other files as a client says that these were earlier.
type EarlierModels struct {
	now     hierarchy.Files        // as they are now, for those that count so
	files   map[string]EarlierFile // by clean path
	folders map[string]bool        // of which all files are known, by clean path

	mu    sync.Mutex
	needs struct{ files, folders map[string]bool } // what was asked for and is not known; guarded by mu
}

// NewEarlierModels returns these models; now has the files as they are, for those that count so.
func NewEarlierModels(earlier EarlierFiles, now hierarchy.Files) *EarlierModels {
	m := &EarlierModels{now: now, files: map[string]EarlierFile{}, folders: map[string]bool{}}
	for _, f := range earlier.Files {
		m.files[filepath.Clean(f.Path)] = f
	}
	for _, path := range earlier.Folders {
		m.folders[filepath.Clean(path)] = true
	}
	m.needs.files, m.needs.folders = map[string]bool{}, map[string]bool{}
	return m
}

// Options returns options with which a text is read with these models.
func (m *EarlierModels) Options(all design.Options) design.Options {
	option := blifdesign.OptionOf(all)
	option.Models = only{blifdesign.NewLibrary(m, option, nil)}
	option.ModelsRevision++
	return all.With(blifdesign.Format, option)
}

// only is a library as the models of a file.
type only struct{ library *hierarchy.Library }

// For returns the view of the document at an address; nil for one that is not a file.
func (o only) For(document string) *hierarchy.View {
	path, isFile := address.Path(uri.URI(document))
	if !isFile {
		return nil
	}
	return o.library.For(path)
}

// Text returns what a file was.
func (m *EarlierModels) Text(path string) (source.Text, bool) {
	f, known := m.files[path]
	if !known {
		m.need(m.needs.files, path)
	}
	switch {
	case f.Now:
		return m.now.Text(path)
	case f.Text != nil:
		return source.NewText(*f.Text), true
	}
	return source.Text{}, false
}

// Folder returns the BLIF files that there were.
func (m *EarlierModels) Folder(path string) (all []string) {
	if !m.folders[path] {
		m.need(m.needs.folders, path)
		return nil
	}
	for name, f := range m.files {
		if filepath.Dir(name) == path && hierarchy.IsBLIF(name) && (f.Text != nil || f.Now) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

func (m *EarlierModels) need(what map[string]bool, path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	what[path] = true
}

// Needed returns what has been asked for and is not known; nil for nothing.
func (m *EarlierModels) Needed() *Needed {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.needs.files)+len(m.needs.folders) == 0 {
		return nil
	}
	sorted := func(set map[string]bool) []string {
		return slices.Sorted(maps.Keys(set))
	}
	return &Needed{Files: sorted(m.needs.files), Folders: sorted(m.needs.folders)}
}
