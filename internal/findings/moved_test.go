package findings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// rowFindings are one finding for each row of a text that is not empty, which quotes it,
// and an empty one at the end of each.
func rowFindings(text source.Text) []source.Diagnostic {
	var all []source.Diagnostic
	for line, row := range text.LinesFrom(0) {
		start := text.LineStart(line)
		row = strings.TrimSuffix(row, "\r")
		if row == "" {
			continue
		}
		all = append(all, source.Diagnostic{Message: row, Span: source.Span{Start: start, Length: len(row)}},
			source.Diagnostic{Message: "end of " + row, Span: source.Span{Start: start + len(row)}})
	}
	return all
}

// TestMoved moves findings through random edits: what is left stands on the row that it is
// about, and the rows that the edit does not touch keep theirs.
func TestMoved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		var b strings.Builder
		rows := r.IntN(6)
		for i := range rows {
			fmt.Fprintf(&b, "row%d%s", i, end)
		}
		b.WriteString([]string{"", "last"}[r.IntN(2)])
		text := source.NewText(b.String())
		start := r.IntN(text.Len() + 1)
		e := source.Edit{Span: source.SpanFromTo(start, min(text.Len(), start+r.IntN(8))),
			NewText: []string{"", "x", end, "x" + end, end + "x", "x" + end + "y"}[r.IntN(6)]}
		if r.IntN(2) == 0 { // at the ends of rows
			from := r.IntN(text.NumLines())
			to := from + r.IntN(text.NumLines()-from)
			if r.IntN(2) == 0 {
				e.Span = source.SpanFromTo(text.LineStart(from), text.LineStart(to))
			} else {
				e.Span = source.SpanFromTo(rowEnd(text, from), rowEnd(text, to))
			}
		}
		after := text.Replace(e.Span, e.NewText)
		left := map[string]int{}
		for _, d := range Moved(rowFindings(text), text, e) {
			left[d.Message]++
			row, isEnd := strings.CutPrefix(d.Message, "end of ")
			line := after.LineAt(d.Span.Start)
			if got := strings.TrimSuffix(after.Line(line), "\r"); got != row || isEnd != (d.Span.Start == rowEnd(after, line)) {
				t.Fatalf("%q, %v: %q stands at %d in %q", text.Content(), e, d.Message, d.Span.Start, after.Content())
			}
		}
		for _, d := range rowFindings(text) {
			line := text.LineAt(d.Span.Start)
			whole := source.SpanFromTo(text.LineStart(line), text.LineStart(line+1))
			if apart := whole.End() <= e.Span.Start && whole.End() < text.LineStart(text.LineAt(e.Span.Start))+1 || whole.Start > text.LineStart(text.LineAt(e.Span.End())); apart && left[d.Message] != 1 {
				t.Fatalf("%q, %v: %q is left out", text.Content(), e, d.Message)
			}
		}
	}
}

// TestMovedCases names the rows whose findings stay, of a, b and c.
func TestMovedCases(t *testing.T) {
	for _, c := range []struct {
		name       string
		start, end int
		text, want string
	}{
		{"a letter", 2, 2, "x", "a c"},
		{"Enter after a row", 3, 3, "\n", "a b c"},
		{"Enter within a row", 2, 3, "x\n", "a c"},
		{"a row before another", 2, 2, "new\n", "a b c"},
		{"a row deleted", 2, 4, "", "a c"},
		{"the next row deleted", 1, 3, "", "a c"},
		{"rows joined", 1, 2, "", "c"},
		{"all replaced", 0, 5, "x", ""},
	} {
		text := source.NewText("a\nb\nc")
		var found []source.Diagnostic
		for i := range 3 {
			found = append(found, source.Diagnostic{Message: text.Line(i), Span: text.LineSpan(i)})
		}
		var got []string
		for _, d := range Moved(found, text, source.Edit{Span: source.SpanFromTo(c.start, c.end), NewText: c.text}) {
			got = append(got, d.Message)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q stay, expected %q", c.name, s, c.want)
		}
	}
}

// TestMovedRelated leaves out what refers to a row that is touched, and moves what else a
// finding refers to. Its fixes are of another text.
func TestMovedRelated(t *testing.T) {
	text := source.NewText("a\nb\nc\n")
	d := source.Diagnostic{Span: text.LineSpan(0), Related: []source.Related{{Span: text.LineSpan(2)}}, Fixes: []source.Fix{{Title: "a fix"}}}
	moved := Moved([]source.Diagnostic{d}, text, source.Edit{Span: source.Span{Start: 2}, NewText: "new\n"})
	if len(moved) != 1 || moved[0].Related[0].Span.Start != 8 || moved[0].Fixes != nil || d.Related[0].Span.Start != 4 {
		t.Errorf("%+v from %+v", moved, d)
	}
	if moved := Moved([]source.Diagnostic{d}, text, source.Edit{Span: source.Span{Start: 4}, NewText: "x"}); len(moved) > 0 {
		t.Errorf("%+v", moved)
	}
}
