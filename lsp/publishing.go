package lsp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design/words"
	"aiglens/internal/fault"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/position"
	"aiglens/lsp/queue"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// publishing owns what the client is told without having asked: the snapshot that requests see,
// and the senders, which compute from it. It knows what has changed, and not why.
type publishing struct {
	*core
	files       fileSet // of texts
	diagnostics *diagnosticsSender
	statuses    *statusSender
	lenses      *lensRefresher
	refreshes   *queue.Sender[string, struct{}]        // have the client ask for its hints, colours or folds again
	steps       *queue.Sender[uri.URI, wire.ShownStep] // tells which step is shown
	changed     map[uri.URI]bool                       // files whose view in snapshot is old
	urgent      map[uri.URI]bool                       // those of which the user waits for news
	found       map[uri.URI]bool                       // those with a new verdict
	behind      map[*file]bool                         // files whose progress is to be reported
	running     map[protocol.ProgressToken]func()      // ends the work whose progress is shown
	progresses  int                                    // begun so far
	radices     *words.Radices                         // that the user has chosen
	creating    atomic.Int32                           // progresses that the client has not taken yet; of any goroutine
}

func newPublishing(c *core, files fileSet) *publishing {
	return &publishing{
		core: c, files: files,
		diagnostics: newDiagnosticsSender(c), statuses: newStatusSender(c), lenses: newLensRefresher(c),
		refreshes: newRefresher(c), steps: newStepSender(c),
		changed: map[uri.URI]bool{}, urgent: map[uri.URI]bool{}, found: map[uri.URI]bool{}, behind: map[*file]bool{}, running: map[protocol.ProgressToken]func(){},
	}
}

// start starts the senders.
func (pub *publishing) start() {
	for _, run := range []func(context.Context){pub.diagnostics.Run, pub.statuses.Run, pub.lenses.Run, pub.refreshes.Run, pub.steps.Run} {
		pub.background(run)
	}
}

// rebuild brings the snapshot up to date; the queue runs it after its functions.
func (pub *publishing) rebuild() {
	old := pub.snapshot.Load()
	if len(pub.changed) == 0 && old.client == pub.client && old.settings == pub.settings && old.radices == pub.radices {
		return
	}
	views := make(map[uri.URI]*view, len(pub.files))
	for key, f := range pub.files {
		v := old.views[key]
		if pub.changed[key] || v == nil {
			v = pub.guardedView(f, v)
		}
		views[key] = v
	}
	pub.snapshot.Store(&snapshot{views, pub.client, pub.settings, pub.radices, pub.opts.Explain})
	if pub.client.status {
		for key := range pub.changed {
			if pub.files[key] != nil || pub.urgent[key] {
				pub.statuses.request(key, pub.urgent[key], pub.found[key])
			}
		}
	}
	clear(pub.changed)
	clear(pub.urgent)
	clear(pub.found)
}

// guardedView is newView. Where that breaks the view says so, and nothing else of the
// text; the next one is made without it.
func (pub *publishing) guardedView(f *file, old *view) (v *view) {
	if old != nil && old.broken {
		old = nil
	}
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		pub.panickedOn("view", fault.HashOf(f.doc.Text.Content()), value)
		v = &view{
			name: f.name, doc: f.doc, outOfStep: f.outOfStep, hidden: f.hidden, analysed: f.analysis.analysed, broken: true,
			faults: []source.Diagnostic{noAnalysis()}, mapper: position.New(f.doc.Text, pub.client.encoding),
			read: new(atomic.Bool), early: new(atomic.Bool), names: func() []workspace.Name { return nil }, cursor: &f.shown.cursor,
		}
	}()
	return pub.newView(f, old)
}

func (pub *publishing) newView(f *file, old *view) *view {
	if pub.opts.onView != nil {
		pub.opts.onView(f.doc)
	}
	v := &view{name: f.name, doc: f.doc, outOfStep: f.outOfStep, hidden: f.hidden, analysed: f.analysis.analysed, selection: f.shown.selection, cursor: &f.shown.cursor, faults: f.checks.Faults(), fitting: f.fitting, rewrites: f.rewrites, suggested: f.found.suggested, queries: f.queries}
	if old != nil && old.doc == f.doc {
		v.mapper, v.read, v.early, v.names, v.statuses = old.mapper, old.read, old.early, old.names, old.statuses
	} else {
		f.touchAll()
		v.read, v.early = new(atomic.Bool), new(atomic.Bool)
		v.mapper = position.New(f.doc.Text, pub.client.encoding)
		v.names = sync.OnceValue(func() []workspace.Name { return workspace.NamesOf(v.name, v.doc, v.mapper) })
	}
	if !f.checks.IsAnalysed() {
		before := f.analysis.earlier
		v.earlier = &before
	}
	v.remarks = *f.found.remarks.of(f.doc)
	v.statuses = v.statuses.With(f.shown.dirty, f.status)
	clear(f.shown.dirty)
	pub.selectionChanged(f, old, v)
	return v
}

// touch marks a file's view as old.
func (pub *publishing) touch(f *file) {
	f.shown.news++
	pub.changed[uri.URI(f.doc.URI)] = true
}

// touchProperty marks what the view says of a property as old.
func (pub *publishing) touchProperty(f *file, p circuit.Property) {
	f.shown.dirty[p] = true
	pub.touch(f)
}

// showState has a new state of a property shown everywhere.
func (pub *publishing) showState(f *file, e checks.Show) {
	pub.touchProperty(f, e.Property)
	if key := uri.URI(f.doc.URI); e.Soon || f.checks.Active() > 0 {
		pub.diagnostics.requestSoon(key)
	} else {
		pub.diagnostics.request(key)
	}
	pub.askForLenses(lensChanged)
	pub.updateProgress(f)
}

// reportRun shows how far a run has come. Of all runs of a file the snapshot is
// told so often and not more.
func (pub *publishing) reportRun(f *file, p circuit.Property) {
	f.shown.dirty[p] = true
	if now := time.Now(); now.Sub(f.shown.reported) >= reportInterval {
		f.shown.reported = now
		pub.touch(f)
	}
	pub.updateProgress(f)
	if f.shown.catchUp != nil {
		f.shown.catchUp.Reset(reportRest)
		return
	}
	f.shown.catchUp = time.AfterFunc(reportRest, func() {
		pub.post(func() {
			if pub.files.holds(f) && f.checks.Active() > 0 {
				pub.touch(f)
				pub.askForLenses(lensChanged)
			}
		})
	})
}

// reportRest is how long the runs of a file have reported nothing when all that they have said
// is shown, in lenses, too: the last report may have come too early after another.
const reportRest = 3 * reportInterval
