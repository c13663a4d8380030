package source

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// checkText compares everything that a text says of itself with what its bytes
// say, at the given places.
func checkText(t *testing.T, got Text, want string, offsets ...int) {
	t.Helper()
	if got.Content() != want || got.Len() != len(want) {
		t.Fatalf("%d bytes are not the %d of the text", got.Len(), len(want))
	}
	if n := strings.Count(want, "\n") + 1; got.NumLines() != n {
		t.Fatalf("%d lines, want %d", got.NumLines(), n)
	}
	if lone := strings.Contains(strings.ReplaceAll(want, "\r\n", ""), "\r"); got.HasCarriage() != lone {
		t.Fatalf("lone carriage return: %v", got.HasCarriage())
	}
	for i, c := range got.chunks {
		if c.text == "" || i < len(got.chunks)-1 && c.text[len(c.text)-1] != '\n' {
			t.Fatalf("chunk %d of %d: %q", i, len(got.chunks), c.text)
		}
	}
	for _, at := range offsets {
		line := strings.Count(want[:at], "\n")
		start := strings.LastIndexByte(want[:at], '\n') + 1
		end := len(want)
		if n := strings.IndexByte(want[start:], '\n'); n >= 0 {
			end = start + n
		}
		switch {
		case got.LineAt(at) != line:
			t.Fatalf("offset %d is on line %d, want %d", at, got.LineAt(at), line)
		case got.LineStart(line) != start || got.LineSpan(line) != SpanFromTo(start, end) || got.Line(line) != want[start:end]:
			t.Fatalf("line %d starts at %d, spans %v: %q; want %d to %d", line, got.LineStart(line), got.LineSpan(line), got.Line(line), start, end)
		case at < len(want) && got.Byte(at) != want[at]:
			t.Fatalf("byte %d is %q", at, got.Byte(at))
		}
		if run, from := got.Run(at); at < len(want) && (from > at || from+len(run) <= at || want[from:from+len(run)] != run) || at == len(want) && run != "" {
			t.Fatalf("offset %d is in the run %d of %d bytes", at, from, len(run))
		}
	}
	for _, at := range offsets[:min(2, len(offsets))] {
		line := got.LineAt(at)
		for l, s := range got.LinesFrom(line) {
			if l != line || s != got.Line(l) {
				t.Fatalf("line %d is %q, want line %d, %q", l, s, line, got.Line(line))
			}
			line++
		}
		if line != got.NumLines() {
			t.Fatalf("the lines end at %d of %d", line, got.NumLines())
		}
	}
	if n := got.NumLines(); got.LineStart(n) != len(want) || got.LineSpan(n) != (Span{Start: len(want)}) || got.Line(n) != "" {
		t.Fatalf("the line after the last starts at %d", got.LineStart(n))
	}
}

// TestReplace makes long sequences of edits in texts of no, one and many chunks
// and compares each text with the plain bytes. Texts before an edit stay.
func TestReplace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "\n", "\r\n", "ab\ncd", "\n\n", "x\n", "\r"}
	for _, most := range []int{200, 5 * chunkSize} {
		var text Text
		content := ""
		for range 3000 {
			start := random.IntN(len(content) + 1)
			span := Span{start, random.IntN(min(most/25, len(content)-start) + 1)}
			piece := strings.Repeat(pieces[random.IntN(len(pieces))], random.IntN(most/60))
			if random.IntN(4) == 0 && len(text.chunks) > 0 { // at the bounds of chunks
				i := random.IntN(len(text.chunks))
				span = Span{int(text.chunks[i].start), random.IntN(2) * len(text.chunks[i].text)}
			}
			if len(content) > most {
				piece = ""
			}
			before, old := text, content
			content = content[:span.Start] + piece + content[span.End():]
			text = text.Replace(span, piece)
			offsets := []int{0, len(content), span.Start, min(span.Start+len(piece), len(content)), random.IntN(len(content) + 1)}
			checkText(t, text, content, offsets...)
			if before.Content() != old {
				t.Fatal("an edit changed the text before it")
			}
			from := random.IntN(len(content) + 1)
			to := from + random.IntN(len(content)-from+1)
			if got := text.Slice(SpanFromTo(from, to)); got != content[from:to] {
				t.Fatalf("bytes %d to %d are %q", from, to, got)
			}
			checkCommon(t, before, text, old, content)
		}
		if n := len(text.chunks); n > 2+8*text.Len()/chunkSize {
			t.Errorf("%d chunks for %d bytes", n, text.Len())
		}
	}
}

