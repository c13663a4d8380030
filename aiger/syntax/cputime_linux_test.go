package syntax

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that this thread has had: what a wall
// clock shows on an idle machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
