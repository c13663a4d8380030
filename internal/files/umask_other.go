//go:build !unix

package files

import "os"

// umask returns the permissions that the user does not give to new files: the folders
// decide.
func umask() os.FileMode { return 0 }
