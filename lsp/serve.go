// Package lsp is the language server: the session, what it does on each message of the
// protocol, and what it tells the client without having been asked.
//
// Four kinds of goroutines share the work. The reader decodes messages (package rpc) and
// runs notifications in wire order. One queue runs the functions that change the state of the
// session, one after another; notifications, finished analyses and events of the checker reach
// the state as such functions, which never wait, least of all for a disk (package workspace).
// Each request runs on its own goroutine, on an immutable snapshot pinned when it was read. What
// goes to the client leaves through one outbox (package rpc), so that an older message never
// overtakes a newer one and a client that does not read delays no other work.
//
// The state has owners, each of which sees those below it:
//
//	handlers     a file for each group of requests
//	checking     checks, their scheduler, the cluster, analyses, the history of verdicts
//	texts        open files, the models of others that they use, the disk, the index
//	publishing   the snapshot, and what is sent: diagnostics, statuses, refreshes, progress
//	core         the queue, the connection, the settings
//
// Texts tell checking what becomes of them through an interface (follower). What takes long and is
// no check has a queue of its own (package inquiries).
//
// A keystroke: rpc, documents.go (the change), texts.go (the new text), analysis.go, in the
// background design and package checks, then diagnostics.go.
//
// A save: rpc, documents.go, starting.go (jobs are prepared), package checks (which runs are
// due), checking.go (its effects), package verify (the run, whose certificate is checked), and
// back through checking.go and checks to publishing.go; the client then asks for lenses.go.
//
// A check that a client asks for: rpc, checkcommands.go, then as a save from starting.go on.
//
// The package knows what the features are called, not how they work (package
// ide), and no file format (package design). It follows version 3.18 of the
// Language Server Protocol.
package lsp

import (
	"context"
	"errors"
	"io"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap/zapcore"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/ic3/engines"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
	"aiglens/internal/fault"
	"aiglens/internal/thread"
	"aiglens/lsp/offer"
	"aiglens/lsp/queue"
	"aiglens/lsp/rpc"
	"aiglens/lsp/workspace"
)

// Options configure a server. Engine and Clauses are required; the zero value of all
// others is a sensible default.
type Options struct {
	Version string                           // reported to the client
	Engine  func(engines.Spec) verify.Engine // makes an engine
	Clauses hornverify.Check                 // checks queries of Horn clauses
	Workers func(n int)                      // told how many checks run at once; may be nil
	// MostChecks bounds the checks that run at once, whatever the settings say, and is their default; 0 is no bound.
	MostChecks int
	// Processors is told how many processors all checks together may use: all there are,
	// but one less during typing. It may be nil.
	Processors func(n int)
	Cache      verify.Cache // of results; nil is none
	// Cluster connects to one in the background. It tells how that stands, and warns of what a
	// user should know; may be nil.
	Cluster  func(to offer.Address, tell func(offer.State), warn func(text string)) offer.Link
	Patience time.Duration        // until a check is offered to the cluster; 0 is offer.Patience
	Faults   fault.Folder         // where panics leave their reports
	onView   func(*design.Design) // for tests: called with each view that is made; may be nil
	onLearnt func()               // for tests: called when later runs know what a result leaves for them; may be nil
	Log      io.Writer            // human-readable log; nil is none
	LogLevel zapcore.Level
	// Formats are those of the files that are read; none is all there are.
	Formats design.Formats
	// Debounce is how long typing must rest before the circuit of a large
	// document is built; 0 is 200 ms.
	Debounce time.Duration
	// LensWait is how long a request for lenses waits for the circuit of its
	// text; 0 is 100 ms.
	LensWait time.Duration
	// Explain returns where a file explains a code of the diagnostics of a format, which it has by name,
	// line from 1; nil when there is none.
	Explain func(format, code string) (path string, line int, ok bool)
	Files   workspace.Files // the file system; nil is that of the machine
	// ExplainProofs finds out, once verdicts are there, why properties hold vacuously, and
	// makes proofs small, so that hovers tell of them; else that is done when a proof is shown.
	ExplainProofs bool
	// MaxSteps bounds the values of a trace in a hover; 0 is 100.
	MaxSteps int
	// Reduce makes a circuit smaller as long as a property is refuted; nil when there is no such function.
	Reduce func(context.Context, Reduction) (Reduced, error)
}

