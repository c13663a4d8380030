package formula

import (
	"slices"
	"strings"

	"aiglens/design"
	"aiglens/internal/findings"
)

// maxCubes bounds the covers that are written out, and maxOperands their literals: none is read for longer than a moment.
const maxCubes = 16

// cover writes a sum of products in names. The usual functions of two and
// three inputs are recognised as what they are.
func (r *reader) cover(c design.Cover, depth int) Expr {
	lit := func(i int) Expr { return r.lit(c.Inputs[i], depth-1, false) }
	if len(c.Cubes) > maxCubes || len(c.Cubes)*len(c.Inputs) > maxOperands {
		return Expr{leaf: findings.Count(len(c.Cubes), "cube", "cubes") + " over " + findings.Count(len(c.Inputs), "input", "inputs"), named: true}
	}
	if op, ok := parityOf(c); ok {
		return parity(op, c.Inputs, lit)
	}
	if e, ok := r.selection(c, depth); ok {
		return e
	}
	var products []Expr
	for _, cube := range c.Cubes {
		var factors []Expr
		for i, phase := range cube {
			if phase != '-' {
				factors = append(factors, lit(i).notIf(phase == '0'))
			}
		}
		products = append(products, apply(opAnd, factors...))
	}
	if c.OffSet && len(products) == 1 { // De Morgan: ¬(¬a ∧ ¬b) is a ∨ b
		if p := products[0]; p.op == opAnd {
			if slices.ContainsFunc(p.args, func(a Expr) bool { return a.op == opNot }) {
				var args []Expr
				for _, a := range p.args {
					args = append(args, a.notIf(true))
				}
				return apply(opOr, args...)
			}
		}
	}
	return apply(opOr, products...).notIf(c.OffSet)
}

// parityOf recognises exclusive or and equivalence: of n inputs the 2ⁿ⁻¹ cubes in
// which all are fixed and the number of ones is always odd, or always even.
func parityOf(c design.Cover) (op operator, ok bool) {
	n := len(c.Inputs)
	if n < 2 || n > 5 || len(c.Cubes) != 1<<(n-1) { // of six there are more than maxCubes
		return 0, false
	}
	cubes := slices.Compact(slices.Sorted(slices.Values(c.Cubes)))
	odd := strings.Count(cubes[0], "1")%2 == 1
	for _, cube := range cubes {
		if strings.Contains(cube, "-") || strings.Count(cube, "1")%2 == 1 != odd {
			return 0, false
		}
	}
	if len(cubes) != len(c.Cubes) {
		return 0, false
	}
	if odd != c.OffSet {
		return opXor, true
	}
	return opEquiv, true
}

// parity writes a parity; ≡ is for two only, because a chain of it reads as if all
// were the same.
func parity(op operator, inputs []design.Lit, lit func(int) Expr) Expr {
	var args []Expr
	for i := range inputs {
		args = append(args, lit(i))
	}
	if op == opEquiv && len(args) > 2 {
		return apply(opXor, args...).notIf(true)
	}
	return apply(op, args...)
}

// selection recognises c·a + ¬c·b, which is c ? a : b.
func (r *reader) selection(c design.Cover, depth int) (Expr, bool) {
	if len(c.Inputs) != 3 || len(c.Cubes) != 2 || c.OffSet {
		return Expr{}, false
	}
	a, b := c.Cubes[0], c.Cubes[1]
	for s := range 3 {
		x, y := (s+1)%3, (s+2)%3
		if a[s] == '-' || b[s] == '-' || a[s] == b[s] {
			continue
		}
		if a[x] == '-' {
			x, y = y, x
		}
		if a[x] == '-' || a[y] != '-' || b[x] != '-' || b[y] == '-' {
			continue
		}
		lit := func(i int, phase byte) Expr { return r.lit(c.Inputs[i], depth-1, false).notIf(phase == '0') }
		yes, no := lit(x, a[x]), lit(y, b[y])
		if a[s] == '0' {
			yes, no = no, yes
		}
		return apply(opMux, lit(s, '1'), yes, no), true
	}
	return Expr{}, false
}
