package workspace

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"aiglens/design"
	"aiglens/internal/address"
	"aiglens/internal/source"
)

// Check is how far a check of many files has come, of which F stands for one that is
// being checked. It decides which file is next; reading and checking are others' business:
//
//	due ──Next──► being read ──Opened──► open ──Close──► done
//	 │             │  └──────Failed──────────────────────►│
//	 └──Drop───────┴─────────────────────────────────────►┘
type Check[F comparable] struct {
	due    []string         // paths
	stages map[string]stage // of all files, by path
	counts [done + 1]int    // of the files at each stage
	open   map[F]string     // files that are being checked, with their paths
}

// stage is where a file stands.
type stage uint8

const (
	unknown stage = iota
	due
	beingRead
	open
	done
)

// NewCheck returns a check of no files.
func NewCheck[F comparable]() *Check[F] {
	return &Check[F]{stages: map[string]stage{}, open: map[F]string{}}
}

// move brings a file to a stage.
func (c *Check[F]) move(path string, to stage) {
	c.counts[c.stages[path]]--
	c.counts[to]++
	c.stages[path] = to
}

// Add has files checked that have not been due.
func (c *Check[F]) Add(paths []string) {
	for _, path := range paths {
		if path = filepath.Clean(path); c.stages[path] == unknown {
			c.move(path, due)
			c.due = append(c.due, path)
		}
	}
}

// Next returns a file that is to be read, unless limit of them are under way.
func (c *Check[F]) Next(limit int) (path string, ok bool) {
	if len(c.due) == 0 || c.counts[open]+c.counts[beingRead] > limit {
		return "", false
	}
	path, c.due = c.due[0], c.due[1:]
	c.move(path, beingRead)
	return path, true
}

// IsAwaited reports whether a file is still to be read: it may have been dropped since.
func (c *Check[F]) IsAwaited(path string) bool { return c.stages[path] == beingRead }

// Opened says that a file has been read, or was open anyhow.
func (c *Check[F]) Opened(path string, f F) {
	c.move(path, open)
	c.open[f] = path
}

// Replace makes a file take the place of one that is being checked.
func (c *Check[F]) Replace(old, f F) {
	path := c.open[old]
	delete(c.open, old)
	c.open[f] = path
}

// Failed says that a file could not be read.
func (c *Check[F]) Failed(path string) { c.move(path, done) }

// Holds reports whether a file is being checked.
func (c *Check[F]) Holds(f F) bool {
	_, holds := c.open[f]
	return holds
}

// Close takes a file out that is being checked, done or not.
func (c *Check[F]) Close(f F) {
	if path, holds := c.open[f]; holds {
		delete(c.open, f)
		c.move(path, done)
	}
}

// Drop takes a file out that is due or being read.
func (c *Check[F]) Drop(path string) {
	path = filepath.Clean(path)
	if at := c.stages[path]; at == due || at == beingRead {
		c.due = slices.DeleteFunc(c.due, func(due string) bool { return due == path })
		c.move(path, done)
	}
}

// Forget lets a file that is done be due again.
func (c *Check[F]) Forget(path string) {
	if path = filepath.Clean(path); c.stages[path] == done {
		c.counts[done]--
		delete(c.stages, path)
	}
}

// IsDone reports whether no file is left.
func (c *Check[F]) IsDone() bool { return c.counts[done] == len(c.stages) }

// Open returns the files that are being checked.
func (c *Check[F]) Open() []F { return slices.Collect(maps.Keys(c.open)) }

// Done returns how many files are done, of all.
func (c *Check[F]) Done() (n, all int) { return c.counts[done], len(c.stages) }

// FindFiles returns the files of some formats below some folders. It waits for the file system.
func FindFiles(ctx context.Context, files Files, formats design.Formats, folders []string) ([]string, error) {
	var all []string
	for _, root := range folders {
		walk(ctx, files, root, func(name string) bool { return formats.ByPath(name) != nil }, func(path string) bool {
			all = append(all, path)
			return true
		})
	}
	return all, ctx.Err()
}

// ReadCircuit reads a file of any format and encoding; one of none is an error. It waits for the
// file system.
func ReadCircuit(files *Limited, formats design.Formats, path string, opts design.Options) (*design.Design, Stamp, error) {
	info, err := files.Stat(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	data, err := files.ReadFile(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	text, kind, _, err := formats.Read(path, data, files.limit.Load())
	if err != nil {
		return nil, Stamp{}, withWayOut(err)
	}
	if kind == nil {
		return nil, Stamp{}, formats.Foreign(path)
	}
	return design.New(string(address.URI(path)), kind, 0, source.NewText(text), opts), stampOf(info), nil
}
