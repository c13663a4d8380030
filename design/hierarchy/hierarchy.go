// Package hierarchy finds the BLIF models of other files: those of .search lines
// and those of the folder of the file that is checked.
//
// Official BLIF reads the files of .search lines only. Course material and the
// examples of tools often keep a model a file and name none of them, so a model
// that is nowhere else is also looked for in the folder; one that several files
// there define is not found, because it is ambiguous.
//
// A BLIF text may mean something else when another file changes. A Library shows open buffers
// before the disk and is never changed but replaced; a design that has looked into it is read
// again with the next one, and its verdicts stay fresh where the fingerprints do.
//
// The package reads through Files and so knows neither disk nor editor.
package hierarchy

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/design/format"
	"aiglens/internal/source"
)

// Files are the texts that models may come from, at one moment. Paths are
// absolute and clean.
type Files interface {
	// Text returns the text of a file; ok is false when it cannot be read.
	Text(path string) (text source.Text, ok bool)
	// Folder returns the paths of the BLIF files of a folder in alphabetical
	// order.
	Folder(path string) []string
}

// Reasons is what Files have besides that can say why a file cannot be read.
type Reasons interface {
	// WhyNot says why Text has no text of a file; "" when there is no such file.
	WhyNot(path string) string
}

// Trees is what Files have besides that have read some texts already.
type Trees interface {
	// Tree returns the statements of a file, of an earlier version perhaps; nil for none.
	Tree(path string) *Tree
}

// Known is what Files have besides whose callers must not wait for a disk.
type Known interface {
	// Known returns the text of a file if it has been read.
	Known(path string) (text source.Text, ok bool)
}

// Tree is the statements of a text.
type Tree = statement.Tree

// IsBLIF reports whether a path is that of a BLIF file.
func IsBLIF(path string) bool { return format.BLIF.Has(path) }

// Library is what is known of a set of files at one moment. It is safe for
// concurrent use.
type Library struct {
	files   Files
	options blif.Options // of every file; the name and the library are its own

	// mu is never held while a file is read: a question about what is known does not wait
	// for a disk.
	mu      sync.Mutex
	loads   map[string]*sync.Once             // of parsed and folders, by the keys of asked; guarded by mu
	parsed  map[string]*blif.File             // by path; nil for what cannot be read; guarded by mu
	folders map[string]map[string]*blif.Model // by folder and name; nil for several; guarded by mu
	texts   map[string]plainText              // by path, of those that View.Text returns; guarded by mu
	// trees are the texts as they were read last, in this moment or an earlier one, by
	// path. They hold nothing but text: a file would keep the library alive that it was
	// read with, and so all that came before. Guarded by mu.
	trees map[string]*statement.Tree
	asked map[string]bool // the paths, and those of folders with a '/' at the end, of earlier moments too; guarded by mu
}

// New returns a library whose files are read with options, of which FileName and
// Library count for nothing. What before has read is not read again where the
// text is the same; it may be nil.
func New(files Files, options blif.Options, before *Library) *Library {
	l := &Library{
		files: files, options: options, loads: map[string]*sync.Once{},
		parsed: map[string]*blif.File{}, folders: map[string]map[string]*blif.Model{}, texts: map[string]plainText{},
	}
	if before != nil {
		before.mu.Lock()
		defer before.mu.Unlock()
		l.trees, l.asked = maps.Clone(before.trees), maps.Clone(before.asked)
	} else {
		l.trees, l.asked = map[string]*statement.Tree{}, map[string]bool{}
	}
	return l
}

