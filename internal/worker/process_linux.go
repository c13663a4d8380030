package worker

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// residentSize returns the bytes of this process in memory: the second number of
// proc(5) statm counts pages.
func residentSize() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
		if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			return pages * int64(os.Getpagesize())
		}
	}
	return runtimeSize()
}

// LowerPriority puts the process behind others that want the processor. Linux
// keeps a nice value for each thread, and a new one has that of its creator, so
// the threads are gone through until there is no other.
func LowerPriority() {
	done := map[int]bool{}
	for range 10 {
		entries, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return
		}
		fresh := false
		for _, e := range entries {
			if id, err := strconv.Atoi(e.Name()); err == nil && !done[id] {
				done[id], fresh = true, true
				lowerThread(id)
			}
		}
		if !fresh {
			return
		}
	}
}

func lowerThread(id int) {
	// The system call returns 20 − nice, to be free for errors.
	if p, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && 20-p < niceness {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
	}
}
