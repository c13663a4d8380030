package lsp

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/comparison"
	"aiglens/design/formats"
	"aiglens/ic3/verify"
	"aiglens/internal/fault"
	"aiglens/internal/source"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/offer"
	"aiglens/lsp/position"
	"aiglens/lsp/queue"
	"aiglens/lsp/rpc"

	"aiglens/lsp/settings"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// session is the state of one client. The fields below owner belong to its
// goroutine; requests see them through snapshot.
type session struct {
	ctx       context.Context
	opts      Options
	disk      *workspace.Limited // opts.Files
	conn      jsonrpc2.Conn
	log       *zap.Logger
	leave     func()
	outbox    *rpc.Outbox // to the client, in order
	snapshot  atomic.Pointer[snapshot]
	lenses    *lensRefresher
	refreshes *queue.Sender[string, struct{}]        // have the client ask for its hints, colours or folds again
	steps     *queue.Sender[uri.URI, wire.ShownStep] // tells which step is shown
	pulls     *queue.Sender[struct{}, int]           // asks for the settings
	logged    *queue.Sender[struct{}, logLines]      // to the client
	creating  atomic.Int32                           // progresses that the client has not taken yet
	publisher *publisher
	statuses  *statusSender
	index     *workspace.Index
	models    *models        // of BLIF files
	texts     *reading       // for requests
	watcher   *watcher       // of files outside of the workspace
	tasks     sync.WaitGroup // background goroutines

	owner       *queue.Serial
	client      clientSide
	settings    settings.Settings
	pulled      int  // questions for the settings so far
	initialized bool // the client may be asked for things
	files       map[uri.URI]*file
	changed     map[uri.URI]bool // files whose view in snapshot is old
	urgent      map[uri.URI]bool // those of which the user waits for news
	progress    map[*file]bool   // files whose progress is to be reported
	progresses  int              // begun so far
	scheduler   *verify.Scheduler
	offers      *offer.Desk // gives checks to the cluster that is set
	address     offer.Address
	standing    offer.State // of the cluster at address
	analyses    int         // of all files, begun so far
	schedulers  int         // started so far: the number of scheduler
	closing     int         // earlier schedulers in which something may still run
	preferred   verify.ID   // where the user is
	resting     *time.Timer // ends typing; nil while nobody types
	looks       looks
	closed      map[uri.URI]workspace.Closed // files that have been checked and are not open
	// workspaceCheck is nil while there is none.
	workspaceCheck *workspaceCheck
	history        history
	desk           *comparison.Desk
	reductions     *comparison.Desk                 // for the turns
	reaches        *comparison.Desk                 // for the turns
	asides         map[*progress]context.CancelFunc // what ends the work that is shown there
	wantsCache     atomic.Bool                      // settings.Cache, for checks under way
	toldOfFault    atomic.Bool                      // the user knows where reports are
	places         atomic.Int64                     // of the user that the client has told; for whoever reads a text first
}

// file is an open document with its checks.
type file struct {
	name       uri.URI // as the client writes it, which its decoder may not
	doc        *design.Design
	outOfStep  bool         // the editor's text is another than doc, nobody knows which
	hidden     bool         // not open in the editor, but read to be checked
	checks     *checks.File // of doc, and of what was there before
	requests   map[checks.Request]context.CancelFunc
	present    context.Context                 // lives as long as the text
	leaveText  context.CancelFunc              // ends present
	analysed   chan struct{}                   // closed when checks.IsAnalysed or doc replaced
	analyses   int                             // the number, in the session, of the last one; only that counts
	cancel     context.CancelFunc              // of the running analysis
	preparing  context.CancelFunc              // of the running preparation of a whole-file check
	gate       chan struct{}                   // holds the analysis that computes
	progress   *progress                       // nil while nothing runs
	titles     map[circuit.Property]string     // lenses of the last text that was analysed
	reported   time.Time                       // when progress last reached the snapshot
	catchUp    *time.Timer                     // shows the last progress once runs report no more
	news       int                             // how often something has changed that the client is told
	selection  *ide.Selection                  // the step that is shown; nil for none
	cursor     atomic.Int64                    // the line where the user was seen last, from 0
	stops      int                             // how often all its checks have been stopped
	typed      *time.Timer                     // starts a check once typing rests; nil unless wanted
	stamp      workspace.Stamp                 // of a hidden file when it was read
	deferred   []func()                        // see session.whenSure
	fitting    design.FittingHeader            // the last that was seen
	opened     *design.Design                  // the text that the file came with, until one is analysed
	earlier    earlier                         // findings, moved to the present text
	explaining bool                            // it is being found out what proofs say
	told       told                            // what was found out about the text beside verdicts
	rewrites   comparison.Rewrites             // what edits of ours have made of the text
	runs       map[circuit.Property]*foundRuns // counterexamples of the present text, where several are known
	suggested  *suggested                      // lemmas of the last search about the present text; nil for none
	// unanalysed says that the analysis waits for the end of doubt; see looks.
	unanalysed bool
	// dirty holds the properties whose status in the snapshot is old; all are
	// when its text is.
	dirty map[circuit.Property]bool
}

