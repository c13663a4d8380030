package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// TooLargeError says that a file holds more than may be read.
type TooLargeError struct {
	Name  string
	Limit int64 // bytes
	// Packed says that it is what the file unpacks to that is too large.
	Packed bool
}

func (e *TooLargeError) Error() string {
	if e.Packed {
		return fmt.Sprintf("%s unpacks to more than the limit of %s", e.Name, Size(e.Limit))
	}
	return fmt.Sprintf("%s is larger than the limit of %s", e.Name, Size(e.Limit))
}

// Size writes a number of bytes for a person: 512 MB, 1 GB. Where it is not a whole
// number of its unit it is rounded down.
func Size(bytes int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if n := bytes / unit.bytes; n >= 10 || n > 0 && bytes%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", n, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Read returns the content of the file at path, unpacked where the name ends in .gz, in
// whichever case.
// The error is that of ctx when it ends first, a *TooLargeError beyond limit bytes, that of the View
// of ctx, or one of the file system. A read that is stuck is left behind with its goroutine.
func Read(ctx context.Context, path string, limit int64) ([]byte, error) {
	return open(ctx, path, limit, strings.HasSuffix(strings.ToLower(path), ".gz"))
}

// ReadPacked is Read that leaves a packed file as it is.
func ReadPacked(ctx context.Context, path string, limit int64) ([]byte, error) {
	return open(ctx, path, limit, false)
}

func open(ctx context.Context, path string, limit int64, unpacks bool) ([]byte, error) {
	view := ViewOf(ctx)
	if text, ok := view.Texts[path]; ok {
		return text, nil
	}
	return within(ctx, func() ([]byte, error) {
		f, err := view.open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("expected a file, found a folder")}
		}
		if info.Mode().IsRegular() && info.Size() > limit {
			return nil, &TooLargeError{Name: path, Limit: limit}
		}
		if unpacks {
			return unpack(ctx, path, f, limit)
		}
		expected := int64(0)
		if info.Mode().IsRegular() {
			expected = info.Size()
		}
		return all(ctx, path, f, expected, limit)
	})
}

// From is Read for what has been opened already, such as standard input; name is
// for errors.
func From(ctx context.Context, name string, r io.Reader, limit int64) ([]byte, error) {
	return within(ctx, func() ([]byte, error) { return all(ctx, name, r, 0, limit) })
}

// Unpack returns what packed gzip data holds. The limit is looked at while it is
// unpacked, so that no more than that is ever in memory.
func Unpack(ctx context.Context, name string, r io.Reader, limit int64) ([]byte, error) {
	return within(ctx, func() ([]byte, error) { return unpack(ctx, name, r, limit) })
}

// within runs read on a goroutine of its own, because no read can be interrupted.
func within(ctx context.Context, read func() ([]byte, error)) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := read()
		done <- answer{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case a := <-done:
		return a.data, a.err
	}
}

func unpack(ctx context.Context, name string, r io.Reader, limit int64) ([]byte, error) {
	packed, err := gzip.NewReader(r)
	var data []byte
	if err == nil {
		data, err = all(ctx, name, packed, 0, limit)
	}
	var large *TooLargeError
	switch {
	case errors.As(err, &large):
		large.Packed = true
		return nil, large
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("unpacking %s: the file is truncated", name)
	case errors.Is(err, gzip.ErrHeader):
		return nil, fmt.Errorf("unpacking %s: expected a file that gzip has packed", name)
	case err != nil:
		return nil, fmt.Errorf("unpacking %s: %w", name, err)
	}
	return data, nil
}

// IsPacked reports whether data is what gzip writes.
func IsPacked(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// block is how much is read at once, and so how often ctx is looked at.
const block = 1 << 20

// all reads r to its end; expected is its size where that is known, else 0.
func all(ctx context.Context, name string, r io.Reader, expected, limit int64) ([]byte, error) {
	data := make([]byte, 0, min(max(expected, 4<<10)+1, limit+1))
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			// One byte beyond the limit tells a file of that size from a larger one.
			grown := make([]byte, len(data), min(int64(cap(data))*2, limit+1))
			copy(grown, data)
			data = grown
		}
		n, err := r.Read(data[len(data):min(cap(data), len(data)+block)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, &TooLargeError{Name: name, Limit: limit}
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
