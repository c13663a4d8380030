package edit_test

import (
	"testing"

	"aiglens/btor2/edit"
)

// TestLineTyped: a row without a number gets one that is free, as it stands and with what it still lacks.
func TestLineTyped(t *testing.T) {
	for _, test := range []struct {
		text string
		line int
		want string
	}{
		{"1 sort bitvec 1\ninput 1 a\n\n", 2, "1 sort bitvec 1\n2 input 1 a\n\n"},
		{"1 sort bitvec 1\n  input 1 a\n9 input 1\n", 2, "1 sort bitvec 1\n  2 input 1 a\n9 input 1\n"},
		{"1 sort bitvec 1\ninput\n", 2, "1 sort bitvec 1\n2 input\n"},
		{"sort bitvec 1", 1, "1 sort bitvec 1"},
		{"1 sort bitvec 1\ninput 1 a\n2 input 1\n", 2, ""},
		{"1 sort bitvec 1\ninputs 1 a\n\n", 2, ""},
		{"1 sort bitvec 1\n2 input 1\n", 2, ""},
		{"1 sort bitvec 1\ninput 1\n; c\n", 3, ""},
		{"", 0, ""},
		{"input 1\n", 0, ""},
	} {
		f := parse(test.text)
		got, err := f.Text().Apply(edit.LineTyped(f, test.line))
		if err != nil {
			t.Fatal(err)
		}
		if test.want == "" {
			test.want = test.text
		}
		if got.Content() != test.want {
			t.Errorf("%q, want %q", got.Content(), test.want)
		}
	}
}
