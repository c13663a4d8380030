package lsp

import (
	"context"
	"maps"
	"slices"
	"time"

	"go.lsp.dev/uri"

	"aiglens/lsp/checks"
	"aiglens/lsp/workspace"
)

// closedFiles are the files that have been checked and are not open. What was said of one stays
// with the client until the file changes.
type closedFiles struct {
	*core
	publishing *publishing
	files      map[uri.URI]workspace.Closed
	verdicts   keptVerdicts
}

func newClosedFiles(c *core, pub *publishing) *closedFiles {
	return &closedFiles{c, pub, map[uri.URI]workspace.Closed{}, keptVerdicts{files: map[uri.URI]*checks.File{}}}
}

// keptVerdicts are those of files that are not open, for the next check of such a file, which may be
// stopped before it knows as much.
type keptVerdicts struct {
	files  map[uri.URI]*checks.File
	order  []uri.URI // the keys of files, each once, that of the last check last
	weight int       // of all files
}

// maxKept bounds the weight of the verdicts that are kept, which take some 20 bytes for each unit.
const maxKept = 4 << 20

// keep keeps the verdicts of a file that goes. Where there is no room for all, those of files that
// were checked long ago go.
func (k *keptVerdicts) keep(key uri.URI, f *checks.File) {
	k.forget(key)
	k.files[key] = f.Kept()
	k.order = append(k.order, key)
	for k.weight += f.Weight(); k.weight > maxKept; {
		k.forget(k.order[0])
	}
}

func (k *keptVerdicts) forget(key uri.URI) {
	if before := k.files[key]; before != nil {
		k.weight -= before.Weight()
		k.order = slices.DeleteFunc(k.order, func(other uri.URI) bool { return other == key })
		delete(k.files, key)
	}
}

// outdate takes back what was said of files that are not open and that may not hold any
// more. Whether the files are still there is found out after that.
func (cf *closedFiles) outdate(mayHaveChanged func(workspace.Closed) bool) {
	var keys []uri.URI
	for key, c := range cf.files {
		if mayHaveChanged(c) {
			cf.showOutdated(key)
			keys = append(keys, key)
		}
	}
	cf.reread(keys...)
}

func (cf *closedFiles) showOutdated(key uri.URI) {
	c := cf.files[key]
	if c.Outdated {
		return
	}
	c.Outdated = true
	cf.files[key] = c
	cf.publishing.diagnostics.request(key)
	cf.publishing.statuses.outdated(key, changedOnDisk)
}

// reread finds out what has become of files that are not open.
func (cf *closedFiles) reread(keys ...uri.URI) {
	all := map[uri.URI]workspace.Closed{}
	for _, key := range keys {
		all[key] = cf.files[key]
	}
	if len(all) > 0 {
		cf.background(func(ctx context.Context) { cf.rereadEach(ctx, all) })
	}
}

// rereadEach waits for the file system.
func (cf *closedFiles) rereadEach(ctx context.Context, all map[uri.URI]workspace.Closed) {
	for key, c := range all {
		switch change := c.Reread(cf.opts.Files); {
		case ctx.Err() != nil:
			return
		case change == workspace.Changed && !c.Outdated:
			cf.post(func() { cf.ifClosed(key, c, cf.showOutdated) })
		case change == workspace.Gone:
			cf.post(func() { cf.ifClosed(key, c, cf.forget) })
		}
	}
}

// ifClosed runs f for a file that is the same as when it was looked at.
func (cf *closedFiles) ifClosed(key uri.URI, c workspace.Closed, f func(uri.URI)) {
	if now, known := cf.files[key]; known && now.Stamp == c.Stamp {
		f(key)
	}
}

// forget takes back what was said of a file that is gone.
func (cf *closedFiles) forget(key uri.URI) {
	delete(cf.files, key)
	cf.verdicts.forget(key)
	cf.publishing.diagnostics.request(key)
	cf.publishing.statuses.outdated(key, goneFromDisk)
}

// closedPoll is how often files are looked at that are not open.
const closedPoll = 2 * time.Second

// watchClosed looks for changes of files that are not open: not every client tells
// them, and none tells all.
func (t *texts) watchClosed(ctx context.Context) {
	tick := time.NewTicker(closedPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		all := map[uri.URI]workspace.Closed{}
		t.queue.Do(func() {
			maps.Copy(all, t.closed.files)
			t.rereadUnwatched()
		})
		t.closed.rereadEach(ctx, all)
	}
}
