package syntax

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

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
	if a, b := f.Model(), fresh.Model(); !reflect.DeepEqual(a.Nodes, b.Nodes) || !reflect.DeepEqual(a.Names, b.Names) || !reflect.DeepEqual(a.Next, b.Next) ||
		!slices.Equal(a.Lemmas, b.Lemmas) || !slices.Equal(a.Covers, b.Covers) {
		for i := range b.Nodes {
			if !reflect.DeepEqual(a.Nodes[i], b.Nodes[i]) {
				t.Fatalf("row %d is %+v, want %+v", i, a.Nodes[i], b.Nodes[i])
			}
		}
		t.Fatalf("%d nodes, %d nodes", len(a.Nodes), len(b.Nodes))
	}
	for n := 0; n < f.NumRows(); n += f.NumRows()/8 + 1 {
		if a, b := f.Fault(n), fresh.Fault(n); (a == nil) != (b == nil) {
			t.Fatalf("%q: the fault of row %d is %v, want %v", content, n, a, b)
		}
	}
	if a, b := f.Structural(), fresh.Structural(); (a == nil) != (b == nil) || a != nil && a.Code != b.Code {
		t.Fatalf("%q: the fault of the text is %v, want %v", content, a, b)
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
	content := regexp.MustCompile(`(\d+) ult .*\n`).ReplaceAllString(long(900), "$0; prop: lemma -$1 \"x\"\n")
	f := Parse(source.NewText(content), nil)
	pieces := []string{"", "", "1", "-", "\n", " ", "7 state 2\n", "next", ";", "\t", "\r\n", "x", "900 bad 3\n", "\n; prop: lemma 5\n", "; prop: cover -9 \"x\"\n", "; prop: lemma 2\n", "prop: ", "; "}
	for range 120 {
		at := random.IntN(len(content) + 1)
		span := source.Span{Start: at, Length: min(random.IntN(9), len(content)-at)}
		piece := pieces[random.IntN(len(pieces))]
		content = content[:at] + piece + content[span.End():]
		f = Parse(f.Text().Replace(span, piece), f)
		checkVersion(t, f, content)
	}
}

// TestRowsComeAndGo puts rows between states, which stand at the start, and what they go to, at the end, and between
// rows of equal sorts.
func TestRowsComeAndGo(t *testing.T) {
	const states = 600
	var b strings.Builder
	b.WriteString("1 sort bitvec 8\n")
	for i := range states {
		fmt.Fprintf(&b, "%d state 1 name%d\n", 10*i+2, i)
	}
	for i := range states {
		fmt.Fprintf(&b, "%d sort bitvec %d\n%d next 1 %d -%d\n", 10*(states+i), i+8, 10*(states+i)+1, 10*i+2, 10*(states-i-1)+2)
	}
	content := b.String()
	for _, piece := range []string{"6001 not 1 2\n", "6001 sort bitvec 300\n", "6001 next 1 2 2\n", "6001 input 1 name3\n", "6001 input 1 name599\n", "12 input 1\n", "2 input 1\n", "6001 init 1 2 2\n",
		"6001 init 1 5982 5992\n6002 init 1 5992 5982\n", "\n"} {
		for _, at := range []string{"\n3002 ", "\n6010 ", "\n9000 "} {
			f := Parse(source.NewText(content), nil)
			f.Diagnostics()
			span := source.Span{Start: strings.Index(content, at) + 1}
			f = Parse(f.Text().Replace(span, piece), f)
			checkVersion(t, f, content[:span.Start]+piece+content[span.Start:])
			span.Length = len(piece)
			checkVersion(t, Parse(f.Text().Replace(span, ""), f), content)
		}
	}
}

// TestEditsOfWords replaces words of a text of several chunks by others and often takes that back, so that most of
// the text means what it did. Many versions share what they know, and some must not.
func TestEditsOfWords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	words := []string{"1", "2", "3", "4", "6", "-6", "7", "-8", "40", "-400", "800", "9999", "input", "state", "next", "init", "add", "ult", "not", "ite",
		"sort", "bad", "fair", "constraint", "sort bitvec 8", "array 2 2", "bitvec", "s4", "s10", "x", "; 7", ""}
	versions, sharing := 0, 0
	for range 5 {
		content := long(900)
		f := Parse(source.NewText(content), nil)
		for range 60 {
			at := random.IntN(len(content))
			if random.IntN(4) == 0 {
				at = random.IntN(200) // sorts and what many rows use
			}
			for at > 0 && content[at-1] != ' ' && content[at-1] != '\n' {
				at--
			}
			span := source.Span{Start: at, Length: max(0, strings.IndexAny(content[at:], " \n"))}
			word, piece := content[at:span.End()], words[random.IntN(len(words))]
			for step := range min(2, 1+random.IntN(6)) {
				if step == 1 { // back
					span.Length, piece = len(piece), word
				}
				content = content[:at] + piece + content[span.End():]
				f = Parse(f.Text().Replace(span, piece), f)
				if f.resolveSame(newSharing(f, f.before.Load())) != nil {
					sharing++
				}
				versions++
				checkVersion(t, f, content)
			}
		}
	}
	t.Logf("%d of %d versions share what they know", sharing, versions)
	if sharing < versions/4 || sharing > versions*9/10 {
		t.Errorf("%d of %d versions share what they know", sharing, versions)
	}
}

