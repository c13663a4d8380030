package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

func endWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// resident returns the bytes that a process has in memory, 0 when unknown:
// proc(5), statm, second number.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// cpuSet is the mask of sched_setaffinity(2), for up to 1024 processors.
type cpuSet [1024 / strconv.IntSize]uint

// availableCores returns the processors that this program may use.
func availableCores() []int {
	var set cpuSet
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if errno != 0 {
		return nil
	}
	var cores []int
	for i := range 1024 {
		if set[i/strconv.IntSize]>>(i%strconv.IntSize)&1 == 1 {
			cores = append(cores, i)
		}
	}
	return cores
}

// pin ties the calling thread, and what it starts, to a processor.
func pin(core int) error {
	var set cpuSet
	set[core/strconv.IntSize] |= 1 << (core % strconv.IntSize)
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if errno != 0 {
		return fmt.Errorf("processor %d: %w", core, errno)
	}
	return nil
}
