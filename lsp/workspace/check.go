package workspace

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"go.lsp.dev/uri"

	"aiglens/internal/source"
	"aiglens/lsp/document"
)

// Check is how far a check of many files has come, of which F stands for one that is
// being checked. It decides which file is next; reading and checking are others' business:
//
//	due ──Next──► being read ──Opened──► open ──Close──► done
//	 │               └──────Failed──────────────────────►─┘
//	 └──Drop────────────────────────────────────────────►─┘
type Check[F comparable] struct {
	due   []string        // paths
	known map[string]bool // paths that have been due
	open  map[F]bool      // files that are being checked
	// reading is the number of files that are being read, done that of the others:
	// len(known) ≥ len(due) + reading + len(open) + done.
	reading, done int
}

// NewCheck returns a check of no files.
func NewCheck[F comparable]() *Check[F] {
	return &Check[F]{known: map[string]bool{}, open: map[F]bool{}}
}

// Add has files checked that have not been due.
func (c *Check[F]) Add(paths []string) {
	for _, path := range paths {
		if path = filepath.Clean(path); !c.known[path] {
			c.known[path] = true
			c.due = append(c.due, path)
		}
	}
}

// Next returns a file that is to be read, unless limit of them are under way.
func (c *Check[F]) Next(limit int) (path string, ok bool) {
	if len(c.due) == 0 || len(c.open)+c.reading > limit {
		return "", false
	}
	path, c.due = c.due[0], c.due[1:]
	c.reading++
	return path, true
}

// Opened says that a file has been read, or was open anyhow.
func (c *Check[F]) Opened(f F) {
	c.reading--
	c.open[f] = true
}

// Replace has a file take the place of one that is being checked.
func (c *Check[F]) Replace(old, f F) {
	delete(c.open, old)
	c.open[f] = true
}

// Failed says that a file could not be read.
func (c *Check[F]) Failed() {
	c.reading--
	c.done++
}

// Holds reports whether a file is being checked.
func (c *Check[F]) Holds(f F) bool { return c.open[f] }

// Close takes a file out that is being checked, done or not.
func (c *Check[F]) Close(f F) {
	if c.open[f] {
		delete(c.open, f)
		c.done++
	}
}

// Drop takes a file out that is due.
func (c *Check[F]) Drop(path string) {
	before := len(c.due)
	c.due = slices.DeleteFunc(c.due, func(due string) bool { return due == filepath.Clean(path) })
	c.done += before - len(c.due)
}

// Forget lets a file be due again.
func (c *Check[F]) Forget(path string) { delete(c.known, path) }

// IsDone reports whether no file is left.
func (c *Check[F]) IsDone() bool { return len(c.open)+c.reading+len(c.due) == 0 }

// Open returns the files that are being checked.
func (c *Check[F]) Open() []F { return slices.Collect(maps.Keys(c.open)) }

// Done returns how many files are done, of all.
func (c *Check[F]) Done() (done, all int) { return c.done, len(c.known) }

// maxCheckedSize bounds the bytes of a file that is checked without being open.
const maxCheckedSize = 256 << 20

// FindCircuits returns the circuits below some folders. It waits for the file system.
func FindCircuits(ctx context.Context, files Files, formats document.Formats, folders []string) ([]string, error) {
	var all []string
	for _, root := range folders {
		walk(ctx, files, root, formats.HasCircuit, func(path string) bool {
			all = append(all, path)
			return true
		})
	}
	return all, ctx.Err()
}

// ReadCircuit reads a file of any format and encoding. It waits for the file system.
func ReadCircuit(files Files, formats document.Formats, path string, opts document.Options) (*document.Document, Stamp, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	if info.Size() > maxCheckedSize {
		return nil, Stamp{}, fmt.Errorf("%s is too large to be checked unopened", path)
	}
	data, err := files.ReadFile(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	text, kind, _, err := formats.Read(path, data)
	if err != nil {
		return nil, Stamp{}, err
	}
	return document.New(string(uri.File(path)), kind, 0, source.NewText(text), opts), stampOf(info), nil
}
