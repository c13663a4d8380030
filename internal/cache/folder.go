package cache

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aiglens/circuit"
)

// The folder holds entries as ab/abcd….result, sharded by the first two digits of
// their name, temporary files, and the counter. Anything else is not ours and never
// touched.

const (
	suffix    = ".result"
	temporary = "aiglens-*.result.tmp" // a pattern of os.CreateTemp
	block     = 4 << 10
	// counter is a file that has as many bytes as there are blocks in entries, or
	// more: each program that writes an entry appends to it, so that all together
	// keep the limit without a look at every entry.
	counter = "aiglens-blocks"
)

func pathOf(dir, name string) string { return filepath.Join(dir, name[:2], name+suffix) }

// onDisk returns what a file of a size takes: most file systems give whole blocks,
// and most entries are smaller than one.
func onDisk(size int64) int64 { return (size + block - 1) / block * block }

// isName reports whether name is that of an entry: a fingerprint in lower case.
func isName(name string) bool {
	b, err := hex.DecodeString(name)
	return err == nil && len(b) == len(circuit.Fingerprint{}) && name == strings.ToLower(name)
}

// file is an entry as the folder shows it.
type file struct {
	path, name string
	size       int64 // on disk
	used       time.Time
}

// files returns the entries in a folder; none when there is no folder.
func files(dir string) ([]file, error) {
	if ok, err := exists(dir); !ok {
		return nil, err
	}
	shards, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []file
	for _, shard := range shards {
		if !shard.IsDir() || len(shard.Name()) != 2 {
			continue
		}
		found, err := os.ReadDir(filepath.Join(dir, shard.Name()))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, f := range found {
			name, ok := strings.CutSuffix(f.Name(), suffix)
			if !ok || !isName(name) || name[:2] != shard.Name() || f.IsDir() {
				continue
			}
			// Another program may have removed it by now.
			if info, err := f.Info(); err == nil {
				list = append(list, file{pathOf(dir, name), name, onDisk(info.Size()), info.ModTime()})
			}
		}
	}
	return list, nil
}

// count adds a new entry to the counter and returns what all entries take, or more;
// ok says that there is a counter.
func count(dir string, size int64) (total int64, ok bool) {
	f, err := os.OpenFile(filepath.Join(dir, counter), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	if _, err := f.Write(bytes.Repeat([]byte{'.'}, int(size/block))); err != nil {
		return 0, false
	}
	info, err := f.Stat()
	if err != nil {
		return 0, false
	}
	return info.Size() * block, true
}

// trim counts again. When the entries exceed the limit it removes the least recently
// used ones, some more than it must so that this is rare.
func trim(dir string, limit int64) error {
	list, err := files(dir)
	if err != nil {
		return err
	}
	var total int64
	for _, f := range list {
		total += f.size
	}
	if total > limit {
		slices.SortFunc(list, func(a, b file) int {
			return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name))
		})
		for _, f := range list {
			if total <= limit-limit/10 {
				break
			}
			if err := os.Remove(f.path); err == nil || errors.Is(err, fs.ErrNotExist) {
				total -= f.size
			}
		}
	}
	return write(dir, filepath.Join(dir, counter), bytes.Repeat([]byte{'.'}, int(total/block)))
}

// temporaries calls do for the temporary files in a folder.
func temporaries(dir string, do func(path string, info fs.FileInfo)) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return // nothing can be done about it
	}
	for _, f := range list {
		if ok, _ := filepath.Match(temporary, f.Name()); !ok || !f.Type().IsRegular() {
			continue
		}
		if info, err := f.Info(); err == nil {
			do(filepath.Join(dir, f.Name()), info)
		}
	}
}

// removeLeft removes what programs that ended too early have left.
func removeLeft(dir string) {
	temporaries(dir, func(path string, info fs.FileInfo) {
		if time.Since(info.ModTime()) > leftAfter {
			_ = os.Remove(path)
		}
	})
}
