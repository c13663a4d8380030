package proof_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/engines"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestWordFacts compares what is found about random words of random circuits with an
// enumeration of the states that are reached, and of those of the invariant.
func TestWordFacts(t *testing.T) {
	circuits := uint64(2000)
	if os.Getenv("AIGLENS_LONG") != "" {
		circuits = 10_000
	}
	found := wordCounts{}
	proved := 0
	for seed := uint64(0); proved < int(circuits); seed++ {
		r := rand.New(rand.NewPCG(31, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 9, Gates: 30, Constraints: int(seed % 2), FreeLatches: seed%3 == 0,
			OneResets: true, ResetFunctions: seed%5 == 0})
		var whole []proof.Word
		if seed%4 == 0 {
			c, whole = randomCounters(r)
		}
		got := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
		if got.Checked.Outcome() != cert.Proved {
			continue
		}
		proved++
		var latches []circuit.Lit
		for _, l := range c.Latches() {
			latches = append(latches, l.Lit)
		}
		x := newEnumeration(t, seed, got.Checked.Invariant(), latches, append(whole, randomWords(r, latches)...))
		x.compare(found)
		x.checkReached(c)
	}
	t.Logf("%v in the proofs of %d circuits", found, proved)
	found.atLeast(t, int(circuits)/100)
}

// TestWordFactsOfClauses is TestWordFacts for random clauses, which say more about words than the
// invariants of random circuits do.
func TestWordFactsOfClauses(t *testing.T) {
	found := wordCounts{}
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(32, seed))
		var latches []circuit.Lit
		for i := range 3 + r.IntN(7) {
			latches = append(latches, circuit.Var(2*i+1).Lit())
		}
		words := randomWords(r, latches)
		x := newEnumeration(t, seed, randomClauses(r, latches, words), latches, words)
		x.compare(found)
	}
	t.Logf("%v", found)
	found.atLeast(t, 50)
}

// wordCounts says how many facts of a kind have been compared.
type wordCounts map[string]int

func (c wordCounts) atLeast(t *testing.T, n int) {
	t.Helper()
	for _, kind := range []string{"at least", "at most", "never", "sum", "at most one", "exactly one"} {
		if c[kind] < n {
			t.Errorf("%d facts of the kind %s", c[kind], kind)
		}
	}
}

var kindNames = map[facts.WordKind]string{facts.AtLeast: "at least", facts.AtMost: "at most", facts.Never: "never",
	facts.Sum: "sum", facts.AtMostOne: "at most one", facts.ExactlyOne: "exactly one"}

// randomWords returns words of latches, some of which are negated, missing, constant or stand there
// twice.
func randomWords(r *rand.Rand, latches []circuit.Lit) []proof.Word {
	var words []proof.Word
	for range 2 + r.IntN(4) {
		width := 2 + r.IntN(3) + r.IntN(3)*r.IntN(2)
		w := proof.Word{Word: facts.Word{Signed: r.IntN(3) == 0}}
		from := r.Perm(len(latches))
		for i := range width {
			l := latches[from[i%len(from)]].NotIf(r.IntN(4) == 0)
			switch r.IntN(24) {
			case 0:
				l = facts.Open
			case 1:
				l = circuit.False.NotIf(r.IntN(2) == 0)
			case 2:
				l = latches[r.IntN(len(latches))]
			}
			w.Bits = append(w.Bits, l)
		}
		for range r.IntN(3) {
			value := make([]circuit.Value, width)
			for i := range value {
				value[i] = circuit.Value(r.IntN(9) * 2 / 8 % 3)
				if r.IntN(2) == 0 {
					value[i] = circuit.ValueOf(r.IntN(2) == 0)
				}
			}
			w.Named = append(w.Named, value)
		}
		words = append(words, w)
	}
	return words
}

