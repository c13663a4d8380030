package syntax

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// head is a file with names of many kinds, up to its comment. The output and the latch called
// q are different literals, as are the two outputs called twice.
const head = `aag 7 2 2 4 3 1
2
4
6 14
8 6 1
7
12
10
11
13
10 2 4
12 6 9
14 10 13
i0 go
i1 1
l0 q
l1 a b
o0 q
o1 both
o2 twice
o3 twice
b0 x"y
c
`

// TestAsides reads single lines of a comment: what they are, or what is wrong with them.
func TestAsides(t *testing.T) {
	for line, want := range map[string]string{
		"prop: lemma 6":                "lemma 6",
		" prop:  cover\t13 ":           "cover 13",
		"prop: lemma q":                "lemma 6",
		"prop: lemma !q":               "lemma 7",
		"prop: lemma !6":               "lemma 7",
		"prop: cover both":             "cover 12",
		"prop: cover !both \"never\"":  "cover 13 never",
		"prop: lemma \"a b\"":          "lemma 8",
		"prop: lemma !\"a b\" \"c d\"": "lemma 9 c d",
		"prop: lemma \"1\"":            "lemma 4",
		"prop: lemma 1":                "lemma 1",
		"prop: lemma x\"y":             "lemma 13",
		"prop: lemma 006":              "lemma 6",
		"prop: lemma 16":               "prop-literal 16",
		"prop: lemma 4294967296":       "prop-literal 4294967296",
		"prop: lemma ghost":            "prop-literal ghost",
		"prop: lemma twice":            "prop-literal twice",
		"prop: lemma":                  "prop-syntax ",
		"prop:":                        "prop-syntax ",
		"prop: lemma !":                "prop-syntax !",
		"prop: lemma \"\"":             "prop-syntax \"\"",
		"prop: lemma \"a b":            "prop-syntax \"a b",
		"prop: lemma 6 8":              "prop-syntax 8",
		"prop: lemma 6 \"x":            "prop-syntax \"x",
		"prop: lemma 6 \"x\" y":        "prop-syntax \"x\" y",
		"# prop: lemma 6":              "prop-syntax # prop: lemma",
		"Prop : cover 6":               "prop-syntax Prop : cover",
		"# Prop: Lemma ghost":          "prop-syntax # Prop: Lemma",
		"prop lemma 6":                 "",
		"# prop lemma 6":               "",
		"Prop cover all of it":         "",
		"prop: bad 6":                  "prop-ignored bad",
		"prop: 6":                      "prop-ignored 6",
		"proposed by x":                "",
		"prop lemma":                   "",
		"property: lemma 6":            "",
		"see prop: lemma 6":            "",
		"prop":                         "",
	} {
		for _, end := range []string{"\n", "\r\n", ""} {
			if end == "\r\n" && strings.HasSuffix(line, " ") {
				continue
			}
			f := Parse(source.NewText(head + line + end))
			got := ""
			for _, a := range f.Asides() {
				got = strings.TrimSpace(fmt.Sprintf("%s %d %s", a.Kind, a.Lit, a.Label))
				if text := f.text.Slice(a.Span); text != strings.TrimSpace(line) {
					t.Errorf("%q: the line is %q", line, text)
				}
			}
			for _, d := range f.Diagnostics() {
				if strings.HasPrefix(string(d.Code), "prop-") {
					got = fmt.Sprintf("%s %s", d.Code, f.text.Slice(d.Span))
				}
				if d.Severity == source.Error && d.Code != CodeFinalNewline {
					t.Errorf("%q: %s", line, d.Message)
				}
			}
			if got != want {
				t.Errorf("%q is %q, expected %q", line+end, got, want)
			}
			m := f.Contents()
			var entries []string
			for _, a := range m.Asides() {
				if !a.IsDangling {
					entries = append(entries, strings.TrimSpace(fmt.Sprintf("%s %d %s", a.Kind, a.Lit, a.Label)))
				}
			}
			if len(f.Asides()) == 0 && len(entries) > 0 || len(f.Asides()) == 1 && !slices.Equal(entries, []string{want}) {
				t.Errorf("%q: as numbers it is %q, expected %q", line, entries, want)
			}
		}
	}
}

