package files

import "syscall"

// memory returns the size of the machine's memory in bytes, 0 when it is not known.
func memory() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
