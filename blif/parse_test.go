package blif_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/source"
)

// describe renders all that a file says about its text, independent of how the
// text is cut into chunks and words are numbered.
func describe(f *blif.File) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for id := range f.NumStatements() {
		st := f.Statement(id)
		add("statement %d %v %v %v", st.Kind, st.Span, st.Directive, f.Arguments(id))
		for r := range f.Rows(id) {
			add("row %v", r)
		}
	}
	for _, m := range f.Models() {
		from, to := m.From, m.To
		add("model %s %v %d-%d in %v out %v", m.Name, m.NameSpan(), from, to, m.Inputs(), m.Outputs())
	}
	r := f.Resolved()
	var signals []string
	for s := blif.Signal(1); int(s) <= f.NumSignals(); s++ {
		if r.Driver[s] == 0 && r.Uses[s] == 0 && r.MaybeDriven[s] == 0 && r.Facts[s] == 0 {
			continue // left of an earlier version
		}
		signals = append(signals, fmt.Sprintf("signal %s of %s: driver %d, %d uses, maybe %d, facts %b",
			f.Name(s), f.SignalModel(s).Name, r.Driver[s], r.Uses[s], r.MaybeDriven[s], r.Facts[s]))
	}
	slices.Sort(signals)
	lines = append(lines, signals...)
	for _, calls := range r.Calls {
		for _, c := range calls {
			add("call %d %v", c.Statement, c.Block.Model != nil)
		}
	}
	for _, d := range diagnose.Diagnostics(f) {
		add("%v %s %s %s %v", d.Span, d.Severity, d.Code, d.Message, d.Related)
	}
	for _, p := range f.Properties() {
		for i, s := range p.Signals {
			add("of %s", f.Name(s))
			p.Signals[i] = 0
		}
		p.Cell.A, p.Cell.EN = 0, 0
		add("property %+v", p)
	}
	return lines
}

// checkSame compares a file that was read in steps with one read at once.
func checkSame(t *testing.T, f *blif.File) bool {
	t.Helper()
	got, want := describe(f), describe(f.Options().Parse(f.Text()))
	if reflect.DeepEqual(got, want) {
		return true
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("missing: %s", want[i])
		case i >= len(want):
			t.Errorf("surplus: %s", got[i])
		case got[i] != want[i]:
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		default:
			continue
		}
		break
	}
	return false
}

// checkLossless checks that statements cover the text without gaps and that
// everything in them lies in the text.
func checkLossless(t *testing.T, f *blif.File) {
	t.Helper()
	at := 0
	for id := range f.NumStatements() {
		st := f.Statement(id)
		if st.Span.Start != at {
			t.Fatalf("statement %d starts at %d, the one before ends at %d", id, st.Span.Start, at)
		}
		inside := st.Span.Start
		for _, a := range f.Arguments(id) {
			if a.Start < inside || a.End() > st.Span.End() {
				t.Fatalf("statement %d: word %v outside %v or before %d", id, a, st.Span, inside)
			}
			inside = a.End()
		}
		for r := range f.Rows(id) {
			if r.Span.Start < inside || r.Span.End() > st.Span.End() {
				t.Fatalf("statement %d: row %v outside %v or before %d", id, r.Span, st.Span, inside)
			}
			inside = r.Span.End()
		}
		at = st.Span.End()
	}
	if at != f.Text().Len() {
		t.Fatalf("the statements end at %d of %d", at, f.Text().Len())
	}
	for _, d := range diagnose.Diagnostics(f) {
		checkInside(t, f, d)
	}
}

func checkInside(t *testing.T, f *blif.File, d source.Diagnostic) {
	t.Helper()
	if d.Span.Start < 0 || d.Span.Length < 0 || d.Span.End() > f.Text().Len() || codes.Finding(d.Code, d.Span, "").Severity == 0 {
		t.Errorf("%s at %v of %d bytes", d.Code, d.Span, f.Text().Len())
	}
	for _, r := range d.Related {
		if r.Span.Start < 0 || r.Span.End() > f.Text().Len() {
			t.Errorf("%s: related place %v of %d bytes", d.Code, r.Span, f.Text().Len())
		}
	}
}

