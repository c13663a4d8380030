package cluster

import (
	"os"
	"path/filepath"
	"time"
)

// A folder of a local server has a file that its process keeps locked. The lock ends with the
// process, even if that is killed: a folder whose file another process can lock is stale.
const (
	localFolders = "aiglens-cluster-*"
	lockFile     = "lock"
	// lockedWithin is the age from which on a folder has its lock.
	lockedWithin = time.Minute
)

// localFolder makes a folder for a local server, and removes those that killed processes of
// this user have left behind. The lock is held until it is closed.
func localFolder() (dir string, lock *os.File, err error) {
	removeStale(os.TempDir(), lockedWithin)
	if dir, err = os.MkdirTemp("", localFolders); err != nil {
		return "", nil, err
	}
	if lock, err = os.OpenFile(filepath.Join(dir, lockFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		_ = os.RemoveAll(dir)
		return "", nil, err
	}
	hold(lock) // without it the folder may stay behind, no more
	return dir, lock, nil
}

// removeStale removes the folders below parent that are older than an age and whose process
// has ended. What cannot be told is left.
func removeStale(parent string, age time.Duration) {
	folders, _ := filepath.Glob(filepath.Join(parent, localFolders)) // the pattern is a good one
	for _, dir := range folders {
		info, err := os.Lstat(dir)
		if err != nil || !isOwn(info) || time.Since(info.ModTime()) < age {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_WRONLY, 0)
		if err != nil {
			continue
		}
		if hold(lock) {
			_ = os.RemoveAll(dir) // the next start tries it again
		}
		_ = lock.Close()
	}
}
