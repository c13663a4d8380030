package syntax

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// chained returns a text of about n lines: clauses of two lines over a hundred predicates.
func chained(n int) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n")
	for i := range 100 {
		fmt.Fprintf(&b, "(declare-fun P%d (Int Int) Bool)\n", i)
	}
	b.WriteString("(define-fun below ((x Int) (n Int)) Bool (< x n))\n(assert (P0 0 0))\n")
	for i := range n / 2 {
		fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int)) (=> (and (P%d x y) (below x %d))\n  (P%d (+ x y) %d))))\n", i%100, i, (i*7+1)%100, 10+i%90)
	}
	b.WriteString("(assert (forall ((x Int) (y Int)) (=> (and (P7 x y) (> x y)) false)))\n(check-sat)\n")
	return b.String()
}

// transitions returns a text of about n lines made of the longest real file, whose clauses are some hundred lines long.
func transitions(b *testing.B, n int) string {
	b.Helper()
	file := readFile(b, filepath.Join(shared.Dir(b), "benchmarks", "horn", "vmt-cav12", "array_max-5.smt2"))
	content := file.Text().Content()
	content = content[strings.Index(content, "(declare-fun"):strings.Index(content, "(check-sat)")]
	var s strings.Builder
	s.WriteString("(set-logic HORN)\n")
	for i := range max(1, n/file.Text().NumLines()) {
		rename := strings.NewReplacer("(state ", fmt.Sprintf("(state%d ", i), "declare-fun state ", fmt.Sprintf("declare-fun state%d ", i))
		s.WriteString(rename.Replace(content))
	}
	s.WriteString("(check-sat)\n")
	return s.String()
}

// BenchmarkKeystroke types a digit into a text of 10,000 lines, or takes it back, and asks what is wrong: in a clause
// of two lines, in a comment, in the name of a predicate and in a definition that all clauses use, and in a clause of
// some hundred lines; in one of 4,000 declarations beside clauses that use a name which is not declared. It reports the time of the slowest in a hundred as well, and that of the processor.
func BenchmarkKeystroke(b *testing.B) {
	short, long := chained(10_000), ""
	if b.Run("clause", func(b *testing.B) { benchmarkKeystroke(b, short, strings.Index(short, "(below x 2500)")+9) }) {
		b.Run("comment", func(b *testing.B) { benchmarkKeystroke(b, "; comment\n"+short, 3) })
		b.Run("predicate", func(b *testing.B) { benchmarkKeystroke(b, short, strings.Index(short, "P50 ")+3) })
		b.Run("definition", func(b *testing.B) { benchmarkKeystroke(b, short, strings.Index(short, "below ")+5) })
	}
	b.Run("undeclared", func(b *testing.B) {
		text := without(4_000)
		benchmarkKeystroke(b, text, strings.Index(text, "P2000 ")+5)
	})
	b.Run("long clause", func(b *testing.B) {
		long = transitions(b, 10_000)
		f := Parse(source.NewText(long), nil)
		span := source.Span{}
		for k := range f.forms {
			if of := f.FormSpan(k); of.Length > span.Length {
				span = of
			}
		}
		b.ReportMetric(float64(strings.Count(long[span.Start:span.End()], "\n")), "lines")
		benchmarkKeystroke(b, long, span.Start+span.Length/2+strings.Index(long[span.Start+span.Length/2:], ".def_")+5)
	})
}

func benchmarkKeystroke(b *testing.B, content string, at int) {
	text := source.NewText(content)
	f := Parse(text, nil)
	f.Diagnostics()
	shared.Keystrokes(b, text, at, "7", func(text source.Text) {
		f = Parse(text, f)
		f.Diagnostics()
	})
}

// BenchmarkOpen reads texts and asks what is wrong with them. It reports the bytes that are held then, too.
func BenchmarkOpen(b *testing.B) {
	for _, lines := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(lines, " clauses"), func(b *testing.B) { benchmarkOpen(b, chained(lines)) })
		b.Run(fmt.Sprint(lines, " long clauses"), func(b *testing.B) { benchmarkOpen(b, transitions(b, lines)) })
	}
	b.Run("1024 clauses of one assertion", func(b *testing.B) { benchmarkOpen(b, multiplied(10, 2_000)) })
}

func benchmarkOpen(b *testing.B, content string) {
	text := source.NewText(content)
	cpu, n := shared.CPUTime(b), 0
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var f *File
	for b.Loop() {
		f = Parse(text, nil)
		f.Diagnostics()
		n++
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64((shared.CPUTime(b)-cpu).Microseconds())/1000/float64(n), "cpu-ms/op")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "held-MB")
	runtime.KeepAlive(f)
}