// pieces are what random edits insert: pieces that change what lines mean.
var pieces = []string{
	"\n", "\n\n", ".", "#", "\\", "\\\n", " ", "=", "1", "0 1\n", "-", "x", ".end\n", ".model m\n", ".names a b\n",
	".latch a b 0\n", ".start_kiss\n", ".exdc\n", "# prop: bad a\n", "\r\n", "\t", "é", "\x00", ".subckt m a=b c=\n", ".inputs z\n",
}

func randomEdit(random *rand.Rand, text source.Text) source.Edit {
	at := random.IntN(text.Len() + 1)
	length := 0
	if random.IntN(2) == 0 {
		length = min(random.IntN(1+random.IntN(80)), text.Len()-at)
	}
	insert := ""
	for range random.IntN(3) {
		insert += pieces[random.IntN(len(pieces))]
	}
	return source.Edit{Span: source.Span{Start: at, Length: length}, NewText: insert}
}

// TestReparse makes random edits, one after the other, and compares with a
// parse of the same text.
func TestReparse(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for _, path := range bliftest.Corpus(t) {
		content := bliftest.Read(t, path)
		edits := 15
		if len(content) > 20_000 {
			edits = 3
		}
		if len(content) > 500_000 {
			edits = 1
		}
		f := blif.Options{FileName: filepath.Base(path)}.Parse(source.NewText(content))
		checkLossless(t, f)
		for range edits {
			e := randomEdit(random, f.Text())
			f = f.Reparse(f.Text().Replace(e.Span, e.NewText))
			checkLossless(t, f)
			if !checkSame(t, f) || t.Failed() {
				t.Fatalf("%s after the edit %+v", filepath.Base(path), e)
			}
		}
	}
}

// TestReparseChunks makes edits at the borders of the chunks of a larger file.
func TestReparseChunks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	f := blif.Options{}.Parse(source.NewText(bliftest.Generated(6000)))
	for range 60 {
		k := random.IntN(len(f.Chunks))
		at := min(max(0, int(f.Starts[k])+random.IntN(9)-4), f.Text().Len())
		e := source.Edit{Span: source.Span{Start: at}, NewText: pieces[random.IntN(len(pieces))]}
		if random.IntN(2) == 0 {
			e = source.Edit{Span: source.Span{Start: at, Length: min(random.IntN(6), f.Text().Len()-at)}}
		}
		f = f.Reparse(f.Text().Replace(e.Span, e.NewText))
		checkLossless(t, f)
		if !checkSame(t, f) {
			t.Fatalf("after the edit %+v", e)
		}
	}
	if len(f.Chunks) < 5 {
		t.Errorf("only %d chunks", len(f.Chunks))
	}
}

// FuzzReparse parses any text, edits it and compares with a parse from scratch.
func FuzzReparse(f *testing.F) {
	bliftest.Seeds(f, func(text string) { f.Add(text, len(text)/2, 3, "\n.names a") })
	f.Add(".model m\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n", 10, 3, ".names")
	f.Add("", 0, 0, ".model x \\\n")
	f.Add(".subckt m a=b c= d = e f\n.latch a b re\n# prop: bad x \"y\"\n", 8, 1, "\\\n")
	f.Add(".start_kiss\n.i 1\n.o 1\n0 A B 1\n.end_kiss\n", 20, 5, "\r\n")
	f.Add(".model t\n.inputs a e\n.outputs bad assume_x\n# Prop: bad a \\\n.subckt l i=a e=e o=bad # prop: bad a\n.subckt l i=bad o=unconn\n.subckt l i=a e= o=unconn\n"+
		".subckt $_DFFE_PP_ D=a E=e Q=q\n.gateinit q=1 z\n.names a a assume_x\n01 \\\n0 # x\n1\\\n0 0\n.end\n.model l\n.inputs i e\n.outputs o\n"+
		".names i o\n1 \\\n 1\n.subckt $assert A=o EN=e\n.subckt $assume EN=e\n# prop: lemma o\n.end\n", 60, 2, " # prop: bad a\n")
	f.Fuzz(func(t *testing.T, content string, at, length int, insert string) {
		file := blif.Options{}.Parse(source.NewText(content))
		checkLossless(t, file)
		text := file.Text().Replace(source.Span{Start: at, Length: max(0, length)}, insert)
		next := file.Reparse(text)
		if next.Text().Content() != text.Content() {
			t.Fatal("the text is another one")
		}
		checkLossless(t, next)
		checkSame(t, next)
		flat.Elaborate(next)
	})
}