// WithoutTexts returns a library that knows what has been asked for, and of the texts
// nothing.
func (l *Library) WithoutTexts() *Library {
	bare := New(l.files, l.options, nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	bare.asked = maps.Clone(l.asked)
	return bare
}

// NewTexts returns a library of texts that are looked at as they are: those beside a file.
func NewTexts(files Files) *Library { return New(files, blif.Options{}, nil) }

// ForFile is For for a path that may be relative to the folder of the program.
func (l *Library) ForFile(name string) *View {
	if absolute, err := filepath.Abs(filepath.FromSlash(name)); err == nil {
		name = absolute
	}
	return l.For(name)
}

// For returns the library of the file at a path.
func (l *Library) For(path string) *View {
	return NewView(path, func() *Library { return l })
}

// View is a library as one file sees it: a blif.Library. Which library it is, is
// settled when the file first looks for something.
type View struct {
	path    string
	current func() *Library

	mu      sync.Mutex
	library *Library // nil until something is looked for; guarded by mu
}

// NewView returns the view of the file at a path of the library that is current
// when it is first needed.
func NewView(path string, current func() *Library) *View {
	return &View{path: filepath.Clean(path), current: current}
}

// IsUsed reports whether the file has looked for something in other files, found
// or not.
func (v *View) IsUsed() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.library != nil
}

func (v *View) use() *Library {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.library == nil {
		v.library = v.current()
	}
	return v.library
}

// Path returns the path that a .search line of the file means.
func (v *View) Path(search string) string {
	search = strings.Trim(search, `"`)
	if !filepath.IsAbs(search) {
		search = filepath.Join(filepath.Dir(v.path), filepath.FromSlash(search))
	}
	return filepath.Clean(search)
}

// File returns the path of the file.
func (v *View) File() string { return v.path }

// Text returns the text of another file as it is at this moment; ok is false when it cannot be
// read, or where Files are Known and it has not been read.
func (v *View) Text(path string) (text source.Text, ok bool) { return v.use().text(path) }

// HasOther reports whether a library has another text than that which Text returned for a path, if
// it was asked.
func (v *View) HasOther(path string, now *Library) bool {
	v.mu.Lock()
	before := v.library
	v.mu.Unlock()
	if before == nil {
		return false
	}
	before.mu.Lock()
	old, has := before.texts[path]
	before.mu.Unlock()
	if !has {
		return false
	}
	text, ok := now.text(path)
	head, _ := source.Common(old.text, text)
	return ok != old.ok || head != text.Len() || head != old.text.Len()
}

// PathOf returns the path of a file that the library has read, or "".
func (v *View) PathOf(f *blif.File) string { return v.use().pathOf(f) }

// Search returns the file that a .search line names, or nil. A name of another
// machine is left alone: to ask for the file would be a network connection.
func (v *View) Search(search string) *blif.File {
	if isElsewhere(search) {
		return nil
	}
	return v.use().file(v.Path(search))
}

func isElsewhere(search string) bool {
	search = strings.Trim(search, `"`)
	return strings.HasPrefix(search, "//") || strings.HasPrefix(search, `\\`)
}

// WhyNot says why Search has no file; "" when there is none.
func (v *View) WhyNot(search string) string {
	if isElsewhere(search) {
		return "names of other machines are not followed"
	}
	return v.use().whyNot(v.Path(search))
}

// Unread returns the file of the folder that is named after a model but could not be
// read, and why.
func (v *View) Unread(model string) (file, why string) {
	l := v.use()
	for _, extension := range format.BLIF.Extensions() {
		path := filepath.Join(filepath.Dir(v.path), model+extension)
		if filepath.Dir(path) != filepath.Dir(v.path) || !l.HasAsked(path) || l.known(path) != nil {
			continue
		}
		if why := l.whyNot(path); why != "" {
			return filepath.Base(path), why
		}
	}
	return "", ""
}

func (l *Library) whyNot(path string) string {
	if r, ok := l.files.(Reasons); ok {
		return r.WhyNot(path)
	}
	return ""
}

// Model returns the only model with a name in the other files of the folder, or
// nil. Cells of tools have names that start with '$'; they are not models.
func (v *View) Model(name string) *blif.Model {
	if strings.HasPrefix(name, "$") {
		return nil
	}
	return v.use().modelIn(filepath.Dir(v.path), name, v.path)
}

