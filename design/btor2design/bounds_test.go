package btor2design

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/source"
)

func elaborationOf(t *testing.T, text string) *elaboration {
	t.Helper()
	d := design.New("file:///w/a.btor2", Format, 1, source.NewText(text), design.Options{})
	if err := d.Elaborate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d.Names().(*elaboration)
}

// manyNames are rows that give many names to a word of 2¹⁸ bits, and many slices of it.
func manyNames(rows int) string {
	var s strings.Builder
	s.WriteString("1 sort bitvec 262144\n2 sort bitvec 262143\n3 input 1\n4 not 1 3\n")
	for i := range rows {
		fmt.Fprintf(&s, "%d uext 1 4 0 a%d\n%d slice 2 4 %d %d s%d\n", 5+2*i, i, 6+2*i, 262142+i%2, i%2, i)
	}
	return s.String()
}

// TestBitsOfAliases: each bit of a row is looked at once, whatever the number of its aliases and slices.
func TestBitsOfAliases(t *testing.T) {
	e := elaborationOf(t, manyNames(10))
	seen, count := newSeenBits(e.syntax.file.Model(), e.built), 0
	for node := range e.inOrder() {
		bits, _ := e.built.Bits(node)
		for range seen.look(node, len(bits)) {
			count++
		}
	}
	if count != 2*262144 {
		t.Errorf("%d bits are looked at", count)
	}
	if words, size := e.Words(), 0; len(words) != 15 {
		t.Errorf("%d words", len(words))
	} else {
		for range e.Nets() {
			size++
		}
		if size > maxBits || size == 0 {
			t.Errorf("%d nets", size)
		}
	}
	if w, ok := e.WordNamed("a9"); !ok || len(w.Bits) != 262144 {
		t.Errorf("the last alias is %d bits, %v", len(w.Bits), ok)
	}
}

// TestSources: bits have the names that they would have if each row were looked at in whole.
func TestSources(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s strings.Builder
		widths := map[int]int{}
		for w := range 8 {
			fmt.Fprintf(&s, "%d sort bitvec %d\n", w+1, w+1)
		}
		id := 10
		name := func() string { return []string{"", fmt.Sprintf(" x%d", id)}[r.IntN(2)] }
		for ; id < 40; id++ {
			of := 10 + r.IntN(max(1, id-10))
			w, sign := widths[of], []string{"", "-"}[r.IntN(2)]
			switch kind := r.IntN(5); {
			case id == of || kind == 0:
				w = 8
				fmt.Fprintf(&s, "%d input 8%s\n", id, name())
			case kind == 1:
				fmt.Fprintf(&s, "%d not %d %s%d%s\n", id, w, sign, of, name())
			case kind == 2:
				fmt.Fprintf(&s, "%d %s %d %s%d 0%s\n", id, []string{"uext", "sext"}[r.IntN(2)], w, sign, of, name())
			default:
				low := r.IntN(w)
				high := low + r.IntN(w-low)
				w = high - low + 1
				fmt.Fprintf(&s, "%d slice %d %s%d %d %d%s\n", id, w, sign, of, high, low, name())
			}
			widths[id] = w
		}
		e := elaborationOf(t, s.String())
		want := make([]bitOf, e.Circuit().NumVars())
		for node := range e.inOrder() {
			bits, ok := e.built.Bits(node)
			if !ok {
				t.Fatalf("seed %d: no bits of %d\n%s", seed, node, s.String())
			}
			for i, l := range bits {
				if before := want[l.Var()]; before.number == 0 || before.negated && !l.IsNegated() {
					want[l.Var()] = bitOf{int32(node) + 1, int32(i), l.IsNegated()}
				}
			}
		}
		if got := e.findSources(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v\n%s", seed, got, want, s.String())
		}
	}
}

// TestWordsAreBounded: the first words count, as long as all have no more than so many bits.
func TestWordsAreBounded(t *testing.T) {
	var s strings.Builder
	s.WriteString("1 sort bitvec 4\n2 input 1 a\n")
	for i := range 9 {
		fmt.Fprintf(&s, "%d uext 1 2 0 a%d\n", 3+i, i)
	}
	e := elaborationOf(t, s.String())
	for _, c := range []struct{ words, bits, want int }{{maxWords, maxBits, 10}, {3, maxBits, 3}, {maxWords, 16, 4}, {maxWords, 15, 3}, {0, 0, 0}} {
		if got := len(e.wordsWithin(c.words, c.bits)); got != c.want {
			t.Errorf("%d words of at most %d bits: %d, want %d", c.words, c.bits, got, c.want)
		}
	}
}

// TestOutputNames: the bits of an output have its name, those of one with an error do not count, and no more than so
// many have names.
func TestOutputNames(t *testing.T) {
	e := elaborationOf(t, "1 sort bitvec 2\n2 input 1\n3 sort bitvec 1\n4 input 3\n5 output 2 a\n6 output 9 b\n7 output 4\n8 output 4 c\n9 output 2 d\n")
	want := []string{"a[0]", "a[1]", "", "c", "d[0]", "d[1]"}
	if got := e.Elements().Outputs; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want[4], want[5] = "", ""
	if got := e.outputNames(4); !slices.Equal(got, want) {
		t.Errorf("of 4 bits %q, want %q", got, want)
	}
}

// TestTooLargeIsNotCompared: a circuit with a free input in place of what is too large, or without an output, is not taken
// for that of the text, while a property that does not depend on it has its verdict.
func TestTooLargeIsNotCompared(t *testing.T) {
	var outputs strings.Builder
	outputs.WriteString("1 sort bitvec 262144\n2 sort bitvec 1\n3 input 1\n5 input 2\n6 bad 5\n")
	for i := range 65 {
		fmt.Fprintf(&outputs, "%d output 3\n", 7+i)
	}
	for text, want := range map[string]string{
		"1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3\n5 input 2\n6 read 2 4 5\n7 redor 1 6\n8 bad 7\n9 redor 1 5\n10 bad 9\n": "line 4",
		outputs.String(): "line 70",
	} {
		d := design.New("file:///w/a.btor2", Format, 1, source.NewText(text), design.Options{})
		if _, err := d.Side(t.Context()); err == nil || !strings.Contains(err.Error(), want+":") {
			t.Errorf("%.60q is compared: %v", text, err)
		}
		if _, err := d.Sound(t.Context()); err == nil || !strings.Contains(err.Error(), want+",") {
			t.Errorf("%.60q is sound: %v", text, err)
		}
		if fault := d.Fault(d.Properties()[len(d.Properties())-1].ID); fault != nil {
			t.Errorf("%.60q: %v", text, fault)
		}
	}
}

// TestAliasesOfAliases: a chain of names takes as many steps as it has rows, and the first name of a row counts.
func TestAliasesOfAliases(t *testing.T) {
	const rows = 300_000
	var s strings.Builder
	s.WriteString("1 sort bitvec 8\n2 input 1\n")
	for i := range rows {
		name := fmt.Sprintf(" a%d", i)
		if i%3 == 0 {
			name = ""
		}
		fmt.Fprintf(&s, "%d uext 1 %d 0%s\n", 3+i, 2+i, name)
	}
	d := design.New("file:///w/a.btor2", Format, 1, source.NewText(s.String()), design.Options{})
	for row, want := range map[design.Signal]string{2: "a1", 3: "a1", 4: "a1", 5: "a2", 6: "a4", 7: "a4"} {
		if got := d.Name(row); got != want {
			t.Errorf("row %d is %s, want %s", row, got, want)
		}
	}
}
