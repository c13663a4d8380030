package measure

import "aiglens/circuit"

// Shapes counts the gates that make up exclusive ors and multiplexers, each of three
// gates: ¬(x∧y) ∧ ¬(¬x∧¬y), and ¬(c∧y) ∧ ¬(¬c∧z). An exclusive or is not a multiplexer here.
// A gate may belong to several. Gates that nothing depends on are not counted.
type Shapes struct {
	Xors, Muxes        int // by their last gate
	XorGates, MuxGates int // gates that belong to one
	Ands               int // gates that belong to neither
}

func shapes(c *circuit.Circuit, used []bool) Shapes {
	var s Shapes
	const inXor, inMux = 1, 2
	in := make([]uint8, c.NumVars())
	for v := range circuit.Var(c.NumVars()) {
		if !used[v] {
			continue
		}
		_, _, isXor := c.XorOf(v)
		_, _, _, isMux := c.MuxOf(v)
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
		left, right, _ := c.Operands(v)
		for _, gate := range [...]circuit.Var{v, left.Var(), right.Var()} {
			in[gate] |= mark
		}
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
