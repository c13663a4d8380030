package syntax

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aiglens/horn"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// pieces are what random texts are made of: the words that decide where forms end, and those of clauses.
var pieces = []string{
	"(", ")", "((", "))", "\n", "\n(assert ", "\n(check-sat)", " ", "; a comment\n", "|", "|a b|", "\"", "\"a \"\" b\"",
	"(set-logic HORN)\n", "(declare-fun P (Int Real Bool) Bool)\n", "(declare-fun Q () Bool)\n", "(declare-const x Int)", "(declare-var v Int)\n",
	"(declare-rel R (Int))\n", "(declare-fun P (Int) Bool)\n", "(declare-var v Real)\n", "(define-fun f ((x Int) (y Real)) Bool (P x y Q))\n",
	"(define-fun g ((x Int)) Int (+ x v))\n", "(define-fun h ((x Int)) Int (g (* 2 x)))\n", "(rule (=> (R (h v)) (R (g v))))\n", "(assert (forall ((y Int)) (=> (< y 3) (P (h y)))))\n",
	"(exit)\n", "(set-info :status sat)", "(assert (p))\n", "(declare-rel assert (Int))\n", "(declare-fun\n|check-sat| () Bool)\n", "(rule (=> (R v) (R (+ v 1))))\n", "(query R)\n", "(define-fun f ((x Int) (y Real)) Bool (< x y))\n",
	"(assert (forall ((x Int) (y Real)) (=> (and (P x y true) (f x y)) (P (+ x 1) (* 2.0 y) Q))))\n",
	"(assert (not (exists ((x Int)) (and (P x 0.5 Q) (= (mod x 2) 1)))))\n", "(assert (let ((a Q) (b (not Q))) (or a b)))\n",
	"(assert (or Q (not (or Q (P 1 2 true)))))", "(assert (forall ((x Int)) (or Q (P x x x))))\n", "(assert (= Q (ite Q true Q)))\n",
	"assert", "forall", "let", "=>", "007", "1.5", "-3", "x", "Q", "#b1", ":status", "é", "\x00", "'", "\r\n", "\t",
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// checkSame compares two readings of one text.
func checkSame(t testing.TB, f, scratch *File) {
	t.Helper()
	text := scratch.Text().Content()
	if f.Text().Content() != text || !reflect.DeepEqual(f.starts, scratch.starts) || f.open != scratch.open {
		t.Fatalf("%q: forms start at %v, from scratch at %v", text, f.starts, scratch.starts)
	}
	for k := range f.forms {
		if !reflect.DeepEqual(f.forms[k], scratch.forms[k]) {
			t.Fatalf("%q: form %d is %+v, from scratch %+v", text, k, f.forms[k], scratch.forms[k])
		}
	}
	if !reflect.DeepEqual(f.Diagnostics(), scratch.Diagnostics()) || printed(f.System()) != printed(scratch.System()) {
		t.Fatalf("%q: %v, from scratch %v", text, f.Diagnostics(), scratch.Diagnostics())
	}
	if f.Fingerprint() != scratch.Fingerprint() || fmt.Sprint(f.Shapes()) != fmt.Sprint(scratch.Shapes()) || f.Status() != scratch.Status() || f.HasRules() != scratch.HasRules() {
		t.Fatalf("%q: the clauses are %v, from scratch %v", text, f.Shapes(), scratch.Shapes())
	}
	all := source.Span{Length: len(text)}
	if got, want := slices.Collect(f.OccurrencesIn(all)), slices.Collect(scratch.OccurrencesIn(all)); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: %+v, from scratch %+v", text, got, want)
	}
}

func printed(s *horn.System) string {
	var b strings.Builder
	if err := s.WriteSMT(&b); err != nil {
		return err.Error()
	}
	for _, c := range s.Clauses {
		fmt.Fprintln(&b, c.Origin)
	}
	return b.String()
}

// checkFile checks what holds of each file: the forms are the text, diagnostics lie in it, and what is sound is read
// back from what is printed.
func checkFile(t testing.TB, f *File) {
	t.Helper()
	var b strings.Builder
	for _, form := range f.forms {
		b.WriteString(form.text)
	}
	if b.String() != f.Text().Content() {
		t.Fatalf("%q is read as %q", f.Text().Content(), b.String())
	}
	for _, d := range f.Diagnostics() {
		if d.Span.Start < 0 || d.Span.Length < 0 || d.Span.End() > f.Text().Len() {
			t.Fatalf("%q: %s at %v", f.Text().Content(), d.Code, d.Span)
		}
		for _, fix := range d.Fixes {
			if _, err := f.Text().Apply(fix.AllEdits()); err != nil {
				t.Fatalf("%q: %s: %v", f.Text().Content(), fix.Title, err)
			}
		}
	}
	if f.Structural() != nil {
		return
	}
	again := Parse(source.NewText(strings.SplitAfter(printed(f.System()), "(check-sat)\n")[0]), nil)
	if d := again.Structural(); d != nil {
		t.Fatalf("%q: printed as %q: %s", f.Text().Content(), again.Text().Content(), d.Message)
	}
	if n, m := len(f.System().Clauses), len(again.System().Clauses); n != m {
		t.Fatalf("%q: %d clauses, printed as %d: %q", f.Text().Content(), n, m, again.Text().Content())
	}
}

