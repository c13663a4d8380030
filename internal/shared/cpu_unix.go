//go:build unix

package shared

import (
	"syscall"
	"testing"
	"time"
)

// CPUTime returns the processor time that this process has used. Tests bound it where work must
// not grow with the square of a text: what else the machine does, does not change it.
func CPUTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
