package workspace

import (
	"path/filepath"
	"sync"
	"sync/atomic"

	"aiglens/design/hierarchy"
	"aiglens/internal/source"
)

// Disk keeps the texts of files and the lists of folders that were asked for, as
// they were when they were last read. It is the hierarchy.Files of what is not open
// in the editor.
//
// Only the first caller for a path waits for the file system. From then on the kept
// answer counts, until Look has found another one: no caller waits for a disk because
// another one reads it.
type Disk struct {
	files Files

	mu      sync.Mutex // held for the maps alone
	texts   map[string]*kept[text]
	folders map[string]*kept[[]string]
}

// kept is an answer of the file system.
type kept[T any] struct {
	reading sync.Mutex // held while the file system is asked
	answer  atomic.Pointer[T]
}

// text is what a file holds; zero for one that cannot be read.
type text struct {
	stamp   Stamp
	content source.Text
	ok      bool
	why     string // there is none; "" for a file that does not exist
}

// NewDisk returns a disk of which nothing has been asked for.
func NewDisk(files Files) *Disk {
	return &Disk{files: files, texts: map[string]*kept[text]{}, folders: map[string]*kept[[]string]{}}
}

// Text returns the text of a file. The first caller waits for the file system.
func (d *Disk) Text(path string) (source.Text, bool) {
	t := first(keptIn(d, d.texts, path), func() text { return d.read(path, nil) })
	return t.content, t.ok
}

// Known returns the text of a file if it has been read. It waits for nothing.
func (d *Disk) Known(path string) (source.Text, bool) {
	d.mu.Lock()
	k := d.texts[path]
	d.mu.Unlock()
	if k == nil {
		return source.Text{}, false
	}
	if t := k.answer.Load(); t != nil {
		return t.content, t.ok
	}
	return source.Text{}, false
}

// WhyNot says why a file has no text; "" when there is no such file.
func (d *Disk) WhyNot(path string) string {
	return first(keptIn(d, d.texts, path), func() text { return d.read(path, nil) }).why
}

// Folder lists the BLIF files of a folder, at most 500 of them. The first
// caller waits for the file system.
func (d *Disk) Folder(path string) []string {
	return first(keptIn(d, d.folders, path), func() []string { return d.list(path) })
}

func keptIn[T any](d *Disk, all map[string]*kept[T], path string) *kept[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	k := all[path]
	if k == nil {
		k = &kept[T]{}
		all[path] = k
	}
	return k
}

func first[T any](k *kept[T], ask func() T) T {
	if answer := k.answer.Load(); answer != nil {
		return *answer
	}
	k.reading.Lock()
	defer k.reading.Unlock()
	if answer := k.answer.Load(); answer != nil {
		return *answer
	}
	answer := ask()
	k.answer.Store(&answer)
	return answer
}

// read reads a file, unless it has the stamp of what is known of it.
func (d *Disk) read(path string, known *text) text {
	info, err := d.files.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return text{why: hierarchy.ReasonOf(info, err)}
	}
	if known != nil && known.ok && known.stamp.isOf(info) {
		return *known
	}
	content, err := d.files.ReadFile(path)
	if err != nil {
		return text{why: hierarchy.ReasonOf(info, err)}
	}
	return text{stampOf(info), source.NewText(string(content)), true, ""}
}

func (d *Disk) list(path string) []string {
	entries, err := d.files.ReadDir(path)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if hierarchy.IsBLIF(e.Name()) && !e.IsDir() && len(all) < hierarchy.MaxFolderFiles {
			all = append(all, filepath.Join(path, e.Name()))
		}
	}
	return all
}
