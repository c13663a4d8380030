package lsp

import (
	"context"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"aiglens/lsp/queue"
	"aiglens/lsp/rpc"
	"aiglens/lsp/settings"
)

// core is what the owners of a session share: the queue whose functions alone change what they
// own, the way to the client, and what that has said of itself and its user.
type core struct {
	ctx         context.Context
	opts        Options
	conn        jsonrpc2.Conn
	outbox      *rpc.Outbox // to the client, in order
	log         *zap.Logger
	logged      *queue.Sender[struct{}, logLines] // of log to the client
	queue       *queue.Serial
	tasks       sync.WaitGroup // background goroutines
	snapshot    atomic.Pointer[snapshot]
	toldOfFault atomic.Bool // the user knows where reports are

	// The fields below belong to the functions of queue; requests see them through snapshot.
	client      clientSide
	settings    settings.Settings
	initialized bool // the client may be asked for things
}

func newCore(ctx context.Context, conn jsonrpc2.Conn, outbox *rpc.Outbox, opts Options) *core {
	c := &core{
		ctx: ctx, opts: opts, conn: conn, outbox: outbox,
		settings: opts.bound(settings.Default()), client: clientFromCapabilities(protocol.ClientCapabilities{}),
	}
	c.logged = newLogSender(c)
	c.log = rpc.NewLogger(opts.Log, opts.LogLevel, func(kind protocol.MessageType, text string) {
		c.logged.Mark(struct{}{}, logLines{lines: []protocol.LogMessageParams{{Type: kind, Message: text}}})
	})
	c.snapshot.Store(&snapshot{})
	return c
}

// notify sends a notification after all that were sent before, and does not wait.
func (c *core) notify(method string, params any) {
	// An error means that the client is gone, and that nothing is left to do.
	_ = c.outbox.Notify(method, params)
}

// deliver sends a notification and returns when the client takes it, or ctx has ended.
func (c *core) deliver(ctx context.Context, method string, params any) {
	_ = c.outbox.Deliver(ctx, method, params) // as in notify
}

// background runs f with the session's context. Whatever calls the client must
// run there or in a request: inline in a notification the answer could not be
// read.
func (c *core) background(f func(context.Context)) {
	c.tasks.Go(func() { c.guard("background", "", func() { f(c.ctx) }) })
}

// post puts f into the queue.
func (c *core) post(f func()) { c.queue.Put(func() { c.guard("session", "", f) }) }
