package facts_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
)

// TestImplied makes random statements about words, and compares those that are kept with the states
// of random invariants in which they hold. Nearly all are wrong.
func TestImplied(t *testing.T) {
	kept, dropped := map[facts.WordKind]int{}, map[facts.WordKind]int{}
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(11, seed))
		const latches = 6
		var inv cert.Invariant
		for range r.IntN(16) {
			clause := make([]circuit.Lit, 1+r.IntN(3))
			for i := range clause {
				clause[i] = circuit.Lit(2 + r.IntN(2*latches))
			}
			inv = append(inv, clause)
		}
		width := 1 + r.IntN(3)
		signed := r.IntN(2) == 0
		words := make([]facts.Word, 2)
		for i := range words {
			for range width {
				l := circuit.Lit(2 + r.IntN(2*latches))
				if r.IntN(12) == 0 {
					l = []circuit.Lit{circuit.False, circuit.True, facts.Open}[r.IntN(3)]
				}
				words[i].Bits = append(words[i].Bits, l)
			}
			words[i].Signed = signed
		}
		var claims, want []facts.WordFact
		for range 10 {
			f := facts.WordFact{Kind: facts.WordKind(r.IntN(6)), Word: r.IntN(2), Value: make([]circuit.Value, width)}
			f.Other = 1 - f.Word
			f.Exact = f.Kind == facts.Sum && r.IntN(2) == 0
			for i := range f.Value {
				f.Value[i] = circuit.ValueOf(r.IntN(2) == 0)
				if f.Kind == facts.Never && r.IntN(4) == 0 {
					f.Value[i] = circuit.X
				}
			}
			claims = append(claims, f)
			if isImplied(inv, words, f, latches) {
				want = append(want, f)
				kept[f.Kind]++
			} else {
				dropped[f.Kind]++
			}
		}
		got, err := facts.Implied(t.Context(), facts.Step{}, inv, words, claims)
		same := func(a, b facts.WordFact) bool {
			return a.Kind == b.Kind && a.Word == b.Word && a.Exact == b.Exact && slices.Equal(a.Value, b.Value)
		}
		if err != nil || !slices.EqualFunc(got, want, same) {
			t.Fatalf("seed %d, %v, words %v: of %v\nkept %v\nwant %v, %v", seed, inv, words, claims, got, want, err)
		}
	}
	for kind := facts.AtLeast; kind <= facts.ExactlyOne; kind++ {
		if kept[kind] < 50 || dropped[kind] < 50 {
			t.Errorf("of kind %d, %d are kept and %d dropped", kind, kept[kind], dropped[kind])
		}
	}
}

// isImplied tries all states, and all values of what is open: the bits above the latches.
func isImplied(inv cert.Invariant, words []facts.Word, f facts.WordFact, latches int) bool {
	for state := range uint(1) << latches {
		if !holds(inv, state) {
			continue
		}
		for open := range uint(64) {
			if !isTrue(words, f, state, open) {
				return false
			}
		}
	}
	return true
}

func isTrue(words []facts.Word, f facts.WordFact, state, open uint) bool {
	width := len(f.Value)
	number := func(word int) (n int) {
		for i, l := range words[word].Bits {
			bit := uint(l & 1)
			switch {
			case l == facts.Open:
				bit = open >> (3*word + i) & 1
			case l.Var() != 0:
				bit = state>>(l.Var()-1)&1 ^ uint(l&1)
			}
			n += int(bit) << i
		}
		return n
	}
	signed := func(n int) int {
		if words[0].Signed && n>>(width-1) == 1 {
			return n - 1<<width
		}
		return n
	}
	n, value, isKnown := number(f.Word), 0, 0
	ones := 0
	for i, v := range f.Value {
		ones += n >> i & 1
		if v != circuit.X {
			value, isKnown = value|int(v)<<i, isKnown|1<<i
		}
	}
	switch f.Kind {
	case facts.AtLeast:
		return signed(n) >= signed(value)
	case facts.AtMost:
		return signed(n) <= signed(value)
	case facts.Never:
		return n&isKnown != value
	case facts.Sum:
		if f.Exact {
			return signed(n) == signed(number(f.Other))+value
		}
		return n == (number(f.Other)+value)%(1<<width)
	case facts.AtMostOne:
		return ones <= 1
	}
	return ones == 1
}
