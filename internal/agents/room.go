package agents

import (
	"bytes"
	"fmt"
	"sync"

	"aiglens/internal/files"
)

// Bounds of the calls that have no answer yet.
const (
	mostCalls = 256
	mostTexts = 128 << 20 // bytes of their arguments together
)

// room bounds the calls that run and wait.
type room struct {
	mu    sync.Mutex // guards all below
	calls int
	bytes int
}

// enter takes the room for a call with so many bytes of arguments; leave gives it back.
func (r *room) enter(size int) (leave func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls >= mostCalls || r.calls > 0 && r.bytes+size > mostTexts {
		return nil, fmt.Errorf("%d calls with %s have no answer yet: wait for one", r.calls, files.Size(int64(r.bytes)))
	}
	r.calls++
	r.bytes += size
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.calls--
		r.bytes -= size
	}, nil
}

// mostNotes bounds in bytes what a command says beside its answer.
const mostNotes = 64 << 10

// capped keeps the first bytes that are written to it. It is no bytes.Buffer, which readers fill without Write.
type capped struct {
	kept   bytes.Buffer
	most   int
	isFull bool
}

func (c *capped) Write(text []byte) (int, error) {
	fits := min(len(text), c.most-c.kept.Len())
	c.isFull = c.isFull || fits < len(text)
	_, _ = c.kept.Write(text[:fits])
	return len(text), nil
}
