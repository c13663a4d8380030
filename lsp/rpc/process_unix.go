//go:build !windows

package rpc

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// WaitForProcess returns nil when the process of that id is gone. There is no
// event for a process that is not a child, so it asks every two seconds.
func WaitForProcess(ctx context.Context, pid int) error {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
