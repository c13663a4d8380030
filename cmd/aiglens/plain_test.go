package main

import (
	"strings"
	"testing"
)

func TestPlainText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"bad 0: proved · depth 3\n", "bad 0: proved · depth 3\n"},
		{"a\tb", "a\tb"},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"\x1b]0;title\a", `\x1b]0;title\x07`},
		{"a\rb", `a\rb`},
		{"\u009b31m", `\x9b31m`},
		{"\x9b31m", `\x9b31m`}, // no UTF-8
		{"\u202egnorw", `\u202egnorw`},
		{"\ufffd", "\ufffd"},
		{"\x7f\x00", `\x7f\x00`},
	} {
		var out strings.Builder
		if n, err := (plainWriter{&out}).Write([]byte(test.in)); n != len(test.in) || err != nil {
			t.Errorf("%q: wrote %d, %v", test.in, n, err)
		}
		if out.String() != test.want {
			t.Errorf("%q is written %q, want %q", test.in, out.String(), test.want)
		}
	}
}
