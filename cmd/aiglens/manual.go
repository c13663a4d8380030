package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aiglens/docs"
)

// page is where a code is explained, line from 1.
type page struct {
	path string
	line int
}

// explainer returns where a code of the diagnostics of a format is explained.
type explainer = func(format, code string) (path string, line int, ok bool)

// manual writes the pages on diagnostics into a folder, for editors open files and
// not what a program carries with it. It returns where a code is explained. The
// names of the files hold the hash of their content, so that versions of the
// program do not disturb each other.
func manual(folder string) (explainer, error) {
	codes := map[[2]string]page{} // by format and code
	for _, p := range docs.Diagnostics {
		hash := sha256.Sum256([]byte(p.Text))
		path := filepath.Join(folder, fmt.Sprintf("%s-%x.md", p.Name, hash[:4]))
		if _, err := os.Stat(path); err != nil {
			if err := writePage(path, p.Text); err != nil {
				return nil, fmt.Errorf("the page on diagnostics: %w", err)
			}
		}
		for i, line := range strings.Split(p.Text, "\n") {
			if code, ok := strings.CutPrefix(line, "### "); ok {
				codes[[2]string{p.Format, code}] = page{path, i + 1}
			}
		}
	}
	return func(format, code string) (string, int, bool) {
		at, ok := codes[[2]string{format, code}]
		return at.path, at.line, ok
	}, nil
}

// writePage makes the file at once, for another server may be reading it.
func writePage(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "diagnostics-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// cachedManual is manual in the user's cache; nil where there is none.
func cachedManual() explainer {
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
