//go:build unix

package bench

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// limited gives a command a CPU limit that the system keeps, whatever becomes of
// this process.
func limited(l Limits, argv []string) []string {
	return append([]string{"/bin/sh", "-c", `ulimit -t "$0" && exec "$@"`, strconv.Itoa(l.hard())}, argv...)
}

// setAttributes puts a run into a process group of its own, so that an interrupt
// at the terminal reaches this program alone, and ends it with this program
// where the system can.
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// peakMemory returns the largest resident set in KiB.
func peakMemory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss) / 1024 // bytes there
	}
	return int64(u.Maxrss)
}
