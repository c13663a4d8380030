// Package bliftest holds what the tests of the packages of BLIF share: the files
// of the test material, a text as large as one likes, a text after edits.
package bliftest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/diagnose"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// Corpus returns the paths of the BLIF files of the test material.
func Corpus(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"blif/*.blif", "blif/*/*.blif", "blif/*/*/*.blif", "broken/*.blif"} {
		found, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// Seeds adds the small files that were made for this project to a fuzz test.
func Seeds(f *testing.F, add func(text string)) {
	shared.Seeds(f, func(data []byte) { add(string(data)) }, "blif/own/*.blif", "blif/gen-*.blif", "broken/*.blif")
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Cells reads the cell library of the test material.
func Cells(t testing.TB) *cells.Genlib {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared.Dir(t), "corpus", "blif", "mini.genlib"))
	if err != nil {
		t.Fatal(err)
	}
	lib := cells.ReadGenlib(string(data))
	if len(lib.Problems) > 0 {
		t.Fatal(lib.Problems)
	}
	return lib
}

// Applied returns a text after edits.
func Applied(t testing.TB, f *blif.File, edits []source.Edit, err error) *blif.File {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text().Content())
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text().Content())
	}
	return f.Reparse(text)
}

// Generated returns a model of about n lines: functions of two inputs in
// topological order, every eighth a latch.
func Generated(n int) string {
	random := rand.New(rand.NewPCG(uint64(n), 5))
	var b strings.Builder
	b.WriteString(".model generated\n.inputs clk n1 n2 n3 n4\n.outputs out\n")
	last := 4
	for lines := 4; lines < n-4; {
		x, y := 1+random.IntN(last), max(1, last-random.IntN(50))
		last++
		if last%8 == 0 {
			fmt.Fprintf(&b, ".latch n%d n%d re clk %d\n", y, last, random.IntN(3))
			lines++
			continue
		}
		if x == y {
			x = 1 + y%4
		}
		fmt.Fprintf(&b, ".names n%d n%d n%d\n", x, y, last)
		if random.IntN(2) == 0 {
			b.WriteString("1- 1\n-1 1\n")
			lines += 3
		} else {
			b.WriteString("01 1\n")
			lines += 2
		}
	}
	fmt.Fprintf(&b, ".names n%d out\n1 1\n.end\n", last)
	return b.String()
}

// folder is a Library of the files beside a file, by name and by the models
// that they hold.
type folder struct {
	dir   string
	files map[string]*blif.File
}

// open reads a file of the folder once; nil when it does not exist.
func (l *folder) open(name string) *blif.File {
	if f, ok := l.files[name]; ok {
		return f
	}
	data, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return nil
	}
	f := blif.Options{FileName: filepath.Base(name), Library: l}.Parse(source.NewText(string(data)))
	l.files[name] = f
	return f
}

func (l *folder) Search(path string) *blif.File { return l.open(path) }

func (l *folder) Model(string) *blif.Model { return nil }

// Open reads a file of the test material with the files beside it.
func Open(t testing.TB, path string, o blif.Options) *blif.File {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o.FileName = filepath.Base(path)
	o.Library = &folder{filepath.Dir(path), map[string]*blif.File{}}
	return o.Parse(source.NewText(string(data)))
}

// Places returns the texts at which a code is reported.
func Places(f *blif.File, code source.Code) []string {
	var all []string
	for _, d := range diagnose.Diagnostics(f) {
		if d.Code == code {
			all = append(all, f.Text().Slice(d.Span))
		}
	}
	return all
}

// NoFiles is a Library without files.
type NoFiles struct{}

func (NoFiles) Search(string) *blif.File { return nil }

func (NoFiles) Model(string) *blif.Model { return nil }
