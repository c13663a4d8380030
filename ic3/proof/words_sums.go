package proof

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/facts"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of a comparison.
const (
	sumRounds  = 16
	maxSamples = 64 // states by which words are told apart; the newest count
)

// pair is two words that differ by a constant in all states that are known.
type pair struct {
	high, low *word // high is low and a constant
	// other is one of them, which has the same differences as first, the other one.
	first, other *word
	sum          facts.WordFact
}

// sums finds words that have the same value, or that differ by a constant. Those that do in all states
// that are known are asked about; an answer that they do not is one more such state.
func (x *wordSearch) sums() error {
	var parts []*part
	words := map[*part][]*word{}
	for _, w := range x.words {
		if w.least == nil || slices.Equal(w.least, w.greatest) {
			continue
		}
		if words[w.part] == nil {
			parts = append(parts, w.part)
		}
		words[w.part] = append(words[w.part], w)
	}
	for _, p := range parts {
		if err := x.sumsOf(p, words[p]); err != nil {
			return err
		}
	}
	return nil
}

// sumsOf compares the words of a part.
func (x *wordSearch) sumsOf(p *part, words []*word) error {
	for range sumRounds {
		pairs := x.pairs(p, words)
		if len(pairs) == 0 {
			return nil
		}
		var err error
		if words, err = x.try(p, pairs); err != nil {
			return err
		}
	}
	for _, q := range x.pairs(p, words) {
		x.leaveOut(q.other)
	}
	return nil
}

// pairs returns the words that differ by a constant from an earlier one in samples. That is one with
// the same value if there is any, else the first.
func (x *wordSearch) pairs(p *part, words []*word) []pair {
	if len(words) < 2 {
		return nil
	}
	var all []pair
	samples := p.samples[max(0, len(p.samples)-maxSamples):]
	first, equal := map[string]*word{}, map[string]*word{}
	for _, w := range words {
		if x.spent >= x.effort {
			x.leaveOut(w)
			continue
		}
		x.spent += int64(len(samples)*len(w.bits)) / domainShare
		start := w.number(samples[0])
		key := fmt.Appendf(nil, "%d %t", len(w.bits), w.signed)
		for _, state := range samples[1:] {
			key = fmt.Appendf(key, " %x", modulo(new(big.Int).Sub(w.number(state), start), len(w.bits)))
		}
		value := fmt.Sprintf("%s = %x", key, start)
		if other := cmp.Or(equal[value], first[string(key)]); other != nil {
			all = append(all, newPair(other, w, samples))
		} else {
			first[string(key)] = w
		}
		if equal[value] == nil {
			equal[value] = w
		}
	}
	return all
}

// newPair says which of two words is the other plus how much. That is the difference of their values
// where it is the same in all samples, else at most half of the values that they can have.
func newPair(first, other *word, samples [][]bool) pair {
	width := len(first.bits)
	low, high := first, other
	d := new(big.Int).Sub(high.number(samples[0]), low.number(samples[0]))
	k := modulo(d, width)
	half := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	if differAlways(first, other, d, samples) && d.Sign() < 0 || !differAlways(first, other, d, samples) && k.Cmp(half) > 0 {
		low, high = other, first
		k = modulo(k.Neg(k), width)
	}
	value := make([]bool, width)
	for i := range value {
		value[i] = k.Bit(i) == 1
	}
	return pair{high, low, first, other, facts.WordFact{Kind: facts.Sum, Word: high.index, Other: low.index, Value: valuesOf(value)}}
}

// differAlways reports whether other − first is d in all samples.
func differAlways(first, other *word, d *big.Int, samples [][]bool) bool {
	for _, state := range samples {
		if n := other.number(state); n.Sub(n, first.number(state)).Cmp(d) != 0 {
			return false
		}
	}
	return true
}

// number returns the value of a word in a state.
func (w *word) number(state []bool) *big.Int {
	n, value := new(big.Int), w.in(state)
	for i, bit := range value {
		if bit {
			n.SetBit(n, i, 1)
		}
	}
	if w.signed && value[len(value)-1] {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(value))))
	}
	return n
}

// modulo returns what is left of n, which changes, modulo 2 to the width.
func modulo(n *big.Int, width int) *big.Int {
	return new(big.Int).Mod(n, new(big.Int).Lsh(big.NewInt(1), uint(width)))
}

// try asks about pairs, and says those that hold. It returns the words of the others.
func (x *wordSearch) try(p *part, pairs []pair) (rest []*word, err error) {
	s := x.newSumSolver(p, pairs)
	for i, q := range pairs {
		r, err := x.solve(s.solver, s.part, sat.Query{Assumptions: []circuit.Lit{s.sums[i].Not()}})
		switch r {
		case sat.Sat:
			p.samples = append(p.samples, s.part.samples[len(s.part.samples)-1])
			if !slices.Contains(rest, q.first) {
				rest = append(rest, q.first)
			}
			rest = append(rest, q.other)
		case sat.Unsat:
			err = x.addSum(s, i, q)
		default:
			x.leaveOut(q.other)
		}
		if err != nil {
			return nil, err
		}
	}
	return rest, nil
}

// addSum says a sum that holds, unless it is known to do so without the invariant, and whether it is
// exact.
func (x *wordSearch) addSum(s *sumSolver, i int, q pair) error {
	r, err := x.solve(s.without, s.part, sat.Query{Assumptions: []circuit.Lit{s.sums[i].Not()}})
	if r == sat.Unsat || err != nil {
		return err
	}
	r, err = x.solve(s.solver, s.part, sat.Query{Assumptions: []circuit.Lit{s.exact[i].Not()}})
	if r == sat.Unsolved {
		x.leaveOut(q.other)
	}
	q.sum.Exact = r == sat.Unsat
	x.add(q.sum)
	return err
}

// sumSolver asks about sums.
type sumSolver struct {
	part        *part // with its variables as inputs
	sums, exact []circuit.Lit
	solver      sat.Solver
	without     sat.Solver // without the invariant
}

func (x *wordSearch) newSumSolver(p *part, pairs []pair) *sumSolver {
	s := &sumSolver{part: &part{}}
	b := circuit.NewBuilder(len(p.vars))
	for range p.vars {
		s.part.vars = append(s.part.vars, b.Input(0))
	}
	lit := func(l circuit.Lit) circuit.Lit {
		if l.Var() == 0 {
			return l
		}
		return s.part.vars[p.at[l.Var()]].NotIf(l.IsNegated())
	}
	var words []facts.Word
	for _, q := range pairs {
		words = append(words, facts.Word{Bits: q.high.bits, Signed: q.high.signed}, facts.Word{Bits: q.low.bits, Signed: q.low.signed})
	}
	literals := facts.NewWordLiterals(b, words, lit)
	for i, q := range pairs {
		f := facts.WordFact{Kind: facts.Sum, Word: 2 * i, Other: 2*i + 1, Value: q.sum.Value}
		s.sums = append(s.sums, literals.Literal(f))
		f.Exact = true
		s.exact = append(s.exact, literals.Literal(f))
	}
	d := encode.Gates(b.Build())
	s.solver, s.without = sat.NewCore(d), sat.NewCore(d)
	for _, clause := range x.clauses {
		if _, ok := p.at[clause[0].Var()]; !ok {
			continue
		}
		own := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			own[i] = lit(l)
		}
		s.solver.AddClause(own)
		x.spent += int64(len(own)) / domainShare
	}
	return s
}
