package lsp

import (
	"context"
	"sync"

	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/design/blifdesign"
)

// looks says what the session has the file system asked again: the files that the models
// of open documents come from, and the cell library. It belongs to the owner.
//
// One look is under way at a time, and what comes meanwhile is one more. Verdicts wait
// while there is doubt: somebody has said that a file has changed, or the settings name
// another cell library, and nobody knows yet what that means. Until then they are shown
// as stale, while everything else about a text is answered from what is known.
type looks struct {
	running *look // nil when none is
	next    *look // nil, or what begins when running has ended
	// sure is nil unless running or next is in doubt; it is closed when neither is.
	sure chan struct{}
}

// look is a question to the file system.
type look struct {
	all   bool     // everything that was asked for so far, by its stamp
	paths []string // and these, whatever their stamp
	doubt bool     // verdicts wait for the answer
	isSet bool     // the settings have named the cell library, maybe another one
	then  []func() // run when the answer has been taken in
}

// lookAgain has the file system asked. The documents that its answer concerns are read
// anew.
func (s *session) lookAgain(l look) {
	if s.models.disk.IsEmpty() && blifdesign.OptionOf(s.settings.Document).Genlib == "" {
		for _, f := range l.then {
			f()
		}
		return
	}
	if s.looks.next == nil {
		s.looks.next = &look{}
	}
	next := s.looks.next
	next.all, next.doubt, next.isSet = next.all || l.all, next.doubt || l.doubt, next.isSet || l.isSet
	next.paths, next.then = append(next.paths, l.paths...), append(next.then, l.then...)
	if l.doubt {
		if s.looks.sure == nil {
			s.looks.sure = make(chan struct{})
		}
		s.doubtVerdicts()
	}
	if s.looks.running == nil {
		s.beginLook()
	}
}

// lookNow is lookAgain for a request whose answer is about what is on disk. It returns
// when the answer of the file system has been taken in, and reports whether that was news.
func (s *session) lookNow(ctx context.Context) (changed bool) {
	before, done := s.models.library.Load(), make(chan struct{})
	s.owner.Do(func() { s.lookAgain(look{all: true, then: []func(){func() { close(done) }}}) })
	select {
	case <-done:
	case <-ctx.Done():
	}
	return s.models.library.Load() != before
}

func (s *session) beginLook() {
	l, genlib := s.looks.next, blifdesign.OptionOf(s.settings.Document).Genlib
	s.looks.running, s.looks.next = l, nil
	s.background(func(context.Context) {
		var changed bool
		var cells *blifdesign.Cells
		var err error
		defer func() {
			s.post(func() { s.looked(l, changed, genlib, cells, err) })
		}()
		changed = s.models.disk.Look(l.paths, l.all)
		cells, err = s.models.cells.read(s.models.disk, genlib)
	})
}

// looked takes in an answer of the file system.
func (s *session) looked(l *look, changed bool, genlib string, cells *blifdesign.Cells, err error) {
	s.looks.running = nil
	sure := s.looks.sure
	if s.looks.next == nil || !s.looks.next.doubt {
		s.looks.sure = nil
	}
	option := blifdesign.OptionOf(s.settings.Document)
	isPresent := genlib == option.Genlib
	if isPresent && (l.isSet || cells != option.Cells) {
		s.warnOfCells(err)
	}
	switch {
	case isPresent && cells != option.Cells:
		option.Cells = cells
		s.settings.Document = s.settings.Document.With(blifdesign.Format, option)
		s.readAnew()
	case changed:
		s.modelsChanged()
	}
	for _, f := range l.then {
		f()
	}
	if s.looks.next != nil {
		s.beginLook()
	}
	if sure != nil && s.looks.sure == nil {
		close(sure)
		s.resumeVerdicts()
	}
}

// isInDoubt reports whether the verdicts on a file wait for an answer of the file system.
func (s *session) isInDoubt(f *file) bool { return s.looks.sure != nil && f.doc.HasModels() }

// doubtVerdicts shows the verdicts as stale that depend on other files, or may do so.
func (s *session) doubtVerdicts() {
	for _, f := range s.files {
		if f.doc.HasModels() && (f.doc.DependsOnOthers() || !f.checks.IsAnalysed()) {
			s.textReplaced(f)
			f.touchAll() // although the document is the same
		}
	}
}

