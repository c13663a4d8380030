package term

import (
	"math/rand/v2"
	"testing"

	"aiglens/horn/rational"
)

// TestForms builds terms and reads them as text.
func TestForms(t *testing.T) {
	p := NewPool()
	x, y, n := p.Var("x", Int), p.Var("y", Int), p.Var("n", Int)
	u, v := p.Var("u", Real), p.Var("v", Real)
	a, b := p.Var("a", Bool), p.Var("b", Bool)
	half, _ := parse("1/2")
	for _, test := range []struct {
		term       Term
		smt, infix string
	}{
		{p.Le(p.IntOf(0), x), "(>= x 0)", "x ≥ 0"},
		{p.Le(p.Add(x, y), n), "(<= (+ x y) n)", "x + y ≤ n"},
		{p.Lt(x, y), "(<= (+ x 1) y)", "x + 1 ≤ y"},
		{p.Lt(u, v), "(< u v)", "u < v"},
		{p.Lt(v, p.Scale(half, u)), "(> u (* 2.0 v))", "u > 2·v"},
		{p.Le(p.Scale(two(), x), p.IntOf(5)), "(<= x 2)", "x ≤ 2"},
		{p.Le(p.IntOf(5), p.Scale(two(), x)), "(>= x 3)", "x ≥ 3"},
		{p.Equal(p.Scale(two(), x), p.IntOf(5)), "false", "false"},
		{p.Not(p.Equal(x, p.IntOf(5))), "(not (= x 5))", "x ≠ 5"},
		{p.Le(p.ToReal(x), p.NumberOf(half, Real)), "(<= x 0)", "x ≤ 0"},
		{p.Le(p.ToReal(x), u), "(>= u (to_real x))", "u ≥ x"},
		{p.And(a, p.Or(p.Not(b), p.Le(x, y))), "(and a (or (not b) (<= x y)))", "a ∧ (¬b ∨ x ≤ y)"},
		{p.And(a, p.Not(a)), "false", "false"},
		{p.Not(p.Iff(a, b)), "(not (= a b))", "a ≠ b"},
		{p.Iff(p.Not(a), p.Not(b)), "(= a b)", "a = b"},
		{p.Ite(p.Not(a), x, y), "(ite a y x)", "a ? y : x"},
		{p.Equal(p.Mod(p.Add(x, y), two()), p.IntOf(0)), "(= (mod (+ x y) 2) 0)", "(x + y) mod 2 = 0"},
		{p.Neg(x), "(* (- 1) x)", "-x"},
		{p.Sub(p.NumberOf(half, Real), u), "(+ (* (- 1.0) u) (/ 1.0 2.0))", "-u + 1/2"},
		{p.Apply(3, p.Add(x, p.IntOf(1)), a), "(P3 (+ x 1) a)", "P3(x + 1, a)"},
		{p.Quantified(OpForall, []Term{x}, p.Or(p.Apply(0, x), a)), "(forall ((x Int)) (or (P0 x) a))", "∀x. P0(x) ∨ a"},
		{p.Distinct(x, y), "(not (= x y))", "x ≠ y"},
		{p.Iff(p.And(a, b), p.Or(p.And(a, b), p.Le(x, y))), "(let ((.0 (and a b))) (= .0 (or .0 (<= x y))))", "(a ∧ b) = ((a ∧ b) ∨ x ≤ y)"},
	} {
		if smt, infix := (Printer{Pool: p}).String(test.term), Infix(p, test.term, nil, NoLimit); smt != test.smt || infix != test.infix {
			t.Errorf("%s, %s; want %s, %s", smt, infix, test.smt, test.infix)
		}
	}
}

func parse(s string) (Rat, bool) { return rational.Parse(s) }

func two() Rat { return rational.Int(2) }

// TestCopy copies random terms into a pool that has others, where they must have the same values, and back, where
// they must be the same terms.
func TestCopy(t *testing.T) {
	g := newGenerator(rand.New(rand.NewPCG(1, 7)))
	for range 400 {
		g.step()
	}
	other := NewPool()
	other.Le(other.Var("z", Int), other.Var("y", Int))
	there, back := NewCopy(other, g.p), NewCopy(g.p, other)
	for _, list := range g.bySort {
		for _, x := range list {
			c := there.Copy(x.term)
			for i, env := range g.envs {
				e := NewEvaluation(other, func(v Term) Value { return env[g.p.Var(other.Name(v), other.SortOf(v))] })
				if got := e.Value(c); got.Truth != x.values[i].Truth || !got.Number.Equal(x.values[i].Number) {
					t.Fatalf("%s has another value as a copy: %v, want %v", Infix(g.p, x.term, nil, NoLimit), got, x.values[i])
				}
			}
			if again := back.Copy(c); again != x.term {
				t.Fatalf("%s comes back as %s", Infix(g.p, x.term, nil, NoLimit), Infix(g.p, again, nil, NoLimit))
			}
		}
	}
}
