package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interruptGrace is how long a command may take to end by itself after a signal.
// What cannot be interrupted, such as reading from a pipe without a writer,
// ends with the process then.
const interruptGrace = 70 * time.Millisecond

// exitSignal plus the number of a signal is the exit code of a command that the
// signal has ended, as in shells: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP.
const exitSignal = 128

// errInterrupted is why a command ends that a signal has ended.
var errInterrupted = errors.New("interrupted")

// main runs the program until it is done or a signal ends it.
func main() { os.Exit(runProcess()) }

// runProcess runs the command that the arguments name and returns its exit code.
func runProcess() int {
	screen := terminalOf(os.Stderr)
	e := env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: plainWriter{screen.above(os.Stderr)},
		terminal: screen, onTerminal: isTerminal(os.Stdout),
		partial: &partialFiles{paths: map[string]bool{}},
	}
	if out := terminalOf(os.Stdout); out != nil {
		if screen != nil { // they are the same
			out = screen
		}
		e.stdout = out.above(os.Stdout)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	notifyEnd(signals)
	code := make(chan int, 1)
	go func() {
		c := run(ctx, e, calledAs(os.Args[0], os.Args[1:]))
		screen.close()
		code <- c
	}()
	select {
	case c := <-code:
		return c
	case s := <-signals:
		cancel(errInterrupted)
		select {
		case <-code:
		case <-time.After(e.partial.grace()):
			screen.closeWithin(interruptGrace)
		}
		e.partial.remove()
		if number, ok := s.(syscall.Signal); ok {
			return exitSignal + int(number)
		}
		return exitUsage
	}
}

// notifyEnd has the signals that end a command sent to a channel; the end of its terminal is one,
// unless nohup has it ignored.
func notifyEnd(signals chan<- os.Signal) {
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
}

// partialFiles are the files that are being written: those that a signal finds
// there are removed.
type partialFiles struct {
	mu    sync.Mutex
	paths map[string]bool // guarded by mu; nil once the files have been removed
	// allowed is how long the command may take to end by itself; 0 is interruptGrace. Guarded
	// by mu.
	allowed time.Duration
}

// allow gives a command that writes a result when a signal ends it the time for that.
func (p *partialFiles) allow(d time.Duration) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.allowed = d
	}
}

// grace returns how long the command may take to end by itself.
func (p *partialFiles) grace() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.allowed, interruptGrace)
}

// add says that a file is being written. It reports whether the program goes on.
func (p *partialFiles) add(path string) bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paths == nil {
		return false
	}
	p.paths[path] = true
	return true
}

// done says that a file is whole, or gone.
func (p *partialFiles) done(path string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.paths, path)
}

// remove deletes what is half written; nothing is begun after it.
func (p *partialFiles) remove() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path := range p.paths {
		os.Remove(path)
	}
	p.paths = nil
}
