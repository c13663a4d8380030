package lsp

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/design/hierarchy"
	"aiglens/design/verilogdesign"
	"aiglens/internal/address"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/lsp/position"
	"aiglens/lsp/workspace"
)

// models finds the BLIF models of other files: those of open documents as they
// are in the editor, the others as they are on disk.
type models struct {
	disk    *workspace.Disk
	library atomic.Pointer[hierarchy.Library]
	trusted atomic.Bool // settings.IsTrusted; else no document sees other files
	cells   cells
}

// cells is the cell library that was read last.
type cells struct {
	mu     sync.Mutex
	genlib string            // path; guarded by mu
	text   source.Text       // guarded by mu
	known  *blifdesign.Cells // of text; guarded by mu
}

// read reads a cell library. What has not changed stays the same pointer. It waits for
// the file system unless the library has been read.
func (c *cells) read(disk *workspace.Disk, path string) (*blifdesign.Cells, error) {
	if path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("%s is not an absolute path", path)
	}
	text, ok := disk.Text(filepath.Clean(path))
	if !ok {
		return nil, fmt.Errorf("%s cannot be read", path)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if head, _ := source.Common(c.text, text); c.known == nil || c.genlib != path || head != text.Len() || head != c.text.Len() {
		c.genlib, c.text, c.known = path, text, blifdesign.ReadCells(text)
	}
	if n := len(c.known.Problems); n > 0 {
		return c.known, fmt.Errorf("%s: %s", path, c.known.Problems[0])
	}
	return c.known, nil
}

// withModels gives options the models of other files, and the cell library that they
// name as far as it has been read.
func (t *texts) withModels(opts design.Options) design.Options {
	option, before := blifdesign.OptionOf(opts), blifdesign.OptionOf(t.settings.Document)
	option.Models, option.ModelsRevision = before.Models, before.ModelsRevision
	if option.Genlib == before.Genlib {
		option.Cells = before.Cells
	}
	naming := aigerdesign.OptionOf(opts)
	naming.Others, naming.Revision = mapFinder{t.models}, option.ModelsRevision
	return opts.With(blifdesign.Format, option).With(aigerdesign.Format, naming).With(verilogdesign.Format, verilogdesign.OptionOf(t.settings.Document))
}

func newModels(files workspace.Files) *models {
	m := &models{disk: workspace.NewDisk(files)}
	m.trusted.Store(true)
	m.library.Store(blifdesign.NewLibrary(openFiles{disk: m.disk, trusted: true}, blifdesign.Option{}, nil))
	return m
}

// For returns the view of the document at an address; nil for one that is not a file, and
// where folders are not trusted.
func (m *models) For(document string) *hierarchy.View {
	path, isFile := address.Path(uri.URI(document))
	if !isFile || !m.trusted.Load() {
		return nil
	}
	return hierarchy.NewView(path, m.library.Load)
}

// mapFinder finds the maps beside AIGER files.
type mapFinder struct{ models *models }

// For returns the view of the document at an address, also that of a binary file that is shown as
// text: its address has that of the file as its query.
func (f mapFinder) For(address string) *hierarchy.View {
	if file := shownFile(address); file != "" {
		if synthesis.IsSource(file) {
			return nil // its names are those of the sources
		}
		address = file
	}
	return f.models.For(address)
}

// decodedScheme is that of documents that show a binary file as text.
const decodedScheme = "aiglens-aig"

// readMaps reads the maps beside a file that have not been read, and reports whether there are any. It
// waits for the disk, so that the names of a text never do.
func (m *models) readMaps(paths []string) (found bool) {
	for _, path := range paths {
		if !m.disk.Has(path) {
			_, ok := m.disk.Text(path)
			found = found || ok
		}
	}
	return found
}

// lookForMaps looks for the maps beside open files. Those that have one are read again.
func (t *texts) lookForMaps(files ...*file) {
	var paths []string
	for _, f := range files {
		paths = append(paths, aigerdesign.MapPaths(f.doc)...)
	}
	if paths = slices.DeleteFunc(paths, t.models.disk.Has); len(paths) == 0 {
		return
	}
	t.background(func(context.Context) {
		if t.models.readMaps(paths) {
			t.post(t.modelsChanged)
		}
		t.post(t.watcher.watch)
	})
}

// openFiles are the texts of open documents before those of the disk, of which there are
// none where folders are not trusted.
type openFiles struct {
	disk    *workspace.Disk
	open    map[string]source.Text // by path
	trusted bool
	trees   map[string]*hierarchy.Tree // of open documents that have been read; may be nil
}

// Tree returns the statements of an open document, so that its text is not read twice.
func (f openFiles) Tree(path string) *hierarchy.Tree { return f.trees[path] }

func (f openFiles) Text(path string) (source.Text, bool) {
	if text, ok := f.open[path]; ok {
		return text, true
	}
	if !f.trusted {
		return source.Text{}, false
	}
	return f.disk.Text(path)
}

// Known returns the text of a file if it is open or has been read.
func (f openFiles) Known(path string) (source.Text, bool) {
	if text, ok := f.open[path]; ok || !f.trusted {
		return text, ok
	}
	return f.disk.Known(path)
}

// WhyNot says why a file has no text.
func (f openFiles) WhyNot(path string) string { return f.disk.WhyNot(path) }

func (f openFiles) Folder(path string) []string {
	if !f.trusted {
		return nil
	}
	return f.disk.Folder(path)
}

