package equiv_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/ic3/equiv"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// respelled returns a circuit with each gate made in another way, and some of its bads
// changed under one assignment of inputs and latches only. isSame says that none was.
func respelled(r *rand.Rand, c *circuit.Circuit, mayDiffer bool) (made compare.Side, isSame bool) {
	b := circuit.NewBuilder(8 * c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	var leaves []circuit.Lit
	for _, in := range c.Inputs() {
		to[in.Lit.Var()] = b.Input(0)
		leaves = append(leaves, to[in.Lit.Var()])
	}
	for _, l := range c.Latches() {
		to[l.Lit.Var()] = b.Latch(0)
		leaves = append(leaves, to[l.Lit.Var()])
	}
	choice := leaves
	if c.HasResetFunctions() { // which must not come to depend on their own latches
		choice = leaves[:len(c.Inputs())]
	}
	choice = append(choice[:len(choice):len(choice)], circuit.True)
	any := func() circuit.Lit { return choice[r.IntN(len(choice))].NotIf(r.IntN(2) == 0) }
	for v := range circuit.Var(c.NumVars()) {
		x, y, isGate := c.Operands(v)
		if !isGate {
			continue
		}
		p, q, s := lit(x), lit(y), any()
		switch r.IntN(5) {
		case 0:
			to[v] = b.And(b.Or(p, q.Not()), q)
		case 1:
			to[v] = b.Xor(b.Or(p, q), b.Xor(p, q))
		case 2: // by cases
			to[v] = b.Mux(s, b.And(b.And(p, s), q), b.And(p, b.Or(q, s)))
			to[v] = b.And(to[v], b.Or(q, s))
		case 3: // with a constant in the way
			zero := b.And(b.And(p, s), b.And(q, b.Or(p.Not(), s.Not())))
			to[v] = b.Or(b.And(p, q), zero)
		default:
			to[v] = b.And(p, q)
		}
	}
	for _, l := range c.Latches() {
		b.SetNext(lit(l.Lit), lit(l.Next))
		b.SetReset(lit(l.Lit), lit(l.Reset))
	}
	isSame = true
	for _, s := range c.Bads() {
		bad := lit(s.Lit)
		if mayDiffer && r.IntN(2) == 0 {
			one := circuit.True
			for _, l := range leaves {
				one = b.And(one, l.NotIf(r.IntN(2) == 0))
			}
			bad, isSame = b.Xor(bad, one), false
		}
		b.Bad(bad, 0)
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), 0)
	}
	made = named(b.Build())
	return made, isSame
}

// TestSweptPairs compares circuits with many gates that are equal in other words, opposite
// or constant, and with others that differ under one of all assignments, or by one gate,
// and holds the answers against a search of all states.
func TestSweptPairs(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 41))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 5, Latches: 3, Gates: 40, MoreBads: 3, Constraints: r.IntN(2),
			FreeLatches: r.IntN(2) == 0, OneResets: true, ResetFunctions: r.IntN(4) == 0})
		how := []string{"respelled", "one assignment", "one gate"}[r.IntN(3)]
		of := c
		if how == "one gate" {
			of, _ = explicit.Edit(r, c)
		}
		b, isSame := respelled(r, of, how == "one assignment")
		m, err := compare.Match(named(c), b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		runs, observed := explicit.FirstDifferences(joint(m))
		got := equiv.Run(t.Context(), m, options())
		verdict, reason := got.Verdict()
		counts[how+" "+verdict.String()]++
		if got.Internal != nil || !agrees(t, seed, m, got, runs, observed) {
			t.Fatalf("seed %d (%s): %s %s, %v; runs differ in step %d, pairs in %v", seed, how, verdict, reason, got.Internal, runs, observed)
		}
		if how == "respelled" && isSame && verdict != equiv.Equal && !got.Vacuous {
			t.Fatalf("seed %d: %s %s", seed, verdict, reason)
		}
	}
	t.Log(counts)
	if counts["respelled equal"] < 40 || counts["one assignment different"] < 20 || counts["one gate different"] < 20 {
		t.Errorf("the pairs are too much alike: %v", counts)
	}
}

// TestWrongMerges lets the sweeper claim what is not so: each such merge is refused, that is
// reported, and the answer is the right one all the same.
func TestWrongMerges(t *testing.T) {
	refused := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 51))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 4, Latches: 2, Gates: 30, MoreBads: 2})
		b, _ := respelled(r, c, r.IntN(2) == 0)
		m, err := compare.Match(named(c), b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		wrong := false
		o := options().WithMerges(func(merges []cert.Merge) []cert.Merge {
			if len(merges) > 0 {
				i := r.IntN(len(merges))
				merges[i].To, wrong = merges[i].To.Not(), true
			}
			return merges
		})
		got := equiv.Run(t.Context(), m, o)
		runs, observed := explicit.FirstDifferences(joint(m))
		if !agrees(t, seed, m, got, runs, observed) {
			t.Fatalf("seed %d: %v; runs differ in step %d, pairs in %v", seed, got.Pairs, runs, observed)
		}
		_, isRejected := errors.AsType[*cert.RejectedError](got.Internal)
		if isRejected != wrong {
			t.Fatalf("seed %d: a wrong merge %v, and the report says %v", seed, wrong, fmt.Sprint(got.Internal))
		}
		if wrong {
			refused++
		}
	}
	if refused < 20 {
		t.Errorf("only %d wrong merges", refused)
	}
}

// withoutNames returns a side of which no latch is matched, and whose latches are partly
// kept negated.
func withoutNames(r *rand.Rand, c *circuit.Circuit) compare.Side {
	s := rewritten(r, c)
	s.Names.Latches = nil
	for i := range s.Circuit.Latches() {
		s.Names.Latches = append(s.Names.Latches, fmt.Sprint("other", i))
	}
	return s
}

