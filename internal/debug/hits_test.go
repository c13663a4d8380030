package debug

import (
	"fmt"
	"testing"
)

func TestHitsParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "3": "0010000", "==3": "0010000", "= 3": "0010000", ">= 6": "0000011", ">5": "0000011", "< 3": "1100000", "<=3": "1110000", "%3": "0010010",
	} {
		h, err := parseHits(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		got := ""
		for n := 1; n <= 7 && text != ""; n++ {
			got += fmt.Sprint(map[bool]int{true: 1}[h.holds(n)])
		}
		if got != want {
			t.Errorf("%q holds for %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"often", "0", "-1", "% 0", ">=", "3 4"} {
		if _, err := parseHits(text); err == nil {
			t.Errorf("%q is not a number of hits", text)
		}
	}
}
