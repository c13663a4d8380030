package syntax

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"aiglens/aiger/aigertest"
	"aiglens/internal/source"
)

// sizes are the lines of the files that the benchmarks of editing use.
var sizes = []int{1_000, 100_000, 1_000_000}

// plainLoop is the measure of a full parse: it splits lines and calls Atoi on
// every number, and keeps nothing.
func plainLoop(content string) (sum int) {
	for len(content) > 0 {
		var line, word string
		line, content, _ = strings.Cut(content, "\n")
		for len(line) > 0 {
			word, line, _ = strings.Cut(line, " ")
			n, _ := strconv.Atoi(word)
			sum += n
		}
	}
	return sum
}

// BenchmarkParse parses a file of a million lines, line index included. The
// plain loop runs in turn with it, so that both have the same machine; ratio is
// the median time of the loop by that of the parser.
func BenchmarkParse(b *testing.B) {
	content := aigertest.Million(1_000_000)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	var parse, plain []float64
	for b.Loop() {
		start := time.Now()
		if f := Parse(source.NewText(content)); hasError(f) {
			b.Fatal(f.diags[0].Message)
		}
		parse = append(parse, time.Since(start).Seconds())
		b.StopTimer()
		start = time.Now()
		plainLoop(content)
		plain = append(plain, time.Since(start).Seconds())
		b.StartTimer()
	}
	b.ReportMetric(1e3*quantile(parse, 0.5), "ms/parse")
	b.ReportMetric(1e3*quantile(plain, 0.5), "ms/plain")
	b.ReportMetric(quantile(plain, 0.5)/quantile(parse, 0.5), "ratio")
}

func quantile(xs []float64, q float64) float64 {
	slices.Sort(xs)
	return xs[min(int(q*float64(len(xs))), len(xs)-1)]
}

// keystrokes are kinds of edits, each made and taken back.
var keystrokes = []struct {
	name string
	edit func(f *File, random *rand.Rand) source.Edit
}{
	{"and-digit", func(f *File, random *rand.Rand) source.Edit {
		_, n := f.RowsOf(SectionAnds)
		span := f.text.LineSpan(f.LineOf(n - 1 - random.IntN(f.counts[SectionAnds])))
		return source.Edit{Span: source.Span{Start: span.Start + random.IntN(span.Length+1)}, NewText: strconv.Itoa(random.IntN(10))}
	}},
	{"row-inserted", func(f *File, random *rand.Rand) source.Edit {
		at := f.text.LineStart(f.LineOf(random.IntN(f.rows.len())))
		return source.Edit{Span: source.Span{Start: at}, NewText: fmt.Sprintf("%d 2 4\n", 2*f.rows.len()+2)}
	}},
	{"row-deleted", func(f *File, random *rand.Rand) source.Edit {
		line := f.LineOf(random.IntN(f.rows.len()))
		return source.Edit{Span: source.SpanFromTo(f.text.LineStart(line), f.text.LineStart(line+1))}
	}},
	{"blank-line", func(f *File, random *rand.Rand) source.Edit {
		return source.Edit{Span: source.Span{Start: f.text.LineStart(f.LineOf(random.IntN(f.rows.len())))}, NewText: "\n"}
	}},
	{"header-digit", func(f *File, random *rand.Rand) source.Edit {
		field := f.header.fields[random.IntN(len(f.header.fields))]
		return source.Edit{Span: source.Span{Start: field.Span.End()}, NewText: strconv.Itoa(random.IntN(10))}
	}},
	{"symbol", func(f *File, random *rand.Rand) source.Edit {
		s := f.symbols.symbol(random.IntN(len(f.symbols.lines)))
		return source.Edit{Span: source.Span{Start: s.NameSpan.Start + random.IntN(s.NameSpan.Length+1)}, NewText: "x"}
	}},
	{"comment", func(f *File, _ *rand.Rand) source.Edit {
		return source.Edit{Span: source.Span{Start: f.text.Len() - 1}, NewText: "x"}
	}},
	{"paste", func(f *File, random *rand.Rand) source.Edit {
		var rows strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&rows, "%d 2 %d\n", 2*(f.rows.len()+i)+2, 4+i)
		}
		return source.Edit{Span: source.Span{Start: f.text.LineStart(f.LineOf(f.counts.start(SectionAnds) + random.IntN(f.counts[SectionAnds])))}, NewText: rows.String()}
	}},
}