// TestCorrespondingPairs compares circuits of which no latch is matched, so that what is
// equal in all runs has to be found, with the same after a gate was changed, and holds the
// answers against a search of all states.
func TestCorrespondingPairs(t *testing.T) {
	counts := map[string]int{}
	used, functions := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 61))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 25, MoreBads: 2, Constraints: r.IntN(2), OneResets: true, ResetFunctions: r.IntN(4) == 0})
		how, of := "same", c
		if r.IntN(2) == 0 {
			how = "gate changed"
			of, _ = explicit.Edit(r, c)
		}
		m, err := compare.Match(named(c), withoutNames(r, of), compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		o := options().WithEquals(func(equals []cert.Equal) []cert.Equal {
			if equals != nil {
				used++
			}
			if equals != nil && c.HasResetFunctions() {
				functions++
			}
			return equals
		})
		got := equiv.Run(t.Context(), m, o)
		runs, observed := explicit.FirstDifferences(joint(m))
		verdict, reason := got.Verdict()
		counts[how+" "+verdict.String()]++
		if got.Internal != nil || !agrees(t, seed, m, got, runs, observed) {
			t.Fatalf("seed %d (%s): %s %s, %v; runs differ in step %d, pairs in %v", seed, how, verdict, reason, got.Internal, runs, observed)
		}
	}
	t.Log(counts, used, "by correspondence,", functions, "with reset functions")
	if counts["same equal"] < 40 || counts["gate changed different"] < 15 || used < 20 || functions < 5 {
		t.Errorf("the pairs are too much alike: %v, %d by correspondence, %d with reset functions", counts, used, functions)
	}
}

// TestWrongEquals lets signal correspondence claim what is not so in all runs: that is
// refused and reported, and the answer is the right one all the same.
func TestWrongEquals(t *testing.T) {
	refused := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 71))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 4, Gates: 25, MoreBads: 2, OneResets: true})
		of := c
		if r.IntN(3) == 0 {
			of, _ = explicit.Edit(r, c)
		}
		m, err := compare.Match(named(c), withoutNames(r, of), compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		wrong := false
		o := options().WithEquals(func(equals []cert.Equal) []cert.Equal {
			if len(equals) > 0 {
				i := r.IntN(len(equals))
				equals[i].To, wrong = equals[i].To.Not(), true
			}
			return equals
		})
		got := equiv.Run(t.Context(), m, o)
		runs, observed := explicit.FirstDifferences(joint(m))
		if !agrees(t, seed, m, got, runs, observed) {
			t.Fatalf("seed %d: %v; runs differ in step %d, pairs in %v", seed, got.Pairs, runs, observed)
		}
		if _, isRejected := errors.AsType[*cert.RejectedError](got.Internal); isRejected != wrong {
			t.Fatalf("seed %d: a wrong claim %v, and the report says %v", seed, wrong, fmt.Sprint(got.Internal))
		}
		if wrong {
			refused++
		}
	}
	if refused < 15 {
		t.Errorf("only %d wrong claims", refused)
	}
}

// TestLatchesPartAtOnce compares two chains of latches of which one gate in front is not the same
// and the outputs are, since nothing reads the ends: all latches are two again after few
// questions, not after one for each.
func TestLatchesPartAtOnce(t *testing.T) {
	const n = 40
	chain := func(first func(b *circuit.Builder, x, y circuit.Lit) circuit.Lit) compare.Side {
		b := circuit.NewBuilder(4 * n)
		rare := circuit.True
		var inputs []circuit.Lit
		for range 30 {
			inputs = append(inputs, b.Input(0))
			rare = b.And(rare, inputs[len(inputs)-1])
		}
		next := first(b, rare, inputs[0])
		for range n {
			l := b.Latch(0)
			b.SetNext(l, next)
			next = l
		}
		b.Bad(b.And(next, rare.Not()), 0) // what is rare is far behind
		return named(b.Build())
	}
	a := chain(func(_ *circuit.Builder, x, _ circuit.Lit) circuit.Lit { return x })
	b := chain(func(b *circuit.Builder, x, y circuit.Lit) circuit.Lit { return b.And(x, y.Not()) })
	m, err := compare.Match(a, b, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if agree := m.Agreeing(64); slices.Contains(agree, false) {
		t.Fatal("random runs tell the chains apart")
	}
	asked := 0
	o := options()
	judge := o.Engine.Check
	o.Engine.Check = func(ctx context.Context, t verify.Task) verify.Report {
		asked++
		return judge(ctx, t)
	}
	got := equiv.Run(t.Context(), m, o)
	if verdict, reason := got.Verdict(); got.Internal != nil || verdict != equiv.Different {
		t.Fatalf("%s %s, %v", verdict, reason, got.Internal)
	}
	if asked > n/4 {
		t.Errorf("%d checks for %d latches", asked, n)
	}
}

// TestEffortsOfAComparison: the bounds grow with a circuit up to some size, and a huge one is
// not looked through.
func TestEffortsOfAComparison(t *testing.T) {
	last := [2]int64{}
	for _, vars := range []int{1, 1000, 100_000, 1_000_000} {
		sweep, correspond := equiv.Efforts(vars)
		if sweep < last[0] || correspond < last[1] || sweep <= 0 || sweep > 100_000_000 || correspond <= 0 || correspond > 100_000_000 {
			t.Errorf("%d variables: %d and %d", vars, sweep, correspond)
		}
		last = [2]int64{sweep, correspond}
	}
	if sweep, correspond := equiv.Efforts(1 << 27); sweep != 0 || correspond != 0 {
		t.Errorf("a huge circuit: %d and %d", sweep, correspond)
	}
}
