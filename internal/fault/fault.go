// Package fault leaves reports of panics: which program it was and where in it, so that
// the fault can be mended without the file of the user that brought it to light.
//
// A report holds no text of a file, no name of a signal and no path: of what the program
// panicked with only the errors of the runtime are written down, which hold numbers and
// types, and of the text there is a hash, by which two reports can be recognised as
// being about the same one. The package knows neither editors nor which folder is meant.
package fault

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Report is what is said of one panic.
type Report struct {
	Where string // in the words of the program, as the name of a request
	Kind  string // of the value, see KindOf
	Text  string // see HashOf; "" where no text is known
	Stack []byte
}

// Carried is the panic of a goroutine that another one waits for, and which panics with it in
// its place.
type Carried struct {
	Value any
	Stack []byte // of the goroutine
}

// Of describes the panic that a deferred function has recovered from.
func Of(value any, where, text string) Report {
	if c, ok := value.(*Carried); ok {
		return Report{where, KindOf(c.Value), text, c.Stack}
	}
	return Report{where, KindOf(value), text, debug.Stack()}
}

// KindOf says what a program has panicked with, without any text of a user.
func KindOf(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", value)
}

// HashOf returns what a report says of a text.
func HashOf(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

// Folder is where reports are kept. The zero value keeps none.
type Folder struct {
	Path    string
	Version string // of the program
}

// maxReports bounds the folder. A fault that comes again has its report already.
const maxReports = 50

var errFull = errors.New("there are many reports already")

// Keep writes a report that only its owner can read, and returns where it is; "" where none
// are kept.
func (f Folder) Keep(r Report) (path string, err error) {
	if f.Path == "" {
		return "", nil
	}
	path = filepath.Join(f.Path, fmt.Sprintf("fault-%.12x.txt", sha256.Sum256([]byte(f.Version+r.Where+places(r.Stack)))))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return "", err
	}
	if entries, err := os.ReadDir(f.Path); err != nil || len(entries) >= maxReports {
		return "", errors.Join(err, errFull)
	}
	if err := os.WriteFile(path, []byte(f.content(r)), 0o600); err != nil {
		return "", err
	}
	return path, nil
}

func (f Folder) content(r Report) string {
	text := r.Text
	if text == "" {
		text = "none known"
	}
	return fmt.Sprintf("aiglens %s, %s, %s/%s\nin: %s\npanic: %s\ntext: %s\n\n%s",
		f.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, r.Where, r.Kind, text, r.Stack)
}

// places returns the functions of a stack, without the values that they were called with.
func places(stack []byte) string {
	var all strings.Builder
	for line := range strings.Lines(string(stack)) {
		if name, _, ok := strings.Cut(line, "("); ok && !strings.HasPrefix(line, "\t") {
			all.WriteString(name + "\n")
		}
	}
	return all.String()
}
