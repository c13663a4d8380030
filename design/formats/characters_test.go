package formats_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestRangesOfCharacters puts characters of several bytes anywhere into broken files and checks that no
// range of a diagnostic begins or ends within one.
func TestRangesOfCharacters(t *testing.T) {
	var files []string
	for _, pattern := range []string{"broken/*", "blif/own/*.blif", "aiger/own/*.aag"} {
		found, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	r := rand.New(rand.NewPCG(1, 2))
	characters := []string{"é", "…", "😀", "\u00a0", "\u2028", "\ufeff"}
	tried := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		format := formats.All().Recognise("", file, string(data))
		if format == nil || len(data) > 4000 || !utf8.Valid(data) {
			continue
		}
		for range 40 {
			text := []rune(string(data))
			for range 1 + r.IntN(3) {
				at := r.IntN(len(text) + 1)
				text = slices.Replace(text, at, min(len(text), at+r.IntN(2)), []rune(characters[r.IntN(len(characters))])...)
			}
			tried++
			checkRanges(t, filepath.Base(file), design.New("file:///"+filepath.Base(file), format, 1, source.NewText(string(text)), design.Options{}))
		}
	}
	if tried < 1000 {
		t.Errorf("only %d texts", tried)
	}
}

func checkRanges(t *testing.T, file string, d *design.Design) {
	t.Helper()
	if err := d.Lint(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := d.Text.Content()
	isWithin := func(at int) bool { return at < len(text) && !utf8.RuneStart(text[at]) }
	for _, x := range d.Diagnostics() {
		if isWithin(x.Span.Start) || isWithin(x.Span.End()) {
			t.Errorf("%s: %s %v %s\n%q", file, x.Code, x.Span, x.Message, text)
		}
	}
}
