package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// withUmask returns the program, to be run in a folder with a home of its own and with
// permissions that are not given to new files.
func withUmask(mask, folder string, args ...string) *exec.Cmd {
	script := "umask " + mask + "; exec aiglens \"$@\""
	cmd := exec.Command("sh", append([]string{"-c", script, "sh"}, args...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+filepath.Join(folder, "cache"), cacheVariable+"=")
	return cmd
}

const refuted = "aag 2 1 1 0 0 1\n2\n4 2\n4\n" // in step 1

// TestCacheIsPrivate: what the command line and the server keep for themselves is for
// the user alone, even where the user gives new files to everyone.
func TestCacheIsPrivate(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.aag"), []byte(refuted), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = withUmask("000", folder, "check", "a.aag").Run() // its exit code is the verdict
	server := withUmask("000", folder, "serve")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	_ = server.Wait()

	files := 0
	err = filepath.WalkDir(filepath.Join(folder, "cache"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has %v, expected %v (%v)", path, info.Mode().Perm(), want, err)
		}
		return nil
	})
	if err != nil || files < 4 { // an entry, the counter and two pages
		t.Errorf("%d files in the cache, %v", files, err)
	}
}

// TestOutputsFollowUmask: what the user has written by name is as open as the user's
// other files, and no more.
func TestOutputsFollowUmask(t *testing.T) {
	for mask, want := range map[string]os.FileMode{"077": 0o600, "022": 0o644, "027": 0o640} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "a.aag"), []byte(refuted), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := withUmask(mask, folder, "convert", "-o", "b.blif", "a.aag").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		_ = withUmask(mask, folder, "check", "--no-cache", "--witness", "w", "a.aag").Run()
		for _, pattern := range []string{"b.blif", "w/*"} {
			found, _ := filepath.Glob(filepath.Join(folder, pattern))
			if len(found) == 0 {
				t.Errorf("no %s", pattern)
			}
			for _, path := range found {
				if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
					t.Errorf("umask %s: %s has %v, expected %v", mask, path, info.Mode().Perm(), want)
				}
			}
		}
	}
}
