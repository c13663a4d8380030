package term

import (
	"math/rand/v2"
	"testing"

	"aiglens/horn/rational"
)

// pair is a term with its value in each of some assignments, worked out apart from the term.
type pair struct {
	term   Term
	values []Value
}

// generator makes random terms, each from some that it has made before.
type generator struct {
	r      *rand.Rand
	p      *Pool
	envs   []map[Term]Value
	bySort [Real + 1][]pair
}

func newGenerator(r *rand.Rand) *generator {
	g := &generator{r: r, p: NewPool(), envs: make([]map[Term]Value, 6)}
	for i := range g.envs {
		g.envs[i] = map[Term]Value{}
	}
	for _, sort := range []Sort{Bool, Int, Real} {
		for _, name := range []string{"x", "y", "z"} {
			v := pair{term: g.p.Var(name, sort)}
			for i := range g.envs {
				value := Value{Truth: r.IntN(2) == 0, Number: g.number(sort)}
				if sort != Bool {
					value.Truth = false
				} else {
					value.Number = rational.Zero
				}
				g.envs[i][v.term] = value
				v.values = append(v.values, value)
			}
			g.bySort[sort] = append(g.bySort[sort], v)
		}
	}
	return g
}

func (g *generator) number(sort Sort) Rat {
	if sort == Real {
		return rational.Frac(g.r.Int64N(13)-6, g.r.Int64N(3)+1)
	}
	return rational.Int(g.r.Int64N(13) - 6)
}

func (g *generator) pick(sort Sort) pair {
	list := g.bySort[sort]
	return list[g.r.IntN(len(list))]
}

func (g *generator) add(sort Sort, t Term, value func(i int) Value) {
	p := pair{term: t}
	for i := range g.envs {
		p.values = append(p.values, value(i))
	}
	g.bySort[sort] = append(g.bySort[sort], p)
}

// step makes one more term.
func (g *generator) step() {
	p := g.p
	sort := []Sort{Int, Real}[g.r.IntN(2)]
	a, b, c, x, y := g.pick(Bool), g.pick(Bool), g.pick(Bool), g.pick(sort), g.pick(sort)
	truth := func(f func(i int) bool) func(int) Value { return func(i int) Value { return Value{Truth: f(i)} } }
	number := func(f func(i int) Rat) func(int) Value { return func(i int) Value { return Value{Number: f(i)} } }
	compared := func(i int) int { return x.values[i].Number.Cmp(y.values[i].Number) }
	switch g.r.IntN(16) {
	case 0:
		g.add(Bool, p.Not(a.term), truth(func(i int) bool { return !a.values[i].Truth }))
	case 1:
		g.add(Bool, p.And(a.term, b.term, c.term), truth(func(i int) bool { return a.values[i].Truth && b.values[i].Truth && c.values[i].Truth }))
	case 2:
		g.add(Bool, p.Or(a.term, b.term, c.term), truth(func(i int) bool { return a.values[i].Truth || b.values[i].Truth || c.values[i].Truth }))
	case 3:
		g.add(Bool, p.Equal(a.term, b.term), truth(func(i int) bool { return a.values[i].Truth == b.values[i].Truth }))
	case 4:
		g.add(Bool, p.Ite(a.term, b.term, c.term), func(i int) Value {
			if a.values[i].Truth {
				return b.values[i]
			}
			return c.values[i]
		})
	case 5:
		g.add(sort, p.Ite(a.term, x.term, y.term), func(i int) Value {
			if a.values[i].Truth {
				return x.values[i]
			}
			return y.values[i]
		})
	case 6:
		g.add(Bool, p.Le(x.term, y.term), truth(func(i int) bool { return compared(i) <= 0 }))
	case 7:
		g.add(Bool, p.Lt(x.term, y.term), truth(func(i int) bool { return compared(i) < 0 }))
	case 8:
		g.add(Bool, p.Equal(x.term, y.term), truth(func(i int) bool { return compared(i) == 0 }))
	case 9:
		g.add(sort, p.Add(x.term, y.term), number(func(i int) Rat { return x.values[i].Number.Add(y.values[i].Number) }))
	case 10:
		g.add(sort, p.Sub(x.term, y.term), number(func(i int) Rat { return x.values[i].Number.Sub(y.values[i].Number) }))
	case 11:
		k := g.number(sort)
		g.add(sort, p.Scale(k, x.term), number(func(i int) Rat { return x.values[i].Number.Mul(k) }))
	case 12:
		k := g.number(sort)
		g.add(sort, p.Add(x.term, p.NumberOf(k, sort)), number(func(i int) Rat { return x.values[i].Number.Add(k) }))
	case 13:
		n := g.pick(Int)
		g.add(Real, p.ToReal(n.term), func(i int) Value { return n.values[i] })
	default:
		n, d := g.pick(Int), rational.Int(g.r.Int64N(9)-4)
		if d.IsZero() {
			return
		}
		mod := func(i int) Rat { // the number from 0 to |d| - 1 that differs from n by a multiple of d
			v := n.values[i].Number
			for k := rational.Zero; ; k = k.Add(rational.One) {
				if v.Sub(k).Div(d).IsInt() {
					return k
				}
			}
		}
		if g.r.IntN(2) == 0 {
			g.add(Int, p.Mod(n.term, d), number(mod))
		} else {
			g.add(Int, p.Div(n.term, d), number(func(i int) Rat { return n.values[i].Number.Sub(mod(i)).Div(d) }))
		}
	}
}

