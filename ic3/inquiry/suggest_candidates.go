package inquiry

import (
	"cmp"
	"math/bits"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
)

const (
	// mostPaired bounds the latches of which pairs are looked at: the nearest to the property.
	mostPaired = 700
	// mostGuessed bounds the clauses that simulation suggests.
	mostGuessed = 6000
	// searchEffort bounds a bounded search for violations, in propagations of IC3, and
	// searchPerVar the same for each variable of the circuit.
	searchEffort = 20_000_000
	searchPerVar = 20_000
	mostSearches = 40
)

// searchLimit bounds a bounded search for violations.
func (f *finder) searchLimit() int64 {
	return min(searchEffort, f.terms.Effort/4, searchPerVar*int64(f.c.NumVars()))
}

// candidates returns clauses over latches that hold in all samples: those of a run that are
// given first, then constants, equalities and implications, of these first what would be the
// least likely by chance.
func (f *finder) candidates(clauses cert.Invariant) cert.Invariant {
	var all cert.Invariant
	for _, clause := range clauses {
		if f.holds(clause) {
			all = append(all, slices.Clone(clause))
		}
	}
	if f.seen.words == 0 {
		return all // nothing is known of any state
	}
	g := &guesses{finder: f, near: f.nearest()}
	g.alone()
	g.pairs()
	slices.SortStableFunc(g.weighed, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	for _, w := range g.weighed[:min(len(g.weighed), mostGuessed)] {
		all = append(all, w.clause)
	}
	return all
}

// word returns 64 samples of a literal of a latch.
func (s *samples) word(c *circuit.Circuit, l circuit.Lit, i int) uint64 {
	return s.latches[c.LatchIndex(l.Var())][i] ^ -uint64(l&1)
}

// holds reports whether a clause over latches holds in all samples.
func (f *finder) holds(clause []circuit.Lit) bool {
	for i := range f.seen.words {
		some := uint64(0)
		for _, l := range clause {
			some |= f.seen.word(f.c, l, i)
		}
		if ^some != 0 {
			return false
		}
	}
	return true
}

// nearest returns latches by the least number of steps in which they reach the property or a
// constraint, up to a bound.
func (f *finder) nearest() (near []circuit.Lit) {
	seen := make([]bool, f.c.NumVars())
	todo := []circuit.Lit{f.c.Bads()[0].Lit}
	for _, s := range f.c.Constraints() {
		todo = append(todo, s.Lit)
	}
	for len(todo) > 0 && len(near) < mostPaired {
		var later []circuit.Lit
		for len(todo) > 0 {
			v := todo[len(todo)-1].Var()
			todo = todo[:len(todo)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			if left, right, ok := f.c.Operands(v); ok {
				todo = append(todo, left, right)
			} else if i := f.c.LatchIndex(v); i >= 0 {
				near, later = append(near, v.Lit()), append(later, f.c.Latches()[i].Next)
			}
		}
		todo = later
	}
	return near[:min(len(near), mostPaired)]
}

// weighed is a clause and how unlikely it is that it holds in all samples by chance: the
// number of samples that one would expect to violate it, were its latches independent.
type weighed struct {
	clause []circuit.Lit
	weight float64
}

// guesses collects what the samples suggest.
type guesses struct {
	*finder
	near    []circuit.Lit
	varying []circuit.Lit // those of near that have both values and of which no other is equal
	ones    []int         // by varying: samples in which it is 1
	weighed []weighed
}

func (g *guesses) add(weight float64, clause ...circuit.Lit) {
	g.weighed = append(g.weighed, weighed{clause, weight})
}

// alone finds constants and classes of equal and opposite latches.
func (g *guesses) alone() {
	total := float64(64 * g.seen.words)
	classes := map[uint64][]circuit.Lit{} // by what a hash says of values, those in the first sample taken as 0
next:
	for _, l := range g.near {
		ones, hash := 0, uint64(0)
		flip := -(g.seen.word(g.c, l, 0) & 1)
		for i := range g.seen.words {
			w := g.seen.word(g.c, l, i)
			ones += bits.OnesCount64(w)
			hash = (hash ^ w ^ flip) * 0x9E3779B97F4A7C15
			hash ^= hash >> 29
		}
		if ones == 0 || ones == 64*g.seen.words {
			g.add(total, l.NotIf(ones == 0))
			continue
		}
		for _, m := range classes[hash] {
			negated := (g.seen.word(g.c, m, 0)^g.seen.word(g.c, l, 0))&1 == 1
			if own := l.NotIf(negated); g.isEqual(m, own) {
				g.add(total, m.Not(), own)
				g.add(total, m, own.Not())
				continue next
			}
		}
		classes[hash] = append(classes[hash], l)
		g.varying, g.ones = append(g.varying, l), append(g.ones, ones)
	}
}

func (g *guesses) isEqual(a, b circuit.Lit) bool {
	for i := range g.seen.words {
		if g.seen.word(g.c, a, i) != g.seen.word(g.c, b, i) {
			return false
		}
	}
	return true
}

// pairs finds pairs of values that two latches never have at once.
func (g *guesses) pairs() {
	total := float64(64 * g.seen.words)
	share := func(i int, one bool) float64 {
		if one {
			return float64(g.ones[i]) / total
		}
		return 1 - float64(g.ones[i])/total
	}
	for i, a := range g.varying {
		if g.ctx.Err() != nil {
			return
		}
		for j, b := range g.varying[:i] {
			met := g.meets(a, b)
			for both := range 4 {
				if met>>both&1 == 0 {
					one, other := both&1 == 1, both&2 == 2
					g.add(total*share(i, one)*share(j, other), b.NotIf(other), a.NotIf(one))
				}
			}
		}
	}
}

// meets returns the pairs of values that two latches have in some sample: bit v+2w says that a
// is v while b is w.
func (g *guesses) meets(a, b circuit.Lit) (met int) {
	x, y := g.seen.latches[g.c.LatchIndex(a.Var())], g.seen.latches[g.c.LatchIndex(b.Var())]
	for i, v := range x {
		w := y[i]
		for both, seen := range [4]uint64{^v & ^w, v & ^w, ^v & w, v & w} {
			if seen != 0 {
				met |= 1 << both
			}
		}
		if met == 15 {
			return met
		}
	}
	return met
}

// stronger returns parts of the conjunction that makes the property fail that are never 1 at
// once in any sample either, as clauses. None can be left out of one. When the context ends it returns
// those that it has.
func (f *finder) stronger() (all cert.Invariant) {
	parts := conjuncts(f.c, f.c.Bads()[0].Lit)
	if len(parts) < 2 || f.seen.words == 0 {
		return nil
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	seen := map[string]bool{}
	for range 2 {
		kept := slices.Clone(order)
		for _, i := range order {
			if f.ctx.Err() != nil {
				return all
			}
			without := slices.DeleteFunc(slices.Clone(kept), func(j int) bool { return i == j })
			if len(without) > 0 && !f.meet(without) {
				kept = without
			}
		}
		if slices.Sort(kept); len(kept) < len(parts) && !seen[key(kept)] {
			seen[key(kept)] = true
			var clause []circuit.Lit
			for _, i := range kept {
				clause = append(clause, parts[i].Not())
			}
			all = append(all, clause)
		}
		slices.Reverse(order)
	}
	return all
}

func key(numbers []int) string {
	b := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	return string(b)
}

// meet reports whether some parts of the conjunction are 1 at once in a sample.
func (f *finder) meet(parts []int) bool {
	for i := range f.seen.words {
		all := ^uint64(0)
		for _, p := range parts {
			all &= f.seen.parts[p][i]
		}
		if all != 0 {
			return true
		}
	}
	return false
}

// survivors returns what a bounded search does not refute.
func (f *finder) survivors(candidates, stronger cert.Invariant) (_, _ cert.Invariant) {
	effort := f.searchLimit()
	for range mostSearches {
		if len(candidates)+len(stronger) == 0 || f.ctx.Err() != nil {
			break
		}
		search := bmc.NewSearch(f.asking(nil, slices.Concat(candidates, stronger)))
		t, err := search.Advance(f.ctx, effort)
		f.steps = search.Depth()
		if t == nil || err != nil {
			break
		}
		effort -= search.Effort()
		before := len(candidates) + len(stronger)
		candidates, stronger = refuted(f.c, *t, candidates), refuted(f.c, *t, stronger)
		if before == len(candidates)+len(stronger) {
			panic("inquiry: a run violates nothing")
		}
	}
	return candidates, stronger
}

// refuted returns the clauses that hold in all steps of a run.
func refuted(c *circuit.Circuit, t cert.Trace, clauses cert.Invariant) cert.Invariant {
	s := &sampler{c: c, sim: circuit.NewParallel(c), seen: &samples{latches: make([][]uint64, len(c.Latches()))}}
	left := clauses
	s.follow(t, func() {
		left = slices.DeleteFunc(slices.Clone(left), func(clause []circuit.Lit) bool {
			some := uint64(0)
			for _, l := range clause {
				some |= s.sim.Value(l)
			}
			return some&1 == 0
		})
	})
	return left
}

// follow simulates a run and calls visit in each of its steps. What it leaves open is 0.
func (s *sampler) follow(t cert.Trace, visit func()) {
	word := func(v circuit.Value) uint64 { return -uint64(v & 1) }
	s.sim.Reset(func(i int) uint64 { return word(t.Initial[i]) })
	inputs := make([]uint64, len(s.c.Inputs()))
	for _, row := range t.Inputs {
		for i, v := range row {
			inputs[i] = word(v)
		}
		s.sim.Eval(inputs)
		visit()
		s.sim.Advance()
	}
}

// tryStronger tries to prove stronger properties, which are suggestions either way.
func (f *finder) tryStronger(clauses cert.Invariant) {
	for _, clause := range clauses {
		_, ok := f.proof(f.asking(nil, cert.Invariant{clause}))
		f.add(Suggestion{Kind: GuessClause, Clauses: cert.Invariant{clause}, Stronger: true, Enough: ok})
	}
}
