//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cluster

import (
	"os"
	"syscall"
)

// hold locks a file of a folder until the process ends, however it does. It reports whether
// no other process has it locked.
func hold(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// isOwn reports whether a folder belongs to the user of this process, and to no other.
func isOwn(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.IsDir() && info.Mode().Perm()&0o077 == 0
}
