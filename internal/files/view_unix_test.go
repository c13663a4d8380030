//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// fenced returns a folder with a file in it, one beside it that may not be read, and the view of the folder under an alias.
func fenced(t *testing.T) (view View, inside, outside string) {
	top := t.TempDir()
	inside, outside = filepath.Join(top, "in"), filepath.Join(top, "out")
	for _, dir := range []string{filepath.Join(inside, "sub"), outside} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{filepath.Join(inside, "sub", "a"): "may be read", filepath.Join(outside, "a"): "secret"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link(t, inside, filepath.Join(top, "alias"))
	folder, err := OpenFolder(filepath.Join(top, "alias"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return View{Folders: []*Folder{folder}}, inside, outside
}

func link(t *testing.T, old, path string) {
	t.Helper()
	if err := os.Symlink(old, path); err != nil {
		t.Fatal(err)
	}
}

// TestView: what lies below the folder is read under each of its names; nothing else is, and nothing waits.
func TestView(t *testing.T) {
	view, inside, outside := fenced(t)
	in := func(names ...string) string { return filepath.Join(append([]string{inside}, names...)...) }
	link(t, filepath.Join(outside, "a"), in("leads_out"))
	link(t, "../out", in("folder_out"))
	link(t, in("sub", "a"), in("absolute"))
	link(t, "sub", in("relative"))
	link(t, in("loop"), in("loop"))
	if err := syscall.Mkfifo(in("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct{ path, want string }{
		{in("sub", "a"), "may be read"},
		{filepath.Join(filepath.Dir(inside), "alias", "sub", "a"), "may be read"},
		{in("absolute"), "may be read"}, {in("relative", "a"), "may be read"}, {in("sub", "..", "sub", "a"), "may be read"},
		{in("leads_out"), "outside"}, {in("folder_out", "a"), "outside"}, {in("..", "out", "a"), "outside"},
		{filepath.Join(outside, "a"), "outside"}, {filepath.Join(outside, "none"), "outside"}, {"/dev/zero", "outside"}, {"a", "outside"},
		{in("none"), "no such file"}, {in("loop"), "too many"}, {in("pipe"), "neither a file nor a folder"}, {in("sub"), "found a folder"},
	} {
		data, err := Read(view.In(t.Context()), of.path, 100)
		if got := string(data); err != nil {
			if got = err.Error(); strings.Contains(got, "outside") != errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v is one of permission, or not", of.path, err)
			}
			if !strings.Contains(got, of.want) {
				t.Errorf("%s: %s, expected %s", of.path, got, of.want)
			}
		} else if got != of.want {
			t.Errorf("%s: %q, expected %s", of.path, got, of.want)
		}
	}
	if list, err := ReadDir(view.In(t.Context()), in("folder_out")); err == nil {
		t.Errorf("a folder outside has %v", list)
	}
}

// TestViewHolds: a link that leads out now and then never lets a file outside be read.
func TestViewHolds(t *testing.T) {
	view, inside, _ := fenced(t)
	path := filepath.Join(inside, "changes")
	link(t, "sub", path)
	done := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			next := path + ".next"
			if os.Symlink([]string{"sub", "../out"}[n%2], next) != nil || os.Rename(next, path) != nil {
				t.Error("the link cannot be changed")
				return
			}
		}
	})
	read := 0
	for range 5000 {
		switch data, err := Read(view.In(t.Context()), filepath.Join(path, "a"), 100); {
		case string(data) == "secret":
			t.Fatal("a file outside was read")
		case err == nil:
			read++
		}
	}
	close(done)
	swapping.Wait()
	t.Logf("%d of 5000 were read", read)
}
