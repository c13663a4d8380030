package hierarchy

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"aiglens/internal/files"
	"aiglens/internal/source"
)

// MaxFolderFiles bounds the files of a folder that are looked at without having been
// opened by anybody.
const MaxFolderFiles = 500

// Disk is the Files of the file system. It keeps the texts of files that have
// not changed since it read them.
type Disk struct {
	limit int64           // bytes of a file
	reads context.Context // never ends, and has the view of what may be read

	mu    sync.Mutex
	texts map[string]diskText // by path; guarded by mu
}

type diskText struct {
	size    int64
	changed time.Time
	text    source.Text
}

// NewDisk returns the file system, as far as the view of ctx goes, of which nothing has been read. Files of
// more than limit bytes are as if they were not there.
func NewDisk(ctx context.Context, limit int64) *Disk {
	return &Disk{limit: limit, reads: files.ViewOf(ctx).In(context.Background()), texts: map[string]diskText{}}
}

// Text reads a file, unless it has the size and the time of the last reading.
func (d *Disk) Text(path string) (source.Text, bool) {
	info, err := files.Stat(d.reads, path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > d.limit {
		return source.Text{}, false
	}
	d.mu.Lock()
	t, known := d.texts[path]
	d.mu.Unlock()
	if known && t.size == info.Size() && t.changed.Equal(info.ModTime()) {
		return t.text, true
	}
	// Not under the lock: a disk that does not answer must not hold up other files.
	content, err := files.ReadPacked(d.reads, path, d.limit)
	if err != nil {
		return source.Text{}, false
	}
	text := source.NewText(string(content))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.texts[path] = diskText{info.Size(), info.ModTime(), text}
	return text, true
}

// WhyNot says why a file has no text; "" when there is no such file.
func (d *Disk) WhyNot(path string) string {
	info, err := files.Stat(d.reads, path)
	if err == nil && info.Mode().IsRegular() {
		if info.Size() > d.limit {
			return "it is larger than " + files.Size(d.limit)
		}
		_, err = files.ReadPacked(d.reads, path, d.limit)
	}
	if err != nil {
		if _, there := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && there == nil {
			return "it is a link to a file that does not exist"
		}
	}
	return ReasonOf(info, err)
}

// ReasonOf says in words why a file is not read, given what Stat or the attempt to read
// it has said; "" for one that does not exist, or is read.
func ReasonOf(info fs.FileInfo, err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case errors.As(err, &path):
		return path.Err.Error()
	case err != nil:
		return err.Error()
	case info.IsDir():
		return "it is a directory"
	case !info.Mode().IsRegular():
		return "it is not a regular file"
	}
	return ""
}

// Folder lists the BLIF files of a folder, at most 500 of them.
func (d *Disk) Folder(path string) []string {
	entries, err := files.ReadDir(d.reads, path) // sorted by name
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if IsBLIF(e.Name()) && !e.IsDir() && len(all) < MaxFolderFiles {
			all = append(all, filepath.Join(path, e.Name()))
		}
	}
	return all
}
