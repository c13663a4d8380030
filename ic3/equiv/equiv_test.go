package equiv_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/ic3/engines"
	"aiglens/ic3/equiv"
	"aiglens/internal/explicit"
)

func options() equiv.Options {
	return equiv.Options{Engine: engines.NewAuto()}
}

func names(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

func named(c *circuit.Circuit) compare.Side {
	return compare.Side{Circuit: c, Names: compare.Names{
		Inputs: names("i", len(c.Inputs())), Latches: names("l", len(c.Latches())), Outputs: names("o", len(c.Outputs())),
		Bads: names("b", len(c.Bads())), Justice: names("j", len(c.Justice())), Fairness: names("f", len(c.Fairness())),
	}}
}

// rewritten returns a circuit of the same function: gates become others, some latches are
// kept negated, some twice, and the lists of inputs, latches and bads come in another
// order, with their names.
func rewritten(r *rand.Rand, c *circuit.Circuit) compare.Side {
	b := circuit.NewBuilder(c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	var s compare.Side
	for _, i := range r.Perm(len(c.Inputs())) {
		to[c.Inputs()[i].Lit.Var()] = b.Input(0)
		s.Names.Inputs = append(s.Names.Inputs, fmt.Sprint("i", i))
	}
	latches, negated := make([]circuit.Lit, len(c.Latches())), make([]bool, len(c.Latches()))
	for _, i := range r.Perm(len(latches)) {
		l := c.Latches()[i]
		latches[i] = b.Latch(0)
		negated[i] = r.IntN(4) == 0 && l.Reset <= circuit.True
		s.Names.Latches = append(s.Names.Latches, fmt.Sprint("l", i))
		to[l.Lit.Var()] = latches[i].NotIf(negated[i])
	}
	for v := range circuit.Var(c.NumVars()) {
		x, y, ok := c.Operands(v)
		switch p, q := lit(x), lit(y); {
		case !ok:
		case r.IntN(3) == 0:
			to[v] = b.And(b.Or(p, q.Not()), q)
		case r.IntN(3) == 0:
			to[v] = b.Xor(b.Or(p, q), b.Xor(p, q))
		default:
			to[v] = b.And(p, q)
		}
	}
	for i, l := range c.Latches() {
		b.SetNext(latches[i], lit(l.Next).NotIf(negated[i]))
		b.SetReset(latches[i], lit(l.Reset).NotIf(negated[i]))
		if l.IsFree() {
			b.SetReset(latches[i], latches[i])
		}
	}
	for _, i := range r.Perm(len(c.Bads())) {
		b.Bad(lit(c.Bads()[i].Lit), 0)
		s.Names.Bads = append(s.Names.Bads, fmt.Sprint("b", i))
	}
	for _, x := range c.Constraints() {
		b.Constraint(lit(x.Lit), 0)
	}
	s.Circuit = b.Build()
	return s
}

// joint returns what explicit search is told of a matching.
func joint(m *compare.Matching) explicit.Joint {
	j := explicit.Joint{A: m.Sides[0].Circuit, B: m.Sides[1].Circuit}
	for _, p := range m.Inputs {
		j.Inputs = append(j.Inputs, [2]int{p.A.Index, p.B.Index})
	}
	for _, p := range m.Latches {
		if j.A.Latches()[p.A.Index].IsFree() && j.B.Latches()[p.B.Index].IsFree() {
			j.Starts = append(j.Starts, [2]int{p.A.Index, p.B.Index})
		}
	}
	for _, p := range m.Observed {
		j.Observed = append(j.Observed, [2]circuit.Lit{m.Sides[0].Lit(p.A), m.Sides[1].Lit(p.B).NotIf(p.Negated)})
	}
	return j
}

// TestRandomPairs compares random pairs of circuits, and holds the answers against a
// search of all states of both.
func TestRandomPairs(t *testing.T) {
	n := 500
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 10_000
	}
	counts := map[string]int{}
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 4, Gates: 12, MoreBads: 2, Constraints: r.IntN(3),
			Constants: r.IntN(3) == 0, FreeLatches: r.IntN(2) == 0, OneResets: true, ResetFunctions: r.IntN(4) == 0})
		how := []string{"rewritten", "gate changed", "rewritten and gate changed", "another"}[r.IntN(4)]
		a, b := named(c), named(c)
		changed, _ := explicit.Edit(r, c)
		switch how {
		case "rewritten":
			b = rewritten(r, c)
		case "gate changed":
			b = named(changed)
		case "rewritten and gate changed":
			b = rewritten(r, changed)
		case "another":
			b = named(explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 4, Gates: 12, MoreBads: 2, Constraints: r.IntN(3), FreeLatches: true}))
		}
		m, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := equiv.Run(t.Context(), m, options())
		verdict, reason := got.Verdict()
		counts[how+" "+verdict.String()]++
		if got.Internal != nil {
			t.Fatalf("seed %d: %v", seed, got.Internal)
		}
		runs, observed := explicit.FirstDifferences(joint(m))
		if !agrees(t, seed, m, got, runs, observed) {
			t.Fatalf("seed %d (%s): %s %s; runs differ in step %d, pairs in %v", seed, how, verdict, reason, runs, observed)
		}
	}
	t.Log(counts)
	if counts["rewritten equal"] < n/8 || counts["gate changed different"] < n/20 || counts["another different"] < n/8 {
		t.Errorf("the pairs are too much alike: %v", counts)
	}
}

