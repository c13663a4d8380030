package facts_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
)

// TestClausesBeside tries all states of random invariants. What is left of the clauses says, with all
// that is said beside them, as much as before; and of what the statements about one word imply nothing
// is left.
func TestClausesBeside(t *testing.T) {
	const latches, numWords = 6, 3
	implied, left, withOpen := 0, 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(13, seed))
		var inv cert.Invariant
		for range r.IntN(16) {
			clause := make([]circuit.Lit, 1+r.IntN(3))
			for i := range clause {
				clause[i] = circuit.Lit(2 + r.IntN(2*latches))
			}
			inv = append(inv, clause)
		}
		f, err := facts.Of(t.Context(), inv)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Clauses) == 0 {
			continue
		}
		words, statements := make([]facts.Word, numWords), []facts.WordFact(nil)
		width, signed := 2+r.IntN(2), r.IntN(2) == 0
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
		tried := uint(1)
		if slices.ContainsFunc(words, func(w facts.Word) bool { return slices.Contains(w.Bits, facts.Open) }) {
			tried = 64
		}
		isTrueIn := map[int][]bool{} // by statement and state
		for range 60 {
			s := facts.WordFact{Kind: facts.WordKind(r.IntN(6)), Word: r.IntN(numWords), Value: make([]circuit.Value, width)}
			s.Other = (s.Word + 1) % numWords
			s.Exact = s.Kind == facts.Sum && r.IntN(2) == 0
			for i := range s.Value {
				s.Value[i] = circuit.ValueOf(r.IntN(2) == 0)
			}
			isTrueIn[len(statements)] = make([]bool, 1<<latches)
			isImplied := true
			for state := range uint(1) << latches {
				is := true
				for open := uint(0); is && open < tried; open++ {
					is = isTrue(words, s, state, open)
				}
				isTrueIn[len(statements)][state] = is
				if isImplied = is || !holds(inv, state); !isImplied {
					break
				}
			}
			if isImplied {
				statements = append(statements, s)
			}
		}
		got := f.ClausesBeside(words, statements)
		beside := f
		beside.Clauses = nil
		all := func(state uint, of func(facts.WordFact) bool) bool {
			for i, s := range statements {
				if of(s) && !isTrueIn[i][state] {
					return false
				}
			}
			return true
		}
		every := func(facts.WordFact) bool { return true }
		for state := range uint(1) << latches {
			if is := holds(slices.Concat(beside.Invariant(), got), state) && all(state, every); is != holds(inv, state) {
				t.Fatalf("seed %d: %+v, words %v, of which %v: state %b with the clauses %v: %t", seed, f, words, statements, state, got, is)
			}
		}
		implied, left = implied+len(f.Clauses)-len(got), left+len(got)
		beside.Groups = nil
		for _, clause := range got {
			for word := range words {
				if slices.Contains(words[word].Bits, facts.Open) {
					withOpen++
					continue
				}
				isLeft := false
				for state := range uint(1) << latches {
					isLeft = isLeft || holds(beside.Invariant(), state) && !holds(cert.Invariant{clause}, state) &&
						all(state, func(s facts.WordFact) bool { return s.Kind != facts.Sum && s.Word == word })
				}
				if !isLeft {
					t.Fatalf("seed %d: %+v, words %v: %v follows from those of %v about word %d", seed, f, words, clause, statements, word)
				}
			}
		}
	}
	t.Log(implied, left, withOpen)
	if min(implied, left, withOpen) < 250 {
		t.Errorf("of the clauses %d are implied, %d are not, %d with words that have missing bits", implied, left, withOpen)
	}
}

// TestClausesBesideWideWords has words that are too wide for all values to be tried, alone or with the
// other one, and some of whose bits are constant.
func TestClausesBesideWideWords(t *testing.T) {
	lits := func(from, n int) (all []circuit.Lit) {
		for i := range n {
			all = append(all, circuit.Var(from+i).Lit())
		}
		return all
	}
	value := func(width int, ones ...int) []circuit.Value {
		all := make([]circuit.Value, width)
		for _, i := range ones {
			all[i] = circuit.One
		}
		return all
	}
	for _, test := range []struct {
		name      string
		width     int
		constants int // of the highest bits, which are 0
		isLeft    bool
	}{
		{"as wide as can be tried", 16, 0, false},
		{"one wider", 17, 0, true},
		{"wider, with constants", 40, 25, false},
		{"wider, with too few constants", 40, 23, true},
	} {
		word := facts.Word{Bits: lits(1, test.width)}
		f := facts.Facts{Clauses: cert.Invariant{{3, 5}, {3, 7}}}
		for _, l := range word.Bits[test.width-test.constants:] {
			f.Constants = append(f.Constants, l.Not())
		}
		// never with bits 0 and 1 set
		never := facts.WordFact{Kind: facts.Never, Value: slices.Repeat([]circuit.Value{circuit.X}, test.width)}
		never.Value[0], never.Value[1] = circuit.One, circuit.One
		want := cert.Invariant{{3, 7}}
		if test.isLeft {
			want = f.Clauses
		}
		if got := f.ClausesBeside([]facts.Word{word}, []facts.WordFact{never}); !slices.EqualFunc(got, want, slices.Equal[[]circuit.Lit]) {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	// Bit 0 of both is the same: a and b are equal. The bound of a alone says that its highest bits are not both 1.
	words := []facts.Word{{Bits: lits(1, 9)}, {Bits: lits(10, 9)}}
	bound := facts.WordFact{Kind: facts.AtMost, Value: value(9, 0, 1, 2, 3, 4, 5, 6, 8)}
	sum := facts.WordFact{Kind: facts.Sum, Other: 1, Value: value(9)}
	highest, others := []circuit.Lit{17, 19}, []circuit.Lit{35, 37}
	f := facts.Facts{Clauses: cert.Invariant{highest, others, {2, 21}}}
	if got := f.ClausesBeside(words, []facts.WordFact{bound, sum}); len(got) != 2 || !slices.Equal(got[0], others) {
		t.Errorf("words too wide together: %v", got)
	}
	words[0].Bits, words[1].Bits, bound.Value, sum.Value = lits(2, 8), lits(11, 8), value(8, 0, 1, 2, 3, 4, 5, 7), value(8)
	f.Clauses = cert.Invariant{highest, others, {4, 23}, {2, 21}}
	if got := f.ClausesBeside(words, []facts.WordFact{bound, sum}); !slices.EqualFunc(got, cert.Invariant{{2, 21}}, slices.Equal[[]circuit.Lit]) {
		t.Errorf("two words and their sum: %v", got)
	}
}
