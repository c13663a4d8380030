//go:build !js

package worker

import (
	"errors"
	"os/exec"
	"sync"
	"time"
)

// cancelGrace is how long a cancelled check may go on before its process is
// killed. Some time is left for that, so that the processor is idle a second
// after the cancellation.
const cancelGrace = 800 * time.Millisecond

// Command returns a function that starts a program with arguments as a worker.
func Command(path string, args ...string) func() (*Conn, error) {
	return func() (*Conn, error) {
		log := &tail{}
		cmd := exec.Command(path, args...)
		// The name under which people know it, whatever its file is called.
		cmd.Args[0] = program
		cmd.Stderr, cmd.WaitDelay, cmd.SysProcAttr = log, endTime, attributes()
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		return &Conn{In: in, Out: out, Kill: func() { _ = cmd.Process.Kill() }, Wait: func() error { return ending(cmd.Wait()) }, Log: log.String}, nil
	}
}

// ending says what the end of a process means. A signal is not a fault of the program.
func ending(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case !ok:
		return err
	case exit.ExitCode() >= 0:
		return &CrashError{err}
	}
	return ErrEnded
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex // guards text
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if len(t.text) > maxText {
		t.text = append([]byte(nil), t.text[len(t.text)-maxText:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
