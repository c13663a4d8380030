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
	"time"

	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// checkVersion compares a version that was read after an edit with one read from scratch, and checks what holds of
// every file.
func checkVersion(t *testing.T, f *File, content string) {
	t.Helper()
	if f.Text().Content() != content {
		t.Fatalf("the text is %q", f.Text().Content())
	}
	fresh := Parse(source.NewText(content), nil)
	if a, b := withoutLater(f.Diagnostics()), withoutLater(fresh.Diagnostics()); !reflect.DeepEqual(a, b) {
		t.Fatalf("%q: diagnostics %+v, want %+v", content, a, b)
	}
	if a, b := f.Model(), fresh.Model(); !reflect.DeepEqual(a.Nodes, b.Nodes) || !reflect.DeepEqual(a.Names, b.Names) || !reflect.DeepEqual(a.Next, b.Next) {
		t.Fatalf("%q: models differ", content)
	}
	all := source.Span{Length: len(content)}
	if a, b := slices.Collect(f.OccurrencesIn(all)), slices.Collect(fresh.OccurrencesIn(all)); !slices.Equal(a, b) {
		t.Fatalf("%q: occurrences %v, want %v", content, a, b)
	}
	for _, d := range f.Diagnostics() {
		if d.Span.Start < 0 || d.Span.Length < 0 || d.Span.End() > len(content) {
			t.Fatalf("%q: %s at %v", content, d.Code, d.Span)
		}
		for _, fix := range d.Fixes {
			if _, err := f.Text().Apply(fix.AllEdits()); err != nil {
				t.Fatalf("%q: %s: %v", content, fix.Title, err)
			}
		}
	}
	checkNames(t, f)
}

// withoutLater drops what cannot be compared.
func withoutLater(all []source.Diagnostic) []source.Diagnostic {
	for i := range all {
		all[i].Fixes = slices.Clone(all[i].Fixes)
		for k := range all[i].Fixes {
			all[i].Fixes[k].Later = nil
		}
	}
	return all
}

// FuzzEdit replaces a piece of any text.
func FuzzEdit(f *testing.F) {
	names, _ := filepath.Glob(filepath.Join(brokenDir, "*.btor2"))
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), i, 3, " -1\n2")
	}
	f.Fuzz(func(t *testing.T, content string, at, n int, piece string) {
		first := Parse(source.NewText(content), nil)
		checkVersion(t, first, content)
		at = min(max(at, 0), len(content))
		span := source.Span{Start: at, Length: min(max(n, 0), len(content)-at)}
		checkVersion(t, Parse(first.Text().Replace(span, piece), first), content[:at]+piece+content[span.End():])
	})
}

// TestEdits makes random edits of a text of several chunks.
func TestEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	content := long(900)
	f := Parse(source.NewText(content), nil)
	pieces := []string{"", "", "1", "-", "\n", " ", "7 state 2\n", "next", ";", "\t", "\r\n", "x", "900 bad 3\n"}
	for range 120 {
		at := random.IntN(len(content) + 1)
		span := source.Span{Start: at, Length: min(random.IntN(9), len(content)-at)}
		piece := pieces[random.IntN(len(pieces))]
		content = content[:at] + piece + content[span.End():]
		f = Parse(f.Text().Replace(span, piece), f)
		checkVersion(t, f, content)
	}
}

// long returns a text of so many rows without a fault.
func long(rows int) string {
	var b strings.Builder
	b.WriteString("1 sort bitvec 1\n2 sort bitvec 8\n3 zero 2\n4 state 2 s4 ; t.v:1.2-1.3\n5 init 2 4 3\n6 input 2 i6\n")
	for id := 7; id <= rows; id++ {
		switch id % 5 {
		case 0:
			fmt.Fprintf(&b, "%d state 2 s%d ; t.v:1.2-1.3\n", id, id)
		case 1:
			fmt.Fprintf(&b, "%d next 2 %d %d\n", id, id-1, id-2)
		case 2:
			fmt.Fprintf(&b, "%d add 2 %d -%d\n", id, 4, 6)
		case 3:
			fmt.Fprintf(&b, "%d ult 1 %d %d\n", id, id-1, 6)
		case 4:
			fmt.Fprintf(&b, "%d ite 2 %d %d %d\n", id, id-1, id-2, 6)
		}
	}
	return b.String()
}

// BenchmarkKeystroke edits a text of 100,000 rows in its middle and asks what is wrong. It reports the time of the
// slowest in a hundred as well, and that of the processor, which other programs do not change.
func BenchmarkKeystroke(b *testing.B) {
	text := source.NewText(long(100_000))
	f := Parse(text, nil)
	f.Diagnostics()
	var times []time.Duration
	at := text.LineStart(50_000) - 1
	cpu := shared.CPUTime(b)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if i%2 == 0 {
			text = text.Replace(source.Span{Start: at}, "7")
		} else {
			text = text.Replace(source.Span{Start: at, Length: 1}, "")
		}
		f = Parse(text, f)
		f.Diagnostics()
		times = append(times, time.Since(start))
	}
	b.ReportMetric(float64((shared.CPUTime(b)-cpu).Microseconds())/1000/float64(len(times)), "cpu-ms/op")
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}

// BenchmarkOpen reads a text of 100,000 rows and asks what is wrong.
func BenchmarkOpen(b *testing.B) {
	text := source.NewText(long(100_000))
	cpu, n := shared.CPUTime(b), 0
	for b.Loop() {
		Parse(text, nil).Diagnostics()
		n++
	}
	b.ReportMetric(float64((shared.CPUTime(b)-cpu).Microseconds())/1000/float64(n), "cpu-ms/op")
}
