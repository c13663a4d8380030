package btor2design_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/btor2design"
	"aiglens/design/formula"
	"aiglens/design/words"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

func open(t *testing.T, text string) *design.Design {
	t.Helper()
	d, err := design.Formats{btor2design.Format}.Open(t.Context(), "a.btor2", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const names = `1 sort bitvec 1
2 sort bitvec 3
3 input 2 a
4 input 2 a
5 add 2 3 4
6 uext 2 5 0 sum
7 uext 2 5 0 total
8 eq 1 5 3
9 and 1 8 -8 n5
10 sub 2 5 3
11 bad 8 t.sv:9.5-9.30
12 bad 9 t.sv:9.5-9.30
13 bad -9
`

// TestNames: a row without a symbol goes by that of an alias, equal symbols of different values differ, and no name that
// is made up is one of the text.
func TestNames(t *testing.T) {
	d := open(t, names)
	checkPlaces(t, d)
	var got []string
	for s := design.Signal(1); s <= 10; s++ {
		got = append(got, d.Name(s))
	}
	if want := []string{"", "", "a", "a#4", "sum", "sum", "total", "n8", "n5", "n10"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	var properties []string
	for _, p := range d.Properties() {
		properties = append(properties, p.Name)
	}
	if want := []string{"t.sv:9.5-9.30#1", "t.sv:9.5-9.30#2", "bad 2"}; !slices.Equal(properties, want) {
		t.Errorf("properties %q, want %q", properties, want)
	}
	known, err := words.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range map[string]design.Signal{"a": 3, "a#4": 4, "sum": 5, "total": 7, "n10": 10} {
		found := known.Find(name)
		own := known.OfSignal(id)
		if len(found) != 1 || len(own) != 1 || !slices.Equal(found[0].Bits, own[0].Bits) {
			t.Errorf("%s is %v, row %d is %v", name, found, id, own)
		}
	}
	for _, name := range []string{"n8", "n5", "sum[2]", "n10[1]", "a#4[0]"} {
		if _, err := d.SignalNamed(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"n10[3]", "n11", "sum", "n7", "a[", "nothing"} {
		if l, err := d.SignalNamed(name); err == nil {
			t.Errorf("%s is %v", name, l)
		}
	}
}

// TestFormulas: formulas are in the operators of the text, with brackets where they are needed.
func TestFormulas(t *testing.T) {
	d := open(t, `1 sort bitvec 1
2 sort bitvec 4
3 sort bitvec 8
4 input 2 a
5 input 2 b
6 input 1 c
7 add 2 4 5
8 mul 2 7 -4
9 ite 2 6 8 7
10 ite 2 -6 9 4
11 slt 1 10 5
12 eq 1 4 5
13 and 1 -12 -6
14 concat 3 4 7
15 slice 2 14 5 2
16 redor 1 7
17 uext 3 4 4
18 consth 3 ff
19 xor 3 17 18
20 sort array 2 3
21 state 20 mem
22 write 20 21 4 18
23 read 3 22 5
24 xnor 1 6 6
25 sext 2 7 0
`)
	for s, want := range map[design.Signal]string{
		8: "(a + b) * ~a", 9: "c ? (a + b) * ~a : a + b", 10: "¬c ? (c ? (a + b) * ~a : a + b) : a", 11: "slt(n10, b)",
		13: "(a != b) ∧ ¬c", 14: "{a, a + b}", 15: "{a, a + b}[5:2]", 16: "|(a + b)", 19: "uext(a, 4) ^ 0xff", 23: "mem[a := 0xff][b]", 24: "xnor(c, c)", 25: "a + b",
	} {
		depth := 4
		if s == 11 {
			depth = 1
		}
		if got := formula.Expression(d, s.Lit(), depth); got != want {
			t.Errorf("row %d is %s, want %s", s, got, want)
		}
	}
}

// TestSet: in the files of the set each bit has a name that finds it, each row the word of its bits, and each place a
// definition.
func TestSet(t *testing.T) {
	folder := filepath.Join(shared.Dir(t), "benchmarks", "btor2")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.btor*"))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files in %s; %v", len(files), folder, err)
	}
	for i, file := range files {
		if i%8 != 0 && os.Getenv("AIGLENS_LONG") == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) { checkFile(t, open(t, string(data))) })
	}
}

// checkPlaces compares the places of signals with those that a walk of the text finds.
func checkPlaces(t *testing.T, d *design.Design) {
	t.Helper()
	places, positive, negated := map[design.Signal][]design.Occurrence{}, map[design.Signal]int{}, map[design.Signal]int{}
	for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
		s := o.Lit.Signal()
		places[s] = append(places[s], o)
		switch {
		case o.Role != design.RoleUse:
		case o.Lit.IsNegated():
			negated[s]++
		default:
			positive[s]++
		}
	}
	step := max(1, len(places)/100)
	for s := design.Signal(0); int(s) < d.Text.NumLines()+2; s += design.Signal(step) {
		if got := d.Occurrences(s); !slices.Equal(got, places[s]) {
			t.Fatalf("signal %d stands at %v, want %v", s, got, places[s])
		}
		if p, n := d.CountUses(s); p != positive[s] || n != negated[s] {
			t.Fatalf("signal %d is used %d and %d times, want %d and %d", s, p, n, positive[s], negated[s])
		}
	}
}

func checkFile(t *testing.T, d *design.Design) {
	checkPlaces(t, d)
	if _, err := d.Sound(t.Context()); err != nil {
		return
	}
	latches, inputs := d.ElementNames()
	seen := map[string]bool{}
	for _, name := range slices.Concat(latches, inputs) {
		if seen[name] && name != "" {
			t.Errorf("two elements are called %s", name)
		}
		seen[name] = true
		if m, ok := d.ElementNamed(name); !ok || m.Negated || m.Name != name {
			t.Errorf("%s is %+v", name, m)
		}
		isBit := !strings.Contains(name, "][") && !strings.HasPrefix(name, "latch ") && !strings.HasPrefix(name, "input ")
		if found := d.Names().Find(name); isBit && len(found) != 1 {
			t.Errorf("%s is %v", name, found)
		}
	}
	known, err := words.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for o := range d.OccurrencesIn(source.Span{Length: d.Text.Len()}) {
		def, ok := d.Definition(o.Lit.Signal())
		if !ok || o.Role == design.RoleDefinition && def.Span != o.Span {
			t.Fatalf("%v at %v is defined at %v", o.Lit, o.Span, def.Span)
		}
		if o.Role != design.RoleDefinition {
			continue
		}
		if row, ok := d.RowAt(o.Span.Start); !ok || row.Span.Start != def.Row.Start {
			t.Fatalf("the row at %v is %+v", o.Span, row)
		}
		if w := known.OfSignal(o.Lit.Signal()); len(w) > 0 {
			if _, isBit := d.LitOf(o.Lit); isBit {
				t.Fatalf("%s is a word and a bit", w[0].Name)
			}
			if found := known.Find(w[0].Name); len(found) == 0 || !slices.Equal(found[0].Bits, w[0].Bits) {
				t.Fatalf("%s is found as %v", w[0].Name, found)
			}
		}
		if formula.Expression(d, o.Lit, 2) == "" && known.OfSignal(o.Lit.Signal()) != nil {
			t.Fatalf("row %v has no formula", o.Span)
		}
	}
}