// TestMoves adds rows, takes them away, and changes their numbers, symbols and what uses them, most of them right and all of
// them for a short time.
func TestMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	versions, sharing := 0, 0
	for range 2 {
		lines := strings.SplitAfter(long(900), "\n")
		var undo []func()
		f := Parse(source.NewText(strings.Join(lines, "")), nil)
		for range 40 {
			at := 1 + random.IntN(len(lines)-2)
			if len(undo) > 2 || len(undo) > 0 && random.IntN(2) == 0 {
				undo[len(undo)-1]()
				undo = undo[:len(undo)-1]
			} else {
				before := slices.Clone(lines)
				undo = append(undo, func() { lines = before })
				id, rest, _ := strings.Cut(lines[at], " ")
				lines = slices.Clone(lines)
				switch random.IntN(7) {
				case 0:
					lines = slices.Insert(lines, at, fmt.Sprintln(1+random.IntN(1000)))
				case 1:
					lines = slices.Insert(lines, at, fmt.Sprintf("%d not 2 %d\n", 1000+random.IntN(9), 1+random.IntN(900)))
				case 2:
					lines = slices.Delete(lines, at, at+1+random.IntN(min(3, len(lines)-at-1)))
				case 3:
					lines[at] = fmt.Sprint(1+random.IntN(1100), " ", rest)
				case 4:
					lines[at] = fmt.Sprint(id, " input 2 s", 5*random.IntN(180), "\n")
				case 5:
					lines[at] = fmt.Sprint(id, " add 2 ", 1+random.IntN(900), " 6\n")
				case 6:
					lines[at], lines[at+1] = lines[at+1], lines[at]
				}
			}
			content := strings.Join(lines, "")
			text := changed(f.Text(), content)
			next := Parse(text, f)
			f.Diagnostics()
			if next.resolveSame(newSharing(next, next.before.Load())) != nil {
				sharing++
			}
			versions++
			f = next
			checkVersion(t, f, content)
		}
	}
	t.Logf("%d of %d versions share what they know", sharing, versions)
	if sharing < versions/4 {
		t.Errorf("%d of %d versions share what they know", sharing, versions)
	}
}

// changed replaces what is between the start and the end that a text and another have in common.
func changed(text source.Text, content string) source.Text {
	old := text.Content()
	from, same := 0, 0
	for from < min(len(old), len(content)) && old[from] == content[from] {
		from++
	}
	for same < min(len(old), len(content))-from && old[len(old)-1-same] == content[len(content)-1-same] {
		same++
	}
	return text.Replace(source.SpanFromTo(from, len(old)-same), content[from:len(content)-same])
}

// TestLostSorts changes rows to and fro on which others rest, so that their sorts are not known for a while, and rows that
// use them in between.
func TestLostSorts(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	content := long(1800)
	rows := [][]string{
		{"6 input 2 i6", "6 input 27 i6", "6 input 1 i6", "6 inpu 2 i6", "6 output 4 i6", "6 state 2 i6"},
		{"4 state 2 s4 ; t.v:1.2-1.3", "4 state 27 s4", "4 input 2 s4", "4 stat 2 s4", "4 state 1 s4"},
		{"1002 add 2 4 -6", "1002 add 2 4 -3", "1002 add 1 4 -6", "1002 ad 2 4 -6", "1002 concat 2 4 6"},
		{"1502 add 2 4 -6", "1502 eq 1 4 -6", "1502 eq 1 4 1498", "1502 add 2 6 6000"},
		{"1001 next 2 1000 999", "1001 next 2 1000 6", "1001 next 2 1000 4"},
	}
	now := make([]int, len(rows))
	f := Parse(source.NewText(content), nil)
	known := 0
	for range 400 {
		i := random.IntN(len(rows))
		from := rows[i][now[i]]
		if now[i] = random.IntN(len(rows[i])); random.IntN(3) > 0 {
			now[i] = 0
		}
		span := source.Span{Start: strings.Index(content, "\n"+from+"\n") + 1, Length: len(from)}
		content = content[:span.Start] + rows[i][now[i]] + content[span.End():]
		f = Parse(f.Text().Replace(span, rows[i][now[i]]), f)
		checkVersion(t, f, content)
		if len(f.resolved().lost) > 0 {
			known++
		}
	}
	if known < 50 {
		t.Errorf("a row has lost its sort in %d versions", known)
	}
}