// randomCounters returns a circuit with two words, and a bad by which something is proved about them: a
// counter that starts again, a register with one 1 that moves, or two counters that count together.
func randomCounters(r *rand.Rand) (*circuit.Circuit, []proof.Word) {
	b := circuit.NewBuilder(64)
	width := 3 + r.IntN(2)
	words := make([]proof.Word, 2)
	enable, keep, signed := b.Input(0), b.Input(0), r.IntN(2) == 0
	for i := range words {
		words[i].Signed = signed
		for range width {
			words[i].Bits = append(words[i].Bits, b.Latch(0))
		}
	}
	starts := []int{r.IntN(1 << width), r.IntN(1 << width)}
	last := starts[0] + r.IntN(1<<width-starts[0])
	ring := r.IntN(3) == 0
	restart := circuit.False.NotIf(r.IntN(2) == 0)
	kind := facts.AtMostOne + facts.WordKind(r.IntN(2))
	if ring {
		starts[0] = 1
	}
	isLast := circuit.True
	for j, l := range words[0].Bits {
		isLast = b.And(isLast, l.NotIf(last>>j&1 == 0))
	}
	restart = b.And(restart, isLast)
	x := facts.NewWordLiterals(b, []facts.Word{words[0].Word, words[1].Word}, func(l circuit.Lit) circuit.Lit { return l })
	for i, w := range words {
		carry := enable
		for j, l := range w.Bits {
			b.SetReset(l, circuit.False.NotIf(starts[i]>>j&1 == 1))
			next := b.Xor(l, carry)
			carry = b.And(carry, l)
			if ring && i == 0 {
				next = b.Mux(enable, w.Bits[(j+width-1)%width], l)
				if kind == facts.AtMostOne { // the 1 may get lost
					next = b.And(next, keep)
				}
			}
			b.SetNext(l, b.Mux(b.And(restart, enable), circuit.False.NotIf(starts[i]>>j&1 == 1), next))
		}
	}
	claim := facts.WordFact{Kind: facts.AtMost, Value: bitsOf(last, width)}
	switch {
	case ring:
		claim = facts.WordFact{Kind: kind}
	case r.IntN(2) == 0:
		claim = facts.WordFact{Kind: facts.Sum, Word: 1, Value: bitsOf(starts[1]-starts[0], width)}
	}
	b.Bad(x.Literal(claim).Not(), 0)
	return b.Build(), words
}

// randomClauses returns clauses, some of them such that two words are equal, or that at most one bit
// of a word is 1.
func randomClauses(r *rand.Rand, latches []circuit.Lit, words []proof.Word) cert.Invariant {
	var inv cert.Invariant
	for range r.IntN(12) {
		clause := make([]circuit.Lit, 1+r.IntN(4))
		for i := range clause {
			clause[i] = latches[r.IntN(len(latches))].NotIf(r.IntN(2) == 0)
		}
		inv = append(inv, clause)
	}
	isLatch := func(l circuit.Lit) bool { return l != facts.Open && l.Var() != 0 }
	a, b := words[0].Bits, words[1].Bits
	switch r.IntN(4) {
	case 0:
		for i := range min(len(a), len(b)) {
			if isLatch(a[i]) && isLatch(b[i]) {
				inv = append(inv, []circuit.Lit{a[i], b[i].Not()}, []circuit.Lit{a[i].Not(), b[i]})
			}
		}
	case 1:
		own := slices.DeleteFunc(slices.Clone(a), func(l circuit.Lit) bool { return !isLatch(l) })
		for i, l := range own {
			for _, m := range own[:i] {
				inv = append(inv, []circuit.Lit{l.Not(), m.Not()})
			}
		}
		if r.IntN(2) == 0 && len(own) > 0 {
			inv = append(inv, own)
		}
	case 2: // b = a + 1, or almost
		if len(a) == len(b) && !slices.ContainsFunc(slices.Concat(a, b), func(l circuit.Lit) bool { return !isLatch(l) }) {
			carry := []circuit.Lit{}
			for i := range a {
				// b[i] differs from a[i] where all lower bits of a are 1.
				inv = append(inv, append(slices.Clone(carry), a[i], b[i]), append(slices.Clone(carry), a[i].Not(), b[i].Not()))
				for _, low := range a[:i] {
					inv = append(inv, []circuit.Lit{low, a[i], b[i].Not()}, []circuit.Lit{low, a[i].Not(), b[i]})
				}
				carry = append(carry, a[i].Not())
			}
		}
	}
	return inv
}