// newLibrary takes a library of the present texts and settings. It comes before
// the documents that need it, so that one which looks for a model for the first
// time meanwhile finds the new one.
func (t *texts) newLibrary() {
	open, before := map[string]source.Text{}, t.models.library.Load()
	usesTexts := false
	for key, f := range t.files {
		usesTexts = usesTexts || f.doc.HasModels()
		// Whatever the editor calls it: a .search line may name it.
		if path, isFile := address.Path(key); isFile && !f.outOfStep && !f.hidden {
			open[path] = f.doc.Text
		}
	}
	if !usesTexts {
		before = before.WithoutTexts()
	}
	files := openFiles{disk: t.models.disk, open: open, trusted: t.settings.IsTrusted()}
	option := blifdesign.OptionOf(t.settings.Document)
	t.models.library.Store(blifdesign.NewLibrary(files, option, before))
	option.ModelsRevision++
	naming := aigerdesign.OptionOf(t.settings.Document)
	naming.Revision = option.ModelsRevision
	t.settings.Document = t.settings.Document.With(blifdesign.Format, option).With(aigerdesign.Format, naming)
}

// modelsChanged has the documents that use models of other files look again.
//
// A verdict stays when the fingerprint of its cone does.
func (t *texts) modelsChanged() { t.modelsChangedBy(nil) }

// modelsChangedBy is modelsChanged for a change of a document, whose analysis is
// left to the caller.
func (t *texts) modelsChangedBy(changed *file) {
	t.newLibrary()
	t.outdateEdits(false)
	t.closed.outdate(func(c workspace.Closed) bool { return c.DependsOnMore })
	for _, f := range t.files {
		if !f.doc.DependsOnOthers() && !aigerdesign.HasOtherMaps(f.doc, t.models.library.Load()) {
			continue
		}
		f.doc = f.doc.WithOptions(t.settings.Document)
		if f != changed {
			t.textReplaced(f)
		}
	}
}

// rereadAll reads all documents with the present settings.
func (t *texts) rereadAll() {
	t.newLibrary()
	t.outdateEdits(true)
	t.closed.outdate(func(workspace.Closed) bool { return true })
	for _, f := range t.files {
		f.doc = f.doc.WithOptions(t.settings.Document)
		t.textReplaced(f)
	}
	t.lookForMaps(slices.Collect(maps.Values(t.files))...)
}

// holdsModels reports whether other documents may look for models in one.
func (t *texts) holdsModels(key uri.URI, d *design.Design) bool {
	path, isFile := address.Path(key)
	return d.HasModels() || isFile && t.models.library.Load().HasAsked(path)
}

func (t *texts) warnOfCells(err error) {
	if err != nil {
		t.log.Warn("the cell library of BLIF files is not used, or only in part", zap.Error(err))
	}
}

// pinned returns a library of the texts of a snapshot, which may not be the latest,
// and the BLIF files to look at: open ones and others.
func (m *models) pinned(snap *snapshot, others []string) (*hierarchy.Library, []string) {
	files := openFiles{m.disk, map[string]source.Text{}, snap.settings.IsTrusted(), map[string]*hierarchy.Tree{}}
	for key, w := range snap.views {
		path, isFile := address.Path(key)
		if !isFile {
			continue
		}
		if w.doc.HasModels() {
			others = append(others, path)
		}
		if !w.outOfStep {
			files.open[path], files.trees[path] = w.doc.Text, blifdesign.TreeOf(w.doc)
		}
	}
	return blifdesign.NewLibrary(files, blifdesign.OptionOf(snap.settings.Document), m.library.Load()), others
}

// rename returns the edits that give the name at an offset of a BLIF document
// another one, in all files that use it: by path, with the texts that they are
// about. others are further files to look at. The disk has just been looked at: edits of
// another text than that on disk would ruin it.
func (m *models) rename(snap *snapshot, v *view, offset int, to string, others []string) ([]hierarchy.FileEdits, error) {
	library, others := m.pinned(snap, others)
	path, _ := address.Path(v.name)
	edits, err := library.Rename(path, offset, to, others)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if w := snap.viewOf(e.Path); w != nil && w.outOfStep {
			return nil, fmt.Errorf("%s is out of sync with the editor: save it or open it again", filepath.Base(e.Path))
		}
	}
	return edits, nil
}

// usesInFiles returns the places of the model or port at an offset of a BLIF file;
// ok is false for what only that file can use.
func (t *texts) usesInFiles(ctx context.Context, snap *snapshot, v *view, offset int) (files []hierarchy.FileUses, ok bool) {
	path, isFile := address.Path(v.name)
	if !isFile || !v.doc.HasModels() || !v.doc.MayBeShared(offset) {
		return nil, false
	}
	library, others := t.models.pinned(snap, t.index.Paths(hierarchy.IsBLIF))
	files, ok = library.Uses(path, offset, others)
	if ok && t.rereadNow(ctx) {
		library, others = t.models.pinned(snap, t.index.Paths(hierarchy.IsBLIF))
		return library.Uses(path, offset, others)
	}
	return files, ok
}

// fileView returns the view of an open document, or one of a BLIF file as it is on
// disk.
func (t *texts) fileView(ctx context.Context, u uri.URI) (*view, bool) {
	snap := snapshotFrom(ctx)
	path, isFile := address.Path(u)
	if v := snap.views[u]; v != nil || !isFile {
		return v, v != nil && !v.outOfStep
	}
	if v := snap.viewOf(path); v != nil {
		return v, !v.outOfStep
	}
	if !hierarchy.IsBLIF(path) && !t.models.library.Load().HasAsked(path) {
		return nil, false
	}
	text, ok := t.models.disk.Text(path)
	if !ok {
		return nil, false
	}
	doc := design.New(string(u), blifdesign.Format, 0, text, snap.settings.Document)
	return &view{name: u, doc: doc, mapper: position.New(text, snap.client.encoding)}, true
}
