package lsp

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/design"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// workspaceCheck is a check of files whether they are open or not. One that is not open
// is read from disk as a hidden file, and let go when its checks are done. What was said
// of it stays with the client until the file changes.
type workspaceCheck struct {
	*workspace.Check[*file]
	progress *progress // nil where the client shows none
}

// executeCheckWorkspace checks all circuits of the workspace and answers how many files
// these are.
func (s *server) executeCheckWorkspace(ctx context.Context, _ *wire.WorkspaceParams) (answer wire.WorkspaceCheck, err error) {
	if err := refuseUntrusted(ctx); err != nil {
		return answer, err
	}
	paths, err := workspace.FindCircuits(ctx, s.opts.Files, s.opts.Formats, s.index.Folders())
	if err != nil {
		return answer, err
	}
	s.owner.Do(func() { s.checkFiles("Checking all circuits", paths) })
	return wire.WorkspaceCheck{Files: len(paths)}, nil
}

// checkFiles checks files, together with those of a workspace check that is under way.
func (s *session) checkFiles(title string, paths []string) {
	if len(paths) == 0 || !s.settings.IsTrusted() {
		return
	}
	if s.workspaceCheck == nil {
		s.workspaceCheck = &workspaceCheck{Check: workspace.NewCheck[*file]()}
		if s.client.progress {
			s.workspaceCheck.progress = s.newProgress(title)
		}
	}
	s.workspaceCheck.Add(paths)
	s.checkNextFiles()
}

// checkFilesAgain is checkFiles also for files that a workspace check is done with.
func (s *session) checkFilesAgain(title string, paths []string) {
	if s.workspaceCheck != nil {
		for _, path := range paths {
			s.workspaceCheck.Forget(path)
		}
	}
	s.checkFiles(title, paths)
}

// maxUnshown bounds the files that nobody has opened and of which the client has not been
// sent all yet: a client that does not read holds up a workspace check.
const maxUnshown = 64

// unshown counts these files, those that are being checked included.
func (s *session) unshown() (n int) {
	for _, f := range s.files {
		if f.hidden {
			n++
		}
	}
	return n
}

// checkNextFiles begins with as many files as keep the workers busy, and ends a workspace
// check that has no file left.
func (s *session) checkNextFiles() {
	c := s.workspaceCheck
	if c == nil {
		return
	}
	for s.unshown() < maxUnshown {
		path, ok := c.Next(s.settings.Workers)
		if !ok {
			break
		}
		if f := s.files[uri.File(path)]; f != nil && !f.hidden {
			c.Opened(path, f)
			s.checkFile(f)
			continue
		}
		opts := s.settings.Document
		s.background(func(context.Context) {
			doc, stamp, err := workspace.ReadCircuit(s.disk, s.opts.Formats, path, opts)
			s.post(func() {
				if s.workspaceCheck == c && c.IsAwaited(path) {
					s.fileRead(path, doc, stamp, err)
				}
			})
		})
	}
	if c.IsDone() {
		s.endWorkspaceCheck()
	}
}

// fileRead takes in a file that is to be checked.
func (s *session) fileRead(path string, doc *design.Design, stamp workspace.Stamp, err error) {
	if err != nil {
		s.log.Warn("a file is not checked", zap.Error(err))
		s.workspaceCheck.Failed(path)
		s.checkNextFiles()
		return
	}
	key := uri.File(path)
	if f := s.files[key]; f != nil { // opened meanwhile
		s.workspaceCheck.Opened(path, f)
		s.checkFile(f)
		return
	}
	delete(s.closed, key)
	if doc.Options() != s.settings.Document { // they have changed while it was read
		doc = doc.WithOptions(s.settings.Document)
	}
	f := newFile(key, doc)
	f.hidden, f.stamp = true, stamp
	s.files[key] = f
	s.workspaceCheck.Opened(path, f)
	s.textReplaced(f)
	s.checkFile(f)
}