// TestRandomTerms builds random terms and compares their values with those worked out apart; and those of the terms
// with values put in for the variables, which are simplified to these values.
func TestRandomTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		g := newGenerator(r)
		for range 60 {
			g.step()
		}
		for i, env := range g.envs {
			e := NewEvaluation(g.p, func(v Term) Value { return env[v] })
			by := map[Term]Term{}
			for v, value := range env {
				if g.p.SortOf(v) == Bool {
					by[v] = Truth(value.Truth)
				} else {
					by[v] = g.p.NumberOf(value.Number, g.p.SortOf(v))
				}
			}
			for sort, list := range g.bySort {
				for _, p := range list {
					got, want := e.Value(p.term), p.values[i]
					if got.Truth != want.Truth || !got.Number.Equal(want.Number) {
						t.Fatalf("%s is %v, want %v", Infix(g.p, p.term, nil, NoLimit), got, want)
					}
					put := g.p.Substitute(p.term, by)
					if sort == int(Bool) && put != Truth(want.Truth) {
						t.Fatalf("%s becomes %s", Infix(g.p, p.term, nil, NoLimit), Infix(g.p, put, nil, NoLimit))
					} else if n, ok := g.p.Number(put); sort != int(Bool) && (!ok || !n.Equal(want.Number) || g.p.SortOf(put) != Sort(sort)) {
						t.Fatalf("%s becomes %s", Infix(g.p, p.term, nil, NoLimit), Infix(g.p, put, nil, NoLimit))
					}
					checkForm(t, g.p, p.term)
				}
			}
		}
	}
}

// checkForm checks what the package promises about sums and comparisons.
func checkForm(t *testing.T, p *Pool, top Term) {
	t.Helper()
	p.Walk([]Term{top}, nil, func(u Term) {
		op := p.Op(u)
		if op < OpSum || op > OpEq {
			return
		}
		l := p.LinearOf(u)
		g := rational.Zero
		for i, a := range l.Terms {
			c := l.Coefs[i]
			if i > 0 && l.Terms[i-1] >= a || c.IsZero() || p.Op(a) == OpSum || op != OpSum && !c.IsInt() {
				t.Fatalf("%s is not in order", Infix(p, u, nil, NoLimit))
			}
			g = rational.GCD(g, c.Num())
		}
		if op == OpSum {
			return
		}
		if !g.IsOne() || l.Coefs[0].Sign() < 0 || p.SortOf(l.Terms[0]) == Int && (!l.Const.IsInt() || op == OpLt) {
			t.Fatalf("%s has another form", Infix(p, u, nil, NoLimit))
		}
	})
}

// TestClone grows two clones apart.
func TestClone(t *testing.T) {
	p := NewPool()
	x := p.Var("x", Int)
	q := p.Clone()
	a, b := p.Le(x, p.IntOf(1)), q.Le(x, q.IntOf(2))
	if a == b && p.Op(a) != q.Op(b) || Infix(p, a, nil, NoLimit) != "x ≤ 1" || Infix(q, b, nil, NoLimit) != "x ≤ 2" || q.Var("x", Int) != x {
		t.Errorf("%s, %s", Infix(p, a, nil, NoLimit), Infix(q, b, nil, NoLimit))
	}
	y, fresh := p.Var("y", Int), p.Fresh("x", Int)
	if p.Var("y", Int) != y || p.Fresh("x", Int) == fresh {
		t.Error("terms are not shared, or not fresh")
	}
}