// Reduction is a circuit that is to be made smaller.
type Reduction struct {
	Document *design.Design
	Property circuit.Property  // which is refuted, and shall stay so
	Engine   verify.Engine     // of each try
	Limits   verify.Limits     // of one try
	Show     func(size string) // told how far it has come
}

// ErrNoShutdown is returned when the client sends exit without shutdown.
var ErrNoShutdown = errors.New("the client left without shutdown")

// Serve speaks with one client until it leaves: the input ends, it sends exit,
// the process that it named dies, or ctx ends. Running checks end with it.
func Serve(ctx context.Context, stdin io.Reader, stdout io.Writer, opts Options) error {
	return start(ctx, stdin, stdout, opts).wait()
}

// Reduced is what is left of a circuit.
type Reduced struct {
	Text   []byte
	Ending string // of a file of it, with its dot
	Size   string // of it, and of the circuit before, in words
}

// connection is one client and what serves it.
type connection struct {
	conn       jsonrpc2.Conn
	outbox     *rpc.Outbox
	session    *session
	dispatcher *rpc.Dispatcher
	cancel     context.CancelFunc
	left       queue.Signal // the client has said good-bye, or died
	ended      chan error   // takes the end of either direction, and the end of the other; nil is in order
}

func start(ctx context.Context, stdin io.Reader, stdout io.Writer, opts Options) *connection {
	c := &connection{left: queue.NewSignal(), ended: make(chan error, 2)}
	ended := func(err error) { c.ended <- err }
	c.outbox = rpc.NewOutbox(stdout, ended)
	c.conn = jsonrpc2.NewConn(rpc.NewStream(rpc.Input{
		Reader: stdin, Ended: ended,
		Limit:   func() int64 { return c.session.texts.largestMessage() },
		Skipped: func(m *rpc.SkippedError) { c.session.texts.messageSkipped(m) },
	}, c.outbox), jsonrpc2.WithCodec(rpc.Codec{}))
	ctx, c.cancel = thread.WithCancel(ctx)
	c.session = newSession(ctx, c.conn, c.outbox, opts, c.left.Raise)
	c.dispatcher = newDispatcher(c.session, c.left.Raise)
	c.conn.Go(ctx, c.dispatcher.Handle)
	return c
}

// lastWords is how long a client that has left may take to read what is still
// on its way.
const lastWords = time.Second

// wait returns when the client is gone and all that ran for it has ended.
func (c *connection) wait() error {
	defer c.cancel()
	var err error
	select {
	case <-c.session.ctx.Done():
		err = c.session.ctx.Err()
	case <-c.conn.Done():
		err = c.conn.Err()
		c.flush()
	case err = <-c.ended:
		select {
		case <-c.conn.Done(): // all requests under way have been answered
			if err == nil {
				err = c.conn.Err()
			}
		case <-time.After(lastWords):
		}
		c.flush()
	case <-c.left:
		if !c.dispatcher.HasShutDown() {
			err = ErrNoShutdown
		}
		c.flush()
	}
	c.cancel()
	c.session.close()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = c.conn.Close()
		c.session.wait()
	}()
	select {
	case <-closed:
	case <-time.After(lastWords):
	}
	c.outbox.Close()
	return err
}

// flush waits until the client has been sent what it has been told so far.
func (c *connection) flush() {
	ctx, cancel := thread.WithTimeout(c.session.ctx, lastWords)
	defer cancel()
	_ = c.outbox.Flush(ctx) // what is still there then is lost, as the client is
}
