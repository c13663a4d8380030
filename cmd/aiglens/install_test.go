package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall installs the program as docs/install.md says, into a folder of its own, and checks a
// circuit with it there. The modules are those that this machine has.
func TestInstall(t *testing.T) {
	command := strings.Fields(snippetOf(t, "docs/install.md", "The program needs only [Go](https://go.dev/dl) 1.26. In a clone of the repository:"))
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	install := exec.Command(command[0], command[1:]...)
	install.Dir = filepath.Join("..", "..")
	install.Env = append(os.Environ(), "GOPATH="+filepath.Join(dir, "go"), "GOBIN="+bin, "GOMODCACHE="+strings.TrimSpace(string(modules)), "GOPROXY=off")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	circuit, err := filepath.Abs(filepath.Join("..", "..", "examples", "semaphore2.aag"))
	if err != nil {
		t.Fatal(err)
	}
	check := exec.Command(filepath.Join(bin, "aiglens"), "check", circuit)
	check.Dir = dir
	if out, err := allOutputOf(t, check); err != nil || !strings.Contains(out, "proved") {
		t.Errorf("check: %v\n%s", err, out)
	}
}
