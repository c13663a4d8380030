package compare_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/internal/explicit"
)

// names returns numbered names.
func names(prefix string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

// named returns a circuit with a name for each element.
func named(c *circuit.Circuit) compare.Side {
	return compare.Side{Circuit: c, Names: compare.Names{
		Inputs: names("i", len(c.Inputs())), Latches: names("l", len(c.Latches())), Outputs: names("o", len(c.Outputs())),
		Bads: names("b", len(c.Bads())), Justice: names("j", len(c.Justice())), Fairness: names("f", len(c.Fairness())),
	}}
}

// pairs returns random pairs of circuits: a circuit and itself with a gate changed, or two
// that have nothing in common, with names that match in part.
func pairs(r *rand.Rand) (a, b compare.Side) {
	shape := explicit.Shape{Inputs: 2, Latches: 3, Gates: 10, MoreBads: 1, Constraints: r.IntN(3), Constants: r.IntN(3) == 0,
		FreeLatches: r.IntN(2) == 0, OneResets: true, ResetFunctions: r.IntN(3) == 0, Justice: r.IntN(2), Fairness: r.IntN(2)}
	c := explicit.RandomCircuit(r, shape)
	d := explicit.RandomCircuit(r, shape)
	if r.IntN(4) > 0 {
		d, _ = explicit.Edit(r, c)
	}
	a, b = named(c), named(d)
	for _, list := range [][]string{b.Names.Inputs, b.Names.Latches} {
		if r.IntN(4) == 0 && len(list) > 0 {
			list[r.IntN(len(list))] = "other"
		}
	}
	return a, b
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

// TestProduct compares products with a search of both circuits side by side, which knows
// no product.
func TestProduct(t *testing.T) {
	n := 400
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 10_000
	}
	equal, different, merged := 0, 0, 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := pairs(r)
		m, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		runs, observed := explicit.FirstDifferences(joint(m))
		all := make([]int, len(m.Observed))
		for i := range all {
			all[i] = i
		}
		none, some := make([]bool, len(m.Latches)), make([]bool, len(m.Latches))
		for i := range some {
			some[i] = r.IntN(3) > 0
		}
		first := func(p *compare.Product, question circuit.Property) int {
			return explicit.FirstBadStep(p.Circuit, question)
		}
		p := m.Runs(none)
		found := []int{first(p, p.Question(0)), first(p, p.Question(1))}
		if got := earliest(found...); got != runs {
			t.Fatalf("seed %d: runs differ in step %d, in the product in step %d", seed, runs, got)
		}
		p = m.Differences(all, none)
		for i, want := range observed {
			if got := first(p, p.Question(i)); got != want {
				t.Fatalf("seed %d: pair %d differs in step %d, in the product in step %d", seed, i, want, got)
			}
		}
		if earliest(observed...) == explicit.NotViolated {
			equal++
		} else {
			different++
		}
		// With latches merged a product may say less, but nothing wrong.
		p = m.Runs(some)
		if first(p, p.All()) == explicit.NotViolated && runs != explicit.NotViolated {
			t.Fatalf("seed %d: runs differ in step %d, not in the product with merged latches", seed, runs)
		}
		p = m.Differences(all, some)
		got, want := first(p, p.All()), earliest(observed...)
		if got == explicit.NotViolated && want != explicit.NotViolated {
			t.Fatalf("seed %d: the circuits differ in step %d, not in the product with merged latches", seed, want)
		}
		if got == explicit.NotViolated && len(p.Merged) > 0 {
			merged++
		}
		if want >= 0 && got > want {
			t.Fatalf("seed %d: the circuits differ in step %d, the product with merged latches in step %d", seed, want, got)
		}
	}
	t.Logf("%d equal, %d different, %d shown equal with merged latches", equal, different, merged)
	if equal < n/10 || different < n/10 || merged < n/20 {
		t.Error("the pairs are too much alike")
	}
}

// earliest returns the smallest step of those that there are.
func earliest(steps ...int) int {
	first := explicit.NotViolated
	for _, s := range steps {
		if s != explicit.NotViolated && (first == explicit.NotViolated || s < first) {
			first = s
		}
	}
	return first
}

// TestSplit runs products at random and replays the runs on either side: what the bads of
// the product say must show there.
func TestSplit(t *testing.T) {
	differences, forbidden, latches := 0, 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		a, b := pairs(r)
		m, err := compare.Match(a, b, compare.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all, merged := make([]int, len(m.Observed)), make([]bool, len(m.Latches))
		for i := range all {
			all[i] = i
		}
		for i := range merged {
			merged[i] = r.IntN(2) == 0
		}
		p, ofRuns := m.Differences(all, merged), r.IntN(2) == 0
		if ofRuns {
			p = m.Runs(merged)
		}
		run, bad := randomRun(r, p)
		if bad < 0 {
			continue
		}
		got, err := m.Replay(t.Context(), p.Split(run))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		last := run.Steps() - 1
		switch {
		case bad >= p.Questions:
			latches++
			if !slices.Contains(got.Latches, p.Merged[bad-p.Questions]) {
				t.Fatalf("seed %d: latches %v differ, not pair %d", seed, got.Latches, p.Merged[bad-p.Questions])
			}
		case ofRuns:
			forbidden++
			if got.Forbidden == nil || got.Forbidden.Step != last || got.Forbidden.Values[bad] != circuit.One {
				t.Fatalf("seed %d: the run of question %d is %+v", seed, bad, got.Forbidden)
			}
		default:
			differences++
			if !slices.ContainsFunc(got.Differences, func(d compare.Difference) bool { return d.Pair == bad && d.Step == last }) {
				t.Fatalf("seed %d: pair %d does not differ in step %d: %+v", seed, bad, last, got.Differences)
			}
		}
	}
	if differences < 50 || forbidden < 50 || latches < 50 {
		t.Errorf("%d differences, %d forbidden steps, %d latches", differences, forbidden, latches)
	}
}

// randomRun runs a product until a bad is 1, the last one aside, and returns which; −1
// when none is within some steps that the constraints allow.
func randomRun(r *rand.Rand, p *compare.Product) (run cert.Trace, bad int) {
	c := p.Circuit
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, l := range c.Latches() {
		v := circuit.X
		if l.IsFree() {
			v = circuit.ValueOf(r.IntN(2) == 0)
			sim.SetLatch(i, v)
		}
		run.Initial = append(run.Initial, v)
	}
	for step := range 12 {
		if step > 0 {
			sim.Advance()
		}
		row := make([]circuit.Value, len(c.Inputs()))
		for i := range row {
			row[i] = circuit.ValueOf(r.IntN(2) == 0)
		}
		run.Inputs = append(run.Inputs, row)
		sim.Eval(row)
		for _, s := range c.Constraints() {
			if sim.Value(s.Lit) == circuit.Zero {
				return run, -1
			}
		}
		for i, b := range c.Bads()[:len(c.Bads())-1] {
			if sim.Value(b.Lit) == circuit.One {
				return run, i
			}
		}
	}
	return run, -1
}