// snapshot is an immutable picture of the session for requests.
type snapshot struct {
	views    map[uri.URI]*view
	client   clientSide
	settings settings.Settings
	explain  func(code string) (path string, line int, ok bool)
}

// view is an immutable picture of one file.
type view struct {
	name      uri.URI
	doc       *design.Design
	outOfStep bool
	hidden    bool
	mapper    position.Mapper
	statuses  checks.Statuses
	names     func() []workspace.Name // for the symbols of the workspace
	analysed  chan struct{}
	selection *ide.Selection
	cursor    *atomic.Int64       // of the file
	faults    []source.Diagnostic // errors that forbid verdicts
	earlier   *earlier            // stands in for faults until the text is analysed; nil from then on
	read      *atomic.Bool        // the text of doc has been read; see reading
	fitting   design.FittingHeader
	rewrites  comparison.Rewrites
	told      told         // of doc
	broken    bool         // see guardedView
	early     *atomic.Bool // lenses have been answered before analysed was closed
	suggested *suggested   // see suggestedFor
}

// status is the one place from which lens, hover and diagnostic learn what is
// known of a property.
func (v *view) status(p circuit.Property) ide.Status { return v.statuses.At(p) }

type snapshotKey struct{}

func withSnapshot(ctx context.Context, s *snapshot) context.Context {
	return context.WithValue(ctx, snapshotKey{}, s)
}

func snapshotFrom(ctx context.Context) *snapshot { return ctx.Value(snapshotKey{}).(*snapshot) }

// viewFrom returns the pinned view of a document. One that is not open, or out
// of step with the editor, has nothing to say, so requests answer with nothing.
func viewFrom(ctx context.Context, u uri.URI) (*view, bool) {
	v, ok := snapshotFrom(ctx).views[u]
	return v, ok && !v.outOfStep
}

func newSession(ctx context.Context, conn jsonrpc2.Conn, outbox *rpc.Outbox, opts Options, leave func()) *session {
	if opts.Formats == nil {
		opts.Formats = formats.All()
	}
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	if opts.LensWait == 0 {
		opts.LensWait = 100 * time.Millisecond
	}
	if opts.Files == nil {
		opts.Files = workspace.OS{}
	}
	disk := workspace.NewLimited(opts.Files)
	opts.Files = disk
	if opts.MaxSteps == 0 {
		opts.MaxSteps = 100
	}
	s := &session{
		ctx: ctx, opts: opts, conn: conn, outbox: outbox, leave: leave,
		disk:     disk,
		settings: settings.Default(), client: clientFromCapabilities(protocol.ClientCapabilities{}),
		files: map[uri.URI]*file{}, changed: map[uri.URI]bool{}, urgent: map[uri.URI]bool{}, progress: map[*file]bool{},
		closed: map[uri.URI]workspace.Closed{}, history: newHistory(), desk: comparison.NewDesk(), reductions: comparison.NewDesk(), reaches: comparison.NewDesk(), asides: map[*progress]context.CancelFunc{},
	}
	s.logged = newLogSender(s)
	s.log = rpc.NewLogger(opts.Log, opts.LogLevel, func(kind protocol.MessageType, text string) {
		s.logged.Mark(struct{}{}, logLines{lines: []protocol.LogMessageParams{{Type: kind, Message: text}}})
	})
	s.wantsCache.Store(s.settings.Cache)
	s.publisher, s.statuses, s.lenses = newPublisher(s), newStatusSender(s), newLensRefresher(s)
	s.refreshes, s.steps, s.pulls = newRefresher(s), newStepSender(s), newSettingsPuller(s)
	s.index = workspace.NewIndex(opts.Files, opts.Formats)
	s.models, s.watcher, s.texts = newModels(opts.Files), newWatcher(s), newReading(s)
	s.settings.Document = s.settings.Document.With(blifdesign.Format, blifdesign.Option{Models: s.models})
	s.snapshot.Store(&snapshot{})
	s.owner = queue.NewSerial(func() {
		s.guard("snapshot", "", s.rebuild)
		s.publisher.deliver()
		s.guard("progress", "", s.reportProgress)
	})
	s.offers = offer.NewDesk(opts.Patience)
	s.startScheduler()
	if opts.Processors != nil {
		opts.Processors(runtime.NumCPU())
	}
	s.background(s.publisher.Run)
	s.background(s.statuses.Run)
	s.background(s.lenses.Run)
	s.background(s.refreshes.Run)
	s.background(s.steps.Run)
	s.background(s.pulls.Run)
	s.background(s.logged.Run)
	s.background(s.watchClosed)
	s.background(s.index.Run)
	s.background(s.watcher.Run)
	return s
}

// close ends all checks and the owner. The context must have ended. Background
// goroutines may still be writing to the client; wait is for them.
func (s *session) close() {
	s.owner.Close()
	s.owner.Wait()
	if s.resting != nil {
		s.resting.Stop()
	}
	s.scheduler.Close()
	s.offers.Set(nil)
}