// Models returns the models that Model finds, by name.
func (v *View) Models() []*blif.Model {
	l := v.use()
	models, own := l.modelsIn(filepath.Dir(v.path)), l.known(v.path)
	var all []*blif.Model
	for _, m := range models {
		if m != nil && m.File != own {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b *blif.Model) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// HasAsked reports whether the text of a file has been asked for, there or not, in
// this moment or an earlier one.
func (l *Library) HasAsked(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[path]
}

// Asked returns the files that have been asked for and the folders that have been
// listed, in this moment or an earlier one, in alphabetical order.
func (l *Library) Asked() (files, folders []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(l.asked)) {
		if folder, ok := strings.CutSuffix(path, "/"); ok {
			folders = append(folders, folder)
		} else {
			files = append(files, path)
		}
	}
	return files, folders
}

// load runs read unless it has been run for a key, or waits for the caller that runs it.
func (l *Library) load(key string, read func()) {
	l.mu.Lock()
	l.asked[key] = true
	once := l.loads[key]
	if once == nil {
		once = new(sync.Once)
		l.loads[key] = once
	}
	l.mu.Unlock()
	once.Do(read)
}

// known returns a file if it has been read.
func (l *Library) known(path string) *blif.File {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.parsed[path]
}

// file returns a file, which is read on first use.
func (l *Library) file(path string) *blif.File {
	l.load(path, func() {
		f := l.read(path)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.parsed[path] = f
	})
	return l.known(path)
}

// text returns the text of a file, which is read on first use.
func (l *Library) text(path string) (text source.Text, ok bool) {
	l.mu.Lock()
	l.asked[path] = true
	known, has := l.texts[path]
	l.mu.Unlock()
	if has {
		return known.text, known.ok
	}
	if files, ok := l.files.(Known); ok {
		text, has = files.Known(path)
	} else {
		text, has = l.files.Text(path)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, has := l.texts[path]; has { // another caller was first
		return known.text, known.ok
	}
	l.texts[path] = plainText{text, has}
	return text, has
}

// plainText is a text as it is; ok is false for one that cannot be read.
type plainText struct {
	text source.Text
	ok   bool
}

// read returns nil for what cannot be read.
func (l *Library) read(path string) *blif.File {
	text, ok := l.files.Text(path)
	if !ok {
		return nil
	}
	options := l.options
	options.FileName, options.Library = filepath.Base(path), l.For(path)
	l.mu.Lock()
	before := l.trees[path]
	l.mu.Unlock()
	if trees, ok := l.files.(Trees); ok && before == nil {
		before = trees.Tree(path)
	}
	f := options.ParseAfter(before, text)
	tree := f.Tree
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trees[path] = &tree
	return f
}

func (l *Library) pathOf(f *blif.File) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, other := range l.parsed {
		if other == f {
			return path
		}
	}
	return ""
}

// modelIn finds a model in a folder, in files other than the one that asks. Of a
// model that several of them define there is none.
func (l *Library) modelIn(folder, name, asking string) *blif.Model {
	m := l.modelsIn(folder)[name]
	if m == nil || m.File == l.known(asking) {
		return nil
	}
	return m
}

// modelsIn returns the models of the files of a folder.
func (l *Library) modelsIn(folder string) map[string]*blif.Model {
	l.mu.Lock()
	models, known := l.folders[folder]
	l.mu.Unlock()
	if known { // as for every instance but the first
		return models
	}
	l.load(folder+"/", func() {
		models := map[string]*blif.Model{}
		for _, path := range l.files.Folder(folder) {
			if f := l.file(path); f != nil {
				add(models, f)
			}
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.folders[folder] = models
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.folders[folder]
}

func add(models map[string]*blif.Model, f *blif.File) {
	for _, m := range f.Models() {
		if other, known := models[m.Name]; !known {
			models[m.Name] = m
		} else if other == nil || other.File != f {
			models[m.Name] = nil
		}
	}
}
