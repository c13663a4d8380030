package nearest

import "testing"

func TestHint(t *testing.T) {
	words := []string{"check", "cover", "cone", "convert", "completion", "Busy", "k-liveness", "request<1>"}
	for word, want := range map[string]string{
		"chek": "check", "hceck": "check", "covers": "cover", "conev": "cone", "BUSY": "Busy", "k-live": "k-liveness",
		"request<0>": "request<1>", "comp": "completion", "con": "cone", "co": "", "z": "", "": "", "unrelated": "",
	} {
		if want != "" {
			want = "; did you mean " + want + "?"
		}
		if got := Hint(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		word  string
		words []string
		want  string
	}{
		{"txt", []string{"text", "json"}, "; did you mean text?"},
		{"xml", []string{"text", "json"}, "; choose text or json"},
		{"xml", []string{"text", "json", "sarif"}, "; choose text, json or sarif"},
		{"xml", []string{"text"}, "; choose text"},
	} {
		if got := Choose(c.word, c.words); got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

// TestHints: candidates are collected once, and only a few words are looked for.
func TestHints(t *testing.T) {
	collected := 0
	hint := Hints(func(yield func(string) bool) {
		collected++
		_ = yield("signal")
	})
	given := 0
	for range 3 * maxHints {
		if hint("signel") != "" {
			given++
		}
	}
	if collected != 1 || given != maxHints {
		t.Errorf("collected %d times, %d hints", collected, given)
	}
}
