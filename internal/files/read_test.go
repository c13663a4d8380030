package files_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"aiglens/internal/files"
)

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestLimit(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 1000)
	plain, gz := write(t, "a.aag", data), write(t, "a.aag.gz", packed(t, data))
	for _, test := range []struct {
		name  string
		limit int64
		ok    bool
	}{
		{"exactly", 10_000, true},
		{"more than enough", 1 << 20, true},
		{"one byte too much", 9_999, false},
		{"nothing", 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, path := range []string{plain, gz} {
				got, err := files.Read(context.Background(), path, test.limit)
				var large *files.TooLargeError
				switch {
				case test.ok && (err != nil || !bytes.Equal(got, data)):
					t.Errorf("%s: %d bytes, %v", filepath.Base(path), len(got), err)
				case !test.ok && !errors.As(err, &large):
					t.Errorf("%s: got %v, want a TooLargeError", filepath.Base(path), err)
				}
			}
			got, err := files.From(context.Background(), "-", bytes.NewReader(data), test.limit)
			if test.ok != (err == nil) || test.ok && !bytes.Equal(got, data) {
				t.Errorf("from a reader: %d bytes, %v", len(got), err)
			}
		})
	}
}

// TestBomb: what unpacks to 64 times the limit never takes much more memory
// than the limit.
func TestBomb(t *testing.T) {
	const limit = 1 << 20
	path := write(t, "bomb.aag.gz", packed(t, make([]byte, 64*limit)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := files.Read(context.Background(), path, limit)
	runtime.ReadMemStats(&after)
	var large *files.TooLargeError
	if !errors.As(err, &large) || !large.Packed {
		t.Fatalf("got %v, want a TooLargeError of a packed file", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*limit {
		t.Errorf("%d bytes were allocated for a limit of %d", used, limit)
	}
}

// stuck is a reader that never answers.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { select {} }

func TestStuckReaderEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := files.From(ctx, "-", stuck{}, 1<<20); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestFolderAndMissingFile(t *testing.T) {
	if _, err := files.Read(context.Background(), t.TempDir(), 1<<20); err == nil {
		t.Error("a folder was read")
	}
	if _, err := files.Read(context.Background(), filepath.Join(t.TempDir(), "none"), 1<<20); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
