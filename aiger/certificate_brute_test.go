package aiger_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit/certify"
)

// point is a model at a point in time: values by variable.
type point struct {
	m      *aiger.Model
	values []bool
}

func (p point) lit(l uint32) bool { return p.values[l/2] != (l&1 == 1) }

// leaves returns the variables of inputs and latches.
func leaves(m *aiger.Model) []uint32 {
	vars := make([]uint32, 0, len(m.Inputs)+len(m.Latches))
	for _, l := range m.Inputs {
		vars = append(vars, l/2)
	}
	for _, l := range m.Latches {
		vars = append(vars, l.Lit/2)
	}
	return vars
}

// evaluated computes the gates of a point, but for those that are fixed.
func (p point) evaluated(fixed map[uint32]bool) point {
	for _, a := range p.m.Ands {
		if !fixed[a.LHS/2] {
			p.values[a.LHS/2] = p.lit(a.RHS0) && p.lit(a.RHS1)
		}
	}
	return p
}

// points returns a model under all values of some variables, the others of inputs and
// latches being as given.
func points(m *aiger.Model, free []uint32, given map[uint32]bool) []point {
	var all []point
	for bits := range 1 << len(free) {
		p := point{m, make([]bool, m.MaxVar+1)}
		for v, value := range given {
			p.values[v] = value
		}
		for i, v := range free {
			p.values[v] = bits>>i&1 == 1
		}
		all = append(all, p.evaluated(nil))
	}
	return all
}

func (p point) all(lits []uint32) bool {
	return !slices.ContainsFunc(lits, func(l uint32) bool { return !p.lit(l) })
}

func (p point) constrained() bool { return p.all(p.m.Constraints) }

func (p point) safe() bool {
	bads := p.m.Bads
	if len(bads) == 0 && len(p.m.Justice) == 0 {
		bads = p.m.Outputs
	}
	return !slices.ContainsFunc(bads, p.lit)
}

// brute judges a pair by enumeration. It is given the mapping and the interventions as
// pairs of literals.
type brute struct {
	m, w          *aiger.Model
	shared, reads [][2]uint32
	all           []point // of the witness
}

func (b *brute) latches(m *aiger.Model, side int) []syntax.Latch {
	var found []syntax.Latch
	for _, s := range b.shared {
		for _, l := range m.Latches {
			if l.Lit/2 == s[side]/2 {
				found = append(found, l)
			}
		}
	}
	return found
}

func isReset(p point, latches []syntax.Latch) bool {
	return !slices.ContainsFunc(latches, func(l syntax.Latch) bool { return p.lit(l.Lit) != p.lit(l.Reset) })
}

func steps(p, q point, latches []syntax.Latch) bool {
	return !slices.ContainsFunc(latches, func(l syntax.Latch) bool { return p.lit(l.Next) != q.lit(l.Lit) })
}

// models returns the points of the model that belong to one of the witness.
func (b *brute) models(w point) []point {
	given := map[uint32]bool{}
	for _, s := range b.shared {
		given[s[1]/2] = w.lit(s[0]) != (s[1]&1 == 1)
	}
	free := slices.DeleteFunc(leaves(b.m), func(v uint32) bool { _, ok := given[v]; return ok })
	return points(b.m, free, given)
}

// signals returns the signals of the witness for two points: fairness, then each justice
// property, padded with 1 to the shape of the model.
func (b *brute) signals(x, y point) (all [][]bool) {
	p := point{b.w, slices.Clone(x.values)}
	fixed := map[uint32]bool{}
	for _, r := range b.reads {
		p.values[r[1]/2], fixed[r[1]/2] = y.lit(r[0]) != (r[1]&1 == 1), true
	}
	p = p.evaluated(fixed)
	add := func(lits []uint32, least int) {
		var qs []bool
		for _, l := range lits {
			qs = append(qs, !p.lit(l))
		}
		for len(qs) < least {
			qs = append(qs, true)
		}
		all = append(all, qs)
	}
	add(b.w.Fairness, len(b.m.Fairness))
	for j := range max(len(b.w.Justice), len(b.m.Justice)) {
		var lits []uint32
		least := 0
		if j < len(b.w.Justice) {
			lits = b.w.Justice[j]
		}
		if j < len(b.m.Justice) {
			least = len(b.m.Justice[j])
		}
		add(lits, least)
	}
	return all
}

func (b *brute) live(x, y point) bool {
	s := b.signals(x, y)
	for _, qs := range s[1:] {
		if !slices.Contains(s[0], true) && !slices.Contains(qs, true) {
			return false
		}
	}
	return true
}

