package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// only fails when there is another file than one beside the test's.
func only(t *testing.T, name string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("in the folder of %s are %v %v", name, entries, err)
	}
}

func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := (Writer{}).Create(name, []byte("one"), false); err != nil {
		t.Fatal(err)
	}
	if err := (Writer{}).Create(name, []byte("two"), false); !errors.Is(err, ErrExists) || content(t, name) != "one" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	if err := (Writer{}).Create(name, []byte("three"), true); err != nil || content(t, name) != "three" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	only(t, name)
}

// TestOverwriteKeepsWhatAFileIs: a link stays one, permissions stay, and what is not a file is left
// alone.
func TestOverwriteKeepsWhatAFileIs(t *testing.T) {
	dir := t.TempDir()
	target, link, broken := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "broken")
	err := errors.Join(os.WriteFile(target, []byte("one"), 0o600), os.Symlink("target", link), os.Symlink("nowhere", broken))
	if err != nil {
		t.Skip(err) // a system without links
	}
	if err := (Writer{}).Create(link, []byte("two"), true); err != nil || content(t, target) != "two" {
		t.Errorf("%v, and the target holds %s", err, content(t, target))
	}
	if to, err := os.Readlink(link); err != nil || to != "target" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v %v", info.Mode(), err)
	}
	for _, name := range []string{broken, dir} {
		if err := (Writer{}).Create(name, []byte("three"), true); err == nil {
			t.Errorf("%s was overwritten", name)
		}
	}
}

func TestExclusively(t *testing.T) {
	dir := t.TempDir()
	temp, name := filepath.Join(dir, "temp"), filepath.Join(dir, "name")
	if err := os.WriteFile(temp, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Writer{}).exclusively(temp, name, 0o600); err != nil || content(t, name) != "one" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	if err := (Writer{}).exclusively(temp, name, 0o600); !errors.Is(err, ErrExists) || content(t, name) != "one" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
}

// TestNothingIsHalfWritten: what cannot be begun leaves the file that is there, also where
// it was to be overwritten.
func TestNothingIsHalfWritten(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	var begun, ended string
	w := Writer{Begin: func(temp string) bool { begun = temp; return false }, End: func(temp string) { ended = temp }}
	if err := w.Create(name, []byte("two"), true); !errors.Is(err, context.Canceled) || content(t, name) != "one" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	if begun == "" || begun != ended {
		t.Errorf("%q was begun, %q ended", begun, ended)
	}
	only(t, name)
}

func TestRewrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Writer{}).Rewrite(name, []byte("other"), []byte("two")); !errors.Is(err, ErrChanged) || content(t, name) != "one" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	if err := (Writer{}).Rewrite(name, []byte("one"), []byte("two")); err != nil || content(t, name) != "two" {
		t.Errorf("%v, and it holds %s", err, content(t, name))
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("permissions %v %v", info.Mode(), err)
	}
	only(t, name)
}
