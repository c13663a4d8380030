package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNotice: NOTICE names every module that is linked into the program, on every
// platform that it is built for, holds its licence, and names no other.
func TestNotice(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "..", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	notice, _, _ := strings.Cut(string(content), "The VS Code extension holds")
	var linked []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", system, err)
		}
		for line := range strings.Lines(string(out)) {
			module, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
			if module == "" || slices.Contains(linked, module) {
				continue
			}
			linked = append(linked, module)
			licences, _ := filepath.Glob(filepath.Join(folder, "LICENSE*"))
			if len(licences) == 0 {
				t.Errorf("%s has no licence", module)
			}
			for _, path := range licences {
				text, err := os.ReadFile(path)
				if err != nil || !strings.Contains(squeezed(notice), squeezed(string(text))) {
					t.Errorf("the licence of %s is not in NOTICE: node scripts/notice.mjs writes it (%v)", module, err)
				}
			}
		}
	}
	var named []string
	for line := range strings.Lines(notice) {
		if module, version, ok := strings.Cut(strings.TrimSpace(line), " v"); ok && strings.Contains(module, ".") && !strings.Contains(module+version, " ") {
			named = append(named, strings.TrimSpace(line))
		}
	}
	slices.Sort(linked)
	slices.Sort(named)
	if !slices.Equal(linked, named) {
		t.Errorf("NOTICE names %q, linked are %q: node scripts/notice.mjs writes it", named, linked)
	}
}

// squeezed is a text with one space wherever there is any white space.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }
