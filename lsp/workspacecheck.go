package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/design/answers"
	"aiglens/internal/address"
	"aiglens/lsp/workspace"
)

// workspaceCheck is a check of files whether they are open or not. One that is not open
// is read from disk as a hidden file, and let go when its checks are done. What was said
// of it stays with the client until the file changes.
type workspaceCheck struct {
	*workspace.Check[*file]
	progress *progress // nil where the client shows none
}

// workspaceChecks owns the check of files that are under way, of which there is at most one.
type workspaceChecks struct {
	*core
	checking   *checking
	texts      *texts
	publishing *publishing
	current    *workspaceCheck // nil while there is none
}

// check checks files, together with those of a workspace check that is under way.
func (w *workspaceChecks) check(title string, paths []string) {
	if len(paths) == 0 || !w.settings.IsTrusted() {
		return
	}
	if w.current == nil {
		w.current = &workspaceCheck{Check: workspace.NewCheck[*file]()}
		w.current.progress = w.publishing.newProgress(title, w.end)
	}
	w.current.Add(paths)
	w.next()
}

// checkAgain is check, also for files that a workspace check is done with.
func (w *workspaceChecks) checkAgain(title string, paths []string) {
	if w.current != nil {
		for _, path := range paths {
			w.current.Forget(path)
		}
	}
	w.check(title, paths)
}

// maxUnshown bounds the files that are not open and of which the client has not been
// sent all yet: a client that does not read holds up a workspace check.
const maxUnshown = 64

// unshown counts these files, those that are being checked included.
func (w *workspaceChecks) unshown() (n int) {
	for _, f := range w.texts.files {
		if f.hidden && !f.ofDesign {
			n++
		}
	}
	return n
}

// next begins with as many files as keep the workers busy, and ends a workspace
// check that has no file left.
func (w *workspaceChecks) next() {
	c := w.current
	if c == nil {
		return
	}
	for w.unshown() < maxUnshown {
		path, ok := c.Next(w.settings.Workers)
		if !ok {
			break
		}
		if f := w.texts.files[address.URI(path)]; f != nil && !f.hidden {
			c.Opened(path, f)
			w.checking.checkFile(f)
			continue
		}
		w.beginReading(c, path)
	}
	if c.IsDone() {
		w.end()
	}
}

// beginReading reads a file from disk, in the background.
func (w *workspaceChecks) beginReading(c *workspaceCheck, path string) {
	opts := w.settings.Document
	w.background(func(context.Context) {
		var doc *design.Design
		var stamp workspace.Stamp
		err := fmt.Errorf("%s: an internal error of the server", path) // of a reader that breaks
		defer func() {
			w.post(func() {
				if w.current == c && c.IsAwaited(path) {
					w.read(path, doc, stamp, err)
				}
			})
		}()
		if doc, stamp, err = workspace.ReadCircuit(w.texts.disk, w.opts.Formats, path, opts); err == nil {
			w.texts.models.readMaps(aigerdesign.MapPaths(doc))
		}
	})
}

// read adds a file that is to be checked.
func (w *workspaceChecks) read(path string, doc *design.Design, stamp workspace.Stamp, err error) {
	if err != nil {
		w.log.Warn("a file is not checked", zap.Error(err))
		w.current.Failed(path)
		w.next()
		return
	}
	key := address.URI(path)
	if f := w.texts.files[key]; f != nil && f.hidden && f.stamp != stamp { // of an earlier check, about to go
		w.texts.closeFile(key)
	}
	if f := w.texts.files[key]; f != nil { // opened meanwhile
		w.current.Opened(path, f)
		w.checking.checkFile(f)
		return
	}
	if doc.Options() != w.settings.Document { // they have changed while it was read
		doc = doc.WithOptions(w.settings.Document)
	}
	f := newFile(w.ctx, key, doc)
	f.hidden, f.stamp = true, stamp
	w.texts.add(f)
	w.current.Opened(path, f)
	w.texts.textReplaced(f)
	w.checking.checkFile(f)
}

