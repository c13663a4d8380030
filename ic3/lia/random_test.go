package lia_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"aiglens/horn/rational"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// problem is random atoms over variables of which some are integers.
type problem struct {
	atoms []lia.Atom
	isInt []bool
}

func (p *problem) sort(v lia.Var) bool { return p.isInt[v] }

// shape is what random problems are like.
type shape struct {
	vars, atoms, coef, constant int
	ints, reals, congruences    bool
}

func (s shape) problem(r *rand.Rand) *problem {
	p := &problem{}
	for range 1 + r.IntN(s.vars) {
		p.isInt = append(p.isInt, s.ints && (!s.reals || r.IntN(2) == 0))
	}
	for range 1 + r.IntN(s.atoms) {
		p.atoms = append(p.atoms, s.atom(r, p))
	}
	return p
}

func (s shape) atom(r *rand.Rand, p *problem) lia.Atom {
	var ms []lia.Monomial
	isInt := true
	for range 1 + r.IntN(min(3, len(p.isInt))) {
		v := lia.Var(r.IntN(len(p.isInt)))
		isInt = isInt && p.isInt[v]
		ms = append(ms, lia.Monomial{Var: v, Coef: rational.Int(int64(r.IntN(2*s.coef+1) - s.coef))})
	}
	a := lia.Atom{Term: lia.NewTerm(ms...), Rel: lia.Rel(r.IntN(3)), Const: rational.Int(int64(r.IntN(2*s.constant+1) - s.constant))}
	if s.congruences && isInt && r.IntN(5) == 0 {
		a.Rel, a.Mod = lia.Congruent, rational.Int(int64(2+r.IntN(4)))
		return a
	}
	if r.IntN(8) == 0 {
		a.Const = a.Const.Div(rational.Int(int64(1 + r.IntN(4))))
	}
	return a
}

var shapes = map[string]shape{
	"reals":       {vars: 5, atoms: 10, coef: 4, constant: 8, reals: true},
	"integers":    {vars: 4, atoms: 8, coef: 4, constant: 8, ints: true},
	"mixed":       {vars: 5, atoms: 9, coef: 3, constant: 8, ints: true, reals: true},
	"congruences": {vars: 3, atoms: 6, coef: 3, constant: 8, ints: true, congruences: true},
	"large":       {vars: 6, atoms: 10, coef: 1 << 40, constant: 1 << 50, reals: true},
}

// isLong says that tests repeat more and ask z3 more.
func isLong() bool { return os.Getenv("AIGLENS_LONG") != "" }

// count is how many random problems a test has: n, with AIGLENS_LONG 20 times as many.
func count(n int) int {
	if isLong() {
		return 20 * n
	}
	return n
}

// decide answers a problem and checks what comes with the answer.
func decide(t *testing.T, p *problem) lia.Answer {
	t.Helper()
	a, err := lia.Decide(context.Background(), p.atoms, p.sort, lia.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	switch a.Result {
	case sat.Sat:
		for _, atom := range p.atoms {
			if !atom.Holds(a.Value) {
				t.Fatalf("%v is false in the model %v of %v", atom, a.Model, p.atoms)
			}
		}
		for v, isInt := range p.isInt {
			if isInt && !a.Value(lia.Var(v)).IsInt() {
				t.Fatalf("x%d is no integer in the model %v of %v", v, a.Model, p.atoms)
			}
		}
	case sat.Unsat:
		if err := a.Refutation.Check(p.atoms, p.sort); err != nil {
			t.Fatalf("%v: %v", p.atoms, err)
		}
		for _, l := range a.Refutation.Lemmas(p.atoms, p.sort) {
			checkLemma(t, l)
		}
	}
	return a
}

// TestConjunctions checks models by their values and refutations by adding up.
func TestConjunctions(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			results := map[sat.Result]int{}
			r := rand.New(rand.NewPCG(7, 1))
			for range count(1000) {
				results[decide(t, s.problem(r)).Result]++
			}
			t.Logf("%v", results)
			if results[sat.Sat] == 0 || results[sat.Unsat] == 0 {
				t.Errorf("only %v", results)
			}
		})
	}
}

// checkLemma adds up.
func checkLemma(t *testing.T, l lia.Lemma) {
	t.Helper()
	sum, constant, isStrict := lia.Term(nil), lia.Rat{}, false
	for i, a := range l.Atoms {
		if f := l.Factors[i]; f.Sign() <= 0 && a.Rel != lia.Equal {
			t.Fatalf("%v times %v", f, a)
		}
		sum, constant = sum.Plus(l.Factors[i], a.Term), constant.Add(l.Factors[i].Mul(a.Const))
		isStrict = isStrict || a.Rel == lia.Less
	}
	if len(sum) > 0 || constant.Sign() > 0 || constant.IsZero() && !isStrict {
		t.Fatalf("%v add up to %v and %v", l.Atoms, sum, constant)
	}
}
