package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"

	"aiglens/design"
	"aiglens/internal/files"
)

// Limited are files that are read up to a size, packed ones while they are unpacked.
type Limited struct {
	Files
	limit atomic.Int64 // bytes
}

// NewLimited returns files that are read up to as many bytes as the memory of the
// machine suggests.
func NewLimited(files Files) *Limited {
	l := &Limited{Files: files}
	l.LimitTo(0)
	return l
}

// LimitTo sets the largest number of bytes that is read of one file; 0 stands for what
// the memory of the machine suggests.
func (l *Limited) LimitTo(bytes int64) {
	if bytes <= 0 {
		bytes = files.DefaultLimit()
	}
	l.limit.Store(bytes)
}

// Limit returns the largest number of bytes that is read of one file.
func (l *Limited) Limit() int64 { return l.limit.Load() }

// ReadFile reads a whole file as it is. It waits for the file system.
func (l *Limited) ReadFile(path string) ([]byte, error) {
	info, err := l.Stat(path)
	if err != nil {
		return nil, err
	}
	limit := l.limit.Load()
	switch {
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is not a file")}
	case info.Size() > limit:
		return nil, withWayOut(&files.TooLargeError{Name: path, Limit: limit})
	}
	return l.Files.ReadFile(path)
}

// withWayOut says of a file that is too large which setting lets it be read.
func withWayOut(err error) error {
	if large := new(files.TooLargeError); errors.As(err, &large) {
		return fmt.Errorf("%w; the setting aiglens.files.maxSize raises it", err)
	}
	return err
}

// Decode reads a file as text, whatever it is called. It waits for the file system.
func (l *Limited) Decode(formats design.Formats, path string) (string, error) {
	data, err := l.ReadFile(path)
	if err != nil {
		return "", err
	}
	text, err := formats.Decode(path, data, l.limit.Load())
	if large := new(files.TooLargeError); err != nil && !errors.As(err, &large) { // which names the file
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return text, withWayOut(err)
}
