package aiger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
)

// randomGates adds gates to a model, at random, and returns a function that picks literals.
func randomGates(r *rand.Rand, m *aiger.Model, n int) func() uint32 {
	pick := func() uint32 { return uint32(r.IntN(int(2*m.MaxVar + 2))) }
	for range n {
		left, right := pick(), pick()
		m.MaxVar++
		m.Ands = append(m.Ands, syntax.And{LHS: 2 * m.MaxVar, RHS0: left, RHS1: right})
	}
	return pick
}

// randomModel returns a model with few inputs, latches and gates.
func randomModel(r *rand.Rand) *aiger.Model {
	m := &aiger.Model{}
	for range r.IntN(2) {
		m.MaxVar++
		m.Inputs = append(m.Inputs, 2*m.MaxVar)
	}
	for range 1 + r.IntN(2) {
		m.MaxVar++
		m.Latches = append(m.Latches, syntax.Latch{Lit: 2 * m.MaxVar})
	}
	pick := randomGates(r, m, r.IntN(6))
	finishLatches(r, m, m.Latches, pick)
	for range r.IntN(2) {
		m.Bads = append(m.Bads, pick())
	}
	for range r.IntN(4) / 3 {
		m.Constraints = append(m.Constraints, pick())
	}
	for range r.IntN(3) {
		var lits []uint32
		for range r.IntN(3) {
			lits = append(lits, pick())
		}
		m.Justice = append(m.Justice, lits)
	}
	for range r.IntN(4) / 3 {
		m.Fairness = append(m.Fairness, pick())
	}
	return m
}

// finishLatches gives latches next states and resets, which are inputs or earlier
// latches where they are functions.
func finishLatches(r *rand.Rand, m *aiger.Model, latches []syntax.Latch, pick func() uint32) {
	for i := range latches {
		l := &latches[i]
		l.Next = pick()
		switch r.IntN(6) {
		case 0:
			l.Reset = 1
		case 1:
			l.Reset = l.Lit
		case 2:
			if len(m.Inputs) > 0 {
				l.Reset = m.Inputs[0] | uint32(r.IntN(2))
			}
		}
	}
}

// randomWitness returns a witness that is the model with something more and something
// changed: with inputs and latches of its own after those of the model.
func randomWitness(r *rand.Rand, model *aiger.Model) *aiger.Model {
	w := &aiger.Model{}
	to := map[uint32]uint32{0: 0}
	lit := func(l uint32) uint32 { return to[l/2] | l&1 }
	define := func(v uint32) uint32 {
		w.MaxVar++
		if v > 0 {
			to[v] = 2 * w.MaxVar
		}
		return 2 * w.MaxVar
	}
	for _, l := range model.Inputs {
		w.Inputs = append(w.Inputs, define(l/2))
	}
	for range r.IntN(2) {
		w.Inputs = append(w.Inputs, define(0))
	}
	for _, l := range model.Latches {
		w.Latches = append(w.Latches, syntax.Latch{Lit: define(l.Lit / 2)})
	}
	if len(w.Inputs)+len(w.Latches) < 4 && r.IntN(2) == 0 {
		w.Latches = append(w.Latches, syntax.Latch{Lit: define(0)})
	}
	for _, a := range model.Ands {
		w.Ands = append(w.Ands, syntax.And{LHS: define(a.LHS / 2), RHS0: lit(a.RHS0), RHS1: lit(a.RHS1)})
	}
	pick := randomGates(r, w, r.IntN(5))
	finishLatches(r, w, w.Latches, pick)
	for i, l := range model.Latches {
		w.Latches[i].Next, w.Latches[i].Reset = lit(l.Next), lit(l.Reset)
	}
	copied := func(lits []uint32) (all []uint32) {
		for _, l := range lits {
			all = append(all, lit(l))
		}
		return all
	}
	w.Bads, w.Constraints, w.Fairness = copied(model.Bads), copied(model.Constraints), copied(model.Fairness)
	for _, lits := range model.Justice {
		w.Justice = append(w.Justice, copied(lits))
	}
	for range r.IntN(3) {
		change(r, w, pick)
	}
	return w
}

// change changes one thing of a witness.
func change(r *rand.Rand, w *aiger.Model, pick func() uint32) {
	switch r.IntN(8) {
	case 0:
		w.Bads = append(w.Bads, pick())
	case 1:
		w.Latches[r.IntN(len(w.Latches))].Next = pick()
	case 2:
		l := &w.Latches[r.IntN(len(w.Latches))]
		l.Reset = uint32(r.IntN(2))
	case 3:
		w.Constraints = append(w.Constraints, pick())
	case 4:
		w.Fairness = append(w.Fairness, pick())
	case 5:
		w.Justice = append(w.Justice, []uint32{pick()})
	default:
		for j := range w.Justice {
			switch n := len(w.Justice[j]); {
			case r.IntN(2) == 0 && n > 0:
				w.Justice[j][r.IntN(n)] = pick()
			case r.IntN(2) == 0 && n > 0:
				w.Justice[j] = w.Justice[j][:n-1]
			default:
				w.Justice[j] = append(w.Justice[j], pick())
			}
		}
	}
}

// relate writes into a witness, in one of the ways that there are, what it shares with the
// model and what its signals read, and returns both.
func relate(r *rand.Rand, model, w *aiger.Model) (shared, reads [][2]uint32) {
	for i, l := range model.Inputs {
		shared = append(shared, [2]uint32{w.Inputs[i], l})
	}
	for i, l := range model.Latches {
		shared = append(shared, [2]uint32{w.Latches[i].Lit, l.Lit})
	}
	names := map[uint32]string{}
	var comment strings.Builder
	switch r.IntN(3) {
	case 0:
		if n := len(shared); n > 1 && r.IntN(3) == 0 {
			shared = slices.Delete(shared, n-1, n)
		}
		fmt.Fprintf(&comment, "MAPPING %d\n", len(shared))
		for _, s := range shared {
			fmt.Fprintf(&comment, "%d %d\n", s[0], s[1])
		}
	case 1:
		for _, s := range shared {
			names[s[0]] = fmt.Sprintf("= %d", s[1])
		}
	}
	n := len(w.Inputs) + len(w.Latches)
	for v := range n {
		if r.IntN(2) == 0 {
			reads = append(reads, [2]uint32{uint32(2*v + 2), 2 + uint32(r.IntN(int(2*w.MaxVar)))})
		}
	}
	kind := r.IntN(3)
	switch {
	case kind == 0:
		fmt.Fprintf(&comment, "INTERVENTION %d\n", len(reads))
		for _, s := range reads {
			fmt.Fprintf(&comment, "%d %d\n", s[0], s[1])
		}
	case kind == 1 && len(reads) > 0:
		for _, s := range reads {
			names[s[0]] = strings.TrimSpace(names[s[0]] + fmt.Sprintf(" < %d", s[1]))
		}
	default:
		reads = nil
		for _, l := range w.Latches {
			if l.Next > 1 {
				reads = append(reads, [2]uint32{l.Lit, l.Next})
			}
		}
	}
	for i, l := range w.Inputs {
		w.Symbols = append(w.Symbols, syntax.SymbolEntry{Kind: syntax.SectionInputs, Index: i, Name: names[l]})
	}
	for i, l := range w.Latches {
		w.Symbols = append(w.Symbols, syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: i, Name: names[l.Lit]})
	}
	w.Comment, w.HasComment = comment.String(), comment.Len() > 0
	return shared, reads
}
