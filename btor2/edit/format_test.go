package edit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/edit"
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

func formatted(t *testing.T, text string) string {
	t.Helper()
	f := parse(text)
	edits, err := edit.Format(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return applied(t, f, edits).Text().Content()
}

// TestFormat writes the white space of random texts otherwise: formatting makes the same of both, with the same circuit.
func TestFormat(t *testing.T) {
	for seed, text := range randomTexts {
		r := rand.New(rand.NewPCG(seed, 7))
		var noisy strings.Builder
		for line := range strings.Lines(text) {
			row, comment, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ";")
			for i := range len(row) {
				if row[i] == ' ' {
					noisy.WriteString([]string{" ", "  ", "\t", " \t "}[r.IntN(4)])
				} else {
					noisy.WriteByte(row[i])
				}
			}
			if strings.Contains(line, ";") {
				noisy.WriteString([]string{";", "  ;"}[r.IntN(2)] + comment)
			}
			noisy.WriteString([]string{"\n", " \n", "\r\n", " \t\r\n"}[r.IntN(4)])
		}
		want := formatted(t, text)
		if got := formatted(t, noisy.String()); got != want {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, got, want)
		}
		sameCircuit(t, parse(text), parse(want))
	}
}

// TestFormatLines shows what formatting does to single lines.
func TestFormatLines(t *testing.T) {
	for text, want := range map[string]string{
		"1  sort\tbitvec 8;x  ":          "1 sort bitvec 8 ;x\n",
		"  ; a  b  \n\n \n":              "; a  b\n\n\n",
		"1 sort bitvec 8 \r\n  ":         "1 sort bitvec 8\n",
		"1 what  ever  \n":               "1 what ever\n",
		"1 sort bitvec 8\n2 input 1 a;b": "1 sort bitvec 8\n2 input 1 a;b\n",
		"":                               "",
	} {
		if got := formatted(t, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if _, err := edit.Format(t.Context(), parse("1 sort bitvec 8\r2 input 1\r")); err == nil {
		t.Error("lines that end in CR alone are formatted")
	}
}

// FuzzFormat: formatting keeps the words of any text, and makes nothing more of what it made.
func FuzzFormat(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(btor2test.Random(seed, btor2test.Tiny))
	}
	f.Add("1 sort bitvec 8;x\r\n\t2 input 1 a b ;;\n-3 foo\n4\n justice 2 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		before := parse(text)
		edits, err := edit.Format(t.Context(), before)
		if err != nil {
			return
		}
		content, err := before.Text().Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		after := before.Reparse(content)
		if more, err := edit.Format(t.Context(), after); err != nil || len(more) > 0 {
			t.Fatalf("%q is formatted again: %v, %v", content.Content(), more, err)
		}
		if a, b := wordsOf(before), wordsOf(after); a != b {
			t.Fatalf("words %q, before %q", b, a)
		}
	})
}

// wordsOf returns the words of all rows.
func wordsOf(f *syntax.File) string {
	var all strings.Builder
	for row := range f.NumRows() {
		l := f.LayoutOf(row)
		for _, w := range append(l.Words, source.SpanFromTo(l.Comment.Start, l.Comment.End())) {
			all.WriteString(strings.TrimRight(f.Text().Slice(w), " \t\r") + " ")
		}
		all.WriteString("\n")
	}
	return all.String()
}
