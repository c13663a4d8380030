package syntax

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/source"
)

const counter = `(set-logic HORN)
; counts up
(declare-fun |a counter| (Int Bool) Bool)
(define-fun small ((x Int)) Bool (< x 5))
(assert (forall ((x Int)) (=> (= x 0) (|a counter| x true))))
(assert (forall ((x Int) (b Bool))
  (let ((y (+ x 1)) (x b))
    (=> (and (|a counter| y x) (exists ((x Int)) (small x))) (|a counter| y b)))))
(assert (not (exists ((x Int)) (and (|a counter| x false) (not (small x))))))
(check-sat)
`

// TestOccurrences names each symbol of a text with its kind and the line on which it is declared.
func TestOccurrences(t *testing.T) {
	f := Parse(source.NewText(counter), nil)
	if d := f.Structural(); d != nil {
		t.Fatal(d.Message)
	}
	var got []string
	for o := range f.OccurrencesIn(source.SpanFromTo(0, f.Text().Len())) {
		line, _ := f.Text().LineColumn(o.Span.Start)
		_, column := f.Text().LineColumn(o.Declaration.Start)
		declared, _ := f.Text().LineColumn(o.Declaration.Start)
		mark := ""
		if o.IsDeclaration() {
			mark = "*"
		}
		if f.Text().Slice(o.Span) != f.Text().Slice(o.Declaration) {
			t.Errorf("%q is declared as %q", f.Text().Slice(o.Span), f.Text().Slice(o.Declaration))
		}
		got = append(got, fmt.Sprintf("%d%s %s %s %s %d:%d", line, mark, o.Name, o.Kind, o.Sort, declared, column))
		if at, ok := f.OccurrenceAt(o.Span.Start + o.Span.Length/2); !ok || at.Span != o.Span || at.Kind != o.Kind {
			t.Errorf("at %v: %+v, %t", o.Span, at, ok)
		}
	}
	want := []string{
		"3* a counter predicate Bool 3:14", "4* small function Bool 4:13", "4* x variable Int 4:21", "4 x variable Int 4:21",
		"5* x variable Int 5:19", "5 x variable Int 5:19", "5 a counter predicate Bool 3:14", "5 x variable Int 5:19",
		"6* x variable Int 6:19", "6* b variable Bool 6:27", "7* y let Int 7:10", "7 x variable Int 6:19", "7* x let Bool 7:22", "7 b variable Bool 6:27",
		"8 a counter predicate Bool 3:14", "8 y let Int 7:10", "8 x let Bool 7:22", "8* x variable Int 8:42", "8 small function Bool 4:13", "8 x variable Int 8:42",
		"8 a counter predicate Bool 3:14", "8 y let Int 7:10", "8 b variable Bool 6:27",
		"9* x variable Int 9:24", "9 a counter predicate Bool 3:14", "9 x variable Int 9:24", "9 small function Bool 4:13", "9 x variable Int 9:24",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestRenamed gives each symbol of random texts another name wherever it occurs, and expects the same clauses.
func TestRenamed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := []string{counter}
	for range 3_000 {
		texts = append(texts, "(set-logic HORN)\n(declare-fun P (Int Real Bool) Bool)\n(declare-fun Q () Bool)\n(declare-var v Int)\n"+randomText(r, 1+r.IntN(6)))
	}
	renamed := 0
	for _, text := range texts {
		f := Parse(source.NewText(text), nil)
		if f.Structural() != nil {
			continue
		}
		for o := range f.OccurrencesIn(source.SpanFromTo(0, len(text))) {
			if !o.IsDeclaration() {
				continue
			}
			var edits []source.Edit
			for use := range f.OccurrencesOf(o) {
				edits = append(edits, source.Edit{Span: use.Span, NewText: "another-name"})
			}
			next, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			g := f.Reparse(next)
			if d := g.Structural(); d != nil {
				t.Fatalf("%q becomes %q: %s", text, next.Content(), d.Message)
			}
			a, b := printed(f.System()), printed(g.System())
			if len(f.System().Clauses) != len(g.System().Clauses) || o.Kind == KindLet && a != b || o.Kind == KindFunction && a != b {
				t.Fatalf("%q becomes %q: %q, %q", text, next.Content(), a, b)
			}
			renamed++
		}
	}
	if renamed < 500 {
		t.Errorf("%d symbols", renamed)
	}
}

// TestFormAt finds the form at each place of a text.
func TestFormAt(t *testing.T) {
	f := Parse(source.NewText("; first\n(check-sat)(get-model)\n\n(exit) ; end\n"), nil)
	var b strings.Builder
	for offset := range f.Text().Len() + 1 {
		if k, ok := f.FormAt(offset); ok {
			fmt.Fprint(&b, k)
		} else {
			b.WriteByte('.')
		}
	}
	if got, want := b.String(), "........"+"00000000000"+"111111111111"+"."+"2222222"+"......."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
