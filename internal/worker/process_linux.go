package worker

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// residentSize returns the bytes of this process in memory without those of files, which
// are the program itself: all workers share these, and the system takes them back when it
// wants. proc(5) statm counts pages, the resident ones and of these those of files.
func residentSize() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	var size, resident, files int64
	if n, _ := fmt.Sscan(string(text), &size, &resident, &files); err != nil || n < 3 {
		return runtimeSize()
	}
	return (resident - files) * int64(os.Getpagesize())
}

// LowerPriority puts the process after others that want the processor. Linux
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
