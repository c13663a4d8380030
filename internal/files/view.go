package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// View is what a caller who may not read all files may read. The zero View is all files.
type View struct {
	Folders []*Folder         // what lies below them
	Texts   map[string][]byte // by the paths under which they are asked for: these are not on the disk
}

// Folder is a folder below which files may be read. The system holds them to it: a link that leads out is
// refused when it is opened, whatever it was before.
type Folder struct {
	root  *os.Root
	names []string // its absolute paths: without links, and as it was named
}

// OpenFolder returns a folder.
func OpenFolder(path string) (*Folder, error) {
	named, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(named)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &Folder{root, []string{real, named}}, nil
}

// Path returns the absolute path of the folder, without links.
func (f *Folder) Path() string { return f.names[0] }

// Close gives the folder up: nothing below it may be read any more.
func (f *Folder) Close() error { return f.root.Close() }

// below returns the name of a path in the folder.
func (f *Folder) below(path string) (name string, ok bool) {
	for _, own := range f.names {
		if name, err := filepath.Rel(own, path); err == nil && filepath.IsLocal(name) {
			return name, true
		}
	}
	return "", false
}

// Real returns the path without links to the folder, of one that begins with it or with the name it was opened by.
func (f *Folder) Real(path string) (real string, ok bool) {
	name, ok := f.below(path)
	return filepath.Join(f.Path(), name), ok
}

type viewKey struct{}

// In returns a context in which nothing else is read.
func (v View) In(ctx context.Context) context.Context { return context.WithValue(ctx, viewKey{}, v) }

// ViewOf returns the view of a context.
func ViewOf(ctx context.Context) View {
	v, _ := ctx.Value(viewKey{}).(View)
	return v
}

// IsAll reports whether every file may be read.
func (v View) IsAll() bool { return v.Folders == nil && v.Texts == nil }

// locate returns the folder of a path, and its name there. Links to other places below the folders are
// followed.
func (v View) locate(path string) (f *Folder, name string, err error) {
	named, err := filepath.Abs(path)
	if err != nil {
		return nil, "", err
	}
	if f, _ = v.folderOf(named); f == nil {
		return nil, "", &OutsideError{path, v.Folders}
	}
	real, err := filepath.EvalSymlinks(named)
	if err != nil {
		return nil, "", err
	}
	if f, name = v.folderOf(real); f == nil {
		return nil, "", &OutsideError{path, v.Folders}
	}
	return f, name, nil
}

// folderOf returns the folder that an absolute path begins with, nil for none, and the name in there.
func (v View) folderOf(path string) (*Folder, string) {
	for _, f := range v.Folders {
		if name, ok := f.below(path); ok {
			return f, name
		}
	}
	return nil, ""
}

// stat describes a file or folder; what is neither is an error, for it may have no end.
func (v View) stat(path string) (info fs.FileInfo, err error) {
	if v.IsAll() {
		return os.Stat(path)
	}
	f, name, err := v.locate(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.root.Stat(name); err == nil && !isPlain(info) {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("it is neither a file nor a folder")}
	}
	return info, err
}

func isPlain(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// open opens a file or folder. One that another has taken the place of since stat is looked at again.
func (v View) open(path string) (*os.File, error) {
	if v.IsAll() {
		return os.Open(path)
	}
	if _, err := v.stat(path); err != nil {
		return nil, err
	}
	at, name, err := v.locate(path)
	if err != nil {
		return nil, err
	}
	f, err := at.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !isPlain(info) {
		f.Close()
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is neither a file nor a folder")}
	}
	return f, nil
}

// Stat is os.Stat as far as the View of ctx goes.
func Stat(ctx context.Context, path string) (fs.FileInfo, error) { return ViewOf(ctx).stat(path) }

// ReadDir is os.ReadDir as far as the View of ctx goes.
func ReadDir(ctx context.Context, path string) ([]fs.DirEntry, error) {
	f, err := ViewOf(ctx).open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// OutsideError says that a file lies outside the folders that may be read.
type OutsideError struct {
	Path    string
	Folders []*Folder
}

func (e *OutsideError) Error() string {
	if len(e.Folders) == 0 {
		return fmt.Sprintf("%s: no folder may be read", e.Path)
	}
	var folders []string
	for _, f := range e.Folders {
		folders = append(folders, f.Path())
	}
	return fmt.Sprintf("%s lies outside the folders that may be read: %s", e.Path, strings.Join(folders, ", "))
}

// Is makes the error one of permission.
func (e *OutsideError) Is(target error) bool { return target == fs.ErrPermission }

// Rewrite replaces the content of a file below the folders as a whole, and returns what it was. When that is no
// longer old the error is ErrChanged; nil is any. It replaces nothing unless keep takes what the file was.
func (v View) Rewrite(path string, old, data []byte, keep func(before []byte) error) (before []byte, err error) {
	if info, err := v.stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or[error](err, &fs.PathError{Op: "write", Path: path, Err: errors.New("it is not a file")})
	}
	f, name, err := v.locate(path)
	if err != nil {
		return nil, err
	}
	info, err := f.root.Stat(name)
	if err != nil {
		return nil, err
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".aiglens-%d", rand.Uint64()))
	defer f.root.Remove(temp) // in vain once it has been renamed
	if err := f.write(temp, data, info.Mode().Perm()); err != nil {
		return nil, err
	}
	before, err = f.root.ReadFile(name)
	switch {
	case err != nil:
		return nil, err
	case old != nil && !bytes.Equal(before, old):
		return nil, ErrChanged
	}
	if err := keep(before); err != nil {
		return nil, err
	}
	return before, f.root.Rename(temp, name)
}

// write writes a file that is not there.
func (f *Folder) write(name string, data []byte, mode fs.FileMode) error {
	out, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return errors.Join(err, out.Chmod(mode), out.Sync(), out.Close())
}
