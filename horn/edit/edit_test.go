package edit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/horn/syntax"
	"aiglens/internal/source"
)

// marked takes the mark ¦ out of a text and returns its place.
func marked(t *testing.T, content string) (f *syntax.File, offset int) {
	t.Helper()
	before, after, ok := strings.Cut(content, "¦")
	if !ok {
		t.Fatalf("%q has no mark", content)
	}
	return parse(before + after), len(before)
}

func TestRename(t *testing.T) {
	check := func(content, to, want string) {
		t.Helper()
		f, offset := marked(t, content)
		edits, err := Rename(f, offset, to)
		got := ""
		if err != nil {
			got = err.Error()
		} else if text, err := f.Text().Apply(edits); err == nil {
			got = text.Content()
		}
		if got != want {
			t.Errorf("%q, renamed to %q: %s, want %s", content, to, got, want)
		}
	}
	const head = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n"
	check(head+"(assert (forall ((x Int)) (=> (P ¦x) (P (+ x 1)))))", "n", head+"(assert (forall ((n Int)) (=> (P n) (P (+ n 1)))))")
	check(head+"(assert (¦P 0))", "a b", "(set-logic HORN)\n(declare-fun |a b| (Int) Bool)\n(assert (|a b| 0))")
	check(head+"(assert (¦P 0))", "|Q|", "(set-logic HORN)\n(declare-fun Q (Int) Bool)\n(assert (Q 0))")
	check(head+"(declare-fun Q () Bool)(assert (¦P 0))", "Q", "\"Q\" stands for something else already where the symbol is used")
	check(head+"(assert (forall ((x Int) (y Int)) (=> (P ¦x) (P y))))", "y", "\"y\" stands for something else already where the symbol is used")
	check(head+"(assert (forall ((x Int)) (exists ((y Int)) (=> (P ¦x) (P y)))))", "y", "\"y\" stands for something else already where the symbol is used")
	check(head+"(assert (¦P 0))", "and", "and is a word of SMT-LIB: it names nothing else")
	check(head+"(assert (¦P 0))", "a|b", "\"a|b\" is no symbol: it is empty, or has | or \\ in it")
	check(head+"(assert¦ (P 0))", "x", "there is no name here")
}

// sound are commands that go together in any order, after their declarations.
var sound = []string{
	"(assert (forall ((x Int) (y Int)) (=> (and (P x 0.5) (< x y)) (P y 1.5))))\n", "(assert (not (exists ((x Int)) (and (P x 0.5) Q))))\n",
	"(define-fun f ((x Int)) Int (+ x 1))\n(assert (P (f 1) (to_real (f 2))))\n", "(assert (let ((x Q) (y (not Q))) (let ((x (or x y))) x)))\n",
	"(assert (forall ((Q Bool) (P2 Int)) (=> (and Q (< P2 0)) (P P2 0.0))))\n", "; a comment\n", "(set-info :source |a text|)\n",
}

func soundText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n(declare-fun P (Int Real) Bool)\n(declare-const |Q| Bool)\n")
	for _, i := range r.Perm(len(sound))[:r.IntN(len(sound))] {
		b.WriteString(sound[i])
	}
	return b.String()
}

// TestRenameRandom gives symbols of random texts names that nothing has, and the old names again.
func TestRenameRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	renamed := 0
	for range 1_000 {
		f := parse(soundText(r))
		all := slices.Collect(f.OccurrencesIn(source.Span{Length: f.Text().Len()}))
		if d := f.Structural(); d != nil {
			t.Fatalf("%q: %s", f.Text().Content(), d.Message)
		}
		if len(all) == 0 {
			continue
		}
		o := all[r.IntN(len(all))]
		edits, err := Rename(f, o.Span.Start, "fresh name")
		if err != nil {
			t.Fatalf("%q: %s: %v", f.Text().Content(), o.Name, err)
		}
		text, err := f.Text().Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		next := f.Reparse(text)
		if len(next.System().Clauses) != len(f.System().Clauses) || len(next.Diagnostics()) != len(f.Diagnostics()) {
			t.Fatalf("%q: after %s: %q", f.Text().Content(), o.Name, text.Content())
		}
		renamed++
	}
	if renamed < 800 {
		t.Errorf("only %d", renamed)
	}
}

func TestComplete(t *testing.T) {
	const head = "(set-logic HORN)\n(declare-fun P (Int Real) Bool)\n(declare-fun Q () Bool)\n(define-fun twice ((x Int)) Int (* 2 x))\n"
	check := func(content string, wanted, unwanted []string) {
		t.Helper()
		f, offset := marked(t, head+content)
		var labels []string
		for _, item := range Complete(f, offset).Items {
			labels = append(labels, item.Label)
		}
		for _, w := range wanted {
			if !slices.Contains(labels, w) {
				t.Errorf("%q: no %s in %q", content, w, labels)
			}
		}
		for _, w := range unwanted {
			if slices.Contains(labels, w) {
				t.Errorf("%q: %s in %q", content, w, labels)
			}
		}
	}
	check("¦", []string{"assert", "check-sat"}, []string{"P", "push"})
	check("(ass¦", []string{"assert", "check-sat"}, []string{"P"})
	check("(declare-fun R (¦", []string{"Int", "Real"}, []string{"P", "and"})
	check("(declare-fun R (Int) ¦)", []string{"Bool"}, []string{"P"})
	check("(declare-fun ¦", nil, []string{"Int", "P"})
	check("(assert ¦", []string{"P", "Q", "and", "forall"}, []string{"twice", "+", "assert"})
	check("(assert (¦", []string{"P", "and"}, []string{"Q", "twice", "true"})
	check("(assert (forall ((n ¦", []string{"Int", "Bool"}, []string{"P"})
	check("(assert (forall ((n Int) (b Bool)) (=> Q (P ¦", []string{"n", "twice", "+", "ite"}, []string{"b", "P", "and", "/"})
	check("(assert (forall ((n Int) (b Bool)) (P (¦", []string{"twice", "+"}, []string{"n", "b", "P", "and"})
	check("(assert (forall ((n Int) (b Bool)) (P n ¦", []string{"n", "twice", "/"}, []string{"b", "P"})
	check("(assert (forall ((n Int) (b Bool)) Q)) (assert ¦", []string{"Q"}, []string{"n", "b"})
	check("(assert (let ((n 1) (m ¦", []string{"P", "Q", "twice"}, []string{"n"})
	check("(assert (let ((n 1)) (P ¦", []string{"n"}, []string{"Q"})
	check("(assert (! Q :named ¦", nil, []string{"Q"})
}

// TestPlaces asks for everything at each place of random texts.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		f := parse(randomText(r))
		n := f.Text().Len()
		for offset := range n + 1 {
			for _, item := range Complete(f, offset).Items {
				if item.Label == "" {
					t.Fatalf("%q at %d: %+v", f.Text().Content(), offset, item)
				}
			}
			f.ArgumentAt(offset)
			last := -1
			for _, span := range f.ListsAt(offset) {
				if span.Start < 0 || span.End() > n || last >= 0 && span.Start >= last {
					t.Fatalf("%q at %d: %v", f.Text().Content(), offset, span)
				}
				last = span.Start
			}
		}
	}
}