// letGoWhenDone looks whether a file is done, which then leaves the workspace check and,
// unless it is open, goes. One that is not open is done when it is known which of its properties
// hold vacuously.
func (w *workspaceChecks) letGoWhenDone(f *file) {
	if f.isBusy() || !f.checks.IsAnalysed() || f.hidden && f.work.explaining {
		return
	}
	w.leave(f)
	if f.hidden && !f.ofDesign {
		w.letGoWhenShown(f)
	}
}

// holds reports whether a file is being checked with others.
func (w *workspaceChecks) holds(f *file) bool {
	return w.current != nil && w.current.Holds(f)
}

// takeOver makes a file that is opened take the place of the one that was read before,
// with the checks that are under way there. It reports whether there are any.
func (w *workspaceChecks) takeOver(f, before *file) bool {
	busy := before.hidden && before.isBusy()
	if w.holds(before) {
		w.current.Replace(before, f)
		busy = true
	}
	return busy
}

// leave takes a file out of the workspace check, done or not.
func (w *workspaceChecks) leave(f *file) {
	if w.holds(f) {
		w.current.Close(f)
		w.next()
	}
}

// letGoWhenShown lets a hidden file go when the client has been sent what there is to say
// of it now. Where there is more to say by then, the file stays until that is sent, too:
// its sender must find the file.
func (w *workspaceChecks) letGoWhenShown(f *file) {
	w.background(func(context.Context) {
		var news int
		w.queue.Do(func() { news = f.shown.news }) // what the present function changes included
		shown := func() {
			if f.shown.news == news {
				w.letGo(f)
			} else {
				w.letGoWhenDone(f)
			}
		}
		w.publishing.diagnostics.Idle(func() { w.publishing.statuses.Idle(func() { w.post(shown) }) })
	})
}

// rereadHidden reads and checks files of a workspace check again that have changed on disk.
func (w *workspaceChecks) rereadHidden(paths []string) {
	for _, path := range paths {
		key := address.URI(path)
		if f := w.texts.files[key]; f != nil && f.hidden && !f.ofDesign {
			w.texts.closeFile(key)
			w.checkAgain("Checking "+filepath.Base(path), []string{path})
		}
	}
}

// drop takes a file out of a workspace check that has not begun to check it.
func (w *workspaceChecks) drop(path string) {
	if w.current != nil {
		w.current.Drop(path)
		w.next()
	}
}

// end ends a workspace check with the checks of its hidden files.
func (w *workspaceChecks) end() {
	c := w.current
	if c == nil {
		return
	}
	defer w.checking.scheduling.scheduler.Pause()() // or the checks of one file begin while those of another are stopped
	w.current = nil
	if c.progress != nil {
		c.progress.end()
	}
	for _, f := range c.Open() {
		w.checking.stopFile(f)
		if f.hidden {
			w.letGoWhenShown(f)
		}
	}
}

// report says how far the check of files has come that is under way.
func (w *workspaceChecks) report() {
	c := w.current
	if c == nil || c.progress == nil {
		return
	}
	if now := time.Now(); now.Sub(c.progress.last) >= reportInterval {
		c.progress.last = now
		running := 0
		for _, f := range c.Open() {
			running += f.checks.Active()
		}
		done, all := c.Done()
		message := fmt.Sprintf("%d of %s · %s under way", done, answers.Count(all, "file", "files"), answers.Count(running, "property", "properties"))
		c.progress.put(report{message, uint32(100 * done / max(1, all))})
	}
}

// letGo lets a hidden file go that has nothing more to do. What the client was told
// of it stays, so that must be about the text that was read: the end of an analysis asks
// once more.
func (w *workspaceChecks) letGo(f *file) {
	key := uri.URI(f.doc.URI)
	if w.texts.files[key] != f || !f.hidden || f.isBusy() || !f.checks.IsAnalysed() || w.holds(f) {
		return
	}
	f.leaveText()
	delete(w.texts.files, key)
	w.publishing.changed[key] = true
	path, _ := address.Path(key)
	w.texts.closed.files[key] = workspace.Closed{Path: path, Stamp: f.stamp, DependsOnMore: f.doc.DependsOnOthers(), Failed: f.hasFailed()}
	w.texts.closed.verdicts.keep(key, f.checks)
	w.texts.closed.reread(key)
	w.next()
}