// judge returns the names of the obligations that fail. The mapping must have no gates.
func (b *brute) judge() []string {
	failed := map[string]bool{}
	for _, s := range b.all {
		b.judgeOne(s, failed)
		for _, t := range b.all {
			b.judgeTwo(s, t, failed)
		}
	}
	var names []string
	for o := certify.Stratified; o <= certify.Consistent; o++ {
		if failed[o.String()] {
			names = append(names, o.String())
		}
	}
	return names
}

func (b *brute) judgeOne(s point, failed map[string]bool) {
	kw, km := b.latches(b.w, 0), b.latches(b.m, 1)
	for _, m := range b.models(s) {
		if isReset(m, km) && m.constrained() && !(isReset(s, kw) && s.constrained()) {
			failed["reset"] = true
		}
		if m.constrained() && s.constrained() && s.safe() && !m.safe() {
			failed["safety"] = true
		}
	}
	if isReset(s, b.w.Latches) && s.constrained() && !s.safe() {
		failed["base"] = true
	}
}

func (b *brute) judgeTwo(s, t point, failed map[string]bool) {
	kw, km := b.latches(b.w, 0), b.latches(b.m, 1)
	if !s.constrained() {
		return
	}
	moves := steps(s, t, b.w.Latches)
	for _, m := range b.models(s) {
		for _, n := range b.models(t) {
			if !m.constrained() || !n.constrained() {
				continue
			}
			if steps(m, n, km) && !(steps(s, t, kw) && t.constrained()) {
				failed["transition"] = true
			}
			if moves && s.safe() && t.constrained() && t.safe() && !b.simulates(s, t, m) {
				failed["liveness"] = true
			}
		}
	}
	if !moves || !t.constrained() || !s.safe() {
		return
	}
	if !t.safe() {
		failed["step"] = true
		return
	}
	if !b.live(t, s) {
		failed["decrease"] = true
	}
	for _, u := range b.all {
		if !u.constrained() || !u.safe() {
			continue
		}
		if b.live(s, u) && !b.live(t, u) {
			failed["closure"] = true
		}
		if steps(t, u, b.w.Latches) && b.live(s, t) && b.live(t, u) && !b.isConsistent(s, t, u) {
			failed["consistent"] = true
		}
	}
}

// simulates reports whether each signal that the model has holds there when it does in
// the witness.
func (b *brute) simulates(s, t, m point) bool {
	has := b.signals(s, t)
	for i, l := range b.m.Fairness {
		if len(b.m.Justice) > 0 && has[0][i] && m.lit(l) {
			return false
		}
	}
	for j, lits := range b.m.Justice {
		for i, l := range lits {
			if has[j+1][i] && m.lit(l) {
				return false
			}
		}
	}
	return true
}

func (b *brute) isConsistent(s, t, u point) bool {
	now, later := b.signals(s, t), b.signals(t, u)
	if len(now) == 1 {
		return true // there is no justice property
	}
	for j, qs := range now {
		for i, q := range qs {
			if q && !later[j][i] {
				return false
			}
		}
	}
	for j, lits := range b.m.Justice {
		if !slices.Contains(now[0][:len(b.m.Fairness)], true) && !slices.Contains(now[j+1][:len(lits)], true) {
			return false
		}
	}
	return true
}

// TestPairsByEnumeration compares the judgement of random pairs with one by enumeration of
// all states.
func TestPairsByEnumeration(t *testing.T) {
	pairs := 3000
	if testing.Short() {
		pairs = 300
	}
	counts := map[string]int{}
	for seed := range uint64(pairs) {
		r := rand.New(rand.NewPCG(seed, 1))
		model := randomModel(r)
		w := randomWitness(r, model)
		b := &brute{m: model, w: w}
		b.shared, b.reads = relate(r, model, w)
		b.all = points(w, leaves(w), nil)
		want := b.judge()
		pair, err := aiger.NewPair(model, w)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found, err := certify.Check(context.Background(), pair)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := found.Failed(); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v fail, by enumeration %v\n%s%s", seed, got, want, model.AppendASCII(nil), w.AppendASCII(nil))
		}
		if len(want) == 0 {
			counts["valid"]++
			if len(model.Justice) > 0 {
				counts["valid with justice"]++
			}
		}
		for _, name := range want {
			counts[name]++
		}
	}
	for _, name := range []string{"valid", "valid with justice", "reset", "transition", "safety", "liveness", "base", "step", "decrease", "closure", "consistent"} {
		if counts[name] < pairs/100 {
			t.Errorf("only %d of %d pairs are about %s", counts[name], pairs, name)
		}
	}
	t.Log(counts)
}
