package linear_test

import (
	"errors"
	"math/big"
	"testing"

	"aiglens/horn/cert/linear"
)

// FuzzSolve reads constraints from bytes: the sorts of three variables, then for each
// constraint its relation, the coefficients and the constant. Values must satisfy them, and
// a search must find none where there are said to be none.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{7, 0, 3, 250, 0, 1, 0, 253, 6, 0, 1, 2, 9, 9, 9, 7})
	f.Add([]byte{5, 2, 4, 0, 6, 255, 1, 0, 1, 1, 0, 0, 7, 3, 200, 11, 0, 1, 0, 0, 249, 120})
	f.Add([]byte{0, 1, 1, 255, 0, 0, 1, 255, 1, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		c := conjunction{integer: []bool{data[0]&1 != 0, data[0]&2 != 0, data[0]&4 != 0}}
		for row := data[1:]; len(row) >= 5 && len(c.all) < 10; row = row[5:] {
			one := linear.Constraint{Rel: linear.Relation(row[0] % 3), Constant: big.NewRat(int64(int8(row[4])), 1+int64(row[0]/3%3))}
			for v := range c.integer {
				one.Sum = append(one.Sum, linear.Monomial{Var: v, Coef: big.NewRat(int64(int8(row[1+v])), 1)})
			}
			c.all = append(c.all, one)
		}
		a, err := solve(c)
		if errors.Is(err, linear.ErrTooLarge) {
			return
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, c)
		}
		if a.Values != nil {
			if !c.holds(a.Values) {
				t.Fatalf("%v do not satisfy\n%s", a.Values, c)
			}
			return
		}
		if core := c.only(a.Core); core.inBox(5) {
			t.Fatalf("core %v is satisfiable:\n%s", a.Core, c)
		}
	})
}
