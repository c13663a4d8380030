package agents

import (
	"bytes"
	"errors"
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

// errTooMuch ends the answer of a command that would not fit into memory.
var errTooMuch = errors.New("the answer is larger than " + files.Size(shelfBytes))

// printed is what a command writes, up to a bound. Its goroutines may write at once.
type printed struct {
	most  int
	fault error // of a write beyond the bound; nil: that is left out

	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (p *printed) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text.Len()+len(data) <= p.most {
		return p.text.Write(data)
	}
	if p.fault != nil {
		return 0, p.fault
	}
	return len(data), nil
}

// bytes returns what was written until now: a command that a limit has ended may still write.
func (p *printed) bytes() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.text.Bytes())
}