// agrees reports whether a report is what explicit search has found.
func agrees(t *testing.T, seed uint64, m *compare.Matching, got *equiv.Report, runs int, observed []int) bool {
	t.Helper()
	differs := func(a equiv.Answer, step int) bool {
		switch {
		case step == explicit.NotViolated:
			return a.Verdict == equiv.Equal
		case a.Verdict != equiv.Different || a.Difference.Step < step:
			return false
		}
		return isRun(m, a.Difference)
	}
	if got.Runs != nil && !got.Vacuous && !differs(*got.Runs, runs) {
		return false
	}
	if got.Runs == nil && runs != explicit.NotViolated {
		return false
	}
	if runs != explicit.NotViolated || got.Vacuous {
		verdict, _ := got.Verdict()
		return verdict != equiv.Equal && !slices.ContainsFunc(got.Pairs, func(a equiv.Answer) bool { return a.Verdict != equiv.Unknown })
	}
	for i, a := range got.Pairs {
		if !differs(a, observed[i]) {
			return false
		}
	}
	return true
}

// isRun replays the two runs of a difference with 0 for each X, by a simulator of 64 runs
// that the comparison does not use for that.
func isRun(m *compare.Matching, d *compare.Difference) bool {
	var values [2]bool
	allowed := [2]bool{true, true}
	for side := range values {
		c, t := m.Sides[side].Circuit, d.Traces[side]
		bit := func(v circuit.Value) uint64 {
			if v == circuit.One {
				return 1
			}
			return 0
		}
		sim := circuit.NewParallel(c)
		sim.Reset(func(i int) uint64 { return bit(t.Initial[i]) })
		for step, row := range t.Inputs {
			words := make([]uint64, len(row))
			for i, v := range row {
				words[i] = bit(v)
			}
			if step > 0 {
				sim.Advance()
			}
			sim.Eval(words)
			for _, s := range c.Constraints() {
				if sim.Value(s.Lit)&1 == 0 {
					allowed[side] = false
					if step != d.Step || d.Pair >= 0 {
						return false
					}
				}
			}
		}
		if d.Pair >= 0 {
			p := m.Observed[d.Pair]
			values[side] = (sim.Value(m.Sides[side].Lit(p.On(side)))&1 == 1) != (side == 1 && p.Negated)
		}
	}
	for _, p := range m.Inputs {
		for step := range d.Traces[0].Inputs {
			if d.Traces[0].Inputs[step][p.A.Index] != d.Traces[1].Inputs[step][p.B.Index] {
				return false
			}
		}
	}
	if d.Pair < 0 {
		return allowed[0] != allowed[1]
	}
	return values[0] != values[1]
}
