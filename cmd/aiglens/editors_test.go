package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// snippet returns the first block of code below a line of docs/editors.md.
func snippet(t *testing.T, below string) string {
	t.Helper()
	return snippetOf(t, "docs/editors.md", below)
}

// session is a part of testdata/editors.
func session(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "editors", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shipped is the absolute path of a file for editors.
func shipped(t *testing.T, path ...string) string {
	t.Helper()
	full, err := filepath.Abs(filepath.Join(append([]string{"..", "..", "editors"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(full); err != nil {
		t.Fatal(err)
	}
	return full
}

// runEditor runs an editor in a folder with broken circuits and one to work with, and with a
// home of its own. What it leaves in the file failure is an error.
func runEditor(t *testing.T, program string, files map[string]string, args ...string) (folder string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", program)
		}
		t.Skipf("%s is not installed", program)
	}
	dir := t.TempDir()
	files["broken.aag"] = "aag 1 1 0 0 0 1\n3\n2\n"
	files["broken.blif"] = ".model top\n.inputs a\n.outputs y\n.names a ghost y\n11 1\n.end\n"
	files["broken.btor2"] = "1 sort bitvec 8\n2 input 1 a\n3 inc 1 9\n4 output 3 next\n"
	files["broken.smt2"] = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p ghost))\n(check-sat)\n"
	files["toggle.aag"] = "aag 3 1 1 0 1 1\n2\n4 6\n4\n6 5 2\ni0 press\nl0 lamp\nb0 lit\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "TERM=dumb")
	out, err := allOutputOf(t, cmd)
	failure, _ := os.ReadFile(filepath.Join(dir, "failure"))
	if err != nil || len(failure) > 0 {
		t.Errorf("%s: %v\n%s\n%s", program, err, failure, out)
	}
	return dir
}

// TestNeovim: with the lines of docs/editors.md in its configuration, a user of Neovim 0.7 works with
// circuits.
func TestNeovim(t *testing.T) {
	runEditor(t, "nvim", map[string]string{"init.lua": strings.ReplaceAll(snippet(t, "In `init.lua`:"), "EDITORS", shipped(t)), "session.lua": session(t, "session.lua")},
		"--headless", "-u", "init.lua", "-i", "NONE", "-n", "-o", "broken.aag", "broken.blif", "broken.btor2", "broken.smt2", "toggle.aag", "+luafile session.lua")
}

// TestVim is the same for Vim with ALE, of which Debian has a package.
func TestVim(t *testing.T) {
	const ale = "/usr/share/vim-ale"
	if _, err := os.Stat(ale); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("ALE is not installed: %v", err)
		}
		t.Skip("ALE is not installed")
	}
	vimrc := "set nocompatible runtimepath+=" + ale + "\n" + strings.ReplaceAll(snippet(t, "With [ALE](https://github.com/dense-analysis/ale), in `~/.vim/vimrc`:"), "EDITORS", shipped(t))
	runEditor(t, "vim", map[string]string{"vimrc": vimrc, "session.vim": session(t, "session.vim")},
		"-N", "-u", "vimrc", "-i", "NONE", "-n", "-e", "-s", "-S", "session.vim")
}

// packages has a batch Emacs find those of Debian.
const packages = `
(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
`

// TestEmacs is the same for Emacs with Eglot, once with a broken file of each format.
func TestEmacs(t *testing.T) {
	for _, name := range []string{"broken.aag", "broken.blif", "broken.btor2", "broken.smt2"} {
		text := packages + strings.ReplaceAll(snippet(t, "With Eglot, in `init.el`:"), "EDITORS", shipped(t)) +
			"(defconst session-broken \"" + name + "\")\n" + session(t, "batch.el") + session(t, "session.el")
		runEditor(t, "emacs", map[string]string{"look.el": text}, "--batch", "-Q", "-l", "look.el")
	}
}
