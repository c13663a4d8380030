package lsp

import (
	"context"
	"maps"
	"slices"
	"time"

	"go.lsp.dev/uri"

	"aiglens/lsp/document"
	"aiglens/lsp/workspace"
)

// letGo lets a hidden file go that has nothing more to do. What the client was told
// of it stays.
func (s *session) letGo(f *file) {
	key := uri.URI(f.doc.URI)
	if s.files[key] != f || !f.hidden || f.isBusy() || s.isInWorkspaceCheck(f) {
		return
	}
	f.stopAnalysis()
	if !f.checks.IsAnalysed() {
		close(f.analysed)
	}
	delete(s.files, key)
	s.changed[key] = true
	s.closed[key] = workspace.Closed{Path: key.FsPath(), Stamp: f.stamp, DependsOnMore: f.doc.DependsOnOthers(), Failed: f.hasFailed()}
	s.lookAtClosed(key)
}

// hasFailed reports whether a property of a file is refuted or unknown.
func (f *file) hasFailed() bool {
	if !f.checks.IsAnalysed() {
		return false
	}
	return slices.ContainsFunc(f.doc.Properties(), func(p document.Property) bool { return f.status(p.ID).Failed() })
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
		s.owner.do(func() {
			maps.Copy(all, s.closed)
		})
		s.lookAtEach(ctx, all)
	}
}
