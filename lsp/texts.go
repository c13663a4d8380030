package lsp

import (
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
	"aiglens/internal/source"
	"aiglens/internal/thread"
	"aiglens/lsp/rpc"
	"aiglens/lsp/settings"
	"aiglens/lsp/workspace"
)

// texts owns the texts of a session: the files that are open or were read to be checked, the
// models of other files that they use, what the disk has, and the index of the workspace.
type texts struct {
	*core
	publishing *publishing
	follower   follower
	verilog    *verilog
	files      fileSet
	closed     *closedFiles
	disk       *workspace.Limited // opts.Files
	index      *workspace.Index
	models     *models  // of BLIF files
	reading    *reading // for requests
	watcher    *watcher // of files outside of the workspace
	told       bool     // the client that watches files has told of a change
	doubt      doubt
}

// follower is told what becomes of texts, and sees to it that what is known follows.
type follower interface {
	analyse(*file)  // its text is another, or may be
	stopFile(*file) // its text is not known any more
	forget(*file)   // it is closed
}

// fileSet holds files by their addresses.
type fileSet map[uri.URI]*file

// holds reports whether a file is still the one at its address.
func (all fileSet) holds(f *file) bool { return all[uri.URI(f.doc.URI)] == f }

func newTexts(c *core, pub *publishing, files fileSet, disk *workspace.Limited) *texts {
	t := &texts{
		core: c, publishing: pub, files: files, disk: disk, closed: newClosedFiles(c, pub),
		index: workspace.NewIndex(c.opts.Files, c.opts.Formats), models: newModels(c.opts.Files), reading: newReading(c),
	}
	t.verilog = newVerilog(c, t, pub)
	t.watcher = newWatcher(c, t.index, t.models, t.verilog.paths)
	c.settings.Document = c.settings.Document.With(blifdesign.Format, blifdesign.Option{Models: t.models}).
		With(aigerdesign.Format, aigerdesign.Option{Others: mapFinder{t.models}})
	return t
}

// start reads the disk.
func (t *texts) start() {
	t.background(t.watchClosed)
	t.background(t.index.Run)
	t.background(t.watcher.Run)
}

// add makes a file the one at its address. That it has a text is for textChanged to say, or
// textReplaced.
func (t *texts) add(f *file) {
	key := uri.URI(f.doc.URI)
	delete(t.closed.files, key)
	t.files[key] = f
	t.lookForMaps(f)
}

// edit gives a file its next text.
func (t *texts) edit(f *file, version int32, changes []protocol.TextDocumentContentChangeEvent) {
	f.outOfStep = false
	text := applyChanges(f.doc.Text, changes, t.client.encoding, func(before source.Text, e source.Edit) {
		f.analysis.earlier = f.analysis.earlier.after(before, e)
	})
	if f.rewrites.Changed(f.doc.Text, text) {
		t.publishing.askForLenses(lensChanged)
	}
	f.doc = f.doc.Successor(version, text)
	t.textChanged(f)
}

// textChanged starts over with what is derived from a text.
func (t *texts) textChanged(f *file) {
	if t.holdsModels(uri.URI(f.doc.URI), f.doc) {
		t.modelsChangedBy(f)
		t.rereadLater(rereading{all: true})
	}
	t.verilog.textChanged(f)
	t.textReplaced(f)
}

// textReplaced is textChanged for a document that is another only because other
// files are.
func (t *texts) textReplaced(f *file) {
	if f.analysis.analysed != nil && !f.checks.IsAnalysed() {
		close(f.analysis.analysed)
	}
	f.checks.Edited()
	f.found.runs, f.found.suggested = nil, nil // what was found of the text before
	f.leaveText()
	f.present, f.leaveText = thread.WithCancel(t.ctx)
	f.analysis.analysed = make(chan struct{})
	t.publishing.touch(f)
	t.follower.analyse(f)
}

func (t *texts) closeFile(key uri.URI) {
	f := t.files[key]
	if f == nil {
		return
	}
	isBusy := f.isBusy()
	t.follower.forget(f)
	if !f.checks.IsAnalysed() {
		close(f.analysis.analysed)
	}
	delete(t.files, key)
	t.publishing.changed[key] = true
	t.publishing.diagnostics.request(key)
	t.publishing.urgent[key] = true
	t.giveBack(f.doc)
	if !f.hidden {
		t.verilog.closed(f, isBusy)
	}
	if !f.hidden && t.holdsModels(key, f.doc) {
		t.rereadLater(rereading{paths: pathsOf(key), doubt: true}) // from now on what is on disk counts
		t.modelsChanged()
	}
}

// loseStep marks the document of a message that cannot be read as out of step
// until its whole text arrives; all of them when not even its address can be
// read.
func (t *texts) loseStep(raw []byte) {
	var params struct {
		TextDocument struct {
			URI uri.URI `json:"uri"`
		} `json:"textDocument"`
	}
	readable := rpc.Decode(raw, &params) == nil && params.TextDocument.URI != ""
	t.queue.Do(func() {
		for key, f := range t.files {
			if f.outOfStep || f.hidden || readable && key != params.TextDocument.URI {
				continue
			}
			f.outOfStep, f.shown.titles, f.analysis.earlier = true, nil, earlier{}
			t.follower.stopFile(f)
			t.verilog.refresh(nil)
			t.publishing.touch(f)
			t.publishing.diagnostics.request(key)
			t.publishing.askForLenses(lensChanged)
		}
	})
}

// largestMessage is the size in bytes up to which messages are read: those that hold the
// text of a file as large as is read, each character escaped with a second one.
func (t *texts) largestMessage() int64 { return 2*t.disk.Limit() + 1<<20 }

// messageSkipped does what there is to do about a message that was too large to be read.
func (t *texts) messageSkipped(m *rpc.SkippedError) {
	t.log.Error("a message is skipped", zap.Error(m))
	t.notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{
		Type: protocol.MessageTypeError, Message: fmt.Sprintf("aiglens: %v; the setting aiglens.files.maxSize raises it", m),
	})
	switch word(m.Ends, "method") {
	case quoted(protocol.MethodTextDocumentDidOpen), quoted(protocol.MethodTextDocumentDidChange), "":
		t.loseStep(fmt.Appendf(nil, `{"textDocument":{"uri":%s}}`, word(m.Ends, "uri")))
	}
}

// outdateEdits ends what was found of edits that rests on other files, which are other ones
// now, or all of it where texts are read again.
func (t *texts) outdateEdits(reread bool) {
	for _, f := range t.files {
		if f.rewrites.OthersChanged(reread) {
			t.publishing.touch(f)
			t.publishing.askForLenses(lensChanged)
		}
	}
}

// settingsChanged reads texts as the settings say now.
func (t *texts) settingsChanged(old settings.Settings) {
	next := t.settings
	t.disk.LimitTo(next.MaxFileSize)
	if next.Document != old.Document || next.IsTrusted() != old.IsTrusted() {
		t.rereadAll()
	}
	if genlib, before := blifdesign.OptionOf(next.Document).Genlib, blifdesign.OptionOf(old.Document).Genlib; genlib != "" {
		t.rereadLater(rereading{paths: []string{filepath.Clean(genlib)}, doubt: genlib != before, isSet: true})
	}
	t.watcher.watch()
}
