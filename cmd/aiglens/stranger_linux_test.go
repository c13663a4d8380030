package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// stranger has only what Debian brings, a home with nothing in it, and the archive of a release.
type stranger struct {
	home string
	env  []string
}

// releaseArchive makes the archive for this machine, and returns its path.
func releaseArchive(t *testing.T) string {
	t.Helper()
	need(t, "node", "npm")
	target, ok := map[string]string{"amd64": "linux-x64", "arm64": "linux-arm64"}[runtime.GOARCH]
	if !ok {
		t.Skip("there is no release for this machine")
	}
	release := exec.Command(filepath.Join("..", "..", "scripts", "release.sh"), "--program", target)
	release.Stderr = os.Stderr
	archive, err := release.Output()
	if err != nil {
		t.Fatalf("release.sh: %v", err)
	}
	return strings.TrimSpace(string(archive))
}

// newStranger follows the commands of docs/install.md from the archive on.
func newStranger(t *testing.T, archive string) *stranger {
	t.Helper()
	home := t.TempDir()
	s := &stranger{home: home, env: []string{"HOME=" + home, "PATH=" + filepath.Join(home, ".local", "bin") + ":/usr/bin:/bin", "TERM=dumb", "LC_ALL=C.UTF-8"}}
	s.run(t, "cp", archive, home)
	circuit, err := filepath.Abs(filepath.Join("..", "..", "examples", "semaphore2_broken.aag"))
	if err != nil {
		t.Fatal(err)
	}
	s.run(t, "cp", circuit, home)
	s.run(t, "sh", "-e", "-c", snippetOf(t, "docs/install.md", "[other editors](editors.md). On Linux and macOS:"))
	return s
}

// run runs a program as the stranger.
func (s *stranger) run(t *testing.T, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = s.home, s.env
	if out, err := allOutputOf(t, cmd); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// write writes a file of the home, with the place that docs/editors.md says for EDITORS.
func (s *stranger) write(t *testing.T, text string, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{s.home}, path...)...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "EDITORS", filepath.Join(s.home, ".local", "share", "aiglens", "editors"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStranger goes from the archive of a release to the first verdict in each editor.
func TestStranger(t *testing.T) {
	archive := releaseArchive(t)
	t.Run("neovim", func(t *testing.T) {
		need(t, "nvim")
		began := time.Now()
		s := newStranger(t, archive)
		s.write(t, snippet(t, "In `init.lua`:"), ".config", "nvim", "init.lua")
		s.write(t, session(t, "stranger.lua"), "stranger.lua")
		s.run(t, "nvim", "--headless", "+luafile stranger.lua")
		t.Logf("from the archive to the verdict: %v", time.Since(began))
	})
	t.Run("emacs", func(t *testing.T) {
		if _, err := os.Stat("/usr/share/emacs/site-lisp/elpa"); err != nil && os.Getenv("CI") == "" {
			t.Skip("eglot is not installed")
		}
		need(t, "emacs")
		began := time.Now()
		s := newStranger(t, archive)
		s.write(t, snippet(t, "With Eglot, in `init.el`:"), ".emacs.d", "init.el")
		s.write(t, packages+`(load "~/.emacs.d/init.el")`+session(t, "batch.el")+session(t, "stranger.el"), "stranger.el")
		s.run(t, "emacs", "--batch", "-l", "stranger.el")
		t.Logf("from the archive to the verdict: %v", time.Since(began))
	})
}

var pageLink = regexp.MustCompile(`\]\(([^)\s#]+)[^)\s]*\)`)

// TestArchivePages: what the pages in the archive of a release link to is in the archive.
func TestArchivePages(t *testing.T) {
	archive, folder := releaseArchive(t), t.TempDir()
	if out, err := exec.Command("tar", "-C", folder, "--strip-components=1", "-xzf", archive).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages := 0
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		for _, link := range pageLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(link[1], ":") { // of the web, or of an editor
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%s: %v", filepath.Base(path), err)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 30 {
		t.Errorf("the archive has %d pages", pages)
	}
}
