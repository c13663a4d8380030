package worker

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"aiglens/ic3/verify"
)

const (
	// startTime is how long a process may take to say hello.
	startTime = 20 * time.Second
	// endTime is how long a process may take to end by itself.
	endTime = time.Second
)

// Conn is a started worker as its server holds it.
type Conn struct {
	In  io.WriteCloser // its input; the worker ends when it is closed
	Out io.Reader
	// Kill ends the worker without its help. It may be called at any time.
	Kill func()
	// Wait is called once, when Out has ended, and says how the worker ended: ErrEnded when
	// that came from outside, ErrMemory, or a CrashError for a fault of its own.
	Wait func() error
	// Log returns the last that the worker wrote for people.
	Log func() string
}

// ErrEnded is the end of a worker that came from outside.
var ErrEnded = errors.New("ended from outside")

// CrashError is the end of a worker by a fault of its own.
type CrashError struct{ How error }

func (e *CrashError) Error() string { return e.How.Error() }

// process is a worker that has been started. One check at a time owns it.
type process struct {
	conn     *Conn
	frames   chan frame
	ready    chan struct{} // closed after its hello
	killed   chan struct{} // closed by kill
	ended    chan struct{} // closed when it is gone; err is set before
	err      *verify.RemoteError
	rejected atomic.Bool
	kill     func()
	idle     *time.Timer // ends it; guarded by the pool
	// allowed is about its check. A sender holds the lock of the pool.
	allowed verify.Processors

	mu sync.Mutex // one message at a time goes to conn.In
}

// newProcess begins the conversation with a worker.
func newProcess(conn *Conn) *process {
	p := &process{
		conn: conn, frames: make(chan frame),
		allowed: verify.NewProcessors(),
		ready:   make(chan struct{}), killed: make(chan struct{}), ended: make(chan struct{}),
	}
	p.kill = sync.OnceFunc(func() {
		close(p.killed)
		conn.Kill()
		_ = conn.In.Close()
	})
	p.mu.Lock() // nothing goes out before the hello
	go func() {
		defer p.mu.Unlock()
		_ = writeFrame(conn.In, kindHello, Hello{Program: program, Protocol: Protocol}, nil)
	}()
	go p.read()
	return p
}

func (p *process) send(k kind, head any, body []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return writeFrame(p.conn.In, k, head, body)
}

// read hands on what the worker says until it ends.
func (p *process) read() {
	_, err := readHello(p.conn.Out)
	if err == nil {
		close(p.ready)
	}
	for err == nil {
		var f frame
		if f, err = readFrame(p.conn.Out); err == nil {
			select {
			case p.frames <- f:
			case <-p.killed:
				err = io.EOF
			}
		}
	}
	if isEnd(err) {
		p.retire()
	} else {
		p.kill() // nothing that it may still say counts
	}
	p.err = p.obituary(err, p.conn.Wait())
	p.kill()
	close(p.ended)
}

// isEnd says that there was nothing more to read, and not nonsense.
func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// retire lets the worker end by itself, and sees to it that it does.
func (p *process) retire() {
	p.rejected.Store(true)
	go func() {
		_ = p.conn.In.Close()
	}()
	time.AfterFunc(endTime, p.kill)
}

// obituary says how the worker ended: what was wrong with its output, and how
// the process went.
func (p *process) obituary(read, wait error) *verify.RemoteError {
	how := "without a reason"
	if wait != nil {
		how = wait.Error()
	}
	e := &verify.RemoteError{Lost: true, Reason: "the worker process ended: " + how}
	if !isEnd(read) {
		e.Reason = "the worker process broke the protocol"
		e.Internal = fmt.Errorf("worker process: %w", read)
		return e
	}
	if _, ok := errors.AsType[*CrashError](wait); ok {
		e.Internal = fmt.Errorf("worker process: %w\n%s", wait, p.conn.Log())
	}
	switch {
	case errors.Is(wait, ErrEnded):
		e.Reason = reasonEnded
	case errors.Is(wait, ErrMemory):
		e.Reason = reasonMemory
	}
	return e
}

// isUsable reports whether a next check may be given to the process.
func (p *process) isUsable() bool {
	select {
	case <-p.ended:
		return false
	case <-p.killed:
		return false
	default:
		return !p.rejected.Load()
	}
}

// maxText bounds what is kept of texts for people who look for a fault.
const maxText = 8 << 10
