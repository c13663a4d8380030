package lsp

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/internal/source"
	"aiglens/lsp/document"
	"aiglens/lsp/position"
	"aiglens/lsp/push"
)

// The bounds of the index. What is left out is found once it is opened.
const (
	maxIndexedFiles = 2000
	maxIndexedSize  = 8 << 20 // bytes of one file
	maxIndexedNames = 200_000
)

// namedPlace is a name of a file and the row that it stands for.
type namedPlace struct {
	name     string
	kind     protocol.SymbolKind
	location protocol.Location
}

// index holds the names of the files of the workspace. One goroutine reads
// files, those of a folder after each other; requests look at what is there.
type index struct {
	formats  document.Formats
	encoding protocol.PositionEncodingKind // set before the first folder

	mu      sync.Mutex
	folders []string                // guarded by mu
	files   map[string][]namedPlace // by path; guarded by mu
	names   int                     // in files; guarded by mu
	due     []string                // folders and files to be read; guarded by mu
	settled chan struct{}           // closed when nothing is due; guarded by mu
	wake    push.Signal
}

func newIndex(formats document.Formats) *index {
	settled := make(chan struct{})
	close(settled)
	return &index{formats: formats, files: map[string][]namedPlace{}, settled: settled, wake: push.NewSignal()}
}

// setFolders replaces the folders; what lies in none of them is forgotten.
func (x *index) setFolders(folders []string) {
	x.mu.Lock()
	x.folders = folders
	for path := range x.files {
		if !x.covers(path) {
			x.forget(path)
		}
	}
	x.mu.Unlock()
	x.read(folders...)
}

// covers reports whether a path lies in a folder; called with mu held.
func (x *index) covers(path string) bool {
	for _, folder := range x.folders {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// isInside is covers for others.
func (x *index) isInside(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.covers(path)
}

// forget drops a file; called with mu held.
func (x *index) forget(path string) {
	x.names -= len(x.files[path])
	delete(x.files, path)
}

// read has paths read, again if they have been.
func (x *index) read(paths ...string) {
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

// run reads what is due until ctx ends.
func (x *index) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-x.wake:
		}
		for path, more := x.next(""); more; path, more = x.next(path) {
			x.walk(ctx, path)
		}
	}
}

// next takes what has been read off the list and returns the next path; more is
// false when there is none.
func (x *index) next(done string) (path string, more bool) {
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

// walk reads a file, or all files below a folder.
func (x *index) walk(ctx context.Context, root string) {
	found := false
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			return nil // unreadable: as if it were not there
		case e.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules"):
			return fs.SkipDir
		case e.Type().IsRegular() && x.formats.HasText(name):
			found = found || path == root
			return x.readFile(path)
		}
		return nil
	})
	if !found || err != nil {
		x.mu.Lock()
		x.forget(root) // a file that is gone, or was never there
		x.mu.Unlock()
	}
}

// readFile takes over the names of a file; the error ends the walk.
func (x *index) readFile(path string) error {
	var places []namedPlace
	if info, err := os.Stat(path); err == nil && info.Size() <= maxIndexedSize {
		if content, err := os.ReadFile(path); err == nil {
			places = x.placesIn(path, string(content))
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.forget(path)
	if len(x.files) >= maxIndexedFiles || x.names+len(places) > maxIndexedNames {
		return fs.SkipAll
	}
	if x.covers(path) {
		x.files[path] = places
		x.names += len(places)
	}
	return nil
}

func (x *index) placesIn(path, content string) []namedPlace {
	address := uri.File(path)
	text := source.NewText(content)
	doc := document.New(string(address), x.formats.Recognise("", path, content), 0, text, document.Options{})
	v := &view{name: address, doc: doc, mapper: position.New(text, x.encoding)}
	return v.namedPlaces()
}

// namedPlaces lists the names of a document.
func (v *view) namedPlaces() []namedPlace {
	var all []namedPlace
	for s := range v.doc.SymbolLines() {
		if s.Row.Section == "" || strings.TrimSpace(s.Name) == "" {
			continue
		}
		all = append(all, namedPlace{s.Name, symbolKinds[s.Row.Kind], protocol.Location{URI: v.name, Range: v.mapper.SpanRange(s.Row.Span)}})
	}
	return all
}

// wait returns when nothing is due, or when ctx ends.
func (x *index) wait(ctx context.Context) {
	x.mu.Lock()
	settled := x.settled
	x.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-settled:
	}
}

// each calls f for every file that is not open, until it returns false.
func (x *index) each(isOpen func(path string) bool, f func([]namedPlace) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for path, places := range x.files {
		if !isOpen(path) && !f(places) {
			return
		}
	}
}

// paths returns those of the files that have been read and fit.
func (x *index) paths(fit func(path string) bool) []string {
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