// wait returns when all goroutines have ended.
func (s *session) wait() {
	s.tasks.Wait()
	s.offers.Close()
}

// notify sends a notification behind all that were sent before, and does not wait.
func (s *session) notify(method string, params any) {
	// An error means that the client is gone, and then so is who would care.
	_ = s.outbox.Notify(method, params)
}

// deliver sends a notification and returns when the client takes it, or ctx has ended.
func (s *session) deliver(ctx context.Context, method string, params any) {
	_ = s.outbox.Deliver(ctx, method, params) // as in notify
}

// background runs f with the session's context. Whatever calls the client must
// run there or in a request: inline in a notification nobody could read the
// answer.
func (s *session) background(f func(context.Context)) {
	s.tasks.Go(func() { s.guard("background", "", func() { f(s.ctx) }) })
}

// post hands f to the owner.
func (s *session) post(f func()) { s.owner.Put(func() { s.guard("session", "", f) }) }

// rebuild brings the snapshot up to date; the owner runs it after each function.
func (s *session) rebuild() {
	old := s.snapshot.Load()
	if len(s.changed) == 0 && old.client == s.client && old.settings == s.settings {
		return
	}
	views := make(map[uri.URI]*view, len(s.files))
	for key, f := range s.files {
		v := old.views[key]
		if s.changed[key] || v == nil {
			v = s.guardedView(f, v)
		}
		views[key] = v
	}
	s.snapshot.Store(&snapshot{views, s.client, s.settings, s.opts.Explain})
	if s.client.status {
		for key := range s.changed {
			if s.files[key] != nil || s.urgent[key] {
				s.statuses.request(key, s.urgent[key])
			}
		}
	}
	clear(s.changed)
	clear(s.urgent)
}

// guardedView is newView. Where that breaks the view says so, and nothing else of the
// text; the next one is made without it.
func (s *session) guardedView(f *file, old *view) (v *view) {
	if old != nil && old.broken {
		old = nil
	}
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		s.panickedOn("view", fault.HashOf(f.doc.Text.Content()), value)
		v = &view{
			name: f.name, doc: f.doc, outOfStep: f.outOfStep, hidden: f.hidden, analysed: f.analysed, broken: true,
			faults: []source.Diagnostic{noAnalysis()}, mapper: position.New(f.doc.Text, s.client.encoding),
			read: new(atomic.Bool), early: new(atomic.Bool), names: func() []workspace.Name { return nil }, cursor: &f.cursor,
		}
	}()
	return s.newView(f, old)
}

func (s *session) newView(f *file, old *view) *view {
	if s.opts.onView != nil {
		s.opts.onView(f.doc)
	}
	v := &view{name: f.name, doc: f.doc, outOfStep: f.outOfStep, hidden: f.hidden, analysed: f.analysed, selection: f.selection, cursor: &f.cursor, faults: f.checks.Faults(), fitting: f.fitting, rewrites: f.rewrites, suggested: f.suggested}
	if old != nil && old.doc == f.doc {
		v.mapper, v.read, v.early, v.names, v.statuses = old.mapper, old.read, old.early, old.names, old.statuses
	} else {
		f.touchAll()
		v.read, v.early = new(atomic.Bool), new(atomic.Bool)
		v.mapper = position.New(f.doc.Text, s.client.encoding)
		v.names = sync.OnceValue(func() []workspace.Name { return workspace.NamesOf(v.name, v.doc, v.mapper) })
	}
	if !f.checks.IsAnalysed() {
		before := f.earlier
		v.earlier = &before
	}
	v.told = *f.told.of(f.doc)
	v.statuses = v.statuses.With(f.dirty, f.status)
	clear(f.dirty)
	s.selectionChanged(f, old, v)
	return v
}

// selectionChanged tells the client where its selected step belongs to another
// counterexample than before, whose last step it does not exceed.
func (s *session) selectionChanged(f *file, old, v *view) {
	if f.selection == nil {
		return
	}
	x := v.status(f.selection.Property).Counterexample
	if old != nil && old.status(f.selection.Property).Counterexample == x {
		return
	}
	if x != nil && f.selection.Step >= x.Limit() {
		f.selection = &ide.Selection{Property: f.selection.Property, Step: x.Steps() - 1}
		v.selection = f.selection
	}
	s.askForHints()
	if x != nil {
		s.tellStep(f)
	}
}

// status returns what is known of a property.
func (f *file) status(p circuit.Property) ide.Status { return f.checks.Status(p) }

// touch marks a file's view as old.
func (s *session) touch(f *file) {
	f.news++
	s.changed[uri.URI(f.doc.URI)] = true
}

// touchProperty marks what the view says of a property as old.
func (s *session) touchProperty(f *file, p circuit.Property) {
	f.dirty[p] = true
	s.touch(f)
}

// touchAll marks all properties of which something is known.
func (f *file) touchAll() {
	for p := range f.checks.Properties() {
		f.dirty[p] = true
	}
}
