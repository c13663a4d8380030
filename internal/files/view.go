package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// View is what a caller who may not read all files may read. The zero View is all files.
type View struct {
	Folders []string          // what lies below them; absolute paths without links, as Resolve returns them
	Texts   map[string][]byte // by the paths under which they are asked for: these are not on the disk
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

// Allow returns an error, an *OutsideError or one of the file system, unless a file or folder may be read.
// Links are followed first: one below a folder may lead out of it.
func (v View) Allow(path string) error {
	if v.IsAll() {
		return nil
	}
	real, err := Resolve(path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return cmp.Or[error](err, &fs.PathError{Op: "read", Path: path, Err: errors.New("it is neither a file nor a folder")})
	}
	for _, folder := range v.Folders {
		if below, err := filepath.Rel(folder, real); err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return nil
		}
	}
	return &OutsideError{path, v.Folders}
}

// Resolve returns the absolute path of a folder or file, with no link in it.
func Resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return filepath.Abs(real)
	}
	return "", err
}

// OutsideError says that a file lies outside the folders that may be read.
type OutsideError struct {
	Path    string
	Folders []string
}

func (e *OutsideError) Error() string {
	if len(e.Folders) == 0 {
		return fmt.Sprintf("%s: no folder may be read", e.Path)
	}
	return fmt.Sprintf("%s lies outside the folders that may be read: %s", e.Path, strings.Join(e.Folders, ", "))
}

// Is makes the error one of permission.
func (e *OutsideError) Is(target error) bool { return target == fs.ErrPermission }
