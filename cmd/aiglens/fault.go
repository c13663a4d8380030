package main

import (
	"fmt"
	"os"
	"path/filepath"

	"aiglens/internal/fault"
)

// faultFolder is where panics leave their reports: in the user's cache; nowhere where
// there is none.
func faultFolder() fault.Folder {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fault.Folder{}
	}
	return fault.Folder{Path: filepath.Join(cache, "aiglens", "faults"), Version: versionText()}
}

// fill does what is to be done for a report on a file. A panic costs that file alone.
func (f *fileReport) fill(work func() error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		r := fault.Of(value, "a file", "")
		where := string(r.Stack)
		if path, err := faultFolder().Keep(r); err == nil && path != "" {
			where = path + " says where"
		}
		f.err = fmt.Errorf("%s: internal error, please report it: %s: %s", f.name, r.Kind, where)
	}()
	f.err = work()
}
