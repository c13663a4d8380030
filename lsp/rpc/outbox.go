package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"

	"aiglens/lsp/queue"
)

// Bounds of what waits for a client that does not read, in bytes.
const (
	// maxWaiting is what may wait before there is no room for answers.
	maxWaiting = 32 << 20
	// maxShare is what one message counts for that: one which is larger, such as a whole
	// file, leaves room for others.
	maxShare = maxWaiting / 2
	// maxSmall is what may wait of messages that cannot be held back, above all
	// refusals: those to some 300,000 requests. It is the end of the connection.
	maxSmall = 64 << 20
	// smallMessage is the size below which a message counts for maxSmall. A caller
	// with larger ones sends one at a time, or asks for room before.
	smallMessage = 64 << 10
	// largeMessage is the size from which the memory of a message goes back to the system once it
	// is written, returnWait after the last such one: it was made of things several times as large,
	// and a server at rest would keep them for minutes.
	largeMessage = 16 << 20
	// letterCost is what a message takes beside its bytes.
	letterCost = 64
)

const returnWait = time.Second

// quietWait is how long a server has said nothing until the memory that it does not use goes back
// to the system. That is half of what it holds after checks, which the runtime would keep for minutes.
const quietWait = 10 * time.Second

// ErrNotRead is the end of a connection whose client sends and sends, and reads nothing.
var ErrNotRead = errors.New("the client does not read: too many answers wait for it")

// Outbox holds what is on its way to a client, in order. Putting never waits, so a
// client that does not read delays only callers that choose to wait: Deliver waits, and
// HasRoom says when to leave out what is large.
type Outbox struct {
	out    io.Writer
	failed func(error)
	wake   queue.Signal
	gone   chan struct{} // closed with err

	mu      sync.Mutex
	letters []letter // guarded by mu
	waiting int      // bytes of letters and of what is being written, of each up to maxShare; guarded by mu
	small   int      // the share of small ones, guarded by mu
	err     error    // why nothing is written any more; guarded by mu
}

// letter is a message with its header, and whom to tell once it has been written.
type letter struct {
	frame   []byte
	written func()
}

// NewOutbox returns an outbox that writes to out until it is closed. failed is told
// once why it has ended before; it must not wait.
func NewOutbox(out io.Writer, failed func(error)) *Outbox {
	return newOutbox(out, failed, debug.FreeOSMemory)
}

// newOutbox returns an outbox that calls giveBack once a large message is written, and once it
// has been quiet.
func newOutbox(out io.Writer, failed func(error), giveBack func()) *Outbox {
	o := &Outbox{out: out, failed: failed, wake: queue.NewSignal(), gone: make(chan struct{})}
	go o.run(giveBack)
	return o
}

// HasRoom reports whether what is large should be sent now.
func (o *Outbox) HasRoom() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.waiting < maxWaiting
}

// Notify sends a small notification and does not wait.
func (o *Outbox) Notify(method string, params any) error {
	m, err := notification(method, params)
	if err != nil {
		return err
	}
	return o.put(letter{frame: frameOf(m)})
}

// Deliver sends a notification and returns when it has been written, or when ctx or the
// outbox has ended. A sender of the state of something has one message waiting at
// most, and the next one is of the state by then.
func (o *Outbox) Deliver(ctx context.Context, method string, params any) error {
	m, err := notification(method, params)
	if err != nil {
		return err
	}
	return o.deliver(ctx, frameOf(m))
}

// Flush returns when everything that has been put so far is written, or when ctx or the
// outbox has ended.
func (o *Outbox) Flush(ctx context.Context) error { return o.deliver(ctx, nil) }

// Close drops what waits. It does not wait itself.
func (o *Outbox) Close() { o.end(io.ErrClosedPipe) }

func notification(method string, params any) (*jsonrpc2.Notification, error) {
	raw, err := Codec{}.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", method, err)
	}
	return jsonrpc2.NewNotification(method, raw), nil
}

// frameOf returns a message with its header.
func frameOf(m jsonrpc2.Message) []byte {
	const room = len("Content-Length: \r\n\r\n") + 20 // digits
	frame := jsonrpc2.AppendMessage(make([]byte, room, 8*room), m)
	header := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(frame)-room)
	return slices.Replace(frame, 0, room, header...)
}

func (o *Outbox) deliver(ctx context.Context, frame []byte) error {
	written := make(chan struct{})
	if err := o.put(letter{frame, func() { close(written) }}); err != nil {
		return err
	}
	select {
	case <-written:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-o.gone:
		return io.ErrClosedPipe
	}
}

func (o *Outbox) put(l letter) error {
	o.mu.Lock()
	err := o.err
	if err == nil {
		o.letters = append(o.letters, l)
		o.count(l, 1)
	}
	tooMuch := o.small > maxSmall
	o.mu.Unlock()
	if tooMuch {
		o.fail(ErrNotRead)
		return ErrNotRead
	}
	o.wake.Raise()
	return err
}

// count adds a letter to what waits, or takes it off. It is called with mu held.
func (o *Outbox) count(l letter, times int) {
	size := times * min(len(l.frame)+letterCost, maxShare)
	o.waiting += size
	if len(l.frame) < smallMessage {
		o.small += size
	}
}

// end drops what waits, now and later. It reports whether that is new.
func (o *Outbox) end(err error) bool {
	o.mu.Lock()
	isNew := o.err == nil
	if isNew {
		o.err, o.letters, o.waiting, o.small = err, nil, 0, 0
		close(o.gone)
	}
	o.mu.Unlock()
	o.wake.Raise()
	return isNew
}

func (o *Outbox) fail(err error) {
	if o.end(err) {
		o.failed(err)
	}
}

func (o *Outbox) run(giveBack func()) {
	rest := time.AfterFunc(time.Hour, giveBack)
	rest.Stop()
	quiet := time.AfterFunc(quietWait, giveBack)
	defer quiet.Stop()
	for range o.wake {
		for l, ok := o.next(); ok; l, ok = o.next() {
			if len(l.frame) > 0 {
				if _, err := o.out.Write(l.frame); err != nil {
					o.fail(err)
					return
				}
			}
			o.mu.Lock()
			if o.err == nil {
				o.count(l, -1)
			}
			o.mu.Unlock()
			if l.written != nil {
				l.written()
			}
			if len(l.frame) >= largeMessage {
				rest.Reset(returnWait)
			}
		}
		quiet.Reset(quietWait)
		select {
		case <-o.gone:
			return
		default:
		}
	}
}

func (o *Outbox) next() (l letter, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.letters) == 0 {
		o.letters = nil // and the memory of those before
		return l, false
	}
	l, o.letters[0] = o.letters[0], letter{}
	o.letters = o.letters[1:]
	return l, true
}
