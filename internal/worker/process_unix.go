//go:build unix && !linux

package worker

import "syscall"

func residentSize() int64 { return runtimeSize() }

// LowerPriority puts the process after others that want the processor.
func LowerPriority() {
	if p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil && p < niceness {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	}
}
