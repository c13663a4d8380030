package answers

import (
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/facts"
	"aiglens/design"
)

// TestValuesLeft: what is known of a word is said as its values where it has one, or few between bounds.
func TestValuesLeft(t *testing.T) {
	number := func(n int) []circuit.Value {
		return []circuit.Value{circuit.ValueOf(n&1 == 1), circuit.ValueOf(n&2 == 2), circuit.ValueOf(n&4 == 4)}
	}
	is := func(kind facts.WordKind, n int) facts.WordFact { return facts.WordFact{Kind: kind, Value: number(n)} }
	odd := facts.WordFact{Kind: facts.Never, Value: []circuit.Value{circuit.One, circuit.X, circuit.X}}
	for name, tt := range map[string]struct {
		known  []facts.WordFact
		signed bool
		want   []int
	}{
		"equal bounds":                  {known: []facts.WordFact{is(facts.AtLeast, 1), is(facts.AtMost, 1)}, want: []int{1}},
		"the least number as a bound":   {known: []facts.WordFact{is(facts.AtMost, 0)}, want: []int{0}},
		"the greatest one":              {known: []facts.WordFact{is(facts.AtLeast, 7)}, want: []int{7}},
		"the greatest one with a sign":  {known: []facts.WordFact{is(facts.AtLeast, 3)}, signed: true, want: []int{3}},
		"the least one with a sign":     {known: []facts.WordFact{is(facts.AtMost, 4)}, signed: true, want: []int{4}},
		"no number in the middle":       {known: []facts.WordFact{is(facts.AtLeast, 7), is(facts.AtMost, 1), is(facts.Never, 0)}, signed: true, want: []int{7, 1}},
		"even ones":                     {known: []facts.WordFact{is(facts.AtMost, 4), odd}, want: []int{0, 2, 4}},
		"one bit, and a bound":          {known: []facts.WordFact{{Kind: facts.ExactlyOne}, is(facts.AtLeast, 4), is(facts.AtMost, 4)}, want: []int{4}},
		"a range":                       {known: []facts.WordFact{is(facts.AtLeast, 1), is(facts.AtMost, 2)}},
		"a value outside of it":         {known: []facts.WordFact{is(facts.AtMost, 2), is(facts.Never, 3)}},
		"no bound":                      {known: []facts.WordFact{is(facts.Never, 0), is(facts.Never, 1), is(facts.Never, 2), is(facts.Never, 3), is(facts.Never, 4)}},
		"many":                          {known: []facts.WordFact{is(facts.AtMost, 5), is(facts.Never, 3)}},
		"one bit":                       {known: []facts.WordFact{{Kind: facts.AtMostOne}}},
		"one bit, at most 2, and not 0": {known: []facts.WordFact{{Kind: facts.AtMostOne}, is(facts.AtMost, 2), is(facts.Never, 0)}},
	} {
		var want [][]circuit.Value
		for _, n := range tt.want {
			want = append(want, number(n))
		}
		w := &design.Word{Name: "q", Bits: make([]design.Bit, 3), Signed: tt.signed}
		if got := valuesLeft(w, tt.known); !slices.EqualFunc(got, want, slices.Equal[[]circuit.Value]) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
