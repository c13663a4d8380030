package lsp

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"

	"aiglens/design/comparison"
	"aiglens/design/formats"
	"aiglens/lsp/inquiries"
	"aiglens/lsp/queue"
	"aiglens/lsp/rpc"
	"aiglens/lsp/workspace"
)

// session is what one client is served with: four owners of state, and what they share. A
// request sees what they own through snapshot, and changes it on the queue of core.
type session struct {
	*core
	texts      *texts
	checking   *checking
	publishing *publishing
	verilog    *verilog
	inquiries  *inquiries.Queue
	compared   comparison.Results
	leave      func()                       // ends the connection
	pulls      *queue.Sender[struct{}, int] // asks for the settings
	pulled     int                          // questions for the settings so far; of the queue
	places     atomic.Int64                 // of the user that the client has told so far
	asked      latest                       // what views of the client ask about places
	choosing   chan struct{}                // holds one for each computation of promptly
}

// withDefaults fills in what options leave open.
func (opts Options) withDefaults() Options {
	if opts.Formats == nil {
		opts.Formats = formats.Edited()
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
	if opts.MaxSteps == 0 {
		opts.MaxSteps = 100
	}
	return opts
}

func newSession(ctx context.Context, conn jsonrpc2.Conn, outbox *rpc.Outbox, opts Options, leave func()) *session {
	opts = opts.withDefaults()
	disk := workspace.NewLimited(opts.Files)
	opts.Files = disk
	core, files := newCore(ctx, conn, outbox, opts), fileSet{}
	s := &session{core: core, leave: leave, choosing: make(chan struct{}, maxChoosing), publishing: newPublishing(core, files)}
	s.texts = newTexts(core, s.publishing, files, disk)
	s.checking = newChecking(core, s.texts, s.publishing)
	s.texts.follower = s.checking
	s.verilog = s.texts.verilog
	s.verilog.checkFile = s.checking.checkFile
	s.inquiries = newInquiries(core, s.publishing, s.checking.isQuiet)
	s.pulls = newSettingsPuller(s)
	s.queue = queue.NewSerial(func() {
		s.guard("snapshot", "", s.publishing.rebuild)
		s.publishing.diagnostics.deliver()
		s.guard("progress", "", s.reportProgress)
	})
	s.checking.start()
	s.publishing.start()
	s.background(s.pulls.Run)
	s.background(s.logged.Run)
	s.texts.start()
	return s
}

// reportProgress has it said how far checks have come.
func (s *session) reportProgress() {
	s.publishing.reportProgress()
	s.checking.workspace.report()
}

// close ends all checks and the queue. The context must have ended. Background
// goroutines may still be writing to the client; wait is for them.
func (s *session) close() {
	s.queue.Close()
	s.queue.Wait()
	s.checking.close()
}

// wait returns when all goroutines have ended.
func (s *session) wait() {
	s.tasks.Wait()
	s.checking.cluster.offers.Close()
}
