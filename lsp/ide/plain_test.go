package ide

import (
	"testing"

	"aiglens/design/answers"
)

// TestPlain: the marks go, and what names hold of them stays.
func TestPlain(t *testing.T) {
	for markdown, want := range map[string]string{
		"**bad** 0 `full`: proved\n\n- `a = b`\n- 2 more":     "bad 0 full: proved\n\n- a = b\n- 2 more",
		"reset `0` · next `¬a ∧ (b ∨ c)`":                     "reset 0 · next ¬a ∧ (b ∨ c)",
		answers.Code("a`b") + " and " + answers.Code("**x**"): "a`b and **x**",
		answers.Code("`"):         "`",
		answers.Code("``` x"):     "``` x",
		"one ` alone, 2 ** 3":     "one ` alone, 2 ** 3",
		"``one` alone":            "``one` alone",
		"a ** b ** c, **d e** f*": "a ** b ** c, d e f*",
		"":                        "",
	} {
		if got := Plain(markdown); got != want {
			t.Errorf("%q became %q, want %q", markdown, got, want)
		}
	}
}
