package measure

import "aiglens/circuit"

// Shapes counts the gates that make up exclusive ors and multiplexers, each of three
// gates: ¬(x∧y) ∧ ¬(¬x∧¬y), and ¬(c∧y) ∧ ¬(¬c∧z). An exclusive or is no multiplexer here.
// A gate may belong to several. Gates that nothing depends on are not counted.
type Shapes struct {
	Xors, Muxes        int // by their last gate
	XorGates, MuxGates int // gates that belong to one
	Ands               int // gates that belong to neither
}

// shapes recognises what ABC does (Abc_NodeIsMuxType, Abc_NodeIsExorType).
func shapes(c *circuit.Circuit, used []bool) Shapes {
	var s Shapes
	const inXor, inMux = 1, 2
	in := make([]uint8, c.NumVars())
	for v := range circuit.Var(c.NumVars()) {
		if !used[v] {
			continue
		}
		left, right, isXor, isMux := shapeOf(c, v)
		mark := uint8(0)
		switch {
		case isXor:
			s.Xors++
			mark = inXor
		case isMux:
			s.Muxes++
			mark = inMux
		default:
			continue
		}
		in[v], in[left], in[right] = in[v]|mark, in[left]|mark, in[right]|mark
	}
	for v, marks := range in {
		if !used[v] || c.Kind(circuit.Var(v)) != circuit.KindAnd {
			continue
		}
		if marks&inXor != 0 {
			s.XorGates++
		}
		if marks&inMux != 0 {
			s.MuxGates++
		}
		if marks == 0 {
			s.Ands++
		}
	}
	return s
}

// shapeOf reports what v is the last gate of, and the other two.
func shapeOf(c *circuit.Circuit, v circuit.Var) (left, right circuit.Var, isXor, isMux bool) {
	l, r, ok := c.Operands(v)
	if !ok || !l.IsNegated() || !r.IsNegated() {
		return 0, 0, false, false
	}
	a, b, okLeft := c.Operands(l.Var())
	x, y, okRight := c.Operands(r.Var())
	if !okLeft || !okRight {
		return 0, 0, false, false
	}
	isXor = a == x.Not() && b == y.Not() || a == y.Not() && b == x.Not()
	isMux = a == x.Not() || a == y.Not() || b == x.Not() || b == y.Not()
	return l.Var(), r.Var(), isXor, isMux && !isXor
}