// resumeVerdicts does what has waited for the end of doubt.
func (s *session) resumeVerdicts() {
	for _, f := range s.files {
		deferred := f.deferred
		f.deferred = nil
		for _, f := range deferred {
			f()
		}
		if f.unanalysed {
			s.analyse(f)
		}
	}
}

// whenSure runs f, which is about the verdicts of a file, when these can be known.
func (s *session) whenSure(file *file, f func()) {
	if s.isInDoubt(file) {
		file.deferred = append(file.deferred, f)
		return
	}
	f()
}

// reading reads documents in the background for whoever must not wait for a disk: the text
// of one may need the models of files that nobody has read. It reads one text of a file at
// a time, for that cannot be interrupted.
type reading struct {
	background func(func(context.Context))

	mu   sync.Mutex
	busy map[uri.URI]*readingOf // guarded by mu
}

// readingOf is the reading of one text.
type readingOf struct {
	doc   *design.Design
	ended chan struct{}
}

func newReading(s *session) *reading {
	return &reading{background: s.background, busy: map[uri.URI]*readingOf{}}
}

// isDone reports whether the document of a view can be asked without waiting for a disk.
// If not, again is called when it can, or when an earlier text could be.
func (r *reading) isDone(key uri.URI, v *view, again func()) bool {
	if !v.doc.HasModels() || v.isAnalysed() || v.read.Load() {
		return true
	}
	r.begin(key, v, again)
	return false
}

// wait returns when the document of a view, which may not be the latest, can be asked
// without waiting for a disk, when reading it has broken, or when ctx has ended.
func (r *reading) wait(ctx context.Context, key uri.URI, v *view) {
	for v.doc.HasModels() && !v.read.Load() && ctx.Err() == nil {
		under := r.begin(key, v, func() {})
		select {
		case <-under.ended:
			if under.doc == v.doc {
				return
			}
		case <-ctx.Done():
		}
	}
}

// begin reads the document of a view and calls then, unless a text of the file is being
// read. It returns what is under way.
func (r *reading) begin(key uri.URI, v *view, then func()) *readingOf {
	r.mu.Lock()
	defer r.mu.Unlock()
	if under := r.busy[key]; under != nil {
		return under
	}
	under := &readingOf{v.doc, make(chan struct{})}
	r.busy[key] = under
	r.background(func(context.Context) {
		defer then()
		defer close(under.ended)
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			delete(r.busy, key)
		}()
		v.doc.Properties()
		v.read.Store(true)
	})
	return under
}

// whenLooked waits until the files that an open file depends on have been looked at, for
// not every client, and not for every name, tells what others write. It returns false when
// ctx ends, or somebody has stopped the checks of the file meanwhile.
func (s *session) whenLooked(ctx context.Context, key uri.URI) bool {
	looked, isWanted := make(chan struct{}), true
	s.owner.Do(func() {
		f := s.files[key]
		if f == nil || !s.holdsModels(key, f.doc) {
			close(looked)
			return
		}
		stops := f.stops
		s.lookAgain(look{all: true, then: []func(){func() {
			isWanted = f.stops == stops
			close(looked)
		}}})
	})
	select {
	case <-looked:
		return isWanted
	case <-ctx.Done():
		return false
	}
}

// lookUnwatched looks at the files that open ones depend on, for a client that watches none.
func (s *session) lookUnwatched() {
	if !s.initialized || s.client.watchesFiles || s.looks.running != nil {
		return
	}
	for _, f := range s.files {
		if f.doc.HasModels() && f.doc.DependsOnOthers() {
			s.lookAgain(look{all: true})
			return
		}
	}
}

// whenRead has the owner run f with an open file whose text has been read, and whose
// verdicts are not in doubt, unless its checks are stopped meanwhile. A request waits for
// the disk, if it must; the owner never does.
func (s *session) whenRead(ctx context.Context, key uri.URI, f func(*file)) {
	var read *design.Design
	stops := -1 // when it was asked for
	for ctx.Err() == nil {
		var now *design.Design
		var sure chan struct{}
		s.owner.Do(func() {
			file := s.files[key]
			if file != nil && stops < 0 {
				stops = file.stops
			}
			switch {
			case file == nil || file.stops != stops:
			case s.isInDoubt(file):
				sure = s.looks.sure
			case file.doc == read:
				f(file)
			default:
				now = file.doc
			}
		})
		switch {
		case sure != nil:
			select {
			case <-ctx.Done():
			case <-sure:
			}
		case now != nil:
			now.Properties()
			read = now
		default:
			return
		}
	}
}
