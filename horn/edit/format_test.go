package edit

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/horn/syntax"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

func parse(content string) *syntax.File { return syntax.Parse(source.NewText(content), nil) }

func formatted(t testing.TB, f *syntax.File) *syntax.File {
	t.Helper()
	edits, err := Format(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	return f.Reparse(text)
}

func TestFormat(t *testing.T) {
	check := func(content, want string) {
		t.Helper()
		if got := formatted(t, parse(content)).Text().Content(); got != want {
			t.Errorf("%q becomes\n%s\nwant\n%s", content, got, want)
		}
	}
	check("", "")
	check("  ( set-logic\nHORN )\n\n\n\n(check-sat)", "(set-logic HORN)\n\n(check-sat)\n")
	check("; a\n\n\n; b  \n(check-sat) ; c\n;d\n(exit)\n\n", "; a\n\n; b\n(check-sat) ; c\n;d\n(exit)\n")
	check("(set-info :source |two\nlines|)(check-sat)", "(set-info :source |two\nlines|)\n(check-sat)\n")
	check("(assert (forall ((x Int)(y Int)) (=> (and (P x y) (< (+ x y) 10000000) (distinct x y) (>= x 0)) (P (+ x 1) y))))", `(assert
  (forall ((x Int) (y Int))
    (=> (and (P x y) (< (+ x y) 10000000) (distinct x y) (>= x 0)) (P (+ x 1) y))))
`)
	check("(assert ; why\n (=> ; first\n P\n ; second\n Q))", "(assert ; why\n  (=> ; first\n    P\n    ; second\n    Q))\n")
	check("(assert (=> P Q ; last\n))", "(assert\n  (=> P Q ; last\n  ))\n")
	// What has a fault stays, and what stands before and after is formatted.
	check("( check-sat )\n(assert (P x)\n\n(assert   Q )", "(check-sat)\n(assert (P x)\n\n(assert Q)\n")
	check("( check-sat )\r\n(  exit)", "(check-sat)\r\n(exit)\r\n")
	long := strings.Repeat("x", 40)
	check("(declare-fun P (Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int) Bool)", `(declare-fun P (Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int Int
                 Int)
  Bool)
`)
	check("(assert (! (and "+long+" "+long+" "+long+") :named a))", "(assert\n  (! (and "+long+" "+long+"\n       "+long+")\n    :named a))\n")
}

// checkFormat expects the same words and comments, the same clauses, and no change by a second run.
func checkFormat(t testing.TB, f *syntax.File) {
	t.Helper()
	once := formatted(t, f)
	squeeze := func(f *syntax.File) string { return strings.Join(strings.Fields(f.Text().Content()), "") }
	if squeeze(once) != squeeze(f) {
		t.Fatalf("%q becomes %q", f.Text().Content(), once.Text().Content())
	}
	if twice := formatted(t, once); twice.Text().Content() != once.Text().Content() {
		t.Fatalf("%q becomes %q, and that %q", f.Text().Content(), once.Text().Content(), twice.Text().Content())
	}
	if before, after := printed(f), printed(once); before != after {
		t.Fatalf("%q: the clauses %s become %s", f.Text().Content(), before, after)
	}
	if before, after := f.Diagnostics(), once.Diagnostics(); len(before) != len(after) {
		t.Fatalf("%q: %v become %v", f.Text().Content(), before, after)
	}
}

func printed(f *syntax.File) string {
	var b strings.Builder
	_ = f.System().WriteSMT(&b)
	return b.String()
}

var pieces = []string{
	"(", ")", "((", "))", "\n", "\n\n\n", "\n(assert ", "\n(check-sat)", " ", " ; a comment\n", ";\n", "|", "|a b|", "|two\nlines|", "\"", "\"a \"\" b\"",
	"(set-logic HORN)\n", "(declare-fun P (Int Real Bool) Bool)\n", "(declare-fun Q () Bool)\n", "(declare-const x Int)", "(declare-var v Int)\n",
	"(declare-rel R (Int))\n", "(rule (=> (R v) (R (+ v 1))))\n", "(query R)\n", "(define-fun f ((x Int) (y Real)) Bool (< x y))\n",
	"(assert (forall ((x Int) (y Real)) (=> (and (P x y true) (f x y)) (P (+ x 1) (* 2.0 y) Q))))\n",
	"(assert (let ((a Q) (b (not Q)) (ccccccccccccccccccccccccccccccccccccccccccccccccccccc (and Q Q Q))) (or a b)))\n",
	"(assert (or Q (not (or Q (P 1 2 true)))))", "assert", "forall", "=>", "x", "Q", ":status", "é", "\x00", "\r\n", "\t",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(25) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestFormatRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		checkFormat(t, parse(randomText(r)))
	}
}

// TestFormatDeep formats what is nested as deeply as it is read, in a text that stays of a bearable size.
func TestFormatDeep(t *testing.T) {
	content := "(assert " + strings.Repeat("(and x ", 15_000) + "y" + strings.Repeat(")", 15_000) + ")\n"
	f := parse(content)
	once := formatted(t, f)
	if n := once.Text().Len(); n > 20*len(content) {
		t.Errorf("%d bytes become %d", len(content), n)
	}
	if twice := formatted(t, once); twice.Text().Content() != once.Text().Content() {
		t.Error("a second run changes it")
	}
}

func TestFormatCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Dir(t), "benchmarks", "horn", "*", "*.smt2"))
	if err != nil || len(files) == 0 {
		t.Skip("the files are not there")
	}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 30_000 || i%10 == 0 {
			checkFormat(t, parse(string(data)))
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, p := range pieces {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, content string) { checkFormat(t, parse(content)) })
}