// TestEdits edits random texts and compares each version with one read from scratch.
func TestEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		text := source.NewText(randomText(r, r.IntN(30)))
		f := Parse(text, nil)
		checkFile(t, f)
		for range 8 {
			start := r.IntN(text.Len() + 1)
			span := source.SpanFromTo(start, min(text.Len(), start+r.IntN(12)))
			text = text.Replace(span, randomText(r, r.IntN(3)))
			f = f.Reparse(text)
			checkSame(t, f, Parse(source.NewText(text.Content()), nil))
			checkFile(t, f)
		}
	}
}

// TestSharing counts the forms that edits have read again.
func TestSharing(t *testing.T) {
	f := Parse(source.NewText(chained(1_000)), nil)
	for _, c := range []struct {
		before, insert string // insert comes after before, where that stands first
		most           int
	}{
		{"(below x 250", "7", 3}, // with the forms beside it, whose ends can depend on it
		{"(declare-fun P50 ", " ", 3},
		{"(declare-fun P50 ", "; a comment\n", 3},
		{"(define-fun below ", "; a comment\n", 3},
		{"(declare-fun P50 (Int ", "Bool ", 16}, // and its 5 clauses, those that use it, and their neighbours
		{"(set-logic HORN)\n", "(declare-fun Q () Bool)\n", 3},
		{"(set-logic HORN)\n", "(declare-fun x () Bool)\n", 600}, // which variables are called
	} {
		at := strings.Index(f.Text().Content(), c.before) + len(c.before)
		before := map[*reading]bool{}
		for _, x := range f.resolved().readings {
			before[x] = true
		}
		next := f.Reparse(f.Text().Replace(source.Span{Start: at}, c.insert))
		read := 0
		for _, x := range next.resolved().readings {
			if !before[x] {
				read++
			}
		}
		if read > c.most {
			t.Errorf("%q after %q: %d forms are read again", c.insert, c.before, read)
		}
		checkSame(t, next, Parse(source.NewText(next.Text().Content()), nil))
	}
}

// TestEditsOfFiles edits real files and broken ones, each version many times: pieces of their own text are copied,
// moved and left out, and single characters are typed.
func TestEditsOfFiles(t *testing.T) {
	var names []string
	for _, pattern := range []string{filepath.Join(brokenDir, "*.smt2"), filepath.Join(shared.Dir(t), "benchmarks", "horn", "*", "*.smt2")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	r, edits := rand.New(rand.NewPCG(3, 4)), 0
	for _, name := range names {
		f := readFile(t, name)
		if f.Text().Len() > 30_000 { // which takes long
			continue
		}
		f.Diagnostics()
		for range 12 {
			text := f.Text()
			start := r.IntN(text.Len() + 1)
			span, piece := source.Span{Start: start}, pieces[r.IntN(len(pieces))]
			switch r.IntN(4) {
			case 0: // a run of lines goes, and comes somewhere else
				line := text.LineAt(start)
				span = source.SpanFromTo(text.LineStart(line), text.LineStart(min(text.NumLines()-1, line+1+r.IntN(3))))
				piece = ""
			case 1:
				line := r.IntN(text.NumLines())
				span.Start = text.LineStart(text.LineAt(start))
				piece = text.Slice(source.SpanFromTo(text.LineStart(line), text.LineStart(min(text.NumLines()-1, line+1))))
			case 2:
				span.Length, piece = min(1, text.Len()-start), string("()x1 |\"\n"[r.IntN(8)])
			}
			f = f.Reparse(text.Replace(span, piece))
			edits++
			if r.IntN(3) > 0 { // else the next version looks further back
				checkSame(t, f, Parse(source.NewText(f.Text().Content()), nil))
			}
		}
	}
	t.Logf("%d edits of %d files", edits, len(names))
}

// FuzzParse reads any bytes, and an edit of them.
func FuzzParse(f *testing.F) {
	for _, p := range pieces {
		f.Add(p, 0, 1, "(")
	}
	f.Fuzz(func(t *testing.T, content string, start, length int, insert string) {
		text := source.NewText(content)
		file := Parse(text, nil)
		checkFile(t, file)
		if start < 0 || length < 0 || start > len(content) || length > len(content)-start {
			return
		}
		text = text.Replace(source.Span{Start: start, Length: length}, insert)
		checkSame(t, file.Reparse(text), Parse(source.NewText(text.Content()), nil))
	})
}
