package main

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"syscall"
)

// standardOutput remembers the first error of a write, after which nothing more is written. run
// asks for it at the end of each command, so that no command need do so.
type standardOutput struct {
	w io.Writer

	mu  sync.Mutex
	err error // guarded by mu
}

func (o *standardOutput) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(data)
	if err != nil {
		o.err = &unwrittenError{withoutName(err)}
	}
	return n, o.err
}

// fault returns why something is missing from standard output. A reader that has closed its end
// of a pipe, as head does, wants no more: nothing is missing.
func (o *standardOutput) fault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if isClosedPipe(o.err) {
		return nil
	}
	return o.err
}

// unwrittenError is an error of standard output.
type unwrittenError struct{ err error }

func (e *unwrittenError) Error() string { return "writing to standard output: " + e.err.Error() }
func (e *unwrittenError) Unwrap() error { return e.err }

// isUnwritten reports whether a command has ended on an error of standard output, which run
// reports.
func isUnwritten(err error) bool {
	_, is := errors.AsType[*unwrittenError](err)
	return is
}

// isClosedPipe reports whether the reader of a pipe has closed its end.
func isClosedPipe(err error) bool {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return true
	}
	const errorBrokenPipe, errorNoData = 109, 232
	errno, is := errors.AsType[syscall.Errno](err)
	return is && runtime.GOOS == "windows" && (errno == errorBrokenPipe || errno == errorNoData)
}