// enumeration is an invariant with its states.
type enumeration struct {
	t       *testing.T
	seed    uint64
	inv     cert.Invariant
	facts   facts.Facts
	latches []circuit.Lit
	words   []proof.Word
	found   proof.WordFacts
	// states are those of the invariant, and possible those of which only the constants are known.
	states, possible []uint
}

func newEnumeration(t *testing.T, seed uint64, inv cert.Invariant, latches []circuit.Lit, words []proof.Word) *enumeration {
	t.Helper()
	f, err := facts.Of(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	x := &enumeration{t: t, seed: seed, inv: inv, facts: f, latches: latches, words: words}
	for state := range uint(1) << len(latches) {
		if x.satisfies(state, inv) {
			x.states = append(x.states, state)
		}
		if x.satisfies(state, facts.Facts{Constants: f.Constants}.Invariant()) {
			x.possible = append(x.possible, state)
		}
	}
	if x.found, err = proof.FindWordFacts(t.Context(), f, words, proof.WordEffort); err != nil {
		t.Fatal(err)
	}
	plain := make([]facts.Word, len(words))
	for i, w := range words {
		plain[i] = w.Word
	}
	held, err := facts.Implied(t.Context(), facts.Step{}, inv, plain, x.found.Facts)
	if err != nil || len(held) != len(x.found.Facts) || len(x.found.LeftOut) > 0 {
		x.fail("of %v hold %v, %v left out, %v", x.found.Facts, held, x.found.LeftOut, err)
	}
	return x
}

func (x *enumeration) fail(format string, args ...any) {
	x.t.Helper()
	x.t.Fatalf("seed %d, %v, words %v: %s", x.seed, x.inv, x.words, fmt.Sprintf(format, args...))
}

func (x *enumeration) value(state uint, l circuit.Lit) uint {
	if l.Var() == 0 {
		return uint(l & 1)
	}
	i := slices.Index(x.latches, l.Positive())
	return state>>i&1 ^ uint(l&1)
}

func (x *enumeration) satisfies(state uint, inv cert.Invariant) bool {
	return !slices.ContainsFunc(inv, func(clause []circuit.Lit) bool {
		return !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return x.value(state, l) == 1 })
	})
}

// numbers returns the values that a word has in a state: several with bits that are open.
func (x *enumeration) numbers(state uint, word int) []int {
	all := []int{0}
	w := x.words[word]
	for i, l := range w.Bits {
		weight := 1 << i
		if w.Signed && i == len(w.Bits)-1 {
			weight = -weight
		}
		for j, n := range all {
			switch {
			case l == facts.Open:
				all = append(all, n+weight)
			case x.value(state, l) == 1:
				all[j] += weight
			}
		}
	}
	return all
}