// checkCommon compares Common with a search byte by byte.
func checkCommon(t *testing.T, a, b Text, x, y string) {
	t.Helper()
	prefix, suffix := 0, 0
	for prefix < min(len(x), len(y)) && x[prefix] == y[prefix] {
		prefix++
	}
	for suffix < min(len(x), len(y))-prefix && x[len(x)-1-suffix] == y[len(y)-1-suffix] {
		suffix++
	}
	for _, b := range []Text{b, NewText(y)} {
		if p, s := Common(a, b); p != prefix || s != suffix {
			t.Fatalf("%d and %d bytes in common, want %d and %d", p, s, prefix, suffix)
		}
		if a.Equal(b) != (x == y) {
			t.Fatalf("equal: %v", a.Equal(b))
		}
	}
}

// TestReplaceShares tests that an edit of a large text leaves nearly all of it
// shared.
func TestReplaceShares(t *testing.T) {
	text := NewText(strings.Repeat("12 2 4\n", 100_000))
	edited := text.Replace(Span{350_000, 1}, "x")
	old := map[*chunk]bool{}
	for _, c := range text.chunks {
		old[c.chunk] = true
	}
	fresh := 0
	for _, c := range edited.chunks {
		if !old[c.chunk] {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d of %d chunks are new", fresh, len(edited.chunks))
	}
}

// TestReplaceForgets tests that what is left of long insertions does not keep all
// of them in memory.
func TestReplaceForgets(t *testing.T) {
	const long, times = 1 << 20, 32
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	text := NewText("2\n")
	for range times {
		text = text.Replace(Span{}, strings.Repeat("12 2 4\n", long/7))
		text = text.Replace(Span{chunkSize, long - 2*chunkSize}, "")
	}
	if after := heap(); after > before+times*long/4 {
		t.Errorf("a text of %d bytes takes %d", text.Len(), after-before)
	}
	runtime.KeepAlive(text)
}

// TestApply makes few and many edits at once.
func TestApply(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	content := strings.Repeat("12 2 4\n", 10_000)
	for _, n := range []int{0, 1, 2, 5, 100} {
		var edits []Edit
		want := ""
		last := 0
		for i := range n {
			at := len(content)/(n+1)*i + random.IntN(50)
			edits = append(edits, Edit{Span{at, random.IntN(20)}, "new\n"})
			want += content[last:at] + "new\n"
			last = edits[i].Span.End()
		}
		want += content[last:]
		random.Shuffle(n, func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
		got, err := NewText(content).Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		checkText(t, got, want, len(want)/2)
	}
	got, err := NewText("abc\n").Apply([]Edit{{Span{1, 1}, "x"}, {Span{1, 0}, "y"}, {Span{1, 0}, "z"}})
	if err != nil || got.Content() != "ayzxc\n" {
		t.Errorf("insertions before a replacement: %q, %v", got.Content(), err)
	}
	if _, err := NewText(content).Apply([]Edit{{Span{4, 3}, ""}, {Span{6, 1}, ""}}); err == nil {
		t.Error("overlapping edits were applied")
	}
	if _, err := NewText("a\n").Apply([]Edit{{Span{1, 3}, ""}}); err == nil {
		t.Error("an edit outside the text was applied")
	}
}
