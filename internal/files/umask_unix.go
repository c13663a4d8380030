//go:build unix

package files

import (
	"os"
	"sync"
	"syscall"
)

// umask returns the permissions that the user does not give to new files. The system
// tells them only to who sets them; while that lasts, for nobody but the user.
var umask = sync.OnceValue(func() os.FileMode {
	mask := syscall.Umask(0o077)
	syscall.Umask(mask)
	return os.FileMode(mask)
})
