package source

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name, from, to string
		edits          []Edit
	}{
		{"same", "a\nb\n", "a\nb\n", nil},
		{"number in a line", "aag 3 1\n2\n", "aag 4 1\n2\n", []Edit{{Span{4, 1}, "4"}}},
		{"two places", "x 1\na\nb\ny 1\n", "x 2\na\nb\ny 3\n", []Edit{{Span{2, 1}, "2"}, {Span{10, 1}, "3"}}},
		{"line added", "a\nc\n", "a\nb\nc\n", []Edit{{Span{2, 0}, "b\n"}}},
		{"line removed", "a\nb\nc\n", "a\nc\n", []Edit{{Span{2, 2}, ""}}},
		{"line moved", "a\nb\nc\nd\n", "b\nc\nd\na\n", []Edit{{Span{0, 2}, ""}, {Span{8, 0}, "a\n"}}},
		{"end added", "a", "a\n", []Edit{{Span{1, 0}, "\n"}}},
		{"half a character", "é\n", "è\n", []Edit{{Span{0, 2}, "è"}}},
		{"half a line end kept", "a\r\n", "a\rb\n", []Edit{{Span{1, 2}, "\rb\n"}}},
		{"half a line end made whole", "a\rb\n", "a\r\n", []Edit{{Span{1, 3}, "\r\n"}}},
		{"LF to CR LF", "a\n", "a\r\n", []Edit{{Span{1, 1}, "\r\n"}}},
	}
	for _, test := range tests {
		got := Diff(NewText(test.from), test.to)
		if len(got) != len(test.edits) {
			t.Errorf("%s: %v", test.name, got)
			continue
		}
		for i, e := range got {
			if e != test.edits[i] {
				t.Errorf("%s: edit %d is %v, want %v", test.name, i, e, test.edits[i])
			}
		}
	}
}

// TestDiffApplies changes random texts and applies what Diff says. No edit
// starts or ends within a CR LF.
func TestDiffApplies(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	random := func() string {
		var b strings.Builder
		for range r.Intn(20) {
			b.WriteString([]string{"a\n", "b\n", "c d\n", "\n", "é\n", "è\n", "a\r\n", "a", "\r"}[r.Intn(9)])
		}
		return b.String()
	}
	for range 5000 {
		from, to := random(), random()
		if at := r.Intn(len(from) + 1); r.Intn(2) == 0 { // a piece more
			to = from[:at] + []string{"a", "\n", "\r"}[r.Intn(3)] + from[at:]
		}
		edits := Diff(NewText(from), to)
		for _, e := range edits {
			for _, at := range []int{e.Span.Start, e.Span.End()} {
				if strings.HasSuffix(from[:at], "\r") && strings.HasPrefix(from[at:], "\n") {
					t.Fatalf("%q to %q: edit %v of half a line end", from, to, e)
				}
			}
		}
		got, err := NewText(from).Apply(edits)
		if err != nil || got.Content() != to {
			t.Fatalf("%q to %q gives %q (%v)", from, to, got.Content(), err)
		}
	}
}

// TestDiffOfEverything makes one edit of very many.
func TestDiffOfEverything(t *testing.T) {
	const lines = 3 * maxEdits
	from, to := NewText("head\n"+strings.Repeat("a\nx\n", lines)+"tail\n"), "head\n"+strings.Repeat("a\ny\n", lines)+"tail\n"
	edits := Diff(from, to)
	if len(edits) != 1 || edits[0].Span.Start != len("head\na\n") {
		t.Fatalf("%d edits", len(edits))
	}
	if got, err := from.Apply(edits); err != nil || got.Content() != to {
		t.Errorf("%v", err)
	}
}

// TestDiffEnds tests that a diff whose context has ended returns nothing.
func TestDiffEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if edits, err := DiffContext(ctx, NewText("a\nb\n"), "b\na\n"); err == nil || edits != nil {
		t.Errorf("%v, %v", edits, err)
	}
}

// TestLineTable compares the places of lines with a search through all of them.
func TestLineTable(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = strings.Repeat("x", r.Intn(4)) + string(rune('a'+r.Intn(26))) + string(rune('a'+r.Intn(26)))
	}
	table := newLineTable(len(lines))
	places := map[string][]int{}
	for i, line := range lines {
		table.addFrom(lines, i)
		places[line] = append(places[line], i)
	}
	for line, at := range places {
		want := int32(-1)
		if len(at) == 1 {
			want = int32(at[0]) + 1
		}
		if e := table.find(lines, line); e == nil || int(e.line) != at[0] || e.from != want {
			t.Fatalf("%q is at %v: %+v", line, at, e)
		}
	}
	if e := table.find(lines, "y"); e != nil {
		t.Errorf("%+v is not a line", e)
	}
}

// BenchmarkDiff compares texts of a million lines of which all, or few, differ.
func BenchmarkDiff(b *testing.B) {
	var from, all strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintln(&from, 2*i, i, i/2)
		fmt.Fprintln(&all, 2*i+2, i, i/2)
	}
	text := NewText(from.String())
	few := text
	for i := range 10 {
		few = few.Replace(Span{i * from.Len() / 10, 0}, "7")
	}
	for _, to := range []struct{ name, text string }{{"all", all.String()}, {"few", few.Content()}} {
		b.Run(to.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Diff(text, to.text)
			}
		})
	}
}
