package facts_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
)

const (
	a circuit.Lit = 2 * (iota + 1)
	b
	c
	d
	e
)

func TestOf(t *testing.T) {
	tests := []struct {
		name string
		inv  cert.Invariant
		want facts.Facts
	}{
		{"nothing", nil, facts.Facts{}},
		{"no state", cert.Invariant{{}}, facts.Facts{Never: true}},
		{"a contradiction", cert.Invariant{{a}, {a ^ 1}}, facts.Facts{Never: true}},
		{"a literal and its negation in a cycle", cert.Invariant{{a, b}, {a, b ^ 1}, {a ^ 1, b}, {a ^ 1, b ^ 1}}, facts.Facts{Never: true}},
		{"constants", cert.Invariant{{b ^ 1}, {a}}, facts.Facts{Constants: []circuit.Lit{a, b ^ 1}}},
		{"a constant that follows", cert.Invariant{{a}, {a ^ 1, b}, {b, c}}, facts.Facts{Constants: []circuit.Lit{a, b}}},
		{"equal and opposite", cert.Invariant{{a, b ^ 1}, {b, a ^ 1}, {c, a}, {c ^ 1, a ^ 1}},
			facts.Facts{Equal: [][]circuit.Lit{{a, b, c ^ 1}}}},
		{"equal along a cycle", cert.Invariant{{a ^ 1, b}, {b ^ 1, c}, {c ^ 1, a}}, facts.Facts{Equal: [][]circuit.Lit{{a, b, c}}}},
		{"a class is constant", cert.Invariant{{a ^ 1, b}, {b ^ 1, a}, {b}}, facts.Facts{Constants: []circuit.Lit{a, b}}},
		{"clauses of one class", cert.Invariant{{a ^ 1, b}, {b ^ 1, a}, {a, c, d}, {b, c, d}},
			facts.Facts{Equal: [][]circuit.Lit{{a, b}}, Clauses: cert.Invariant{{a, c, d}}}},
		{"at most one", cert.Invariant{{a ^ 1, b ^ 1}, {b ^ 1, c ^ 1}, {a ^ 1, c ^ 1}, {d, e}},
			facts.Facts{Groups: []facts.Group{{Lits: []circuit.Lit{a, b, c}}}, Clauses: cert.Invariant{{d, e}}}},
		{"exactly one", cert.Invariant{{a, b, c}, {a ^ 1, b ^ 1}, {b ^ 1, c ^ 1}, {a ^ 1, c ^ 1}},
			facts.Facts{Groups: []facts.Group{{Lits: []circuit.Lit{a, b, c}, Exactly: true}}}},
		{"a clause that another implies", cert.Invariant{{a, b, c}, {c, b}}, facts.Facts{Clauses: cert.Invariant{{b, c}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := facts.Of(t.Context(), tt.inv)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

// TestSameStates compares random invariants with their facts on all states, in any order
// of clauses and literals.
func TestSameStates(t *testing.T) {
	found := [4]int{}
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(7, seed))
		const latches = 6
		var inv cert.Invariant
		for range r.IntN(14) {
			clause := make([]circuit.Lit, []int{1, 2, 2, 2, 2, 3, 3, 4}[r.IntN(8)])
			for i := range clause {
				clause[i] = circuit.Lit(2 + r.IntN(2*latches))
				if r.IntN(3) > 0 {
					clause[i] |= 1
				}
			}
			inv = append(inv, clause)
		}
		f, err := facts.Of(t.Context(), inv)
		if err != nil {
			t.Fatal(err)
		}
		for state := range uint(1) << latches {
			if holds(inv, state) != holds(f.Invariant(), state) {
				t.Fatalf("seed %d, state %b: %v is %t, %+v is not", seed, state, inv, holds(inv, state), f)
			}
		}
		r.Shuffle(len(inv), func(i, j int) { inv[i], inv[j] = inv[j], inv[i] })
		for _, clause := range inv {
			r.Shuffle(len(clause), func(i, j int) { clause[i], clause[j] = clause[j], clause[i] })
		}
		if again, err := facts.Of(t.Context(), inv); err != nil || !reflect.DeepEqual(f, again) {
			t.Fatalf("seed %d: %+v, in another order %+v, %v", seed, f, again, err)
		}
		checkTopics(t, f)
		for i, n := range []int{len(f.Constants), len(f.Equal), len(f.Groups), len(f.Clauses)} {
			found[i] += n
		}
	}
	if slices.Min(found[:]) < 50 {
		t.Errorf("found too little of some kind: %v", found)
	}
}

// checkTopics fails when a clause stands in no topic or in two.
func checkTopics(t *testing.T, f facts.Facts) {
	t.Helper()
	var all cert.Invariant
	for _, topic := range f.Topics() {
		for _, clause := range topic.Clauses {
			if !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return l.Var() == topic.Latch }) {
				t.Fatalf("%v is not about %d", clause, topic.Latch)
			}
		}
		all = append(all, topic.Clauses...)
	}
	slices.SortFunc(all, func(x, y []circuit.Lit) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return slices.Compare(x, y)
	})
	if !slices.EqualFunc(all, f.Clauses, slices.Equal[[]circuit.Lit]) {
		t.Fatalf("topics have %v of %v", all, f.Clauses)
	}
}

func holds(inv cert.Invariant, state uint) bool {
	for _, clause := range inv {
		if !slices.ContainsFunc(clause, func(l circuit.Lit) bool {
			return state>>(l.Var()-1)&1 == 1 != l.IsNegated()
		}) {
			return false
		}
	}
	return true
}

func TestAbout(t *testing.T) {
	f, err := facts.Of(t.Context(), cert.Invariant{{a, b ^ 1}, {b, a ^ 1}, {a, c, d}, {e ^ 1}, {d, c ^ 1}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		latch circuit.Lit
		count int
	}{{a, 2}, {b, 2}, {c, 2}, {d, 2}, {e, 1}, {e + 2, 0}}
	for _, tt := range tests {
		if got := f.About(tt.latch.Var()); got.Count() != tt.count {
			t.Errorf("%d facts about %d, want %d: %+v", got.Count(), tt.latch, tt.count, got)
		}
	}
	if f.Count() != 4 {
		t.Errorf("%d facts: %+v", f.Count(), f)
	}
}

func TestLiterals(t *testing.T) {
	if n := facts.Literals(cert.Invariant{{a, b ^ 1}, {a ^ 1, b}, {a, b, c}, {d}}); n != 6 {
		t.Errorf("%d literals, want 6", n)
	}
}

func TestOfEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := facts.Of(ctx, cert.Invariant{{a}}); err != context.Canceled {
		t.Error(err)
	}
}
