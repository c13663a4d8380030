package aiger

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// found returns the diagnostics of a code as place, message.
func found(t *testing.T, content string, code source.Code) []string {
	t.Helper()
	in, err := Read("", []byte(content))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range in.Diagnostics {
		if d.Code == code {
			all = append(all, content[d.Span.Start:d.Span.End()]+": "+d.Message)
		}
	}
	return all
}

// TestNamesOfOthers: names that ABC or Yosys confuse are found in a file, are different
// where a model is written, and those that are sound stay.
func TestNamesOfOthers(t *testing.T) {
	const head = "aag 5 2 1 2 0 1 1\n2\n4\n6 2\n6\n4\n3\n5\n"
	for _, test := range []struct{ symbols, clash, renamed string }{
		{"i0 a\nl0 q\no0 q\no1 y\nb0 z\nc0 c\n", "", ""},
		{"i0 a\no0 a\n", `a: ABC or Yosys confuses the name with that of input 0, "a"`, "a a_2"},
		{"i1 a\no1 a\n", `a: ABC or Yosys confuses the name with that of input 1, "a"`, "a a_2"},
		{"l0 q\no1 q\n", `q: ABC or Yosys confuses the name with that of latch 0, "q"`, "q q_2"},
		{"l0 q\nb0 q\n", `q: ABC or Yosys confuses the name with that of bad 0, "q"`, "q q_2"},
		{"i0 q\nb0 q\n", `q: ABC or Yosys confuses the name with that of input 0, "q"`, "q q_2"},
		{"o0 y\nb0 y\n", `y: ABC or Yosys confuses the name with that of bad 0, "y"`, "y y_2"},
		{"b0 y\nc0 y\n", `y: ABC or Yosys confuses the name with that of bad 0, "y"`, "y y_2"},
		{"i0 two a\ni1 two b\n", `two b: ABC or Yosys confuses the name with that of input 0, "two a"`, "two b two_b"},
		{"i0 two a\ni1 two_b\no0 two b\n", `two b: ABC or Yosys confuses the name with that of input 0, "two a"`, "two b two_b_2"},
		{"i0 = 4\ni1 = 6\n", "", ""},
		{"i0 a\ni1 a\n", "", "a a_2"}, // found as a name that two elements have
	} {
		content := head + test.symbols
		got := found(t, content, syntax.CodeSymbolNameClash)
		if want := slices.DeleteFunc([]string{test.clash}, func(s string) bool { return s == "" }); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", test.symbols, got, want)
		}
		m, err := ModelOf(syntax.Parse(source.NewText(content)))
		if err != nil {
			t.Fatal(err)
		}
		distinct, renamed := m.WithDistinctNames()
		var list []string
		for _, r := range renamed {
			list = append(list, fmt.Sprint(r.From, " ", r.To))
		}
		if strings.Join(list, ", ") != test.renamed {
			t.Errorf("%q: renamed %q, want %q", test.symbols, list, test.renamed)
		}
		if again, more := distinct.WithDistinctNames(); len(more) > 0 || again != distinct {
			t.Errorf("%q: renamed again: %v", test.symbols, more)
		}
	}
}

// TestNULInName: a NUL in a name is found where it is in both encodings, once for each
// name, and its fix leaves nothing to say.
func TestNULInName(t *testing.T) {
	for _, content := range []string{
		"aag 1 1 0 1 0\n2\n2\ni0 a\x00b\x00\no0 y\n", "aig 1 1 0 1 0\n2\ni0 a\x00b\x00\no0 y\n", "aig 3 2 0 1 1\n6\n\x02\x02i0 a\x00b\x00\no0 y\n",
	} {
		want := []string{"\x00: a NUL byte in the name of input 0, at which programs written in C end it: delete it"}
		if got := found(t, content, syntax.CodeSymbolNUL); !slices.Equal(got, want) {
			t.Errorf("%q: %q", content, got)
		}
		in, err := Read("", []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range in.Diagnostics {
			if d.Severity != source.Error {
				continue
			}
			if d.Code != syntax.CodeSymbolNUL || len(d.Fixes) != 1 || !d.Fixes[0].Preferred {
				t.Errorf("%q: %v", content, d)
				continue
			}
			if in.File == nil {
				continue
			}
			text, err := in.File.Text().Apply(d.Fixes[0].Edits)
			if err != nil || text.Content() != strings.ReplaceAll(content, "\x00", "") {
				t.Errorf("%q: fixed %q %v", content, text.Content(), err)
			}
		}
	}
}

// TestDecodeFails: a binary file without a model is an error, whatever its
// diagnostics are.
func TestDecodeFails(t *testing.T) {
	for _, content := range []string{"aig 1 1 0 1 0\n2\ni0 a\x00\n", "aig 3 2 0 1 1\n6\n\xff", "aig 3 2 0 1 1\n6\n\x09\x02"} {
		if text, err := Decode("x.aig", []byte(content)); err == nil {
			t.Errorf("%q: %q", content, text)
		}
	}
	if _, err := textOf(&Input{}); err == nil {
		t.Error("no error of a file without a model and without diagnostics")
	}
}
