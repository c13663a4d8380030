package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// create writes a file in one step. An existing one is replaced only by force.
func (e env) create(name string, data []byte, force bool) error {
	exists := fmt.Errorf("%s exists; --force overwrites it", name)
	if _, err := os.Lstat(name); err == nil && !force {
		return exists
	}
	temp, err := e.writeBeside(name, data, 0o644&^umask())
	if err != nil {
		return err
	}
	defer e.discard(temp)
	if force {
		return os.Rename(temp, name)
	}
	// A link, other than a renaming, fails when somebody was faster.
	switch err := os.Link(temp, name); {
	case errors.Is(err, os.ErrExist):
		return exists
	case err != nil: // a file system without links
		return os.Rename(temp, name)
	}
	return nil
}

// rewrite replaces the content of a file as a whole, unless somebody has
// changed it meanwhile.
func (e env) rewrite(name string, old, data []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return withoutName(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return withoutName(err)
	}
	temp, err := e.writeBeside(path, data, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer e.discard(temp)
	now, err := os.ReadFile(path)
	switch {
	case err != nil:
		return withoutName(err)
	case !bytes.Equal(now, old):
		return errors.New("not written: the file has changed meanwhile")
	}
	return os.Rename(temp, path)
}

// writeBeside writes a file of its own in the folder of path, so that it can
// take the place of path in one step. Until discard it goes when a signal ends
// the program.
func (e env) writeBeside(path string, data []byte, mode os.FileMode) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".aiglens-*")
	if err != nil {
		return "", err
	}
	if !e.partial.add(f.Name()) {
		err = context.Canceled
	}
	if err == nil {
		_, err = f.Write(data)
	}
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		e.discard(f.Name())
		return "", fmt.Errorf("writing %s: %w", f.Name(), err)
	}
	return f.Name(), nil
}

// discard removes a file of writeBeside, in vain once it has been renamed.
func (e env) discard(temp string) {
	os.Remove(temp)
	e.partial.done(temp)
}

// writeInto writes a file in a folder, which is made where it is missing, in place of
// one of that name.
func (e env) writeInto(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return e.create(filepath.Join(dir, name), data, true)
}
