package lsp

import (
	"context"

	"go.lsp.dev/uri"

	"aiglens/design/aigerdesign"
	"aiglens/design/blifdesign"
)

// doubt says what the session asks the file system again: the files that the models
// of open documents come from, and the cell library. It belongs to the queue.
//
// One look is under way at a time, and what comes meanwhile is one more. Verdicts wait
// while there is doubt: a file is reported to have changed, or the settings name
// another cell library, and what that means is not known yet. Until then they are shown
// as stale, while everything else about a text is answered from what is known.
type doubt struct {
	running *rereading // nil when none is
	next    *rereading // nil, or what begins when running has ended
	// sure is nil unless running or next is in doubt; it is closed when neither is.
	sure chan struct{}
}

// rereading is a question to the file system.
type rereading struct {
	all   bool     // everything that was asked for so far, by its stamp
	paths []string // and these, whatever their stamp
	doubt bool     // verdicts wait for the answer
	isSet bool     // the settings have named the cell library, maybe another one
	then  []func() // run when the answer has been taken in
}

// rereadLater asks the file system. The documents that its answer concerns are read
// again.
func (t *texts) rereadLater(l rereading) {
	if t.models.disk.IsEmpty() && blifdesign.OptionOf(t.settings.Document).Genlib == "" {
		for _, f := range l.then {
			f()
		}
		return
	}
	if t.doubt.next == nil {
		t.doubt.next = &rereading{}
	}
	next := t.doubt.next
	next.all, next.doubt, next.isSet = next.all || l.all, next.doubt || l.doubt, next.isSet || l.isSet
	next.paths, next.then = append(next.paths, l.paths...), append(next.then, l.then...)
	if l.doubt {
		if t.doubt.sure == nil {
			t.doubt.sure = make(chan struct{})
		}
		t.doubtVerdicts()
	}
	if t.doubt.running == nil {
		t.beginReread()
	}
}

// rereadNow is rereadLater for a request whose answer is about what is on disk. It returns
// when the answer of the file system has been taken in, and reports whether that was news.
func (t *texts) rereadNow(ctx context.Context) (changed bool) {
	before, done := t.models.library.Load(), make(chan struct{})
	t.queue.Do(func() { t.rereadLater(rereading{all: true, then: []func(){func() { close(done) }}}) })
	select {
	case <-done:
	case <-ctx.Done():
	}
	return t.models.library.Load() != before
}

func (t *texts) beginReread() {
	l, genlib := t.doubt.next, blifdesign.OptionOf(t.settings.Document).Genlib
	t.doubt.running, t.doubt.next = l, nil
	t.background(func(context.Context) {
		var changed bool
		var cells *blifdesign.Cells
		var err error
		defer func() {
			t.post(func() { t.endReread(l, changed, genlib, cells, err) })
		}()
		changed = t.models.disk.Reread(l.paths, l.all)
		cells, err = t.models.cells.read(t.models.disk, genlib)
	})
}

// endReread handles an answer of the file system.
func (t *texts) endReread(l *rereading, changed bool, genlib string, cells *blifdesign.Cells, err error) {
	t.doubt.running = nil
	sure := t.doubt.sure
	if t.doubt.next == nil || !t.doubt.next.doubt {
		t.doubt.sure = nil
	}
	option := blifdesign.OptionOf(t.settings.Document)
	isPresent := genlib == option.Genlib
	if isPresent && (l.isSet || cells != option.Cells) {
		t.warnOfCells(err)
	}
	switch {
	case isPresent && cells != option.Cells:
		option.Cells = cells
		t.settings.Document = t.settings.Document.With(blifdesign.Format, option)
		t.rereadAll()
	case changed:
		t.modelsChanged()
	}
	for _, f := range l.then {
		f()
	}
	if t.doubt.next != nil {
		t.beginReread()
	}
	if sure != nil && t.doubt.sure == nil {
		close(sure)
		t.resumeVerdicts()
	}
}

// isInDoubt reports whether the verdicts on a file wait for an answer of the file system.
func (t *texts) isInDoubt(f *file) bool { return t.doubt.sure != nil && f.doc.HasModels() }

// doubtVerdicts shows the verdicts as stale that depend on other files, or may do so.
func (t *texts) doubtVerdicts() {
	for _, f := range t.files {
		if f.doc.HasModels() && (f.doc.DependsOnOthers() || !f.checks.IsAnalysed()) {
			t.textReplaced(f)
			f.touchAll() // although the document is the same
		}
	}
}

// resumeVerdicts does what has waited for the end of doubt.
func (t *texts) resumeVerdicts() {
	for _, f := range t.files {
		deferred := f.work.deferred
		f.work.deferred = nil
		for _, f := range deferred {
			f()
		}
		if f.analysis.postponed {
			t.follower.analyse(f)
		}
	}
}

// whenSure runs f, which is about the verdicts of a file, when these can be known.
func (t *texts) whenSure(file *file, f func()) {
	if t.isInDoubt(file) {
		file.work.deferred = append(file.work.deferred, f)
		return
	}
	f()
}

// whenLooked runs then once the files that an open file depends on have been looked at, for not
// every client, and not for every name, tells what others write. Checks of the file that have been
// stopped meanwhile are not wanted.
func (t *texts) whenLooked(f *file, then func(isWanted bool)) {
	if !t.holdsModels(uri.URI(f.doc.URI), f.doc) {
		then(true)
		return
	}
	stops := f.work.stops
	t.rereadLater(rereading{all: true, then: []func(){func() { then(f.work.stops == stops) }}})
}

// awaitReread returns when the files have been looked at that an open file depends on, and whether
// its checks are still wanted; false when ctx ends.
func (t *texts) awaitReread(ctx context.Context, key uri.URI) (isWanted bool) {
	looked := make(chan bool, 1)
	t.queue.Do(func() {
		if f := t.files[key]; f != nil {
			t.whenLooked(f, func(isWanted bool) { looked <- isWanted })
		} else {
			looked <- true
		}
	})
	select {
	case isWanted = <-looked:
		return isWanted
	case <-ctx.Done():
		return false
	}
}

// rereadUnwatched looks at the files that open ones depend on, for a client that watches none, or
// that has told of no change yet: some register and never tell.
func (t *texts) rereadUnwatched() {
	if !t.initialized || t.client.watchesFiles && t.told || t.doubt.running != nil {
		return
	}
	for _, f := range t.files {
		if f.doc.HasModels() && f.doc.DependsOnOthers() || f.doc.Kind == aigerdesign.Format {
			t.rereadLater(rereading{all: true})
			return
		}
	}
}
