package term

import (
	"strings"
	"testing"
	"unicode/utf8"

	"aiglens/horn/rational"
)

// TestInfixLimit: what is written has a bound, however often terms occur in others.
func TestInfixLimit(t *testing.T) {
	p := NewPool()
	x, small := p.Var("x", Int), Term(None)
	number := x
	for i := range int64(60) { // each level stands three times in the next
		below := p.Compare(OpLe, Int, Linear{[]Term{number}, []Rat{rational.Int(1)}, rational.Int(-i)})
		number = p.Ite(below, p.Sum(Int, Linear{[]Term{number}, []Rat{rational.Int(2)}, rational.Int(1)}), p.Ite(below, x, number))
		if i == 3 {
			small = number
		}
	}
	const most = utf8.UTFMax - 1 + len("…")
	whole := Infix(p, small, nil, NoLimit)
	for limit := -1; limit <= len(whole); limit++ {
		text := Infix(p, small, nil, limit)
		cut, isCut := strings.CutSuffix(text, "…")
		if isCut != (limit < len(whole)) || !strings.HasPrefix(whole, cut) || isCut && (len(text) <= limit || len(text) > max(0, limit)+most) || !utf8.ValidString(text) {
			t.Fatalf("at most %d bytes of %q: %q", limit, whole, text)
		}
	}
	if text := Infix(p, number, nil, 1000); len(text) <= 1000 || len(text) > 1000+most {
		t.Errorf("%d bytes", len(text))
	}
}
