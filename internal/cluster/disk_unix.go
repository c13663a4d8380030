//go:build linux || darwin

package cluster

import "syscall"

// freeDisk returns the bytes that are left for this process on the disk of a folder; ok is
// false when that cannot be found out.
func freeDisk(dir string) (bytes uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
