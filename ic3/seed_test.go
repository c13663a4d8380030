package ic3

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

var seedShape = explicit.Shape{Inputs: 2, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true}

// randomClauses returns clauses over the latches of c and some that are not: empty
// ones, with opposite literals, over inputs and gates and over nothing.
func randomClauses(r *rand.Rand, c *circuit.Circuit, n int) cert.Invariant {
	clauses := cert.Invariant{{}, {circuit.Lit(2 * c.NumVars())}, {circuit.False}, {circuit.True}}
	for range n {
		var clause []circuit.Lit
		for range 1 + r.IntN(3) {
			l := c.Latches()[r.IntN(len(c.Latches()))].Lit
			if r.IntN(40) == 0 {
				l = circuit.Var(r.IntN(c.NumVars())).Lit()
			}
			clause = append(clause, l.NotIf(r.IntN(2) == 0))
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

func solverFor(seed uint64) sat.Factory {
	if seed%2 == 1 {
		return sat.NewGini
	}
	return sat.NewCore
}

// TestFilterIsLargest compares with the plainest way to find the largest inductive
// subset: all states are looked at, again and again, and the clauses that a step
// violates are dropped.
func TestFilterIsLargest(t *testing.T) {
	kept, dropped, safe := 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(21, seed))
		c := explicit.RandomCircuit(r, seedShape)
		clauses := randomClauses(r, c, 20)
		f, err := Filter(context.Background(), c, clauses, Options{Solver: solverFor(seed)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := newModel(c)
		naive := m.largest(clauses)
		for s := range m.initial {
			if m.inAll(uint32(s), f.Inductive) != m.inAll(uint32(s), naive) {
				t.Fatalf("seed %d: state %b: %v is not as large as %v", seed, s, f.Inductive, naive)
			}
			if f.Safe && m.bad[s] && m.inAll(uint32(s), naive) {
				t.Fatalf("seed %d: state %b is bad", seed, s)
			}
		}
		want := !slices.ContainsFunc(stateNumbers(m), func(s uint32) bool { return m.bad[s] && m.inAll(s, naive) })
		if f.Safe != want {
			t.Fatalf("seed %d: safe %v, want %v", seed, f.Safe, want)
		}
		if f.Safe {
			safe++
			v := cert.Verdict{Outcome: cert.Proved, Invariant: f.Inductive}
			if _, err := cert.Check(context.Background(), c, property0, v); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		kept += len(f.Inductive)
		dropped += len(f.Rest)
	}
	if min(kept, dropped, safe) < 100 {
		t.Errorf("%d clauses kept, %d dropped, %d circuits safe: the test shows little", kept, dropped, safe)
	}
}

func stateNumbers(m *model) []uint32 {
	states := make([]uint32, len(m.initial))
	for s := range states {
		states[s] = uint32(s)
	}
	return states
}

// isClause reports whether a clause is over latches and no initial state that the
// resets allow violates it.
func (m *model) isClause(clause []circuit.Lit) bool {
	for _, l := range clause {
		if int(l.Var()) >= m.c.NumVars() || m.c.Kind(l.Var()) != circuit.KindLatch {
			return false
		}
	}
	return !slices.ContainsFunc(stateNumbers(m), func(s uint32) bool { return m.initial[s] && !m.holds(s, clause) })
}

// holds reports whether a state satisfies a clause.
func (m *model) holds(s uint32, clause []circuit.Lit) bool {
	return slices.ContainsFunc(clause, func(l circuit.Lit) bool { return s>>m.c.LatchIndex(l.Var())&1 == 1 != l.IsNegated() })
}

func (m *model) inAll(s uint32, clauses cert.Invariant) bool {
	return !slices.ContainsFunc(clauses, func(c []circuit.Lit) bool { return !m.holds(s, c) })
}

// largest returns the largest inductive subset of some clauses.
func (m *model) largest(clauses cert.Invariant) cert.Invariant {
	left := slices.DeleteFunc(slices.Clone(clauses), func(c []circuit.Lit) bool { return !m.isClause(c) })
	for before := -1; before != len(left); {
		before = len(left)
		all := slices.Clone(left)
		for s, successors := range m.successors {
			if !m.inAll(uint32(s), all) {
				continue
			}
			for _, n := range successors {
				left = slices.DeleteFunc(left, func(c []circuit.Lit) bool { return !m.holds(n, c) })
			}
		}
	}
	return left
}

// TestSeeded: whatever clauses a run begins with, its frames are sound, its verdict
// is right and its certificate passes.
func TestSeeded(t *testing.T) {
	seeds := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(22, seed))
		c := explicit.RandomCircuit(r, seedShape)
		m := newModel(c)
		o := Options{Solver: solverFor(seed), Lemmas: randomClauses(r, c, 10), Guesses: randomClauses(r, c, 10)}
		if seed%4 > 1 {
			o.Switched = ^DefaultTactics
		}
		defs, err := definitions(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		e := newEngine(context.Background(), c, defs, o, nil)
		e.progress = func(Progress) { m.checkFrames(t, seed, e) }
		v, err := e.run(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := explicit.FirstBadStep(c, property0); (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
			t.Fatalf("seed %d: %s, first bad step by search %d", seed, v.Outcome, want)
		}
		if _, err := cert.Check(context.Background(), c, property0, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		seeds += e.finalStats().Seeds
	}
	if seeds < 100 {
		t.Errorf("only %d clauses were inductive", seeds)
	}
}

// TestFilterEnds: the filter heeds its context.
func TestFilterEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 0))
	c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 4, Latches: 40, Gates: 400, OneResets: true})
	ctx, cancel := context.WithCancel(context.Background())
	queries := 0
	_, err := Filter(ctx, c, randomClauses(r, c, 200), Options{}, func(Progress) {
		if queries++; queries == 3 {
			cancel()
		}
	})
	if err == nil || queries > 3 {
		t.Errorf("error %v after %d queries", err, queries)
	}
}

// TestSeedsEndWithTheContext: no clause is looked at once the context is done, and what a
// filter has found by then is not an answer.
func TestSeedsEndWithTheContext(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	c := explicit.RandomCircuit(r, seedShape)
	clauses := cert.Invariant{}
	for _, l := range c.Latches() {
		clauses = append(clauses, []circuit.Lit{l.Lit}, []circuit.Lit{l.Lit.Not()})
	}
	ctx, cancel := context.WithCancel(t.Context())
	e := newEngine(ctx, c, encode.Gates(c), Options{Solver: sat.NewCore}, nil)
	if s := newSeeds(e, clauses); len(s.alive) == 0 {
		t.Fatal("no clause is true initially")
	}
	cancel()
	if s := newSeeds(e, clauses); len(s.alive) > 0 {
		t.Errorf("%d clauses after the end", len(s.alive))
	}
	if _, err := Filter(ctx, c, clauses, Options{Solver: sat.NewCore}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Filter: %v", err)
	}
}
