package workspace

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/lsp/position"
	"aiglens/lsp/queue"
)

// The bounds of the index. What is left out is found once it is opened.
const (
	maxIndexedFiles = 2000
	maxIndexedSize  = 8 << 20 // bytes of one file
	maxIndexedNames = 200_000
)

// Name is a name of a file and the row that it stands for.
type Name struct {
	Name     string
	Kind     design.SignalKind // of the row
	Location protocol.Location
}

// NamesOf lists the names of a document, whose places a mapper converts.
func NamesOf(address uri.URI, d *design.Design, m position.Mapper) []Name {
	var all []Name
	for s := range d.SymbolLines() {
		if s.Row.Section == "" || strings.TrimSpace(s.Name) == "" {
			continue
		}
		all = append(all, Name{s.Name, s.Row.Kind, protocol.Location{URI: address, Range: m.SpanRange(s.Row.Span)}})
	}
	return all
}

// Index holds the names of the files of the workspace. Run reads files, those of a folder
// after each other; others look at what is there.
type Index struct {
	disk    Files
	formats design.Formats
	wake    queue.Signal

	mu       sync.Mutex
	encoding protocol.PositionEncodingKind // set before the first folder; guarded by mu
	folders  []string                      // guarded by mu
	files    map[string][]Name             // by path; guarded by mu
	names    int                           // in files; guarded by mu
	due      []string                      // folders and files to be read; guarded by mu
	settled  chan struct{}                 // closed when nothing is due; guarded by mu
}

// NewIndex returns the index of no folder.
func NewIndex(files Files, formats design.Formats) *Index {
	settled := make(chan struct{})
	close(settled)
	return &Index{disk: files, formats: formats, files: map[string][]Name{}, settled: settled, wake: queue.NewSignal()}
}

// Begin sets the folders for a client of an encoding.
func (x *Index) Begin(encoding protocol.PositionEncodingKind, folders []string) {
	x.mu.Lock()
	x.encoding = encoding
	x.mu.Unlock()
	x.SetFolders(folders)
}

// SetFolders replaces the folders; what lies in none of them is forgotten.
func (x *Index) SetFolders(folders []string) {
	x.mu.Lock()
	x.folders = folders
	for path := range x.files {
		if !x.covers(path) {
			x.forget(path)
		}
	}
	x.mu.Unlock()
	x.Read(folders...)
}

// Folders returns the folders of the workspace.
func (x *Index) Folders() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]string(nil), x.folders...)
}

// covers reports whether a path lies in a folder; called with mu held.
func (x *Index) covers(path string) bool {
	for _, folder := range x.folders {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// Covers reports whether a path lies in a folder of the workspace.
func (x *Index) Covers(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.covers(path)
}

// forget drops a file; called with mu held.
func (x *Index) forget(path string) {
	x.names -= len(x.files[path])
	delete(x.files, path)
}

// Read schedules folders and files for reading.
func (x *Index) Read(paths ...string) {
	if len(paths) == 0 {
		return
	}
	x.mu.Lock()
	if len(x.due) == 0 {
		x.settled = make(chan struct{})
	}
	x.due = append(x.due, paths...)
	x.mu.Unlock()
	x.wake.Raise()
}

// Run reads what is due until ctx ends.
func (x *Index) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.wake:
		}
		for path, more := x.next(""); more; path, more = x.next(path) {
			x.readBelow(ctx, path)
		}
	}
}

// next takes what has been read off the list and returns the next path; more is
// false when there is none.
func (x *Index) next(done string) (path string, more bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if done != "" {
		x.due = x.due[1:]
		if len(x.due) == 0 {
			close(x.settled)
		}
	}
	if len(x.due) == 0 {
		return "", false
	}
	return x.due[0], true
}

// readBelow reads a file, or all files below a folder.
func (x *Index) readBelow(ctx context.Context, root string) {
	found := false
	walk(ctx, x.disk, root, x.formats.HasText, func(path string) bool {
		found = found || path == root
		return x.readFile(path)
	})
	if !found {
		x.mu.Lock()
		x.forget(root) // a file that is gone, or was never there
		x.mu.Unlock()
	}
}

// readFile takes over the names of a file; more is false when there is no room for
// others.
func (x *Index) readFile(path string) (more bool) {
	var names []Name
	if info, err := x.disk.Stat(path); err == nil && info.Size() <= maxIndexedSize {
		if content, err := x.disk.ReadFile(path); err == nil {
			names = x.namesIn(path, string(content))
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.forget(path)
	if len(x.files) >= maxIndexedFiles || x.names+len(names) > maxIndexedNames {
		return false
	}
	if x.covers(path) {
		x.files[path] = names
		x.names += len(names)
	}
	return true
}

func (x *Index) namesIn(path, content string) []Name {
	x.mu.Lock()
	encoding := x.encoding
	x.mu.Unlock()
	name := address.URI(path)
	text := source.NewText(content)
	doc := design.New(string(name), x.formats.Recognise("", path, content), 0, text, design.Options{})
	names := NamesOf(name, doc, position.New(text, encoding))
	for i := range names {
		names[i].Name = strings.Clone(names[i].Name) // else each keeps the text that it is a part of
	}
	return names
}

// Wait returns when nothing is due, or when ctx ends.
func (x *Index) Wait(ctx context.Context) {
	x.mu.Lock()
	settled := x.settled
	x.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-settled:
	}
}

// Each calls f for every file but those left out, until it returns false.
func (x *Index) Each(leaveOut func(path string) bool, f func([]Name) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for path, names := range x.files {
		if !leaveOut(path) && !f(names) {
			return
		}
	}
}

// Paths returns those of the files that have been read and fit.
func (x *Index) Paths(fit func(path string) bool) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var all []string
	for path := range x.files {
		if fit(path) {
			all = append(all, path)
		}
	}
	return all
}
