package main

import (
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"syscall"
)

// standardOutput remembers the first error of a write, after which nothing more is written. run
// asks for it at the end of each command, so that no command need do so. Nothing waits for a
// write: one to a reader that reads nothing never ends.
type standardOutput struct {
	w     io.Writer
	first atomic.Pointer[unwrittenError]
}

func (o *standardOutput) Write(data []byte) (int, error) {
	if err := o.first.Load(); err != nil {
		return 0, err
	}
	n, err := o.w.Write(data)
	if err == nil {
		return n, nil
	}
	o.first.CompareAndSwap(nil, &unwrittenError{withoutName(err)})
	return n, o.first.Load()
}

// fault returns why something is missing from standard output. A reader that has closed its end
// of a pipe, as head does, wants no more: nothing is missing.
func (o *standardOutput) fault() error {
	if err := o.first.Load(); err != nil && !isClosedPipe(err) {
		return err
	}
	return nil
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
