package rpc

import (
	"context"
	"os"
)

// WaitForProcess returns nil when the process of that id is gone. The waiting
// goroutine stays behind when ctx ends first; it goes with this process.
func WaitForProcess(ctx context.Context, pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return nil // there is none
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = p.Wait()
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-gone:
		return nil
	}
}
