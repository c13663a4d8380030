package debug

import (
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/google/go-dap"

	"aiglens/internal/source"
)

// sourceReference is that of a text that no file holds as it stands.
const sourceReference = 1

// source returns what the client calls a file; "" is that of the session.
func (t *target) source(path string) *dap.Source {
	if path != "" {
		return &dap.Source{Name: filepath.Base(path), Path: filepath.FromSlash(path)}
	}
	if t.decoded {
		return &dap.Source{Name: filepath.Base(t.path) + ".aag", SourceReference: sourceReference}
	}
	return &dap.Source{Name: filepath.Base(t.path), Path: t.path}
}

// pathFrom returns the file of a source of the client; ok is false for one that has no
// part in the session.
func (t *target) pathFrom(src dap.Source) (path string, ok bool) {
	if src.SourceReference == sourceReference && t.decoded || src.Path != "" && sameName(src.Path, t.source("").Path) {
		return "", true
	}
	if src.Path == "" {
		return "", false
	}
	asked := pathOf(src.Path)
	if samePath(asked, pathOf(t.program)) && !t.decoded {
		return "", true
	}
	for other := range t.paths() {
		if samePath(asked, filepath.FromSlash(other)) {
			return other, true
		}
	}
	return "", false
}

// sameName compares names of sources, which are URIs for some: those may be written
// with more or fewer escapes.
func sameName(a, b string) bool {
	if a == b {
		return true
	}
	x, err := url.PathUnescape(a)
	if err != nil {
		return false
	}
	y, err := url.PathUnescape(b)
	return err == nil && x == y
}

func samePath(a, b string) bool {
	if a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b) {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// paths yields those of the other files with a part in the session.
func (t *target) paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for path := range t.elsewhere {
			if !yield(path) {
				return
			}
		}
		for path := range t.rows.others() {
			if t.elsewhere[path] == nil && !yield(path) {
				return
			}
		}
	}
}

// textOf returns the text of a file with definitions.
func (t *target) textOf(path string) (source.Text, bool) {
	if path == "" {
		return t.doc.Text, true
	}
	if doc := t.elsewhere[path]; doc != nil {
		return doc.Text, true
	}
	for _, signals := range t.rows.others()[path] {
		if p, ok := t.placeOf(signals[0].lit); ok && p.path == path {
			return p.text, true
		}
	}
	return source.Text{}, false
}
