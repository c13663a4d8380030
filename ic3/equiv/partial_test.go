package equiv_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/ic3/equiv"
	"aiglens/internal/explicit"
)

// withOutputs returns the circuit of a side with some of its bads as outputs, and others
// left out. The names stay with their signals.
func withOutputs(s compare.Side, outputs, bads []int) compare.Side {
	b := circuit.NewBuilder(s.Circuit.NumVars())
	lit := s.Circuit.CopyTo(b)
	n := s.Names
	n.Outputs, n.Bads = nil, nil
	for _, i := range outputs {
		b.Output(lit(s.Circuit.Bads()[i].Lit), 0)
		n.Outputs = append(n.Outputs, s.Names.Bads[i])
	}
	for _, i := range bads {
		b.Bad(lit(s.Circuit.Bads()[i].Lit), 0)
		n.Bads = append(n.Bads, s.Names.Bads[i])
	}
	for _, c := range s.Circuit.Constraints() {
		b.Constraint(lit(c.Lit), 0)
	}
	return compare.Side{Circuit: b.Build(), Names: n}
}

// spoiled returns a side with names that are missing, changed, exchanged or twice.
func spoiled(r *rand.Rand, s compare.Side) compare.Side {
	for _, list := range []*[]string{&s.Names.Inputs, &s.Names.Latches, &s.Names.Outputs, &s.Names.Bads} {
		*list = slices.Clone(*list)
		n := len(*list)
		if n == 0 {
			continue
		}
		i, j := r.IntN(n), r.IntN(n)
		switch r.IntN(8) {
		case 0:
			*list = nil
		case 1:
			(*list)[i] = ""
		case 2:
			(*list)[i] = "renamed"
		case 3:
			(*list)[i], (*list)[j] = (*list)[j], (*list)[i]
		case 4:
			(*list)[i] = (*list)[j]
		}
	}
	return s
}

// TestPartOfIt compares circuits of which not everything has a partner. They are equal
// only when each output and each property of both was compared, which is found out from
// the pairs alone, and a search of all states agrees.
func TestPartOfIt(t *testing.T) {
	counts := map[string]int{}
	n := uint64(1000)
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 20_000
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 21))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 3, Gates: 10, MoreBads: 3, Constraints: r.IntN(2), FreeLatches: r.IntN(3) == 0})
		subset := func() (list []int) {
			for i := range c.Bads() {
				if r.IntN(8) > 0 {
					list = append(list, i)
				}
			}
			return list[:len(list)*min(1, r.IntN(4))] // none at times
		}
		outputs, bads := subset(), subset()
		a := withOutputs(named(c), outputs, bads)
		if r.IntN(3) == 0 {
			outputs, bads = subset(), subset()
		}
		if r.IntN(4) == 0 { // as ABC writes them
			outputs, bads = slices.Concat(outputs, bads), nil
			slices.Sort(outputs)
			outputs = slices.Compact(outputs)
		}
		other := named(c)
		if r.IntN(2) == 0 {
			other = rewritten(r, c)
			for i, name := range other.Names.Bads { // back to the order of c
				if want := fmt.Sprint("b", i); name != want {
					other = named(c)
					break
				}
			}
		}
		b := withOutputs(other, outputs, bads)
		if r.IntN(2) == 0 {
			a = spoiled(r, a)
		}
		if r.IntN(2) == 0 {
			b = spoiled(r, b)
		}
		m, err := compare.Match(a, b, compare.Options{Positions: r.IntN(10) == 0})
		if err != nil {
			if !errors.Is(err, compare.ErrNothing) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			counts["nothing"]++
			continue
		}
		got := equiv.Run(t.Context(), m, options())
		verdict, reason := got.Verdict()
		counts[verdict.String()]++
		if got.Internal != nil {
			t.Fatalf("seed %d: %v", seed, got.Internal)
		}
		runs, observed := explicit.FirstDifferences(joint(m))
		isSame := runs == explicit.NotViolated && !slices.ContainsFunc(observed, func(step int) bool { return step != explicit.NotViolated })
		complete := comparesAll(m, 0) && comparesAll(m, 1)
		switch {
		case verdict == equiv.Equal && !(isSame && complete):
			t.Fatalf("seed %d: equal, but the same %v, all compared %v", seed, isSame, complete)
		case verdict == equiv.Different && isSame:
			t.Fatalf("seed %d: different, and a search of all states finds nothing", seed)
		case verdict == equiv.Unknown && complete && isSame && !got.Vacuous:
			t.Fatalf("seed %d: unknown: %s", seed, reason)
		}
	}
	t.Log(counts)
	for _, what := range []string{"nothing", "equal", "different", "unknown"} {
		if counts[what] < 50 {
			t.Errorf("too few: %v", counts)
		}
	}
}