// TestSharing: an edit that leaves numbers, symbols, sorts and the rows of states as they are does not have the whole
// text read again, and any other does.
func TestSharing(t *testing.T) {
	content := long(900)
	for _, c := range []struct {
		name, from, to string
		shares         bool
	}{
		{"comment", "\n500 state 2 s500 ; t", "\n500 state 2 s500 ; u", true},
		{"operand", "\n502 add 2 4 -6", "\n502 add 2 4 6", true},
		{"operand that is not defined", "\n502 add 2 4 -6", "\n502 add 2 4 -60000", true},
		{"operator", "\n502 add 2 4 -6", "\n502 sub 2 4 -6", true},
		{"tag that is none", "\n502 add 2 4 -6", "\n502 ad 2 4 -6", true},
		{"row that all use", "\n6 input 2 i6", "\n6 input 3 i6", true},
		{"value of a state", "\n501 next 2 500 499", "\n501 next 2 500 498", true},
		{"blank line", "\n502 add", "\n\n502 add", true},
		{"new row", "\n502 add", "\n7\n502 add", true},
		{"number", "\n502 add", "\n5021 add", true},
		{"symbol that another row has", "\n500 state 2 s500", "\n500 state 2 s495", true},
		{"no symbol", "\n500 state 2 s500", "\n500 state 2", true},
		{"another symbol", "\n500 state 2 s500", "\n500 state 2 t500", true},
		{"symbol that a row after it has", "\n500 state 2 s500", "\n500 state 2 s505", false},
		{"number that a row after it has", "\n502 add", "\n703 add", true},
		{"row that goes", "\n502 add 2 4 -6", "", true},
		{"new sort", "\n502 add", "\n5020 sort bitvec 9\n502 add", false},
		{"sort", "\n2 sort bitvec 8", "\n2 sort bitvec 80", false},
		{"sort that is there", "\n2 sort bitvec 8", "\n2 sort bitvec 1", false},
		{"no sort", "\n2 sort bitvec 8", "\n2 input 1", false},
		{"state that has a next", "\n501 next 2 500", "\n501 next 2 495", false},
		{"next of no state", "\n501 next 2 500", "\n501 next 2 499", false},
		{"no next", "\n501 next 2 500", "\n501 and 2 500", false},
		{"init that stands after its state", "\n5 init 2 4 3", "\n5 init 2 4 4", false},
		{"other format", "1 sort", "aag 1 1 0 0 0\n1 sort", false},
	} {
		before := Parse(source.NewText(content), nil)
		at := strings.Index(content, c.from)
		text := before.Text().Replace(source.Span{Start: at, Length: len(c.from)}, c.to)
		before.Diagnostics()
		f := Parse(text, before)
		if got := f.resolveSame(newSharing(f, f.before.Load())) != nil; got != c.shares {
			t.Errorf("%s: shares %v", c.name, got)
		}
		checkVersion(t, f, text.Content())
		checkVersion(t, Parse(before.Text(), f), content)
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

// BenchmarkKeystroke edits a text of 100,000 rows and asks what is wrong: a comment and an operand in its middle, an
// operand of a row that all others use, and the first digit of a new row in the middle. It reports the time of the
// slowest in a hundred as well, and that of the processor, which other programs do not change.
func BenchmarkKeystroke(b *testing.B) {
	content := long(100_000)
	comment := source.NewText(content).LineStart(50_000) - 1
	operand := source.NewText(content).LineStart(50_002) - 1
	for _, c := range []struct {
		name string
		at   int
	}{
		{"comment", comment},
		{"operand", operand},
		{"used by all", strings.Index(content, " i6")},
		{"row", operand + 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			benchmarkKeystroke(b, content, c.at, map[bool]string{true: "7\n", false: "7"}[c.name == "row"])
		})
	}
}

func benchmarkKeystroke(b *testing.B, content string, at int, piece string) {
	text := source.NewText(content)
	f := Parse(text, nil)
	f.Diagnostics()
	shared.Keystrokes(b, text, at, piece, func(text source.Text) {
		f = Parse(text, f)
		f.Diagnostics()
	})
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
