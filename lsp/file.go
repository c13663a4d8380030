package lsp

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"go.lsp.dev/uri"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/comparison"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
	"aiglens/lsp/checks"
	"aiglens/lsp/ide"
	"aiglens/lsp/workspace"
)

// file is an open document with what the owners know of it. The functions of the queue alone
// read and write it, but for analysis.gate and shown.cursor, which are safe by themselves.
type file struct {
	// The fields down to rewrites belong to texts.
	name      uri.URI // as the client writes it, which its decoder may not
	doc       *design.Design
	outOfStep bool                 // the editor's text is another than doc, and unknown
	unopened                       // of a file that is not open
	present   context.Context      // lives as long as the text
	leaveText context.CancelFunc   // ends present
	fitting   design.FittingHeader // the last that was seen
	opened    *design.Design       // the text that the file came with, until one is analysed
	rewrites  comparison.Rewrites  // what edits of ours have made of the text

	checks   *checks.File // of doc, and of what was there before; of checking, as are the next two
	analysis analysis
	work     work
	shown    shown        // of publishing
	found    discoveries  // of the handlers of inquiries and proofs
	queries  *queryChecks // of clauseChecks; nil as long as nothing is known
}

// unopened is what there is to know of a file that is read to be checked.
type unopened struct {
	hidden   bool            // not open in the editor, but read to be checked
	ofDesign bool            // a source of a design in Verilog, which stays as long as that is known
	stamp    workspace.Stamp // of the file when it was read
}

// analysis is how far the analysis of a text has come.
type analysis struct {
	analysed  chan struct{}      // closed when checks.IsAnalysed or doc replaced
	number    int                // of the last one, among those of the session; only that counts
	cancel    context.CancelFunc // of the one that runs
	gate      chan struct{}      // holds the one that computes
	earlier   earlier            // findings, moved to the present text
	postponed bool               // it waits for the end of doubt; see doubt
}

// work is what is done for the checks of a file beside their runs.
type work struct {
	requests   map[checks.Request]context.CancelFunc
	preparing  context.CancelFunc // of the running preparation of a whole-file check
	asking     int                // checks of clauses that are about to begin
	deferred   []func()           // see texts.whenSure
	related    chan struct{}      // closed when the last verdict is told to checks; nil before the first
	stops      int                // how often all its checks have been stopped
	typed      *time.Timer        // starts a check once typing rests; nil unless wanted
	explaining bool               // it is being found out what proofs say
}

// shown is what the client sees of a file, or is about to.
type shown struct {
	progress  *progress                   // nil while nothing runs
	titles    map[circuit.Property]string // lenses of the last text that was analysed
	reported  time.Time                   // when progress last reached the snapshot
	catchUp   *time.Timer                 // shows the last progress once runs report no more
	news      int                         // how often something has changed that the client is told
	selection *ide.Selection              // the step that is shown; nil for none
	cursor    atomic.Int64                // the line where the user was seen last, from 0
	// dirty holds the properties whose status in the snapshot is old; all are
	// when its text is.
	dirty map[circuit.Property]bool
}

// discoveries are what was found out about the present text beside verdicts.
type discoveries struct {
	remarks   remarks
	runs      map[circuit.Property]*foundRuns // counterexamples, where several are known
	suggested *suggested                      // lemmas of the last search; nil for none
}

func newFile(ctx context.Context, name uri.URI, doc *design.Design) *file {
	present, leave := thread.WithCancel(ctx)
	f := &file{
		present: present, leaveText: leave,
		name: name, doc: doc, opened: doc,
		checks: checks.New(), work: work{requests: map[checks.Request]context.CancelFunc{}},
		shown: shown{dirty: map[circuit.Property]bool{}}, analysis: analysis{gate: make(chan struct{}, 1)},
	}
	f.rewrites.Saved(doc.Text)
	return f
}

func (f *file) id(p circuit.Property) verify.ID { return verify.ID{Document: f.doc.URI, Property: p} }

// status returns what is known of a property.
func (f *file) status(p circuit.Property) ide.Status { return f.checks.Status(p) }

// touchAll marks all properties of which something is known.
func (f *file) touchAll() {
	for p := range f.checks.Properties() {
		f.shown.dirty[p] = true
	}
}

// isBusy reports whether checks of a file run or are being prepared.
func (f *file) isBusy() bool {
	return f.checks.IsBusy() || f.work.preparing != nil || len(f.work.deferred) > 0 || f.work.asking > 0 || f.queries.isRunning()
}

// hasFailed reports whether a property of a file that was checked is refuted or unknown, or has no
// verdict, because its check was stopped.
func (f *file) hasFailed() bool {
	if design.HasClauses(f.doc) {
		return len(f.queries.failed(f.doc)) > 0
	}
	return slices.ContainsFunc(f.doc.Properties(), func(p design.Property) bool {
		s := f.status(p.ID)
		return s.Failed() || s.Result == nil
	})
}

// cancelPreparation ends the preparation of a file.
func (f *file) cancelPreparation() {
	f.work.deferred = nil
	if f.work.preparing != nil {
		f.work.preparing()
		f.work.preparing = nil
	}
}

func (f *file) stopAnalysis() {
	if f.analysis.cancel != nil {
		f.analysis.cancel()
	}
	f.cancelPreparation()
}

// stopTyping drops the check that would follow what was typed last.
func (f *file) stopTyping() {
	if f.work.typed != nil {
		f.work.typed.Stop()
		f.work.typed = nil
	}
}
