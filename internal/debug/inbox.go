package debug

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"aiglens/internal/thread"
)

// inbox reads the messages of the client and knows the request that is being followed. A
// client may take that back, or stop the run, which the goroutine that follows it cannot read
// before it is done: the one that reads the messages ends its context.
type inbox struct {
	mu      sync.Mutex
	seq     int                // guarded by mu; number of the last request that was begun
	command string             // guarded by mu; of that request
	cancel  context.CancelFunc // guarded by mu; of the request, nil when it is answered
	// halted is the number of the last request that stops a run, ended that of the last one that
	// ends the session: requests with lower numbers end with them. Guarded by mu.
	halted, ended int
	// early are numbers of requests that were taken back before they were begun, at most
	// maxAhead of them. Guarded by mu.
	early map[int]bool
}

// goesOn are the requests after which a run may go on until something stops it.
var goesOn = map[string]bool{"configurationDone": true, "continue": true, "reverseContinue": true}

// begin returns the context of a request. end is called when the request is answered.
func (b *inbox) begin(ctx context.Context, seq int, command string) (_ context.Context, end func()) {
	ctx, cancel := thread.WithCancel(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq, b.command, b.cancel = seq, command, cancel
	if b.early[seq] || seq < b.ended || seq < b.halted && goesOn[command] {
		delete(b.early, seq)
		cancel()
	}
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.cancel = nil
		cancel()
	}
}

// cancelRequest ends the context of the request with a number unless it is answered.
func (b *inbox) cancelRequest(seq int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case seq == b.seq && b.cancel != nil:
		b.cancel()
	case seq > b.seq && len(b.early) < maxAhead:
		b.early[seq] = true
	}
}

// interrupt ends the contexts of the requests before one that stops a run, or ends the session:
// of that which is being followed, and of those that are not begun. Other commands end none. A
// run that stops keeps what was asked besides, such as the value that a variable is given.
func (b *inbox) interrupt(seq int, command string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch command {
	case "pause", "restart":
		b.halted = seq
		if b.cancel != nil && goesOn[b.command] {
			b.cancel()
		}
	case "disconnect", "terminate":
		b.ended = seq
		if b.cancel != nil {
			b.cancel()
		}
	}
}

// maxAhead bounds the messages that are read before those before them are followed.
const maxAhead = 100

// read hands over messages until they end, which is not an error at the end of one. It looks
// at them early for requests that are taken back, and for those that stop a run.
func (b *inbox) read(ctx context.Context, r *bufio.Reader, messages chan<- []byte) error {
	ahead := make(chan []byte, maxAhead)
	failed := make(chan error, 1)
	go func() {
		defer close(ahead)
		failed <- b.readAhead(ctx, r, ahead)
	}()
	for content := range ahead {
		select {
		case messages <- content:
		case <-ctx.Done():
			return nil
		}
	}
	return <-failed
}

func (b *inbox) readAhead(ctx context.Context, r *bufio.Reader, ahead chan<- []byte) error {
	for {
		if _, err := r.Peek(1); errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
			return nil
		}
		content, err := dap.ReadBaseMessage(r)
		if err != nil {
			return fmt.Errorf("a message of the client cannot be read: %w", err)
		}
		b.peek(content)
		select {
		case ahead <- content:
		case <-ctx.Done():
			return nil
		}
	}
}

// peek follows what a message says of requests before it.
func (b *inbox) peek(content []byte) {
	var head dap.Request
	if json.Unmarshal(content, &head) != nil || head.Type != "request" {
		return
	}
	b.interrupt(head.Seq, head.Command)
	var m dap.CancelRequest
	if head.Command == "cancel" && json.Unmarshal(content, &m) == nil && m.Arguments != nil && m.Arguments.RequestId > 0 {
		b.cancelRequest(m.Arguments.RequestId)
	}
}
