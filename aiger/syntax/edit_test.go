package syntax

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/internal/source"
)

// checkSame compares a file that came about by edits with one parsed from its
// text: everything that can be asked about it must be the same.
func checkSame(t testing.TB, got *File) {
	t.Helper()
	want := Parse(source.NewText(got.text.Content()))
	fail := func(what string, g, w any) {
		t.Helper()
		t.Fatalf("%q:\n%s after edits %+v\nparsed from scratch %+v", got.text.Content(), what, g, w)
	}
	same := func(what string, g, w any) {
		t.Helper()
		if !reflect.DeepEqual(g, w) {
			fail(what, g, w)
		}
	}
	if g, w := got.Diagnostics(), want.Diagnostics(); !reflect.DeepEqual(g, w) {
		for i := range max(len(g), len(w)) {
			if i >= len(g) || i >= len(w) || !reflect.DeepEqual(g[i], w[i]) {
				fail("diagnostics", g[min(i, len(g)):], w[min(i, len(w)):])
			}
		}
	}
	same("header", got.header.fields, want.header.fields)
	same("counts", got.counts, want.counts)
	same("justice", got.justice, want.justice)
	same("sections", got.Sections(), want.Sections())
	same("occurrences", slices.Collect(got.Occurrences()), slices.Collect(want.Occurrences()))
	same("symbols", got.Symbols(), want.Symbols())
	same("asides", got.Asides(), want.Asides())
	same("dangling asides", got.Dangling(), want.Dangling())
	if !slices.Equal(got.suspects, want.suspects) {
		fail("suspects", got.suspects, want.suspects)
	}
	same("faults", len(got.faults), len(want.faults))
	for i := range got.faults {
		same("fault", got.faults[i].Row, want.faults[i].Row)
		same("fault", *got.faults[i].Diagnostic, *want.faults[i].Diagnostic)
	}
	same("definitions", definitions(got), definitions(want))
	for _, k := range symbolSections {
		for i := range got.counts[k] {
			g, _ := got.Symbol(k, i)
			w, _ := want.Symbol(k, i)
			same("symbol", g, w)
		}
	}
	gc, gok := got.Comment()
	wc, wok := want.Comment()
	same("comment", []any{gc, gok}, []any{wc, wok})
	same("definition count", got.defs.n, want.defs.n)
}

func definitions(f *File) map[uint32]Definition {
	all := map[uint32]Definition{}
	for o := range f.Occurrences() {
		if d, ok := f.Definition(o.Var()); ok {
			all[o.Var()] = d
		}
	}
	return all
}

// pieces are what random edits insert.
var pieces = []string{
	"", "", "0", "1", "2", "7", "16", " ", "\n", "\n\n", "\r", "\r\n", "\t", "x", "c", "c\n", "c text\n", "# note\n",
	"2\n", "4 6\n", "6 2 4\n", "18 3 5\n", "12 12 1\n", "99999999999 ", "i0 name\n", "l0 name\n", "o1 x\n", "b0 y\n", "i7 z\n",
	"aag 7 2 0 2 3\n", "aag", "aig", "-", "é", "\x02", "40 4 2\n42 40 2\n44 42 41\n", "003",
	"prop: lemma 6\n", "prop: cover !x \"y\"\n", "prop: lemma name\n", "c\nprop: cover 40\n", "prop: ", "Prop lemma 2\n", "\"",
}

// randomEdit returns an edit of a text: small ones anywhere, and some of whole
// lines.
func randomEdit(random *rand.Rand, text source.Text) source.Edit {
	at := random.IntN(text.Len() + 1)
	if random.IntN(6) == 0 {
		at = random.IntN(min(text.Len(), 24) + 1)
	}
	span := source.Span{Start: at}
	piece := pieces[random.IntN(len(pieces))]
	switch random.IntN(6) {
	case 0:
		span.Length = random.IntN(min(4, text.Len()-at) + 1)
	case 1: // whole lines go
		line := text.LineAt(at)
		span = source.SpanFromTo(text.LineStart(line), text.LineStart(line+random.IntN(3)))
	case 2: // a line comes from elsewhere
		line := random.IntN(text.NumLines())
		piece = text.Line(line) + "\n"
		span.Start = text.LineStart(text.LineAt(at))
	case 3:
		span.Length = random.IntN(min(40, text.Len()-at) + 1)
	}
	return source.Edit{Span: span, NewText: piece}
}

