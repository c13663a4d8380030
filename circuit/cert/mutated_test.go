package cert_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/explicit"
)

// TestMutatedLiveness changes the certificates that a search of all states gives, and
// compares the checker with one of all runs, or of all states and inputs. AIGLENS_SEEDS
// is the number of circuits.
func TestMutatedLiveness(t *testing.T) {
	seeds := uint64(1800)
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	tried := map[string]int{}
	ownSolver := cert.SetOwnSolver(0)
	defer cert.SetOwnSolver(ownSolver)
	for seed := range seeds {
		cert.SetOwnSolver([]int{0, ownSolver}[seed%2]) // for each rank, and for none
		r := rand.New(rand.NewPCG(11, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 2, Latches: 4, Gates: 14, Constraints: 1, FreeLatches: true, OneResets: true,
			ResetFunctions: seed%3 == 0, Justice: 2, Fairness: 1,
		})
		violated := explicit.Violated(c, justice0)
		v := cert.Verdict{Outcome: cert.Proved, Ranking: explicit.Ranking(c, justice0)}
		mutated := mutateRanking
		if violated {
			v = cert.Verdict{Outcome: cert.Refuted, Lasso: explicit.Lasso(c, justice0)}
			mutated = mutateLasso
		}
		if !compare(t, c, v, violated, fmt.Sprint("seed ", seed)) {
			t.Fatalf("seed %d: %v\n%+v", seed, checkJustice(c, v), v)
		}
		for i := range 8 {
			if i == 4 && !violated {
				v.Ranking = bySignals(v.Ranking)
				if !compare(t, c, v, violated, fmt.Sprintf("seed %d, by signals", seed)) {
					t.Fatalf("seed %d: %v\n%+v", seed, checkJustice(c, v), v)
				}
			}
			m := mutated(r, c, v)
			for range r.IntN(3) {
				m = mutated(r, c, m)
			}
			accepted := compare(t, c, m, violated, fmt.Sprintf("seed %d, mutation %d", seed, i))
			tried[fmt.Sprintf("%s, accepted %v", m.Outcome, accepted)]++
		}
	}
	t.Log(tried)
	for _, outcome := range []cert.Outcome{cert.Proved, cert.Refuted} {
		for _, accepted := range []bool{false, true} {
			if name := fmt.Sprintf("%s, accepted %v", outcome, accepted); tried[name] < int(seeds)/4 {
				t.Errorf("%d %s", tried[name], name)
			}
		}
	}
}

// compare reports whether the checker accepts a verdict on justice 0, which is violated or
// not, and fails when a search says otherwise.
func compare(t *testing.T, c *circuit.Circuit, v cert.Verdict, violated bool, name string) bool {
	t.Helper()
	accepted, certifies := checkJustice(c, v) == nil, explicit.Certifies(c, justice0, v)
	switch {
	case accepted && (!certifies || violated != (v.Outcome == cert.Refuted)):
		t.Fatalf("%s: accepted, and by a search it is violated: %v, and shown so: %v: %+v", name, violated, certifies, v)
	case certifies && violated != (v.Outcome == cert.Refuted):
		t.Fatalf("%s: a search takes it for right, and says that it is violated: %v: %+v", name, violated, v)
	case !accepted && certifies && (v.Outcome == cert.Proved || comesBack(c, v.Lasso)):
		t.Fatalf("%s: rejected, and by a search it is right: %v: %+v", name, checkJustice(c, v), v)
	}
	return accepted
}

// comesBack reports whether a lasso has values for everything and ends in the state that
// its loop begins in. Any other may be right, and be rejected all the same.
func comesBack(c *circuit.Circuit, l *cert.Lasso) bool {
	if slices.ContainsFunc(l.Inputs, func(row []circuit.Value) bool { return slices.Contains(row, circuit.X) }) {
		return false
	}
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, latch := range c.Latches() {
		if latch.IsFree() {
			sim.SetLatch(i, l.Initial[i])
		}
	}
	var states [][]circuit.Value
	look := func() {
		state := make([]circuit.Value, len(c.Latches()))
		for i, latch := range c.Latches() {
			state[i] = sim.Value(latch.Lit)
		}
		states = append(states, state)
	}
	for _, row := range l.Inputs {
		sim.Eval(row)
		look()
		sim.Advance()
	}
	look()
	return !slices.Contains(states[0], circuit.X) && slices.Equal(states[l.Loop], states[len(l.Inputs)])
}

