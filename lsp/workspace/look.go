package workspace

import (
	"path/filepath"
	"slices"
	"sync"

	"aiglens/internal/source"
)

// maxReads bounds the files that are looked at at once: a slow file system answers many
// questions in the time of one.
const maxReads = 16

// Has reports whether something that is kept depends on a path: the text of the file, or
// the list of its folder.
func (d *Disk) Has(path string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.texts[path] != nil || d.folders[filepath.Dir(path)] != nil
}

// IsEmpty reports whether nothing is kept that could change.
func (d *Disk) IsEmpty() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.texts)+len(d.folders) == 0
}

// Reread asks the file system again and reports whether an answer is another one. Files at
// paths are read whatever their stamp; with all, everything else that is kept is looked
// at too. It waits for the file system, and no caller waits for it.
func (d *Disk) Reread(paths []string, all bool) (changed bool) {
	isNamed, isListed := map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		isNamed[path], isListed[filepath.Dir(path)] = true, true
	}
	var looks []func() bool
	d.mu.Lock()
	for path, k := range d.texts {
		if all || isNamed[path] {
			looks = append(looks, func() bool { return d.rereadText(path, k, isNamed[path]) })
		}
	}
	for path, k := range d.folders {
		if all || isListed[path] {
			looks = append(looks, func() bool { return d.rereadFolder(path, k) })
		}
	}
	d.mu.Unlock()
	return rereadAll(looks)
}

func rereadAll(looks []func() bool) (changed bool) {
	var all sync.WaitGroup
	results := make([]bool, len(looks))
	free := make(chan struct{}, maxReads)
	for i, look := range looks {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			results[i] = look()
		})
	}
	all.Wait()
	return slices.Contains(results, true)
}

func (d *Disk) rereadText(path string, k *kept[text], whateverStamp bool) (changed bool) {
	k.reading.Lock()
	defer k.reading.Unlock()
	old := k.answer.Load()
	if old == nil {
		return false // the first caller will read it as it is then
	}
	known := old
	if whateverStamp {
		known = nil
	}
	now := d.read(path, known)
	if !whateverStamp && now.ok && old.ok && now.stamp == old.stamp {
		return false // it has not been read
	}
	same := now.ok == old.ok && isSame(now.content, old.content)
	if same {
		now.content = old.content // so that it is seen at once that nothing has changed
	}
	k.answer.Store(&now)
	return !same
}

func isSame(a, b source.Text) bool {
	if a.Len() != b.Len() {
		return false
	}
	head, _ := source.Common(a, b)
	return head == a.Len()
}

func (d *Disk) rereadFolder(path string, k *kept[[]string]) (changed bool) {
	k.reading.Lock()
	defer k.reading.Unlock()
	old := k.answer.Load()
	if old == nil {
		return false
	}
	now := d.list(path)
	k.answer.Store(&now)
	return !slices.Equal(now, *old)
}
