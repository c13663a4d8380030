package cert

import (
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
)

// TestPropagation holds what propagation says of random clauses against all assignments:
// what it takes for implied is so, and with nothing left open it misses nothing.
func TestPropagation(t *testing.T) {
	const variables = 6
	implied := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := newPropagation()
		for range variables {
			p.variable(circuit.X)
		}
		clause := func(n int) (c []circuit.Lit) {
			for range n {
				c = append(c, circuit.Var(r.IntN(variables+1)).Lit().NotIf(r.IntN(2) == 0))
			}
			return c
		}
		satisfies := func(assignment int, c []circuit.Lit) bool {
			for _, l := range c {
				if (assignment>>l.Var()&1 == 1) != l.IsNegated() {
					return true
				}
			}
			return false
		}
		var clauses [][]circuit.Lit
		follows := func(c []circuit.Lit) bool {
			for assignment := 0; assignment < 2<<variables; assignment += 2 { // variable 0 is 0
				all := true
				for _, known := range clauses {
					all = all && satisfies(assignment, known)
				}
				if all && !satisfies(assignment, c) {
					return false
				}
			}
			return true
		}
		for range 25 {
			c := clause(1 + r.IntN(variables+1))
			p.within = nil
			if r.IntN(3) == 0 {
				marked := r.IntN(1 << variables)
				p.within = func(v circuit.Var) bool { return marked>>v&1 == 1 }
			}
			if p.implies(c...) {
				implied++
				if !follows(c) {
					t.Fatalf("seed %d: %v is said to follow from %v", seed, c, clauses)
				}
			}
			if c = clause(1 + r.IntN(4)); r.IntN(2) == 0 {
				clauses = append(clauses, append([]circuit.Lit(nil), c...))
				p.add(c...)
			}
		}
	}
	if implied < 1000 {
		t.Errorf("only %d clauses were implied", implied)
	}
}

// TestMergedRefuses: what does not fit the circuit, and what does not follow.
func TestMergedRefuses(t *testing.T) {
	b := circuit.NewBuilder(8)
	x, y := b.Input(0), b.Input(0)
	l := b.Latch(0)
	and := b.And(x, y)
	or := b.Or(x, y)
	same := b.And(b.And(x, y), b.Or(x, l)) // x ∧ y
	b.Bad(b.Xor(and, same), 0)
	c := b.Build()
	equal := Merge{Gate: same.Var(), To: and}
	if merged, err := Merged(t.Context(), c, []Merge{equal}); err != nil || merged.Bads()[0].Lit != circuit.False {
		t.Fatalf("an equal gate: %v", err)
	}
	for name, merges := range map[string][]Merge{
		"not equal":              {{Gate: or.Var(), To: and}},
		"equal, negated":         {{Gate: same.Var(), To: and.Not()}},
		"a constant":             {{Gate: and.Var(), To: circuit.False}},
		"a higher variable":      {{Gate: and.Var(), To: same}},
		"itself":                 {{Gate: and.Var(), To: and}},
		"a latch":                {{Gate: l.Var(), To: x}},
		"no such variable":       {{Gate: circuit.Var(c.NumVars()), To: x}},
		"out of order":           {equal, {Gate: and.Var(), To: and}},
		"a clause from nowhere":  {{Gate: same.Var(), To: and, Proof: [][]circuit.Lit{{x}}}},
		"the empty clause":       {{Gate: same.Var(), To: and, Proof: [][]circuit.Lit{{}}}},
		"a variable of later on": {{Gate: same.Var(), To: and, Proof: [][]circuit.Lit{{circuit.Var(c.NumVars()).Lit()}}}},
	} {
		_, err := Merged(t.Context(), c, merges)
		if _, isRejected := errors.AsType[*RejectedError](err); !isRejected {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCorrespondingRefuses: what does not hold initially, what is not kept by a step, and what
// does not fit the circuit.
func TestCorrespondingRefuses(t *testing.T) {
	b := circuit.NewBuilder(8)
	x, y := b.Input(0), b.Input(0)
	latch := func(reset, next circuit.Lit) circuit.Lit {
		l := b.Latch(0)
		b.SetReset(l, reset)
		b.SetNext(l, next)
		return l
	}
	p := latch(circuit.False, x)
	q := latch(circuit.False, x)
	stays := latch(circuit.True, x) // kept equal to p, but not at first
	other := latch(circuit.False, y)
	under := latch(circuit.False, y) // equal to other; to p under the constraint
	never := latch(circuit.False, circuit.False)
	gate := b.And(x, y)
	b.SetNext(never, b.And(never, gate))
	b.Bad(b.Xor(p, q), 0)
	b.Bad(never, 0)
	free := b.Build()
	constrained := func() *circuit.Circuit {
		b := circuit.NewBuilder(8)
		lit := free.CopyTo(b)
		for _, s := range free.Bads() {
			b.Bad(lit(s.Lit), 0)
		}
		b.Constraint(b.Xor(x, y).Not(), 0)
		return b.Build()
	}()
	for name, test := range map[string]struct {
		c      *circuit.Circuit
		equals []Equal
		passes bool
	}{
		"equal":                         {free, []Equal{{Var: q.Var(), To: p}}, true},
		"a constant":                    {free, []Equal{{Var: never.Var(), To: circuit.False}}, true},
		"both":                          {free, []Equal{{Var: q.Var(), To: p}, {Var: never.Var(), To: circuit.False}}, true},
		"equal under the constraint":    {constrained, []Equal{{Var: under.Var(), To: p}}, true},
		"not without the constraint":    {free, []Equal{{Var: under.Var(), To: p}}, false},
		"opposite":                      {free, []Equal{{Var: q.Var(), To: p.Not()}}, false},
		"not at first":                  {free, []Equal{{Var: stays.Var(), To: p}}, false},
		"not after a step":              {free, []Equal{{Var: other.Var(), To: p}}, false},
		"the other constant":            {free, []Equal{{Var: never.Var(), To: circuit.True}}, false},
		"a gate that is not a constant": {free, []Equal{{Var: gate.Var(), To: circuit.False}}, false},
		"one of two":                    {free, []Equal{{Var: q.Var(), To: p}, {Var: other.Var(), To: p}}, false},
		"out of order":                  {free, []Equal{{Var: never.Var(), To: circuit.False}, {Var: q.Var(), To: p}}, false},
		"an input":                      {free, []Equal{{Var: y.Var(), To: x}}, false},
		"a higher variable":             {free, []Equal{{Var: p.Var(), To: q}}, false},
		"no such variable":              {free, []Equal{{Var: circuit.Var(free.NumVars()), To: p}}, false},
		"an empty clause, first":        {free, []Equal{{Var: other.Var(), To: p, First: [][]circuit.Lit{{}}}}, false},
		"an empty clause, later":        {free, []Equal{{Var: other.Var(), To: p, Later: [][]circuit.Lit{{}}}}, false},
		"a clause about what is later":  {free, []Equal{{Var: q.Var(), To: p, Later: [][]circuit.Lit{{circuit.Lit(1000)}}}}, false},
	} {
		merged, err := Corresponding(t.Context(), test.c, test.equals)
		_, isRejected := errors.AsType[*RejectedError](err)
		switch {
		case test.passes && err != nil, !test.passes && !isRejected:
			t.Errorf("%s: %v", name, err)
		case name == "both" && (merged.Bads()[0].Lit != circuit.False || merged.Bads()[1].Lit != circuit.False):
			t.Errorf("%s: the bads are %v", name, merged.Bads())
		}
	}
}
