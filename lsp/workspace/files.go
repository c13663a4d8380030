// Package workspace knows the files that are not open: where circuits are, which
// names they hold, the models of other files, which files a check of the whole workspace
// has come to, and which of those that were checked have changed since.
//
// Everything in the server that reads other people's files reads them through Files, and
// never on the goroutine that owns the session: a file system may be a network share that
// takes seconds to answer. What this package keeps is at hand without it, and a function
// that waits for a disk says so in its comment.
//
// The package knows neither checks nor clients but for the place of a name.
package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Files is the file system as far as it is read. Every call may take long.
type Files interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
	ReadDir(path string) ([]fs.DirEntry, error) // sorted by name
}

// OS is the file system of the machine.
type OS struct{}

// Stat asks for a file, of a link for what it leads to.
func (OS) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// ReadFile reads a whole file.
func (OS) ReadFile(path string) ([]byte, error) { return os.ReadFile(path) }

// ReadDir lists a folder.
func (OS) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }

// Stamp is by what one sees that a file has changed.
type Stamp struct {
	size    int64
	changed time.Time
}

func stampOf(info fs.FileInfo) Stamp { return Stamp{info.Size(), info.ModTime()} }

func (s Stamp) isOf(info fs.FileInfo) bool {
	return s.size == info.Size() && s.changed.Equal(info.ModTime())
}

// walk calls visit for the files below a root, or for the root if it is one, whose name
// fits, until visit or ctx says no. What cannot be read is as if it were not there, and so
// are folders whose name begins with a dot and those of npm.
func walk(ctx context.Context, files Files, root string, fits func(name string) bool, visit func(path string) bool) {
	entries, err := files.ReadDir(root)
	if err != nil {
		if info, err := files.Stat(root); err == nil && info.Mode().IsRegular() && fits(filepath.Base(root)) {
			visit(root)
		}
		return
	}
	var below func(folder string, entries []fs.DirEntry) bool
	below = func(folder string, entries []fs.DirEntry) bool {
		for _, e := range entries {
			if ctx.Err() != nil {
				return false
			}
			path, name := filepath.Join(folder, e.Name()), e.Name()
			switch {
			case e.IsDir() && (strings.HasPrefix(name, ".") || name == "node_modules"):
			case e.IsDir():
				if entries, err := files.ReadDir(path); err == nil && !below(path, entries) {
					return false
				}
			case e.Type().IsRegular() && fits(name):
				if !visit(path) {
					return false
				}
			}
		}
		return true
	}
	below(root, entries)
}
