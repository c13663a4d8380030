package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of files that are left as they are.
var (
	ErrExists  = errors.New("the file exists")
	ErrChanged = errors.New("not written: the file has changed meanwhile")
)

// Writer writes files. Begin and End, which may be nil, are told of the files that it writes
// beside others: those that are to go when the program is ended between the two. Nothing is
// written when Begin returns false; the error is that of a context that has ended.
type Writer struct {
	Begin func(temporary string) bool
	End   func(temporary string)
}

// Create writes a file. An existing one is replaced only by overwrite, else the error is
// ErrExists: its content, behind links, while its permissions stay.
func (w Writer) Create(name string, data []byte, overwrite bool) error {
	name, mode, err := placeOf(name, overwrite)
	if err != nil {
		return err
	}
	temp, err := w.beside(name, data, mode)
	if err != nil {
		return err
	}
	defer w.discard(temp)
	if overwrite {
		return os.Rename(temp, name)
	}
	// A link, other than a renaming, fails when another process was faster.
	err = os.Link(temp, name)
	switch {
	case errors.Is(err, fs.ErrExist):
		return ErrExists
	case err != nil: // a file system without links
		return w.exclusively(temp, name, mode)
	}
	return nil
}

// CanCreate returns the error of Create as far as it does not depend on what is written, by
// writing an empty file beside the other, which is removed.
func (w Writer) CanCreate(name string, overwrite bool) error {
	name, mode, err := placeOf(name, overwrite)
	if err != nil {
		return err
	}
	temp, err := w.beside(name, nil, mode)
	if err != nil {
		return err
	}
	w.discard(temp)
	return nil
}

// placeOf returns where Create writes, and with which permissions.
func placeOf(name string, overwrite bool) (path string, mode fs.FileMode, err error) {
	switch _, err := os.Lstat(name); {
	case err == nil && !overwrite:
		return "", 0, ErrExists
	case err != nil:
		return name, 0o644 &^ umask(), nil
	}
	path, err = filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, fmt.Errorf("%s is a link to a file that does not exist", name)
	}
	if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s is not a file", name)
	}
	return path, info.Mode().Perm(), nil
}

// exclusively takes the name of a file that is not there, and then has temp take its place.
func (w Writer) exclusively(temp, name string, mode fs.FileMode) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return ErrExists
	}
	if err != nil {
		return err
	}
	f.Close()
	return os.Rename(temp, name)
}

// Rewrite replaces the content of a file, behind links, as a whole. When that is no longer
// old the error is ErrChanged.
func (w Writer) Rewrite(name string, old, data []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	temp, err := w.beside(path, data, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer w.discard(temp)
	now, err := os.ReadFile(path)
	switch {
	case err != nil:
		return err
	case !bytes.Equal(now, old):
		return ErrChanged
	}
	return os.Rename(temp, path)
}

// beside writes a file of its own in the folder of path, so that it can take the place of
// path in one step.
func (w Writer) beside(path string, data []byte, mode fs.FileMode) (temp string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".aiglens-*")
	if err != nil {
		return "", writing(path, err)
	}
	if w.Begin != nil && !w.Begin(f.Name()) {
		err = context.Canceled
	}
	if err == nil {
		_, err = f.Write(data)
	}
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		w.discard(f.Name())
		return "", writing(path, err)
	}
	return f.Name(), nil
}

// writing returns an error of a file beside another one as one of that: its own name means nothing
// to anybody.
func writing(path string, err error) error {
	if beside := (*fs.PathError)(nil); errors.As(err, &beside) {
		err = beside.Err
	}
	return fmt.Errorf("writing %s: %w", path, err)
}

// discard removes a file of beside, in vain once it has been renamed.
func (w Writer) discard(temp string) {
	os.Remove(temp)
	if w.End != nil {
		w.End(temp)
	}
}
