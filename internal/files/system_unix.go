//go:build unix

package files

import (
	"os"
	"sync"
	"syscall"
)

// withoutWaiting is the flag of an open that does not wait for the other end of a pipe.
const withoutWaiting = syscall.O_NONBLOCK

// umask returns the permissions that the user does not give to new files. The system
// tells them only to a process that sets them; while that lasts, new files are for the user alone.
var umask = sync.OnceValue(func() os.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return os.FileMode(mask)
})