// BenchmarkKeystroke measures an edit and the diagnostics after it, for each
// kind of edit and size of file. Where other work shares the processors, the
// p99 of the clock is that of the scheduler; cpu-ms-p99 leaves it out.
func BenchmarkKeystroke(b *testing.B) {
	for _, n := range sizes {
		f := Parse(source.NewText(aigertest.Generated(n, 1)))
		for _, k := range keystrokes {
			b.Run(fmt.Sprintf("%d/%s", n, k.name), func(b *testing.B) {
				random := rand.New(rand.NewPCG(1, 2))
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				var ms, cpu []float64
				b.ReportAllocs()
				for b.Loop() {
					e := k.edit(f, random)
					start, startCPU := time.Now(), cpuTime()
					next := f.Edit(e)
					next.Diagnostics()
					ms = append(ms, 1e3*time.Since(start).Seconds())
					cpu = append(cpu, 1e3*(cpuTime()-startCPU).Seconds())
					b.StopTimer()
					back := source.Edit{Span: source.Span{Start: e.Span.Start, Length: len(e.NewText)}, NewText: f.text.Slice(e.Span)}
					f = next.Edit(back)
					b.StartTimer()
				}
				b.ReportMetric(quantile(ms, 0.5), "ms-p50")
				b.ReportMetric(quantile(ms, 0.99), "ms-p99")
				b.ReportMetric(quantile(cpu, 0.99), "cpu-ms-p99")
			})
		}
	}
}

// BenchmarkHeap reports what an open file of a million lines occupies, as a
// multiple of its size, when it has just been read and after a thousand edits.
func BenchmarkHeap(b *testing.B) {
	for b.Loop() {
		before := liveHeap()
		f := Parse(source.NewText(aigertest.Generated(1_000_000, 1)))
		size := float64(f.text.Len())
		b.ReportMetric((liveHeap()-before)/size, "x-size")
		random := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			e := keystrokes[random.IntN(len(keystrokes))].edit(f, random)
			back := source.Edit{Span: source.Span{Start: e.Span.Start, Length: len(e.NewText)}, NewText: f.text.Slice(e.Span)}
			f = f.Edit(e).Edit(back)
		}
		b.ReportMetric((liveHeap()-before)/size, "x-size-edited")
		runtime.KeepAlive(f)
	}
}

func liveHeap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkLookup measures what a hover asks.
func BenchmarkLookup(b *testing.B) {
	f := Parse(source.NewText(aigertest.Generated(1_000_000, 1)))
	random := rand.New(rand.NewPCG(1, 2))
	variable := func() uint32 { return uint32(1 + random.IntN(f.header.value(fieldM))) }
	for _, lookup := range []struct {
		name string
		do   func()
	}{
		{"OccurrenceAt", func() { f.OccurrenceAt(random.IntN(f.text.Len())) }},
		{"Definition", func() { f.Definition(variable()) }},
		{"Name", func() { f.Name(variable()) }},
		{"Uses", func() {
			for range f.Uses(variable()) {
			}
		}},
		{"CountUses", func() { f.CountUses(variable()) }},
		{"Screen", func() {
			at := f.text.LineStart(random.IntN(f.text.NumLines() - 60))
			for range f.OccurrencesIn(source.SpanFromTo(at, f.text.LineStart(f.text.LineAt(at)+60))) {
			}
		}},
	} {
		b.Run(lookup.name, func(b *testing.B) {
			for b.Loop() {
				lookup.do()
			}
		})
	}
}