// taken returns the values of a word in some states, in order.
func (x *enumeration) taken(states []uint, word int) []int {
	var all []int
	for _, s := range states {
		all = append(all, x.numbers(s, word)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// bitsOf returns a value from the least significant bit on.
func bitsOf(n, width int) []circuit.Value {
	bits := make([]circuit.Value, width)
	for i := range bits {
		bits[i] = circuit.ValueOf(n>>i&1 == 1)
	}
	return bits
}

func fits(value, pattern []circuit.Value) bool {
	for i, v := range pattern {
		if v != circuit.X && v != value[i] {
			return false
		}
	}
	return true
}

// holds reports whether a fact holds in a state, whatever the bits are that are open.
func (x *enumeration) holds(f facts.WordFact, state uint) bool {
	width := len(x.words[f.Word].Bits)
	number := 0
	for i, v := range f.Value {
		if v == circuit.One {
			number += 1 << i
		}
	}
	signed := number
	if x.words[f.Word].Signed && number>>(width-1) == 1 {
		signed -= 1 << width
	}
	for _, n := range x.numbers(state, f.Word) {
		ones := 0
		for i := range width {
			ones += n >> i & 1
		}
		ok := true
		switch f.Kind {
		case facts.AtLeast:
			ok = n >= signed
		case facts.AtMost:
			ok = n <= signed
		case facts.Never:
			ok = !fits(bitsOf(n, width), f.Value)
		case facts.AtMostOne:
			ok = ones <= 1
		case facts.ExactlyOne:
			ok = ones == 1
		case facts.Sum:
			for _, m := range x.numbers(state, f.Other) {
				if f.Exact {
					ok = ok && n == m+number
				} else {
					ok = ok && (n-m-number)%(1<<width) == 0
				}
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// compare compares all facts with the states of the invariant.
func (x *enumeration) compare(found wordCounts) {
	for _, f := range x.found.Facts {
		found[kindNames[f.Kind]]++
		for _, state := range x.states {
			if !x.holds(f, state) {
				x.fail("%v does not hold in %b", f, state)
			}
		}
	}
	if len(x.states) == 0 {
		return
	}
	for i := range x.words {
		x.compareWord(i)
	}
	x.compareSums()
}

// of returns the facts of one kind about a word.
func (x *enumeration) of(word int, kind facts.WordKind) (all []facts.WordFact) {
	for _, f := range x.found.Facts {
		if f.Word == word && f.Kind == kind {
			all = append(all, f)
		}
	}
	return all
}

// isAsked reports whether facts are to be expected of a word, and of its numbers: another one with the
// same bits has them otherwise.
func (x *enumeration) isAsked(word int) (isAsked, byNumber bool) {
	w := x.words[word]
	told := map[circuit.Var]bool{}
	rest := x.facts
	rest.Constants = nil
	for _, clause := range rest.Invariant() {
		for _, l := range clause {
			told[l.Var()] = true
		}
	}
	free := map[circuit.Lit]bool{}
	isTold := false
	for i, l := range w.Bits {
		switch {
		case l == facts.Open:
			free[circuit.Lit(1_000_000+2*i)] = true
		case l.Var() != 0 && !slices.ContainsFunc(x.facts.Constants, func(k circuit.Lit) bool { return k.Var() == l.Var() }):
			free[l.Positive()] = true
			isTold = isTold || told[l.Var()]
		}
	}
	for _, other := range x.words[:word] {
		if slices.Equal(other.Bits, w.Bits) && other.Signed == w.Signed {
			return len(free) > 1 && isTold && len(w.Named) > 0, false
		}
	}
	return len(free) > 1 && isTold, len(free) > 1 && isTold
}

func (x *enumeration) compareWord(word int) {
	isAsked, byNumber := x.isAsked(word)
	w := x.words[word]
	width := len(w.Bits)
	taken, possible := x.taken(x.states, word), x.taken(x.possible, word)
	var never [][]circuit.Value
	for _, pattern := range w.Named {
		isTaken := slices.ContainsFunc(taken, func(n int) bool { return fits(bitsOf(n, width), pattern) })
		if isAsked && !isTaken {
			never = append(never, pattern)
		}
	}
	isNamed := func(n int) bool {
		return slices.ContainsFunc(never, func(pattern []circuit.Value) bool { return fits(bitsOf(n, width), pattern) })
	}
	var least, greatest, holes [][]circuit.Value
	if byNumber {
		oneHot := slices.Concat(x.of(word, facts.AtMostOne), x.of(word, facts.ExactlyOne))
		x.compareOneHot(word, taken, oneHot)
		lowest, highest := possible[0], possible[len(possible)-1]
		if len(oneHot) > 0 {
			possible = slices.DeleteFunc(possible, func(n int) bool {
				ones := 0
				for i := range width {
					ones += n >> i & 1
				}
				return ones > 1 || ones == 0 && oneHot[0].Kind == facts.ExactlyOne
			})
			lowest, highest = possible[0], possible[len(possible)-1]
		}
		if taken[0] != lowest {
			least = append(least, bitsOf(taken[0], width))
		}
		if taken[len(taken)-1] != highest {
			greatest = append(greatest, bitsOf(taken[len(taken)-1], width))
		}
		for _, n := range possible {
			if n >= taken[0] && n <= taken[len(taken)-1] && !slices.Contains(taken, n) && !isNamed(n) && len(oneHot) == 0 {
				holes = append(holes, bitsOf(n, width))
			}
		}
		if len(holes) > 3 {
			holes = nil
		}
	}
	x.equal(word, facts.AtLeast, least)
	x.equal(word, facts.AtMost, greatest)
	x.equal(word, facts.Never, slices.Concat(never, holes))
}

// equal compares the values of the facts of a kind.
func (x *enumeration) equal(word int, kind facts.WordKind, want [][]circuit.Value) {
	var got [][]circuit.Value
	for _, f := range x.of(word, kind) {
		got = append(got, f.Value)
	}
	if !slices.EqualFunc(got, want, slices.Equal[[]circuit.Value]) {
		x.fail("word %d, %s: %v, want %v", word, kindNames[kind], got, want)
	}
}

func (x *enumeration) compareOneHot(word int, taken []int, found []facts.WordFact) {
	vars := map[circuit.Lit]bool{}
	bits, isOpen := 0, 0
	for _, l := range x.words[word].Bits {
		switch {
		case l == facts.Open:
			isOpen++
		case l == circuit.True || slices.Contains(x.facts.Constants, l):
			return
		case l != circuit.False && !slices.Contains(x.facts.Constants, l.Not()):
			bits++
			vars[l.Positive()] = true
		}
	}
	most, least := 0, len(x.words[word].Bits)
	for _, n := range taken {
		ones := 0
		for i := range x.words[word].Bits {
			ones += n >> i & 1
		}
		most, least = max(most, ones), min(least, ones)
	}
	want := []facts.WordFact(nil)
	switch {
	case most > 1 || bits+isOpen < 3 || len(vars) < bits:
	case least == 1:
		want = []facts.WordFact{{Kind: facts.ExactlyOne, Word: word}}
	default:
		want = []facts.WordFact{{Kind: facts.AtMostOne, Word: word}}
	}
	if len(found) != len(want) || len(want) > 0 && found[0].Kind != want[0].Kind {
		x.fail("word %d: %v, want %v", word, found, want)
	}
}

// compareSums finds all words that differ by a constant: each is joined to the others by sums that
// are said, or that hold whatever the invariant is.
func (x *enumeration) compareSums() {
	group := make([]int, len(x.words))
	for i := range group {
		group[i] = i
	}
	join := func(from, to int) {
		for i, g := range group {
			if g == from {
				group[i] = to
			}
		}
	}
	for _, f := range x.found.Facts {
		if f.Kind == facts.Sum {
			join(group[f.Word], group[f.Other])
		}
	}
	x.pairs(func(i, j int) {
		if x.differ(x.possible, i, j) {
			join(group[i], group[j])
		}
	})
	x.pairs(func(i, j int) {
		changes := len(x.taken(x.states, i)) > 1 && len(x.taken(x.states, j)) > 1
		if changes && x.differ(x.states, i, j) && group[i] != group[j] {
			x.fail("words %d and %d differ by a constant: %v", i, j, x.found.Facts)
		}
	})
}

// pairs calls f for pairs of words that are alike.
func (x *enumeration) pairs(f func(i, j int)) {
	for i, w := range x.words {
		for j, v := range x.words[:i] {
			_, own := x.isAsked(i)
			_, other := x.isAsked(j)
			isOpen := slices.Contains(w.Bits, facts.Open) || slices.Contains(v.Bits, facts.Open)
			if own && other && len(w.Bits) == len(v.Bits) && w.Signed == v.Signed && !isOpen {
				f(i, j)
			}
		}
	}
}

func (x *enumeration) differ(states []uint, i, j int) bool {
	modulo := 1 << len(x.words[i].Bits)
	first := -1
	for _, s := range states {
		d := ((x.numbers(s, i)[0]-x.numbers(s, j)[0])%modulo + modulo) % modulo
		if first >= 0 && d != first {
			return false
		}
		first = d
	}
	return true
}

// checkReached compares the facts with the states that are reached. An initial state may violate the
// constraints, and with reset functions the facts are about the steps after it.
func (x *enumeration) checkReached(c *circuit.Circuit) {
	mayStartOutside := c.HasResetFunctions() || len(c.Constraints()) > 0
	for state, isReached := range explicit.Reachable(c) {
		if !isReached || mayStartOutside && !x.satisfies(uint(state), x.inv) {
			continue
		}
		for _, f := range x.found.Facts {
			if !x.holds(f, uint(state)) {
				x.fail("%v does not hold in %b, which is reached", f, state)
			}
		}
	}
}

// TestWideWords finds the facts about words of 40 bits, by far more values than can be tried.
func TestWideWords(t *testing.T) {
	const width, greatest, never = 40, 700_000_000_123, 5_000_000
	word := func(from, width int) (w proof.Word) {
		for i := range width {
			w.Bits = append(w.Bits, circuit.Var(from+i).Lit())
		}
		return w
	}
	low, high, wide := word(1, width), word(101, width), word(201, 129)
	inv := cert.Invariant{{wide.Bits[0], wide.Bits[1]}}
	var is []circuit.Lit
	for i, l := range low.Bits {
		is = append(is, l.NotIf(never>>i&1 == 1))
		inv = append(inv, []circuit.Lit{l, high.Bits[i].Not()}, []circuit.Lit{l.Not(), high.Bits[i]})
		if greatest>>i&1 == 1 {
			continue
		}
		clause := []circuit.Lit{l.Not()} // a lower value where a higher bit is 0 that may be 1
		for j := i + 1; j < width; j++ {
			if greatest>>j&1 == 1 {
				clause = append(clause, low.Bits[j].Not())
			}
		}
		inv = append(inv, clause)
	}
	inv = append(inv, is)
	f, err := facts.Of(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	words := []proof.Word{low, wide, high}
	got, err := proof.FindWordFacts(t.Context(), f, words, proof.WordEffort)
	if err != nil || !slices.Equal(got.LeftOut, []int{1}) {
		t.Errorf("left out %v, %v", got.LeftOut, err)
	}
	var want []facts.WordFact
	for _, i := range []int{0, 2} {
		want = append(want, facts.WordFact{Kind: facts.AtMost, Word: i, Value: bitsOf(greatest, width)},
			facts.WordFact{Kind: facts.Never, Word: i, Value: bitsOf(never, width)})
	}
	want = append(want, facts.WordFact{Kind: facts.Sum, Word: 2, Other: 0, Value: bitsOf(0, width), Exact: true})
	if !reflect.DeepEqual(got.Facts, want) {
		t.Errorf("found %v\nwant %v", got.Facts, want)
	}
	held, err := facts.Implied(t.Context(), facts.Step{}, inv, []facts.Word{low.Word, wide.Word, high.Word}, got.Facts)
	if err != nil || len(held) != len(want) {
		t.Errorf("%v hold, %v", held, err)
	}
	t.Logf("effort %d, %d queries", got.Effort, got.Queries)
	for effort := range got.Effort {
		if effort%41 != 0 {
			continue
		}
		less, err := proof.FindWordFacts(t.Context(), f, words, effort)
		if err != nil || reflect.DeepEqual(less.Facts, want) != (len(less.LeftOut) == 1) {
			t.Fatalf("with effort %d: %v, %v left out, %v", effort, less.Facts, less.LeftOut, err)
		}
	}
}

func TestWordFactsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := proof.FindWordFacts(ctx, facts.Facts{}, nil, proof.WordEffort); err != context.Canceled {
		t.Error(err)
	}
	if _, err := facts.Implied(ctx, facts.Step{}, nil, []facts.Word{{Bits: []circuit.Lit{2}}}, []facts.WordFact{{Kind: facts.AtMostOne}}); err != context.Canceled {
		t.Error(err)
	}
}
