//go:build !unix

package files

import "os"

// withoutWaiting is the flag of an open that does not wait for the other end of a pipe; there are none here.
const withoutWaiting = 0

// umask returns the permissions that the user does not give to new files: the folders
// decide.
func umask() os.FileMode { return 0 }