// checkEdits applies n random edits one after the other, some of them taken
// back, and compares after each.
func checkEdits(t testing.TB, random *rand.Rand, content string, n int) {
	f := Parse(source.NewText(content))
	undo := []*File{f}
	for range n {
		before := f.text.Content()
		e := randomEdit(random, f.text)
		next := f.Edit(e)
		if random.IntN(3) == 0 {
			next = f.Reparse(next.text)
		}
		checkSame(t, next)
		if f.text.Content() != before {
			t.Fatal("an edit changed the old file")
		}
		undo = append(undo, next)
		f = next
		if random.IntN(3) == 0 || f.text.Len() > 3*len(content)+200 {
			f = undo[random.IntN(len(undo))]
		}
		if len(undo) > 20 {
			undo = undo[len(undo)-10:]
		}
	}
	for _, f := range undo { // old files are what they were
		checkSame(t, f)
	}
}

func TestEditBroken(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	names, _ := filepath.Glob("testdata/broken/*")
	for _, name := range names {
		if filepath.Ext(name) != ".csv" {
			checkEdits(t, random, string(aigertest.Read(t, name)), 300)
		}
	}
}

func TestEditValid(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, name := range aigertest.Globs(t, "corpus/aiger/*.aag", "corpus/aiger/own/*.aag") {
		content := string(aigertest.Read(t, name))
		// Each edit costs a parse from scratch: fewer of them in the largest files.
		n := 200
		if len(content) > 20000 {
			n = min(10, max(2, 4<<20/len(content)))
		}
		checkEdits(t, random, content, n)
	}
}

// TestEditLarge edits files of several chunks.
func TestEditLarge(t *testing.T) {
	for seed := range uint64(4) {
		checkEdits(t, rand.New(rand.NewPCG(seed, 3)), aigertest.Generated(5000, seed), 60)
	}
}

// FuzzEdit makes edits out of bytes, five for each.
func FuzzEdit(f *testing.F) {
	names, err := filepath.Glob("testdata/broken/*.aag")
	if err != nil {
		f.Fatal(err)
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), []byte{byte(i), 1, 2, 13, 0, byte(3 * i), 7, 0, 21, 1})
	}
	f.Fuzz(func(t *testing.T, content string, edits []byte) {
		file := Parse(source.NewText(content))
		for ; len(edits) >= 5 && len(content) < 1<<12; edits = edits[5:] {
			at := (int(edits[0])<<8 | int(edits[1])) % (file.text.Len() + 1)
			span := source.Span{Start: at, Length: min(int(edits[2])%16, file.text.Len()-at)}
			piece := pieces[int(edits[3])%len(pieces)]
			if edits[4]%2 == 1 {
				piece += pieces[int(edits[4])%len(pieces)]
			}
			file = file.Edit(source.Edit{Span: span, NewText: piece})
			checkSame(t, file)
		}
	})
}

// TestEditSymbols changes lines of symbol tables in which few names and positions
// come up again and again, and the sizes of the sections that they name.
func TestEditSymbols(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	symbol := func() string {
		line := fmt.Sprintf("%c%d %s", "iillob"[random.IntN(6)], random.IntN(7), []string{"a", "b", "ab", "", "c d"}[random.IntN(5)])
		switch random.IntN(12) {
		case 0:
			line += "\r"
		case 1:
			line = []string{"", "7 2 4", "x", "i", "i0", "i99999999999 a", "cx"}[random.IntN(7)]
		}
		return line
	}
	for range 60 {
		var b strings.Builder
		b.WriteString("aag 9 4 2 2 3 1\n2\n4\n6\n8\n10 2\n12 3\n14\n16\n18\n14 2 4\n16 6 8\n18 14 16\n")
		lines := 1 + random.IntN(20)
		for range lines {
			b.WriteString(symbol() + "\n")
		}
		b.WriteString("c\ntext\n")
		f := Parse(source.NewText(b.String()))
		for range 60 {
			var e source.Edit
			switch random.IntN(8) {
			case 0: // a count of the header
				field := f.header.fields[1+random.IntN(3)]
				e = source.Edit{Span: field.Span, NewText: fmt.Sprint(1 + random.IntN(5))}
			case 1: // a row and its count
				line := 1 + random.IntN(8)
				e = source.Edit{Span: source.Span{Start: f.text.LineStart(line)}, NewText: "20\n"}
				if random.IntN(2) == 0 {
					e = source.Edit{Span: source.SpanFromTo(f.text.LineStart(line), f.text.LineStart(line+1))}
				}
			default:
				last := f.text.NumLines() - 3
				line := max(1, last-random.IntN(lines))
				e = source.Edit{Span: f.text.LineSpan(line), NewText: symbol()}
				if random.IntN(4) == 0 {
					e.NewText += "\n" + symbol()
				}
			}
			f = f.Edit(e)
			checkSame(t, f)
		}
	}
}
