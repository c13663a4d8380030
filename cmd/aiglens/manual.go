package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aiglens/docs"
)

// manual writes the page on diagnostics into a folder, for editors open files and
// not what a program carries with it. It returns where a code is explained, line
// from 1. The name of the file holds the hash of its content, so that versions
// of the program do not disturb each other.
func manual(folder string) (func(code string) (path string, line int, ok bool), error) {
	hash := sha256.Sum256([]byte(docs.Diagnostics))
	path := filepath.Join(folder, fmt.Sprintf("diagnostics-%x.md", hash[:4]))
	if _, err := os.Stat(path); err != nil {
		if err := writeManual(path); err != nil {
			return nil, fmt.Errorf("the page on diagnostics: %w", err)
		}
	}
	lines := map[string]int{}
	for i, line := range strings.Split(docs.Diagnostics, "\n") {
		if code, ok := strings.CutPrefix(line, "### "); ok {
			lines[code] = i + 1
		}
	}
	return func(code string) (string, int, bool) {
		line, ok := lines[code]
		return path, line, ok
	}, nil
}

// writeManual makes the file at once, for another server may be reading it.
func writeManual(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "diagnostics-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(docs.Diagnostics)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// cachedManual is manual in the user's cache; nil where there is none.
func cachedManual() func(code string) (path string, line int, ok bool) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	explain, err := manual(filepath.Join(cache, "aiglens"))
	if err != nil {
		return nil
	}
	return explain
}