// letGoWhenDone looks whether a file is done, which then leaves the workspace check and,
// unless it is open, goes.
func (s *session) letGoWhenDone(f *file) {
	if f.isBusy() || !f.checks.IsAnalysed() {
		return
	}
	s.leaveWorkspaceCheck(f)
	if f.hidden {
		s.letGoWhenShown(f)
	}
}

// isBusy reports whether checks of a file run or are being prepared.
func (f *file) isBusy() bool {
	return f.checks.IsBusy() || f.preparing != nil || len(f.deferred) > 0
}

// isInWorkspaceCheck reports whether a file is being checked with others.
func (s *session) isInWorkspaceCheck(f *file) bool {
	return s.workspaceCheck != nil && s.workspaceCheck.Holds(f)
}

// takeOver has a file that is opened take the place of the one that was read before,
// with the checks that are under way there. It reports whether there are any.
func (s *session) takeOver(f, before *file) bool {
	busy := before.hidden && before.isBusy()
	if s.isInWorkspaceCheck(before) {
		s.workspaceCheck.Replace(before, f)
		busy = true
	}
	return busy
}

// leaveWorkspaceCheck takes a file out of the workspace check, done or not.
func (s *session) leaveWorkspaceCheck(f *file) {
	if s.isInWorkspaceCheck(f) {
		s.workspaceCheck.Close(f)
		s.checkNextFiles()
	}
}

// letGoWhenShown lets a hidden file go when the client has been sent what there is to say
// of it now. Where there is more to say by then, the file stays until that is sent, too:
// whoever sends it must find the file.
func (s *session) letGoWhenShown(f *file) {
	s.background(func(context.Context) {
		var news int
		s.owner.Do(func() { news = f.news }) // what the present function changes included
		shown := func() {
			if f.news == news {
				s.letGo(f)
			} else {
				s.letGoWhenDone(f)
			}
		}
		s.publisher.Idle(func() { s.statuses.Idle(func() { s.post(shown) }) })
	})
}

// readHiddenAnew has files of a workspace check that have changed on disk read and
// checked again.
func (s *session) readHiddenAnew(paths []string) {
	for _, path := range paths {
		key := uri.File(path)
		if f := s.files[key]; f != nil && f.hidden {
			s.closeFile(key)
			s.checkFilesAgain("Checking "+filepath.Base(path), []string{path})
		}
	}
}

// dropDue takes a file out of a workspace check that has not begun to check it.
func (s *session) dropDue(path string) {
	if s.workspaceCheck != nil {
		s.workspaceCheck.Drop(path)
		s.checkNextFiles()
	}
}

// endWorkspaceCheck ends a workspace check with the checks of its hidden files.
func (s *session) endWorkspaceCheck() {
	c := s.workspaceCheck
	if c == nil {
		return
	}
	defer s.scheduler.Pause()() // or the checks of one file begin while those of another are stopped
	s.workspaceCheck = nil
	if c.progress != nil {
		c.progress.end()
	}
	for _, f := range c.Open() {
		s.stopFile(f)
		if f.hidden {
			s.letGoWhenShown(f)
		}
	}
}

// report says how far a workspace check has come.
func (c *workspaceCheck) report() {
	if c.progress == nil {
		return
	}
	if now := time.Now(); now.Sub(c.progress.last) >= reportInterval {
		c.progress.last = now
		running := 0
		for _, f := range c.Open() {
			running += f.checks.Active()
		}
		done, all := c.Done()
		message := fmt.Sprintf("%d of %d files · %d properties under way", done, all, running)
		c.progress.put(report{message, uint32(100 * done / max(1, all))})
	}
}

// recheckFailed checks again what is refuted or unknown, of one file or of all.
func (s *server) recheckFailed(ctx context.Context, only uri.URI) {
	var open []uri.URI
	s.owner.Do(func() {
		for key := range s.files {
			if only == "" || key == only {
				open = append(open, key)
			}
		}
	})
	for _, key := range open {
		s.whenRead(ctx, key, func(f *file) {
			failed, effects := f.checks.Failed(f.doc.Properties())
			s.perform(f, effects)
			if len(failed) > 0 {
				s.checkProperties(f, failed, nil)
			}
		})
	}
	s.owner.Do(func() {
		var paths []string
		for key, c := range s.closed {
			if (only == "" || key == only) && c.Failed {
				paths = append(paths, c.Path)
			}
		}
		slices.Sort(paths)
		s.checkFilesAgain("Checking what failed", paths)
	})
}

// letGo lets a hidden file go that has nothing more to do. What the client was told
// of it stays, so that must be about the text that was read: the end of an analysis asks
// once more.
func (s *session) letGo(f *file) {
	key := uri.URI(f.doc.URI)
	if s.files[key] != f || !f.hidden || f.isBusy() || !f.checks.IsAnalysed() || s.isInWorkspaceCheck(f) {
		return
	}
	f.leaveText()
	delete(s.files, key)
	s.changed[key] = true
	s.closed[key] = workspace.Closed{Path: key.FsPath(), Stamp: f.stamp, DependsOnMore: f.doc.DependsOnOthers(), Failed: f.hasFailed()}
	s.lookAtClosed(key)
	s.checkNextFiles()
}

// hasFailed reports whether a property of a file is refuted or unknown.
func (f *file) hasFailed() bool {
	return slices.ContainsFunc(f.doc.Properties(), func(p design.Property) bool { return f.status(p.ID).Failed() })
}

// outdate takes back what was said of files that are not open and that may not hold any
// more. Whether the files are still there is found out behind that.
func (s *session) outdate(mayHaveChanged func(workspace.Closed) bool) {
	var keys []uri.URI
	for key, c := range s.closed {
		if mayHaveChanged(c) {
			s.showOutdated(key)
			keys = append(keys, key)
		}
	}
	s.lookAtClosed(keys...)
}

func (s *session) showOutdated(key uri.URI) {
	c := s.closed[key]
	if c.Outdated {
		return
	}
	c.Outdated = true
	s.closed[key] = c
	s.publisher.request(key)
	s.statuses.outdated(key, changedOnDisk)
}

// lookAtClosed finds out what has become of files that are not open.
func (s *session) lookAtClosed(keys ...uri.URI) {
	all := map[uri.URI]workspace.Closed{}
	for _, key := range keys {
		all[key] = s.closed[key]
	}
	if len(all) > 0 {
		s.background(func(ctx context.Context) { s.lookAtEach(ctx, all) })
	}
}

// lookAtEach waits for the file system.
func (s *session) lookAtEach(ctx context.Context, all map[uri.URI]workspace.Closed) {
	for key, c := range all {
		switch change := c.Look(s.opts.Files); {
		case ctx.Err() != nil:
			return
		case change == workspace.Changed && !c.Outdated:
			s.post(func() { s.ifClosed(key, c, s.showOutdated) })
		case change == workspace.Gone:
			s.post(func() { s.ifClosed(key, c, s.forgetClosed) })
		}
	}
}

// ifClosed runs f for a file that is the same as when it was looked at.
func (s *session) ifClosed(key uri.URI, c workspace.Closed, f func(uri.URI)) {
	if now, known := s.closed[key]; known && now.Stamp == c.Stamp {
		f(key)
	}
}

// forgetClosed takes back what was said of a file that is gone.
func (s *session) forgetClosed(key uri.URI) {
	delete(s.closed, key)
	s.publisher.request(key)
	s.statuses.outdated(key, goneFromDisk)
}

// closedPoll is how often files are looked at that are not open.
const closedPoll = 2 * time.Second

// watchClosed looks for changes of files that are not open: not every client tells
// them, and none tells all.
func (s *session) watchClosed(ctx context.Context) {
	tick := time.NewTicker(closedPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all := map[uri.URI]workspace.Closed{}
		s.owner.Do(func() {
			maps.Copy(all, s.closed)
			s.lookUnwatched()
		})
		s.lookAtEach(ctx, all)
	}
}
