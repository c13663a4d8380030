package reach

import (
	"aiglens/circuit"
)

// order returns the variables of the model of a circuit in the order in which a depth-first
// search from the bad literal meets them, followed by the cones of latches as they come up;
// a latch in the next step comes after the same one now. See Malik, Wang, Brayton and
// Sangiovanni-Vincentelli, "Logic Verification Using Binary Decision Diagrams in a Logic
// Synthesis Environment" (ICCAD 1988).
func order(c *circuit.Circuit) []int {
	n := len(c.Latches())
	seen := make([]bool, c.NumVars())
	var order, latches []int
	walk := func(root circuit.Lit) {
		todo := []circuit.Var{root.Var()}
		for len(todo) > 0 {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			if at := c.LatchIndex(v); at >= 0 {
				order, latches = append(order, at, n+at), append(latches, at)
			} else if at := c.InputIndex(v); at >= 0 {
				order = append(order, 2*n+at)
			} else if left, right, ok := c.Operands(v); ok {
				todo = append(todo, right.Var(), left.Var())
			}
		}
	}
	walk(c.Bads()[0].Lit)
	followed := 0
	follow := func() {
		for ; followed < len(latches); followed++ {
			walk(c.Latches()[latches[followed]].Next)
		}
	}
	follow()
	for _, s := range c.Constraints() {
		walk(s.Lit)
		follow()
	}
	for _, l := range c.Latches() { // which no property needs
		walk(l.Lit)
		follow()
	}
	for _, in := range c.Inputs() {
		walk(in.Lit)
	}
	return order
}