// mutateLasso returns a lasso with a random change.
func mutateLasso(r *rand.Rand, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	l := cert.Lasso{Loop: v.Lasso.Loop, Trace: cert.Trace{Initial: slices.Clone(v.Lasso.Initial)}}
	for _, row := range v.Lasso.Inputs {
		l.Inputs = append(l.Inputs, slices.Clone(row))
	}
	value := circuit.Value(r.IntN(3))
	step := r.IntN(l.Steps())
	switch kind := r.IntN(12); {
	case kind == 0: // the loop once more
		l.Inputs = append(l.Inputs, l.Inputs[l.Loop:]...)
	case kind == 1: // begun later
		l.Inputs = append(l.Inputs, l.Inputs[l.Loop])
		l.Loop++
	case kind == 2:
		l.Loop = r.IntN(l.Steps())
	case kind == 3 && l.Steps() > 1:
		l.Inputs = slices.Delete(l.Inputs, step, step+1)
		if step < l.Loop {
			l.Loop--
		}
		l.Loop = min(l.Loop, l.Steps()-1)
	case kind == 4:
		l.Inputs = slices.Insert(l.Inputs, step, slices.Clone(l.Inputs[step]))
		if step < l.Loop {
			l.Loop++
		}
	case kind < 7 || len(l.Inputs[step]) == 0:
		l.Initial[r.IntN(len(l.Initial))] = value
	case kind < 9: // one column
		i := r.IntN(len(l.Inputs[step]))
		for _, row := range l.Inputs {
			row[i] = value
		}
	default:
		l.Inputs[step][r.IntN(len(l.Inputs[step]))] = value
	}
	return cert.Verdict{Outcome: cert.Refuted, Lasso: &l}
}

// bySignals returns a ranking of one rank, whose signals say which ranks are after a state.
// The clauses must be those of an explicit.Ranking.
func bySignals(r *cert.Ranking) *cert.Ranking {
	if len(r.Ranks) == 0 {
		return r
	}
	from := slices.Clone(r.Ranks) // each with the states of the later ones
	for d := len(from) - 2; d >= 0; d-- {
		from[d] = slices.DeleteFunc(slices.Clone(from[d]), func(clause []circuit.Lit) bool {
			return !slices.ContainsFunc(from[d+1], func(other []circuit.Lit) bool { return slices.Equal(clause, other) })
		})
	}
	return &cert.Ranking{Ranks: from[:1], Monotone: from[1:]}
}

// mutateRanking returns a ranking with a random change.
func mutateRanking(r *rand.Rand, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	rep, err := c.Repetition(justice0)
	if err != nil {
		panic(err)
	}
	latches := rep.Circuit.Latches()
	latch := func() circuit.Lit { return latches[r.IntN(len(latches))].Lit.NotIf(r.IntN(2) == 0) }
	clone := func(sets []cert.Invariant) (cloned []cert.Invariant) {
		for _, set := range sets {
			own := cert.Invariant{}
			for _, clause := range set {
				own = append(own, slices.Clone(clause))
			}
			cloned = append(cloned, own)
		}
		return cloned
	}
	m := &cert.Ranking{Ranks: clone(v.Ranking.Ranks), Monotone: clone(v.Ranking.Monotone)}
	n := len(m.Ranks)
	if n == 0 {
		m.Ranks = []cert.Invariant{{{latch()}}}
		return cert.Verdict{Outcome: cert.Proved, Ranking: m}
	}
	rank := &m.Ranks[r.IntN(n)]
	switch kind := r.IntN(14); {
	case kind == 0:
		i := r.IntN(n)
		m.Ranks = slices.Delete(m.Ranks, i, i+1)
	case kind == 1:
		i, j := r.IntN(n), r.IntN(n)
		m.Ranks[i], m.Ranks[j] = m.Ranks[j], m.Ranks[i]
	case kind == 2: // twice, or a set of its own
		m.Ranks = slices.Insert(m.Ranks, r.IntN(n+1), []cert.Invariant{*rank, {}, {{}}, {{latch()}}}[r.IntN(4)])
	case kind == 3:
		m.Monotone = append(m.Monotone, cert.Invariant{{latch()}})
	case kind == 4:
		m.Monotone = append(m.Monotone, cert.Invariant{{latch(), latch()}, {latch()}})
	case kind == 5 && len(m.Monotone) > 0:
		m.Monotone = m.Monotone[1:]
	case kind == 13 && len(m.Monotone) > 1:
		i, j := r.IntN(len(m.Monotone)), r.IntN(len(m.Monotone))
		m.Monotone[i], m.Monotone[j] = m.Monotone[j], m.Monotone[i]
	case kind == 6:
		*rank = append(*rank, []circuit.Lit{latch(), latch(), latch()}[:1+r.IntN(3)])
	case kind < 9 && len(*rank) > 0: // a state more, where each clause excludes one
		i := r.IntN(len(*rank))
		*rank = slices.Delete(*rank, i, i+1)
	case len(*rank) > 0:
		i := r.IntN(len(*rank))
		if clause := (*rank)[i]; len(clause) > 0 && kind < 12 { // some states less
			j := r.IntN(len(clause))
			(*rank)[i] = slices.Delete(clause, j, j+1)
		} else {
			(*rank)[i] = append(clause, latch())
		}
	}
	return cert.Verdict{Outcome: cert.Proved, Ranking: m}
}
