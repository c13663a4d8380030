package edit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

func format(t *testing.T, f *blif.File) *blif.File {
	t.Helper()
	edits, err := edit.Format(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return f.Reparse(text)
}

// meaning renders the words and rows of a file without their places, and those that it
// means without saying so.
func meaning(f *blif.File) []string {
	var lines []string
	for id := range f.NumStatements() {
		st := f.Statement(id)
		if st.Kind == statement.KindText {
			continue
		}
		line := []string{f.Text().Slice(st.Directive)}
		for _, a := range f.Arguments(id) {
			line = append(line, f.Text().Slice(a))
		}
		rows := 0
		for r := range f.Rows(id) {
			rows++
			for _, w := range statement.SplitWords(f.Text().Slice(r.Span), 0) {
				line = append(line, w.Text)
			}
		}
		k, i := f.Locate(id)
		switch n := len(f.Arguments(id)); {
		case st.Kind == statement.KindNames && n > 1 && rows == 0: // the constant 0
			line = append(line, strings.Repeat("-", n-1), "0")
		case st.Kind == statement.KindLatch && n == 4 && f.Chunks[k].Stmts[i].Flags&statement.FlagArguments == 0:
			line = append(line, "3")
		}
		lines = append(lines, strings.Join(line, " "))
	}
	for _, p := range f.Properties() {
		lines = append(lines, fmt.Sprint(p.Kind, p.Name, p.Rule))
	}
	return lines
}

// TestFormat expects the common form.
func TestFormat(t *testing.T) {
	text := "  .model m # a model\r\n.inputs a\\\r\n  b # b\r\n.outputs y \\ \n\n.attr src \"a#b\"\n.names a b y\n11 1 # both\n# prop: bad y\n-1 1 # prop: bad a\n"
	want := "# a model\n.model m\n# b\n.inputs a \\\n  b\n.outputs y \\\n\n.attr src \"a#b\"\n.names a b y\n# both\n11 1\n# prop: bad y\n## prop: bad a\n-1 1\n.end\n"
	f := format(t, blif.Options{}.Parse(source.NewText(text)))
	if got := f.Text().Content(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFormatForOtherReaders writes out what ABC and Yosys take otherwise.
func TestFormatForOtherReaders(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{".subckt m a = b  c =d e= f g=h", ".subckt m a=b  c=d e=f g=h"},
		{".subckt m a = b = c \\\n d = e # note", "# note\n.subckt m a= b=c \\\n d=e"},
		{".gate nand2 a = x O = y", ".gate nand2 a=x O=y"},
		{".flop D = x Q = y init = 0", ".flop D=x Q=y init=0"},
		{".gateinit y = 1", ".gateinit y=1"},
		{".names a b y # note\n# more", "# note\n.names a b y\n-- 0\n# more"},
		{".names a \\\n b y \\\n\n", ".names a \\\n b y \\\n\n-- 0\n"},
		{".names y", ".names y"},
		{".latch d q re clk # note", "# note\n.latch d q re clk 3"},
		{".latch d q", ".latch d q"},
	} {
		f := format(t, blif.Options{}.Parse(source.NewText(".model t\n"+test.text+"\n.end\n")))
		if got, want := f.Text().Content(), ".model t\n"+test.want+"\n.end\n"; got != want {
			t.Errorf("%q\nbecame %q,\nwant   %q", test.text, got, want)
		}
	}
}

// TestFormatCorpus formats every file: it means the same, and a second time
// changes nothing.
func TestFormatCorpus(t *testing.T) {
	for _, path := range bliftest.Corpus(t) {
		f := blif.Options{FileName: filepath.Base(path)}.Parse(source.NewText(bliftest.Read(t, path)))
		formatted := format(t, f)
		got, want := meaning(formatted), meaning(f)
		if len(f.Models()) > 0 && f.Models()[len(f.Models())-1].End < 0 {
			got = slices.DeleteFunc(got, func(s string) bool { return s == ".end" })
			want = slices.DeleteFunc(want, func(s string) bool { return s == ".end" })
		}
		if !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%s: %s\nbecame %s", filepath.Base(path), want[i], got[i])
					break
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d lines became %d", filepath.Base(path), len(want), len(got))
			}
		}
		if edits, _ := edit.Format(context.Background(), formatted); len(edits) > 0 {
			t.Errorf("%s: formatted twice: %+v", filepath.Base(path), edits[0])
		}
		linted, err := diagnose.Lint(context.Background(), formatted)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range append(linted, diagnose.Diagnostics(formatted)...) {
			switch d.Code {
			case codes.Comment, codes.Indentation, codes.JoinSpace, codes.CoverEmpty:
				t.Errorf("%s: %s is left: %s", filepath.Base(path), d.Code, formatted.Text().Line(formatted.Text().LineAt(d.Span.Start)))
			}
		}
	}
}

// TestFixAll makes all preferred fixes: nothing is left that it would change.
func TestFixAll(t *testing.T) {
	for _, path := range bliftest.Corpus(t) {
		f := blif.Options{FileName: filepath.Base(path)}.Parse(source.NewText(bliftest.Read(t, path)))
		text, err := f.Text().Apply(edit.FixAll(f))
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		fixed := f.Reparse(text)
		if edits := edit.FixAll(fixed); len(edits) > 0 {
			t.Errorf("%s: fixed twice: %+v", filepath.Base(path), edits[0])
		}
	}
}

// FuzzFormat formats any text: the words stay, and a second time changes
// nothing.
func FuzzFormat(f *testing.F) {
	bliftest.Seeds(f, func(text string) { f.Add(text) })
	f.Add(".model m\n.subckt n a = b c= d e = f = g \\\n h =i\n.names a b c \\\n# x\n.names a d\n\n.latch d q re c # y\n.gate n = = a = \n.names a e")
	f.Add(".model m # x\n .inputs a\\\nb \\ # y\n.names a b\n1 1 # z\n")
	f.Add(".model t\n.inputs a e\n.outputs bad assume_x\n# Prop: bad a \\\n.subckt l i=a e=e o=bad # prop: bad a\n.subckt l i=bad o=unconn\n.subckt l i=a e= o=unconn\n" +
		".subckt $_DFFE_PP_ D=a E=e Q=q\n.gateinit q=1 z\n.names a a assume_x\n01 \\\n0 # x\n1\\\n0 0\n.end\n.model l\n.inputs i e\n.outputs o\n" +
		".names i o\n1 \\\n 1\n.subckt $assert A=o EN=e\n.subckt $assume EN=e\n# prop: lemma o\n.end\n")
	f.Fuzz(func(t *testing.T, content string) {
		file := blif.Options{}.Parse(source.NewText(content))
		if _, err := edit.Format(context.Background(), file); err == edit.ErrNotFormatted {
			return
		}
		formatted := format(t, file)
		ends := func(s string) bool { return s == ".end" }
		got, want := slices.DeleteFunc(meaning(formatted), ends), slices.DeleteFunc(meaning(file), ends)
		if !slices.Equal(got, want) {
			t.Errorf("%q became %q:\n%q\n%q", content, formatted.Text().Content(), want, got)
		}
	})
}
