package reduce_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reduce"
)

// repetitive returns a circuit over inputs and latches in which many gates are equal,
// opposite or constant without having the same operands, and some differ under one of all
// assignments only. Each bad is a gate.
func repetitive(r *rand.Rand, inputs, latches, gates int) *circuit.Circuit {
	b := circuit.NewBuilder(16 * gates)
	var signals, leaves []circuit.Lit
	for range inputs {
		leaves = append(leaves, b.Input(0))
	}
	for range latches {
		leaves = append(leaves, b.Latch(0))
	}
	signals = append(signals, leaves...)
	pick := func() circuit.Lit { return signals[r.IntN(len(signals))].NotIf(r.IntN(2) == 0) }
	for range gates {
		x, y, z := pick(), pick(), pick()
		made := b.And(x, y)
		switch r.IntN(6) {
		case 0: // x ∧ y, in other words
			made = b.And(b.Or(x, y.Not()), y)
		case 1: // x ∧ y, or its negation
			made = b.Xor(b.Or(x, y), b.Xor(x, y)).NotIf(r.IntN(2) == 0)
		case 2: // a copy of a signal
			made = b.Mux(z, b.And(z, x), b.And(z.Not(), b.Or(x, z)))
		case 3: // the constant 0
			made = b.And(b.And(x, z), b.And(y, b.Or(x.Not(), y.Not())))
		case 4: // a copy of a signal, but for one assignment
			one := circuit.True
			for _, l := range leaves {
				one = b.And(one, l.NotIf(r.IntN(2) == 0))
			}
			made = b.Xor(x, one)
		}
		signals = append(signals, made)
	}
	for _, l := range leaves[inputs:] {
		b.SetNext(l, pick())
	}
	for _, s := range signals {
		b.Bad(s, 0)
	}
	return b.Build()
}

// tables returns what some literals are under all assignments of inputs and latches, 64 to
// a word.
func tables(c *circuit.Circuit, lits []circuit.Lit) [][]uint64 {
	n := len(c.Inputs()) + len(c.Latches())
	all := make([][]uint64, len(lits))
	sim := circuit.NewParallel(c)
	for base := 0; base < 1<<n; base += 64 {
		word := func(i int) (w uint64) {
			for lane := range 64 {
				w |= uint64((base+lane)>>i&1) << lane
			}
			return w
		}
		inputs := make([]uint64, len(c.Inputs()))
		for i := range inputs {
			inputs[i] = word(i)
		}
		for i := range c.Latches() {
			sim.SetLatch(i, word(len(inputs)+i))
		}
		sim.Eval(inputs)
		for i, l := range lits {
			all[i] = append(all[i], sim.Value(l))
		}
	}
	return all
}

// observed returns the literals of bads and next states.
func observed(c *circuit.Circuit) (lits []circuit.Lit) {
	for _, s := range c.Bads() {
		lits = append(lits, s.Lit)
	}
	for _, l := range c.Latches() {
		lits = append(lits, l.Next)
	}
	return lits
}

// same reports whether two circuits do the same in each step.
func same(a, b *circuit.Circuit) bool {
	return slices.EqualFunc(tables(a, observed(a)), tables(b, observed(b)), slices.Equal)
}

// TestMerges merges gates of random circuits and holds the result against all
// assignments: it does what the circuit did, and gates that are equal are one.
func TestMerges(t *testing.T) {
	count, proofs := 0, 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 0))
		c := repetitive(r, 6, 3, 40)
		found, err := reduce.Merges(t.Context(), c, reduce.MergeOptions{Effort: 1 << 40, Conflicts: 1 << 20})
		if err != nil || found.Again || found.Effort <= 0 {
			t.Fatalf("seed %d: again %v, effort %d, %v", seed, found.Again, found.Effort, err)
		}
		merged, err := cert.Merged(t.Context(), c, found.Merges)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !same(c, merged) {
			t.Fatalf("seed %d: the circuit with gates merged does something else", seed)
		}
		if n := distinct(merged); n < len(unique(merged)) {
			t.Errorf("seed %d: %d functions, but %d gates", seed, n, len(unique(merged)))
		}
		count += len(found.Merges)
		for _, m := range found.Merges {
			proofs += len(m.Proof)
		}
	}
	t.Log(count, "merges,", proofs, "clauses")
}

// unique returns the variables of what is observed of a circuit.
func unique(c *circuit.Circuit) []circuit.Var {
	var all []circuit.Var
	for _, l := range observed(c) {
		all = append(all, l.Var())
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// distinct returns the number of functions, up to negation, that are observed.
func distinct(c *circuit.Circuit) int {
	all := tables(c, observed(c))
	for _, table := range all {
		if table[0]&1 == 1 {
			for i := range table {
				table[i] = ^table[i]
			}
		}
	}
	slices.SortFunc(all, slices.Compare)
	return len(slices.CompactFunc(all, slices.Equal))
}

// TestWrongMergesAreRefused adds merges of gates that are not equal, under the proofs of
// others, and changes literals of proofs: what passes is so under all assignments.
func TestWrongMergesAreRefused(t *testing.T) {
	refused, passed := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := repetitive(r, 5, 3, 20)
		made, err := reduce.Merges(t.Context(), c, reduce.MergeOptions{Effort: 1 << 40, Conflicts: 1 << 20})
		merges := made.Merges
		if err != nil || len(merges) == 0 {
			t.Fatalf("seed %d: %d merges, %v", seed, len(merges), err)
		}
		i := r.IntN(len(merges))
		changed := merges[i]
		isWrong := false
		switch kind := r.IntN(5); {
		case kind == 0: // with the opposite
			changed.To = changed.To.Not()
			isWrong = true
		case kind == 1: // with something else
			changed.To = circuit.Var(r.IntN(int(changed.Gate))).Lit().NotIf(r.IntN(2) == 0)
			all := tables(c, []circuit.Lit{changed.Gate.Lit(), changed.To})
			isWrong = !slices.Equal(all[0], all[1])
		case kind == 2: // another gate
			for changed.Gate++; !isWrong && int(changed.Gate) < c.NumVars(); changed.Gate++ {
				all := tables(c, []circuit.Lit{changed.Gate.Lit(), changed.To})
				if isWrong = !slices.Equal(all[0], all[1]); isWrong {
					break
				}
			}
		case kind == 3: // a literal of a proof
			var clauses [][]circuit.Lit
			for _, clause := range changed.Proof {
				clauses = append(clauses, slices.Clone(clause))
			}
			if len(clauses) == 0 {
				continue
			}
			clause := clauses[r.IntN(len(clauses))]
			clause[r.IntN(len(clause))] ^= 1
			changed.Proof = clauses
		default: // nothing
		}
		tampered := slices.Clone(merges)
		tampered[i] = changed
		slices.SortStableFunc(tampered, func(a, b cert.Merge) int { return int(a.Gate) - int(b.Gate) })
		merged, err := cert.Merged(t.Context(), c, tampered)
		if _, isRejected := errors.AsType[*cert.RejectedError](err); err != nil && !isRejected {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch {
		case err != nil:
			refused++
		case isWrong:
			t.Fatalf("seed %d: a merge of gates that differ has passed", seed)
		case !same(c, merged):
			t.Fatalf("seed %d: a circuit that does something else has passed", seed)
		default:
			passed++
		}
	}
	if refused < 100 || passed < 40 {
		t.Errorf("%d refused, %d passed", refused, passed)
	}
}