// TestSpelledLiterals: what a literal is spelled means this literal, and is a name where one
// can mean it.
func TestSpelledLiterals(t *testing.T) {
	f := Parse(source.NewText(head))
	spelled := map[uint32]string{
		0: "0", 2: "go", 3: "!go", 4: `"1"`, 6: "q", 7: "!q", 8: `"a b"`, 9: `!"a b"`, 12: "both", 13: `x"y`, 10: "10", 14: "14",
	}
	if got := f.Contents().SpellLiterals(slices.Collect(maps.Keys(spelled))); !maps.Equal(got, spelled) {
		t.Errorf("all at once they are %v, expected %v", got, spelled)
	}
	for lit, want := range spelled {
		if got := f.SpellLiteral(lit); got != want {
			t.Errorf("%d is spelled %s, expected %s", lit, got, want)
		}
		if got := f.Contents().SpellLiteral(lit); got != want {
			t.Errorf("as numbers %d is spelled %s, expected %s", lit, got, want)
		}
		again := Parse(source.NewText(head + WriteAside(AsideLemma, f.SpellLiteral(lit), "")))
		if all := again.Asides(); len(all) != 1 || all[0].Lit != lit {
			t.Errorf("%d is read as %v", lit, all)
		}
	}
}

// TestDangling: lines that would be asides if they spoke of one literal are kept apart, in
// both readings, and those with other faults are not among them.
func TestDangling(t *testing.T) {
	f := Parse(source.NewText(head + "prop: lemma 16\nprop: lemma 6\nprop: cover !ghost\nprop: cover twice\nprop: lemma\nprop: bad 6\n"))
	var lines, entries []string
	for _, a := range f.Dangling() {
		lines = append(lines, fmt.Sprint(f.text.Slice(a.Span), " ", a.IsNamed))
	}
	m := f.Contents()
	for _, a := range m.Asides() {
		if a.IsDangling {
			entries = append(entries, fmt.Sprint(strings.TrimSpace(m.Comment[a.Line.Start:a.Line.End()]), " ", a.IsNamed))
		}
	}
	want := []string{"prop: lemma 16 false", "prop: cover !ghost true", "prop: cover twice true"}
	if !slices.Equal(lines, want) || !slices.Equal(entries, want) {
		t.Errorf("dangling are %q and %q, expected %q", lines, entries, want)
	}
}

// TestAsidesAreUses: an aside is an occurrence of its literal like any other.
func TestAsidesAreUses(t *testing.T) {
	f := Parse(source.NewText(head + "text\nprop: lemma !both\nprop: cover 12\n"))
	var got []string
	for o := range f.Uses(6) {
		if o.Role >= roleLemma {
			got = append(got, fmt.Sprint(o.Role, " ", f.text.Slice(o.Span), " ", o.Lit, " ", o.IsNamed))
		}
	}
	if want := []string{"lemma !both 13 true", "cover 12 12 false"}; !slices.Equal(got, want) {
		t.Errorf("uses %q", got)
	}
	before, after := Parse(source.NewText(head)), f
	p, n := before.CountUses(6)
	q, m := after.CountUses(6)
	if q != p+1 || m != n+1 {
		t.Errorf("%d and %d uses became %d and %d", p, n, q, m)
	}
	if o, ok := f.OccurrenceAt(f.text.Len() - 1); !ok || o.Lit != 12 {
		t.Errorf("at the end there is %v", o)
	}
}

// TestEditAsides edits comments full of asides, and what these refer to.
func TestEditAsides(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 4))
	lines := []string{"prop: lemma 6", "prop: cover q", "prop: lemma !both", "prop: lemma 16", "prop: cover ghost", "text", "", "prop: x", "Prop: lemma 2", "prop: lemma \"a b\" \"l\""}
	for range 40 {
		var b strings.Builder
		b.WriteString(head)
		for range random.IntN(12) {
			b.WriteString(lines[random.IntN(len(lines))] + "\n")
		}
		checkEdits(t, random, b.String(), 60)
	}
}
