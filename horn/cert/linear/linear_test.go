package linear_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/horn/cert/linear"
)

const limit = 100_000

// conjunction is a random one, with small whole coefficients.
type conjunction struct {
	integer []bool
	all     []linear.Constraint
}

// random returns a conjunction of up to 4 variables. kind says what they are: 0 integers,
// 1 reals, 2 both.
func random(r *rand.Rand, kind int) conjunction {
	c := conjunction{integer: make([]bool, 1+r.IntN(4))}
	for v := range c.integer {
		c.integer[v] = kind == 0 || kind == 2 && r.IntN(2) == 0
	}
	coefs, equations := 1+r.IntN(7), r.IntN(8)
	for range 1 + r.IntN(8) {
		one := linear.Constraint{Constant: big.NewRat(int64(r.IntN(21)-10), int64(1+r.IntN(2)*r.IntN(3)))}
		for v := range c.integer {
			if r.IntN(3) > 0 {
				coef := big.NewRat(int64(r.IntN(2*coefs+1)-coefs), int64(1+r.IntN(8)/7))
				one.Sum = append(one.Sum, linear.Monomial{Var: v, Coef: coef})
			}
		}
		one.Rel = linear.Relation(r.IntN(2))
		if r.IntN(8) < equations && r.IntN(3) == 0 {
			one.Rel = linear.Equal
		}
		c.all = append(c.all, one)
	}
	return c
}

// holds reports whether values satisfy all constraints.
func (c conjunction) holds(values []*big.Rat) bool {
	return !slices.ContainsFunc(c.all, func(one linear.Constraint) bool { return !one.Holds(values) })
}

// inBox reports whether some values from −size to size do; reals take the halves as well.
func (c conjunction) inBox(size int64) bool {
	values := make([]*big.Rat, len(c.integer))
	var search func(v int) bool
	search = func(v int) bool {
		if v == len(values) {
			return c.holds(values)
		}
		for x := -2 * size; x <= 2*size; x++ {
			values[v] = big.NewRat(x, 2)
			if (!c.integer[v] || x%2 == 0) && search(v+1) {
				return true
			}
		}
		return false
	}
	return search(0)
}

// only returns the constraints at some positions.
func (c conjunction) only(at []int) conjunction {
	some := conjunction{integer: c.integer}
	for _, i := range at {
		some.all = append(some.all, c.all[i])
	}
	return some
}

func (c conjunction) String() string {
	text := fmt.Sprint("integer ", c.integer)
	for _, one := range c.all {
		text += "\n\t"
		for _, m := range one.Sum {
			text += fmt.Sprintf("%s·x%d + ", m.Coef.RatString(), m.Var)
		}
		text += fmt.Sprintf("%s %s 0", one.Constant.RatString(), one.Rel)
	}
	return text
}

func solve(c conjunction) (linear.Answer, error) {
	return linear.Solve(context.Background(), c.integer, c.all, limit)
}

// TestRandom compares answers with a search of a box, and the values and the core with the
// constraints. AIGLENS_LONG tries more.
func TestRandom(t *testing.T) {
	n := 1500
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 100_000
	}
	found, tooLarge := 0, 0
	for seed := range n {
		c := random(rand.New(rand.NewPCG(34, uint64(seed))), seed%3)
		a, err := solve(c)
		switch {
		case errors.Is(err, linear.ErrTooLarge):
			tooLarge++
			continue
		case err != nil:
			t.Fatalf("seed %d: %v\n%s", seed, err, c)
		case a.Values != nil:
			found++
			if !c.holds(a.Values) {
				t.Fatalf("seed %d: %v do not satisfy\n%s", seed, a.Values, c)
			}
			continue
		}
		if core := c.only(a.Core); core.inBox([]int64{40, 12, 5, 2}[len(c.integer)-1]) {
			t.Fatalf("seed %d: core %v is satisfiable:\n%s", seed, a.Core, c)
		}
		if again, err := solve(c.only(a.Core)); err != nil || again.Values != nil {
			t.Fatalf("seed %d: core %v has the values %v, %v:\n%s", seed, a.Core, again.Values, err, c)
		}
	}
	t.Logf("%d satisfiable, %d too large, of %d", found, tooLarge, n)
	if found < n/4 || n-found < n/4 || tooLarge > n/100 {
		t.Errorf("%d satisfiable, %d too large, of %d", found, tooLarge, n)
	}
}

// TestIntegers has conjunctions that rationals satisfy and integers do not, or only where the
// dark shadow or a splinter is needed.
func TestIntegers(t *testing.T) {
	between := func(low int64, a, b, high int64) []linear.Constraint {
		sum := func(sign int64) []linear.Monomial {
			return []linear.Monomial{{Var: 0, Coef: big.NewRat(sign*a, 1)}, {Var: 1, Coef: big.NewRat(sign*b, 1)}}
		}
		return []linear.Constraint{
			{Sum: sum(1), Constant: big.NewRat(-high, 1)},
			{Sum: sum(-1), Constant: big.NewRat(low, 1)},
		}
	}
	for _, test := range []struct {
		name  string
		all   []linear.Constraint
		found bool
	}{
		{"Pugh 1992, section 2.3.1", slices.Concat(between(27, 11, 13, 45), between(-10, 7, -9, 4)), false},
		{"one more is allowed", slices.Concat(between(27, 11, 13, 46), between(-10, 7, -9, 5)), true},
		{"a thin strip", slices.Concat(between(1, 3, -3, 2)), false},
		{"an equation without a common divisor", between(1, 6, 10, 1), false},
		{"an equation far away", slices.Concat(between(1, 1001, 1003, 1), between(100, 1, 0, 10_000)), true},
		{"far away, in a strip", slices.Concat(between(1, 1001, 1003, 1), between(502, 1, 0, 1400)), false},
	} {
		for _, integer := range []bool{true, false} {
			c := conjunction{integer: []bool{integer, integer}, all: test.all}
			a, err := solve(c)
			if want := test.found || !integer; err != nil || (a.Values != nil) != want {
				t.Errorf("%s, integers %v: values %v, core %v, %v", test.name, integer, a.Values, a.Core, err)
			}
		}
	}
}
