package syntax

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// TestWords reads lines that make words, or are to, in both encodings of a comment.
func TestWords(t *testing.T) {
	for lines, want := range map[string]string{
		"word: w = go q":                         "w 2 6",
		"word: w = !go - 8":                      "w 3 - 8",
		"word: w = both \"a b\"":                 "w 12 8",
		"word: w = go q\nword: v = q go":         "w 2 6; v 6 2",
		"word: w = go":                           "w 2",
		"word: w = 0 1":                          "w 0 1",
		"word: w = go qq":                        "word-signal qq no word: no input, latch, output, bad or constraint has the name \"qq\"",
		"word: w = go bot":                       "word-signal bot no word: no input, latch, output, bad or constraint has the name \"bot\"; did you mean both?",
		"word: w = go 16":                        "word-signal 16 no word: no input, latch or AND defines \"16\"",
		"word: w = go 99999999999":               "word-signal 99999999999 no word: no input, latch or AND defines \"99999999999\"",
		"word: w = twice go":                     "word-signal twice no word: \"twice\" names 2 different literals; write the number of the one that is meant",
		"word: w = go !go":                       "word-signal !go no word: \"go\" stands in it twice",
		"word: w = go q\nword: w = q":            "w 2 6; word-repeated w no word: another one has the name \"w\"",
		"word: w = go q\nword: v = w":            "w 2 6; word-signal w no word: \"w\" is a word itself, not a signal; list its bits",
		"word: q = go q":                         "word-repeated q no word: latch 0 has the name \"q\"",
		"word: both = go":                        "word-repeated both no word: output 1 has the name \"both\"",
		"word: q = !q":                           "word-repeated q no word: latch 0 has the name \"q\"",
		"word: q = q":                            "q 6",
		"word: twice = -":                        "word-repeated twice no word: output 2 has the name \"twice\"",
		"word: w = go q {a = 4}":                 "word-syntax 4 no word: 4 does not fit w, which has 2 bits: 0 to 3",
		"text about a word: w = go":              "",
		"# word: w = go":                         "",
		"Word: w = go":                           "",
		"word: w = go q\nprop: lemma q\nword: v": "w 2 6; word-syntax  no word: expected = and the bits of v, found the end of the line",
	} {
		f := Parse(source.NewText(head + lines + "\n"))
		var got []string
		say := func(words []Word) (all []string) {
			for _, w := range words {
				s := w.Name.Text
				for i, l := range w.Lits {
					if w.Bits[i].IsMissing {
						s += " -"
					} else {
						s += fmt.Sprint(" ", l)
					}
				}
				all = append(all, s)
			}
			return all
		}
		words := say(f.Words().All)
		got = append(got, words...)
		for _, d := range f.Words().Diagnostics {
			got = append(got, fmt.Sprintf("%s %s %s", d.Code, f.text.Slice(d.Span), d.Message))
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%q: %s, want %s", lines, s, want)
		}
		if s := say(f.Contents().Words()); strings.Join(s, "; ") != strings.Join(words, "; ") {
			t.Errorf("%q: as numbers %q, want %q", lines, s, words)
		}
	}
}

// TestBitsAreUses: a bit is a use of its literal, and counts neither as a property nor
// for what depends on what.
func TestBitsAreUses(t *testing.T) {
	f := Parse(source.NewText(head + "word: w = !both go\nprop: cover 12\n"))
	var got []string
	for o := range f.Uses(6) {
		if o.Role >= roleLemma {
			got = append(got, fmt.Sprint(o.Role, " ", f.text.Slice(o.Span), " ", o.Lit, " ", o.IsNamed))
		}
	}
	if want := "bit of a word !both 13 true; cover 12 12 false"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	if o, ok := f.OccurrenceAt(len(head) + len("word: w = !bo")); !ok || o.Lit != 13 {
		t.Errorf("%+v", o)
	}
	if all := f.Asides(); len(all) != 1 {
		t.Errorf("%d properties", len(all))
	}
}