// comparesAll reports whether each output and each bad of a side is in a pair, or is a bad
// of the same signal as an output that is, where all bads of the other side are in pairs.
func comparesAll(m *compare.Matching, side int) bool {
	c := m.Sides[side].Circuit
	lits := map[circuit.Var]bool{}
	inPair := map[compare.Element]bool{}
	for _, p := range m.Observed {
		e := p.On(side)
		inPair[e] = true
		if e.Kind == compare.Output {
			lits[m.Sides[side].Lit(e).Var()] = true
		}
	}
	for i := range c.Outputs() {
		if !inPair[compare.Element{Kind: compare.Output, Index: i}] {
			return false
		}
	}
	ofOther := 0
	for _, p := range m.Observed {
		if p.On(1-side).Kind == compare.Bad {
			ofOther++
		}
	}
	mayCover := ofOther == len(m.Sides[1-side].Circuit.Bads())
	for i, b := range c.Bads() {
		if !inPair[compare.Element{Kind: compare.Bad, Index: i}] && !(mayCover && lits[b.Lit.Var()]) {
			return false
		}
	}
	return true
}

// TestCombinational compares single steps of circuits with and without names: those that are
// equal in each step are so in each run, as a search of all states says.
func TestCombinational(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 31))
		shape := explicit.Shape{Inputs: 2, Latches: 3, Gates: 10, MoreBads: 2, Constraints: r.IntN(2), FreeLatches: r.IntN(2) == 0,
			OneResets: true, ResetFunctions: r.IntN(4) == 0}
		c := explicit.RandomCircuit(r, shape)
		other, _ := explicit.Edit(r, c)
		switch r.IntN(4) {
		case 0:
			other = c
		case 1:
			shape.Inputs, shape.Latches = shape.Latches, shape.Inputs
			other = explicit.RandomCircuit(r, shape)
		}
		a, b := named(c), named(other)
		if r.IntN(2) == 0 {
			a.Names, b.Names = compare.Names{}, compare.Names{}
		}
		plain, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		cut, err := compare.Match(a, b, compare.Options{Combinational: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := equiv.Run(t.Context(), cut, options())
		verdict, reason := got.Verdict()
		counts[verdict.String()]++
		runs, observed := explicit.FirstDifferences(joint(plain))
		isSame := runs == explicit.NotViolated && !slices.ContainsFunc(observed, func(step int) bool { return step != explicit.NotViolated })
		switch {
		case got.Internal != nil:
			t.Fatalf("seed %d: %v", seed, got.Internal)
		case verdict == equiv.Equal && !isSame:
			t.Fatalf("seed %d: equal in each step, but runs differ in step %d, pairs in %v", seed, runs, observed)
		case verdict == equiv.Unknown && other == c && !got.Vacuous:
			t.Fatalf("seed %d: unknown: %s", seed, reason)
		case verdict == equiv.Different && other == c:
			t.Fatalf("seed %d: a circuit differs from itself", seed)
		}
	}
	t.Log(counts)
	if counts["equal"] < 50 || counts["different"] < 50 {
		t.Errorf("the pairs are too much alike: %v", counts)
	}
}
